import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { keptFiles } from '../specification.ts'
import { REPOSITORY } from '../workspace-packages.ts'

/** The workspace that a file belongs to: `packages/core`, `e2e`. */
const workspaceOf = (file: string): string =>
  file
    .split('/')
    .slice(0, /^(packages|examples)\//.test(file) ? 2 : 1)
    .join('/')

/** Relative imports that reach from a file into another workspace's tests. */
function intoOthersTests(file: string, text: string): readonly string[] {
  return [...text.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)]
    .map(([, specifier = '']) => posix.normalize(posix.join(posix.dirname(file), specifier)))
    .filter(target => /(^|\/)tests\//.test(target) && workspaceOf(target) !== workspaceOf(file))
    .map(target => `${file} imports ${target}`)
}

/** Not as this file itself would import it. */
const quoted = (specifier: string): string => `'${specifier}'`

it("no file imports what is in another package's tests", async () => {
  const files = keptFiles('*.ts')
  expect(files.length).toBeGreaterThan(500)
  const found = await Promise.all(
    files.map(async file => intoOthersTests(file, await readFile(`${REPOSITORY}/${file}`, 'utf8'))),
  )
  expect(found.flat()).toEqual([])
  expect(
    intoOthersTests('e2e/tests/a.ts', `import x from ${quoted('../../packages/core/tests/b.ts')}`),
  ).toHaveLength(1)
  expect(intoOthersTests('e2e/fuzz/a.ts', `import x from ${quoted('../tests/b.ts')}`)).toEqual([])
})
