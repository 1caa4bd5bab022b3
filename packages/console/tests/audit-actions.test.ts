import { AUDIT_ACTIONS } from '@colloquy/core'
import { afterAll, expect, test, vi } from 'vitest'

const store = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
vi.stubGlobal('localStorage', store)
vi.stubGlobal('navigator', { language: 'en', languages: ['en'] })
const { language } = await import('../page/texts/language.ts')
const { actionNames } = await import('../page/views/settings/audit-actions.ts')
afterAll(() => void vi.unstubAllGlobals())

test.each(['en', 'de'] as const)('CO691 every action of the audit log has words of its own: %s', one => {
  language.value = one
  const names = actionNames()
  expect(names.map(([action]) => action).sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort())
  const words = names.map(([, text]) => text)
  expect(new Set(words).size).toBe(words.length)
  for (const text of words) expect(text).toMatch(/^\p{Lu}[^_.]*: \p{L}[^_.]*$/u)
  expect(words).toEqual(words.toSorted((first, second) => first.localeCompare(second)))
})
