import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PATIENCE } from '../patience.ts'
import { keptFiles } from '../specification.ts'
import { REPOSITORY } from '../workspace-packages.ts'

// Biome breaks long lines of code, and counts parameters and lines of functions: see `biome.json`.

const sources = (folder: string) =>
  keptFiles(`${folder}/src/*.ts`).map(path => ({ path, text: readFileSync(join(REPOSITORY, path), 'utf8') }))

/** Lines of a comment that are longer than 120 characters. */
const longComments = (text: string): readonly string[] => text.match(/^ *(?:\/\/|\/?\*).{100,}$/gm) ?? []

it('AR1 no comment of a package has a line of more than 120 characters', () => {
  expect(longComments(`  // ${'x'.repeat(120)}\nconst a = '${'x'.repeat(120)}'\n/** Short. */`)).toHaveLength(
    1,
  )
  const long = sources('packages/*').flatMap(({ path, text }) =>
    longComments(text)
      .filter(line => line.length > 120)
      .map(line => `${path}: ${line}`),
  )
  expect(long).toEqual([])
})

it('core imports zod as a namespace', () => {
  const named = sources('packages/core').filter(({ text }) =>
    /^import (type )?(?!\* as|type \* as).* from 'zod'/m.test(text),
  )
  expect(named.map(({ path }) => path)).toEqual([])
})

/** Time limits that a test sets for itself: of what it waits for, of the whole, and of all tests of a run. */
const ownLimits = (text: string): readonly number[] =>
  [
    ...text.matchAll(
      /^.*(?:\bpoll|\bwaitFor|\bwaitUntil)\(.*timeout: ([\d_]+)|^ *\}, ([\d_]+)\)$|\b(?:test|hook)Timeout: ([\d_]+)/gm,
    ),
  ].map(([, wait, whole, all]) => Number((wait ?? whole ?? all ?? '').replaceAll('_', '')))

it('TS3 no test waits for less time than all others: a busy machine would fail it', () => {
  const short = '20_000'
  const limits = `await expect.poll(read, { timeout: ${short} })\n}, ${short})\n{ testTimeout: ${short} }\n`
  expect(ownLimits(limits)).toEqual([20_000, 20_000, 20_000])
  const impatient = keptFiles('*.test.ts', '*vitest.config.ts').filter(path =>
    ownLimits(readFileSync(join(REPOSITORY, path), 'utf8')).some(limit => limit >= 1_000 && limit < PATIENCE),
  )
  expect(impatient).toEqual([])
})
