import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { REPOSITORY } from './workspace-packages.ts'

/** Time in which a run of tests that is broken off may still end, milliseconds. */
const LEAVE = 10_000

/**
 * Runs `npm test`: the tests, with these arguments, and the checks beside them, since tests wait more than they work.
 * Checks that fail end the tests.
 */
async function test(args: readonly string[]): Promise<boolean> {
  const node = (file: string, given: readonly string[], stdio: 'inherit' | 'pipe') =>
    spawn(process.execPath, [join(REPOSITORY, file), ...given], {
      cwd: REPOSITORY,
      stdio: ['inherit', stdio, stdio],
    })
  const checks = node('scripts/checks.ts', [], 'pipe')
  const tests = node('node_modules/vitest/vitest.mjs', ['run', ...args], 'inherit')
  const said: Buffer[] = []
  for (const stream of [checks.stdout, checks.stderr]) stream?.on('data', chunk => said.push(chunk))

  const tested = new Promise<boolean>(resolve => tests.once('close', code => resolve(code === 0)))
  const checked = new Promise<boolean>(resolve => checks.once('close', code => resolve(code === 0)))
  if (!(await checked)) {
    tests.kill('SIGINT')
    const limit = setTimeout(() => tests.kill('SIGKILL'), LEAVE)
    await tested
    clearTimeout(limit)
    process.stderr.write(`${Buffer.concat(said)}\nThe checks failed: see above. The tests were ended.\n`)
    return false
  }
  return tested
}

process.exitCode = (await test(process.argv.slice(2))) ? 0 : 1
