import { createPlatform } from '@colloquy/core'
import { createFakeClock, createScriptedCallProvider, createScriptedRuntime } from '@colloquy/core/testing'
import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, it } from 'vitest'
import { createSqliteStore } from '../src/index.ts'

it('EM12 ten idle minutes of a platform with every worker are a hundred tasks at most, and no write', async () => {
  const clock = createFakeClock()
  let tasks = 0
  const counting = {
    ...clock,
    schedule: (delay: number, task: () => void) =>
      clock.schedule(delay, () => {
        tasks++
        task()
      }),
  }
  const store = createSqliteStore({ filename: ':memory:' })
  let writes = 0
  store.onCommit?.(() => writes++)
  const platform = createPlatform({
    ...{ store, clock: counting, rateLimits: null },
    runtime: createScriptedRuntime({ greeting: 'Welcome.' }, clock),
    embedder: { id: 'toy', embed: async texts => texts.map(() => Float32Array.of(1)) },
    webhookSender: { objection: () => null, send: async () => ({ type: 'answered', status: 204 }) },
    callProvider: createScriptedCallProvider(),
  })
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.end()
  await visitor.drop()
  // What was counted of it is written.
  await clock.advance(60_000)
  expect(writes).toBeGreaterThan(0)
  writes = 0
  tasks = 0
  await clock.advance(600_000)
  expect(writes).toBe(0)
  expect(tasks).toBeLessThanOrEqual(100)
  await platform.close()
})
