import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { REPOSITORY } from '../workspace-packages.ts'

const VITEST = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
const REPORTER = join(REPOSITORY, 'scripts/summary-reporter.ts')

/** A folder within the repository, where Vitest can be imported from. */
let folder: string

beforeEach(() => {
  mkdirSync(join(REPOSITORY, 'node_modules/.cache'), { recursive: true })
  folder = mkdtempSync(join(REPOSITORY, 'node_modules/.cache/summary-'))
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `export default { test: { reporters: ['default', ${JSON.stringify(REPORTER)}], include: ['*.case.ts'] } }`,
  )
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs test files, given as name and body, and returns the last line and the exit code. */
function runCases(cases: Readonly<Record<string, string>>): {
  readonly last: string | undefined
  readonly code: number | null
} {
  const { stdout, code } = runVitest(cases)
  return { last: stdout.trimEnd().split('\n').at(-1), code }
}

/** Runs test files, given as name and body, and returns all that was printed and the exit code. */
function runVitest(
  cases: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
): {
  readonly stdout: string
  readonly code: number | null
} {
  for (const [name, body] of Object.entries(cases))
    writeFileSync(
      join(folder, `${name}.case.ts`),
      `import { beforeAll, describe, expect, test } from 'vitest'\n${body}`,
    )
  const { stdout, status } = spawnSync(process.execPath, [VITEST, 'run', '--root', folder], {
    encoding: 'utf8',
    env: {
      ...process.env,
      VITEST: undefined,
      VITEST_WORKER_ID: undefined,
      VITEST_POOL_ID: undefined,
      ...environment,
    },
  })
  return { stdout, code: status }
}

const GOOD = `test('good', () => expect(1).toBe(1))`

describe('the last line of the test command', () => {
  test('counts what passed and what was skipped', () => {
    expect(runCases({ a: GOOD, b: `${GOOD}\ntest.skip('later', () => {})\ntest.todo('some day')` })).toEqual({
      last: '2 passed, 0 failed, 2 skipped',
      code: 0,
    })
  })

  test('TS8 stands below the Node of the run and its slowest files', () => {
    const { stdout } = runVitest({ a: GOOD })
    expect(stdout).toMatch(/\nNode v\d+\.\d+\.\d+\. The slowest files:\n\d+\.\d s .*a\.case\.ts\n\n1 passed,/)
  })

  test('stands below the names of what failed, with the first line of the error', () => {
    const { stdout } = runVitest({
      a: `describe('group', () => test('bad', () => { throw new Error('first\\nsecond') }))`,
      b: `beforeAll(() => { throw new Error('no server') })\n${GOOD}`,
    })
    expect(stdout).toMatch(/\nFailed: .*a\.case\.ts: group > bad: first\n/)
    expect(stdout).toMatch(/\nFailed: .*b\.case\.ts: no server\n/)
    expect(stdout.trimEnd()).toMatch(/\nFailed: [^\n]*\n\n\d+ passed, \d+ failed, \d+ skipped$/)
  })

  test('counts a failed test, and the command fails', () => {
    expect(runCases({ a: `${GOOD}\ntest('bad', () => expect(1).toBe(2))` })).toEqual({
      last: '1 passed, 1 failed, 0 skipped',
      code: 1,
    })
  })

  test('counts a file that cannot be loaded, and the command fails', () => {
    expect(runCases({ a: GOOD, b: `import './missing.ts'\n${GOOD}`, c: 'const = nonsense' })).toEqual({
      last: '1 passed, 2 failed, 0 skipped',
      code: 1,
    })
  })

  test('counts a failed preparation, of a file and of a group', () => {
    const prepare = `beforeAll(() => { throw new Error('no') })\n${GOOD}`
    const { last, code } = runCases({ a: prepare, b: `describe('group', () => {\n${prepare}\n})`, c: GOOD })
    expect(last).toMatch(/^1 passed, 2 failed, /)
    expect(code).toBe(1)
  })

  test('counts an error that no test caught', () => {
    const stray = `test('stray', async () => {
      setTimeout(() => { throw new Error('stray') }, 0)
      await new Promise(resolve => setTimeout(resolve, 20))
    })`
    expect(runCases({ a: stray })).toEqual({ last: '1 passed, 1 failed, 0 skipped', code: 1 })
  })

  test('a run without any test is a failure', () => {
    expect(runCases({})).toEqual({ last: '0 passed, 1 failed, 0 skipped', code: 1 })
  })
})

describe('what was skipped', () => {
  test('is named with its reason', () => {
    const skipped = `test('later', context => context.skip('no disk was there'))\ntest.skip('never', () => {})`
    const { stdout } = runVitest({ a: `${GOOD}\ndescribe('group', () => {\n${skipped}\n})` })
    expect(stdout.trimEnd().split('\n').slice(-4)).toEqual([
      'Skipped: group > later: no disk was there',
      'Skipped: group > never',
      '',
      '1 passed, 0 failed, 2 skipped',
    ])
  })
})

describe('tests that talk to a server of others', () => {
  const use = (call: string): string =>
    `import { requireProgram, useServer } from ${JSON.stringify(join(REPOSITORY, 'test-support/src/servers.ts'))}
    describe('group', async () => { ${call}; ${GOOD} })`
  /** A port that is never listened on. */
  const nowhere = { COLLOQUY_TEST_REDIS_URL: 'redis://127.0.0.1:1/7', COLLOQUY_TEST_REQUIRE_SERVERS: '' }

  test('TS4 are skipped where it is missing, and say how to start it or which package has it', () => {
    const { stdout, code } = runVitest(
      {
        a: `${use("await useServer('redis')")}\n${GOOD}`,
        b: use("requireProgram('no-such-program', 'a-package')"),
      },
      nowhere,
    )
    const lines = stdout.trimEnd().split('\n')
    expect(lines.filter(line => line.startsWith('Skipped: ')).sort()).toEqual([
      'Skipped: group > good: No redis server answers at 127.0.0.1:1 (ECONNREFUSED). Start one with `redis-server`, or set COLLOQUY_TEST_REDIS_URL.',
      'Skipped: group > good: no-such-program is not installed. Install it, on Debian with `apt-get install a-package`.',
    ])
    expect([lines.at(-1), code]).toEqual(['1 passed, 0 failed, 2 skipped', 0])
  })

  test('TS4 fail where it is missing and servers are required', () => {
    const { stdout, code } = runVitest(
      {
        a: use("await useServer('redis')"),
        b: use("requireProgram('no-such-program', 'a-package')"),
        c: GOOD,
      },
      { ...nowhere, COLLOQUY_TEST_REQUIRE_SERVERS: '1' },
    )
    expect([stdout.trimEnd().split('\n').at(-1), code]).toEqual(['1 passed, 2 failed, 0 skipped', 1])
  })
})
