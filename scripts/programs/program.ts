import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { REPOSITORY } from '../workspace-packages.ts'

/** What `node` is given to run a program of the repository: the bundle that this run of tests has made of it. */
export function programArguments(source: URL): readonly string[] {
  const bundled = relative(REPOSITORY, fileURLToPath(source)).replace(/\.ts$/, '.js')
  return ['--enable-source-maps', join(inject('programs'), bundled)]
}

/** The same for a path from the root of the repository. */
export const programAt = (path: string): readonly string[] =>
  programArguments(new URL(`../../${path}`, import.meta.url))
