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
      assertionResults: z.array(z.object({ ancestorTitles: z.array(z.string()), status: z.string() })),
    }),
  ),
})

/** Of each mutant of each database, how many tests have found it. */
async function foundBy(): Promise<ReadonlyMap<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const report = join(folder, 'report.json')
  const vitest = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
  const config = join(import.meta.dirname, 'store-mutants/vitest.config.ts')
  const options = ['run', '--config', config, '--reporter', 'json', '--outputFile', report]
  const child = spawn(process.execPath, [vitest, ...options], { cwd: REPOSITORY, stdio: 'ignore' })
  await once(child, 'exit')
  const { testResults } = REPORT.parse(JSON.parse(await readFile(report, 'utf8')))
  const found = new Map<string, number>()
  for (const { ancestorTitles, status } of testResults.flatMap(file => file.assertionResults)) {
    const name = (ancestorTitles.at(-1) ?? '').replace(/: documents$/, '')
    found.set(name, (found.get(name) ?? 0) + Number(status === 'failed'))
  }
  return found
}

test('every fault that documents of a store may have is found, in every database, and none where there is none', {
  // A run of the suites for each mutant and database, one test here: how long that takes says nothing.
  timeout: 1_800_000,
}, async () => {
  const found = await foundBy()
  const databases = [...new Set([...found.keys()].map(name => name.split('; ')[0] ?? ''))]
  const all = ['memory', 'SQLite', 'PostgreSQL', 'MariaDB']
  const mayLack = process.env.COLLOQUY_TEST_REQUIRE_SERVERS === undefined
  expect(databases).toEqual(mayLack ? expect.arrayContaining(all.slice(0, 2)) : all)
  for (const database of databases) {
    expect([database, found.get(`${database}; none`)]).toEqual([database, 0])
    const survived = Object.keys(MUTANTS).filter(name => (found.get(`${database}; ${name}`) ?? 0) === 0)
    expect([database, survived]).toEqual([database, []])
  }
})
