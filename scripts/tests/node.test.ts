import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../workspace-packages.ts'

const { optionalDependencies } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))

/** The Node of a run by `npm run test:nightly -- 22.23.3`, and otherwise that of npm. */
const expected = (): string | undefined =>
  process.env.COLLOQUY_TEST_NODE ?? optionalDependencies[`node-${process.platform}-${process.arch}`]

test('tests and the programs that they start run on the Node that npm brings, or on the one that was asked for', context => {
  const version = expected()
  if (version === undefined) context.skip(`npm brings no Node for ${process.platform} on ${process.arch}.`)
  expect(process.version).toBe(`v${version}`)
  const started = execFileSync(process.execPath, ['--print', 'process.version'], { encoding: 'utf8' })
  expect(started.trim()).toBe(process.version)
  if (process.env.COLLOQUY_TEST_NODE !== undefined) return
  const found = execFileSync('node', ['--print', 'process.execPath'], { encoding: 'utf8' })
  expect(realpathSync(found.trim())).toBe(realpathSync(process.execPath))
})
