import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonBytes } from '../../src/domain/utf8-bytes.ts'
import type { Voice } from '../../src/domain/voice/voice.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { aVoice } from '../../src/testing/fixtures.ts'

test('pages of a copy hold all documents in order, as many as their bounds allow, and one at least', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(1, 10, 1_000, 20_000), { maxLength: 40, size: 'max' }),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(300, 2_500, 50_000),
      async (lengths, count, bytes) => {
        const { copies } = createMemoryStore()
        const voices = lengths.map((length, at) => aVoice(`V-${100 + at}`, { name: 'x'.repeat(length) }))
        await copies.take('voice', voices)
        const found = []
        for (let after: readonly string[] | null = null; ; ) {
          const page: readonly Voice[] = await copies.page('voice', after, { count, bytes })
          const last = page.at(-1)
          if (last === undefined) break
          const size = page.reduce((sum, voice) => sum + jsonBytes(voice), 0)
          expect(page.length === 1 || (size <= bytes && page.length <= count)).toBe(true)
          const next = voices[found.length + page.length]
          const isFull = page.length === count || next === undefined || size + jsonBytes(next) > bytes
          expect(isFull).toBe(true)
          found.push(...page)
          after = [last.id]
        }
        expect(found).toEqual(voices)
      },
    ),
  )
})
