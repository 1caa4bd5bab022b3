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

test('TS3 the last lines of the test command count and name what passed, failed and was skipped', () => {
  const prepare = `beforeAll(() => { throw new Error('no server') })\n${GOOD}`
  const { stdout, code } = runVitest({
    bad: `${GOOD}\ndescribe('group', () => test('bad', () => { throw new Error('first\\nsecond') }))`,
    prepared: `${prepare}`,
    group: `describe('group', () => {\n${prepare}\n})`,
    missing: `import './missing.ts'\n${GOOD}`,
    nonsense: 'const = nonsense',
    skipped: `describe('group', () => test('later', context => context.skip('no disk was there')))\ntest.todo('some day')`,
    stray: `test('stray', async () => {
      setTimeout(() => { throw new Error('stray') }, 0)
      await new Promise(resolve => setTimeout(resolve, 20))
    })`,
  })
  expect(code).toBe(1)
  expect(stdout).toMatch(/\nNode v\d+\.\d+\.\d+\. The slowest files:\n\d+\.\d s .*\.case\.ts\n/)
  const lines = stdout.trimEnd().split('\n')
  const told = (word: string) =>
    lines.filter(line => line.startsWith(`${word}: `)).map(line => line.replace(/^.*\/(?=\w+\.case)/, ''))
  expect(told('Skipped').sort()).toEqual([
    ...[
      'Skipped: good',
      'Skipped: group > good',
      'Skipped: group > later: no disk was there',
      'Skipped: some day',
    ],
  ])
  expect(told('Failed').sort()).toEqual([
    ...['Failed: stray', 'bad.case.ts: group > bad: first', 'group.case.ts: group: no server'],
    'missing.case.ts',
    'nonsense.case.ts: Transform failed with 1 error:',
    'prepared.case.ts: no server',
  ])
  expect(lines.at(-1)).toBe('2 passed, 6 failed, 4 skipped')
})

test('a run in which all is well succeeds, and one without any test fails', () => {
  const last = (cases: Readonly<Record<string, string>>) => {
    const { stdout, code } = runVitest(cases)
    return [stdout.trimEnd().split('\n').at(-1), code]
  }
  expect(last({})).toEqual(['0 passed, 1 failed, 0 skipped', 1])
  expect(last({ a: GOOD })).toEqual(['1 passed, 0 failed, 0 skipped', 0])
})

describe('tests that talk to a server of others', () => {
  const use = (call: string): string =>
    `import { requireProgram, useServer } from ${JSON.stringify(join(REPOSITORY, 'test-support/src/servers.ts'))}
    describe('group', async () => { ${call}; ${GOOD} })`
  /** A port that is never listened on. */
  const nowhere = { COLLOQUY_TEST_REDIS_URL: 'redis://127.0.0.1:1/7', COLLOQUY_TEST_REQUIRE_SERVERS: '' }

  test('TS6 are skipped where it is missing, and say how to start it or which package has it', () => {
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

  test('TS6 fail where it is missing and servers are required', () => {
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
