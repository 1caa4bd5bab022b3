import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import { createFakeClock } from '../../src/testing/index.ts'

test('a failed turn is logged once, with its conversation and what failed', async () => {
  const lines: string[] = []
  const note = (message: string, fields?: object) => lines.push(`${message} ${JSON.stringify(fields)}`)
  const clock = createFakeClock()
  const platform = createPlatform({
    store: createMemoryStore(),
    runtime: {
      // biome-ignore lint/correctness/useYield: it fails before it says anything.
      async *respond() {
        throw new Error('The model is away.')
      },
    },
    clock,
    log: { debug() {}, info() {}, warn: note, error: note },
    turnAttempts: 1,
  })
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await clock.settle()
  const told = lines.filter(line => line.includes('The model is away.'))
  expect(told).toHaveLength(1)
  expect(told[0]).toMatch(/^A turn failed .*"conversation":/)
  await platform.close()
})
