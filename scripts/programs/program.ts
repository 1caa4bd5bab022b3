import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { REPOSITORY } from '../workspace-packages.ts'

/** Returns the arguments with which `node` runs a program of the repository: its bundle, made by this run of tests. */
export function programArguments(source: URL): readonly string[] {
  const bundled = relative(REPOSITORY, fileURLToPath(source)).replace(/\.ts$/, '.js')
  return ['--enable-source-maps', join(inject('programs'), bundled)]
}

/** The same for a path from the root of the repository. */
export const programAt = (path: string): readonly string[] =>
  programArguments(new URL(`../../${path}`, import.meta.url))
