import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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
