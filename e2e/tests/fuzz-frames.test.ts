import { expect, test } from 'vitest'
import { startTarget } from '../fuzz/child.ts'
import { fuzzFrames } from '../fuzz/fuzz-frames.ts'

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)

/** What the heap may grow by after the first round, bytes: some samples above what it differs by from run to run. */
const TOLERANCE = 8 * 1_048_576

test('FZ10 FZ11 FZ12 FZ13 FZ5 clients that break every rule of the socket harm nobody, and what they sent whole comes to something', {
  timeout: 240_000,
}, async () => {
  const target = await startTarget()
  try {
    console.log(`FUZZ_SEED=${SEED}`)
    const warm = await fuzzFrames({ target, seed: SEED, goOn: round => round < 2 })
    const before = await target.heap()
    const rest = await fuzzFrames({ target, seed: SEED + 1, goOn: round => round < 2 })
    expect([...warm.findings, ...rest.findings]).toEqual([])
    expect((await target.heap()) - before).toBeLessThan(TOLERANCE)
    // It was as bad as it should be.
    expect(rest.fatal).toBeGreaterThan(40)
    expect(rest.messages).toBeGreaterThan(50)
  } finally {
    await target.stop()
  }
})
