import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../workspace-packages.ts'
import { type Expression, expressionsOf } from './find.ts'

const SOURCES = ['packages/*/src/*', 'packages/*/page/*', 'examples/*/src/*']
const EXTENSION = /\.[cm]?[jt]sx?$/

/** The expressions of all that packages and examples run, also where git does not have a file yet. */
export const expressionsOfSources = (): readonly Expression[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...SOURCES], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(path => EXTENSION.test(path) && existsSync(join(REPOSITORY, path)))
    .flatMap(path => expressionsOf(path, readFileSync(join(REPOSITORY, path), 'utf8')))
