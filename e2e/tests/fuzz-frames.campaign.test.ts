import { SEED } from '@colloquy/test-support/seed'
import { expect, test } from 'vitest'
import { startTarget } from '../fuzz/child.ts'
import { fuzzFrames } from '../fuzz/fuzz-frames.ts'
import { excess } from '../fuzz/memory.ts'

test('FZ11 and FZ5 clients that break every rule of the socket harm nobody, and what they sent whole comes to something', async () => {
  const target = await startTarget()
  try {
    console.log(`COLLOQUY_TEST_SEED=${SEED}`)
    const warm = await fuzzFrames({ target, seed: SEED, goOn: round => round < 2 })
    const memory = { warm: await target.memory() }
    const rest = await fuzzFrames({ target, seed: SEED + 1, goOn: round => round < 2 })
    expect([...warm.findings, ...rest.findings]).toEqual([])
    const ended = await target.end()
    expect(ended.conversations).toBeGreaterThanOrEqual(warm.visits + rest.visits)
    expect(excess(memory, await target.memory())).toBe(0)
    expect(await target.errors()).toEqual([])
    // It was as bad as it should be.
    expect(rest.fatal).toBeGreaterThan(40)
    expect(rest.messages).toBeGreaterThan(50)
  } finally {
    await target.stop()
  }
})
