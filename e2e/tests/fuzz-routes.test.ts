import { expect, test } from 'vitest'
import { startTarget } from '../fuzz/child.ts'
import { reportOf } from '../fuzz/report.ts'
import { runRoutes } from '../fuzz/run-routes.ts'

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)

/** What the heap may grow by, beyond the caches that were warm, bytes: some samples above what it differs by from run to run. */
const TOLERANCE = 8 * 1_048_576

test('FZ1 FZ2 FZ3 FZ4 FZ5 FZ6 every route, asked rightly and wrongly in every way, answers as it promises, and keeps little', {
  timeout: 240_000,
}, async () => {
  const target = await startTarget()
  try {
    console.log(`FUZZ_SEED=${SEED}`)
    const run = await runRoutes(target, { seed: SEED, goOn: round => round < 5 })
    expect(run.findings, reportOf(run)).toEqual([])
    expect(run.otherUntouched).toBe(true)
    expect(run.heap.after - run.heap.warm).toBeLessThan(TOLERANCE)
    // It came deep: nearly every route was got through to, whatever the seed.
    const reached = [...run.byRoute.values()].filter(counts => counts.has('2xx'))
    expect(reached.length).toBeGreaterThan(run.byRoute.size - 12)
  } finally {
    await target.stop()
  }
})
