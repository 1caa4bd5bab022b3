import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { REPOSITORY } from '../../scripts/workspace-packages.ts'
import { MUTANTS } from './store-mutants/mutants.ts'

// Slow: twenty mutants of each store are put to its contract.

const REPORT = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          status: z.string(),
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
})

/** Tells whether a test was ended for its time, so that its failure says nothing of the mutant. */
const isLate = (messages: readonly string[]): boolean =>
  messages.some(message => /^(?:Error: )?(?:Test|Hook) timed out in /.test(message))

/** Counts the tests that found each mutant of each database, and names those that were ended for their time. */
async function foundBy() {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const report = join(folder, 'report.json')
  const vitest = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
  const config = join(import.meta.dirname, 'store-mutants/vitest.config.ts')
  const options = ['run', '--config', config, '--reporter', 'json', '--outputFile', report]
  const child = spawn(process.execPath, [vitest, ...options], { cwd: REPOSITORY, stdio: 'ignore' })
  await once(child, 'exit')
  const { testResults } = REPORT.parse(JSON.parse(await readFile(report, 'utf8')))
  const results = testResults.flatMap(file => file.assertionResults)
  const found = new Map<string, number>()
  const late: string[] = []
  for (const { ancestorTitles, failureMessages, status } of results) {
    const name = (ancestorTitles.at(-1) ?? '').replace(/: documents$/, '')
    if (isLate(failureMessages)) late.push(name)
    found.set(name, (found.get(name) ?? 0) + Number(status === 'failed'))
  }
  return { found, late }
}

test('every fault that documents of a store may have is found, in every database, and none where there is none', {
  // A run of the suites for each mutant and database, one test here: how long that takes says nothing.
  timeout: 1_800_000,
}, async () => {
  const { found, late } = await foundBy()
  const databases = [...new Set([...found.keys()].map(name => name.split('; ')[0] ?? ''))]
  const all = ['memory', 'SQLite', 'PostgreSQL', 'MariaDB']
  const mayLack = process.env.COLLOQUY_TEST_REQUIRE_SERVERS === undefined
  expect(databases).toEqual(mayLack ? expect.arrayContaining(all.slice(0, 2)) : all)
  expect(late).toEqual([])
  for (const database of databases) {
    expect([database, found.get(`${database}; none`)]).toEqual([database, 0])
    const survived = Object.keys(MUTANTS).filter(name => (found.get(`${database}; ${name}`) ?? 0) === 0)
    expect([database, survived]).toEqual([database, []])
  }
})
