import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { keptFiles, specificationFiles, specifiedRules } from '../specification.ts'
import { REPOSITORY } from '../workspace-packages.ts'

/** Files whose titles may name rules: tests, and the contracts and shared suites that tests run. */
const files = (): readonly string[] =>
  keptFiles(
    ...['*.test.ts', 'packages/core/src/testing/*', 'packages/voice-gateway/src/testing/*'],
    'test-support/src/*',
  ).filter(file => file.endsWith('.ts'))

const idsIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].flatMap(match => match[1]?.match(/[A-Z]{2}\d+/g) ?? [])

const lettersOf = (id: string): string => id.slice(0, 2)

it('DO5 every rule is in the title of a test, and every id in a title is a rule', async () => {
  const titles = await Promise.all(files().map(file => readFile(`${REPOSITORY}/${file}`, 'utf8')))
  const tested = new Set(titles.flatMap(text => idsIn(text, /['"`]((?:[A-Z]{2}\d+(?:, | and | ))+)/g)))
  const specified = specifiedRules().map(({ id }) => id)
  expect(specified.length).toBeGreaterThan(500)
  expect(specified.filter(id => !tested.has(id))).toEqual([])
  expect([...tested].filter(id => !specified.includes(id))).toEqual([])
  expect(new Set(specified).size).toBe(specified.length)
})

it('DO5 rules of the same letters are in one file, to which the list in SPEC.md leads', async () => {
  const kept = new Map<string, Set<string>>()
  for (const { id, file } of specifiedRules())
    kept.set(lettersOf(id), (kept.get(lettersOf(id)) ?? new Set()).add(file))
  const lines = [
    ...(await readFile(`${REPOSITORY}/SPEC.md`, 'utf8')).matchAll(/^- ([A-Z, ]+): .*\]\(([^)]+)\)$/gm),
  ]
  const listed = lines.flatMap(([, letters = '', file = '']) => letters.split(', ').map(two => [two, [file]]))
  expect(Object.fromEntries([...kept].map(([two, in_]) => [two, [...in_]]))).toEqual(
    Object.fromEntries(listed),
  )
  expect(listed.length).toBe(kept.size)
  expect(lines.map(([, , file]) => file).sort()).toEqual([...specificationFiles()].sort())
})

it('DO5 all rules together can be read: at most 25,000 words', async () => {
  const files = ['SPEC.md', ...specificationFiles()]
  const texts = await Promise.all(files.map(file => readFile(`${REPOSITORY}/${file}`, 'utf8')))
  expect(texts.join(' ').match(/\S+/g)?.length).toBeLessThanOrEqual(25_000)
})
