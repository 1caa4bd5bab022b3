import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from './workspace-packages.ts'

/** A numbered rule, and the file that it is kept in. */
export interface Rule {
  readonly id: string
  readonly file: string
}

/** Files that git keeps, by their path from the root, that match one of the patterns. */
export const keptFiles = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', ...patterns], { cwd: REPOSITORY, encoding: 'utf8' })
    .split('\0')
    .filter(path => path !== '')

/**
 * The files that hold rules, by their path from the root. `SPEC.md` of the root, which only leads to them, holds none.
 */
export const specificationFiles = (): readonly string[] =>
  keptFiles('*/SPEC.md', 'packages/*/spec/*.md').filter(path => path !== 'SPEC.md')

/** The rules of all these files, with repetitions. */
export const specifiedRules = (): readonly Rule[] =>
  specificationFiles().flatMap(file =>
    [...readFileSync(join(REPOSITORY, file), 'utf8').matchAll(/^- \*\*([A-Z]{2}\d+)\*\* /gm)].map(
      ([, id = '']) => ({ id, file }),
    ),
  )
