import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Files whose titles name rules: tests, and the contracts that tests run. */
const files = (): readonly string[] =>
  execFileSync('git', ['ls-files', '*.test.ts', 'packages/core/src/testing/*'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(file => file.endsWith('.ts'))

const idsIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].flatMap(match => match[1]?.match(/[A-Z]{2}\d+/g) ?? [])

it('DO5 every rule of SPEC.md stands in the title of a test, and every title of a test names a rule of it', async () => {
  const titles = await Promise.all(files().map(file => readFile(`${ROOT}/${file}`, 'utf8')))
  const tested = new Set(titles.flatMap(text => idsIn(text, /['"`]((?:[A-Z]{2}\d+(?:, | and | ))+)/g)))
  const specified = idsIn(await readFile(`${ROOT}/SPEC.md`, 'utf8'), /^- \*\*([A-Z]{2}\d+)\*\*/gm)
  expect(specified.filter(id => !tested.has(id))).toEqual([])
  expect([...tested].filter(id => !specified.includes(id))).toEqual([])
  expect(new Set(specified).size).toBe(specified.length)
})
