import { SEED } from '@colloquy/test-support/seed'
import { expect, test } from 'vitest'
import { startTarget } from '../fuzz/child.ts'
import { excess } from '../fuzz/memory.ts'
import { reportOf, unreached } from '../fuzz/report.ts'
import { runRoutes } from '../fuzz/run-routes.ts'

test('FZ1, FZ3 and FZ5 every route, asked rightly and wrongly in every way, answers as it promises, and leaves nothing behind', async () => {
  const target = await startTarget()
  try {
    console.log(`COLLOQUY_TEST_SEED=${SEED}`)
    const run = await runRoutes(target, { seed: SEED, goOn: round => round < 5 })
    expect(run.findings, reportOf(run)).toEqual([])
    expect(run.otherUntouched).toBe(true)
    // Small requests came to something, were refused, and led nowhere.
    expect(run.flooded).toEqual([200, 401, 404])
    const ended = await target.end()
    // Had there been little to end, this would show little.
    expect(Math.min(ended.agents, ended.keys, ended.connectors, ended.conversations)).toBeGreaterThan(5)
    expect(excess(run.memory, await target.memory()), JSON.stringify(run.memory)).toBe(0)
    expect(await target.errors()).toEqual([])
    // It came deep: most routes were got through to, whatever the seed. The others need what requests alone cannot make.
    const missed = unreached(run)
    console.log(`${missed.length} of ${run.byRoute.size} routes were not got through to.`)
    expect(missed.length, missed.join(', ')).toBeLessThan(50)
  } finally {
    await target.stop()
  }
})
