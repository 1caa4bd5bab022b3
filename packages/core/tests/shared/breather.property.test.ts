import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import type { AgentRuntime } from '../../src/ports/agent-runtime.ts'
import { silentLog } from '../../src/ports/log.ts'
import { createBreather } from '../../src/shared/breather.ts'
import { createFakeClock } from '../../src/testing/index.ts'

const SLICE = 20

test('whatever pieces of work cost, they go on in order; those after a long piece wait for a later turn, and short ones do not', async () => {
  const costs = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 80 })
  await fc.assert(
    fc.asyncProperty(costs, async given => {
      let now = 0
      let turns = 0
      const done: number[] = []
      const breather = createBreather({
        now: () => now,
        othersTurn: async () => {
          await new Promise(setImmediate)
          turns++
        },
      })
      const before = given.map((_, index) => given.slice(0, index).reduce((sum, cost) => sum + cost, 0))
      await Promise.all(
        given.map(async (cost, index) => {
          const breath = breather.breathe()
          // It waits only where the work before it in this turn was long.
          expect(breath === null).toBe((before[index] ?? 0) < SLICE)
          if (breath !== null) await breath
          now += cost
          done.push(index)
        }),
      )
      expect(done).toEqual(given.map((_, index) => index))
      const total = given.slice(0, -1).reduce((sum, cost) => sum + cost, 0)
      expect(turns > 0).toBe(total >= SLICE)
    }),
  )
})

test('those that rest go on in the order of asking: one in each turn, and others while it is young', async () => {
  const costs = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(costs, async given => {
      let [now, turn, began, isOver] = [0, 0, 0, false]
      const others = (): void => {
        ;[turn, began] = [turn + 1, now]
        if (!isOver) setImmediate(others)
      }
      setImmediate(others)
      const breather = createBreather({ now: () => now, othersTurn: () => new Promise(setImmediate) })
      const done: number[] = []
      const most = Math.max(...given)
      await Promise.all(
        given.map(async (cost, index) => {
          await breather.rest()
          expect(now - began).toBeLessThan(2 + most)
          now += cost
          done.push(index)
        }),
      )
      isOver = true
      expect(done).toEqual(given.map((_, index) => index))
      // Nobody waits for a turn in which nothing goes on.
      expect(turn).toBeLessThanOrEqual(2 + 2 * given.length)
      await new Promise(setImmediate)
    }),
  )
})

/** Hundreds of chats over a store and a runtime that answer in microtasks. */
async function turnsOfOthers(messages: number, parts: number, chats = 64) {
  const clock = createFakeClock()
  let passed = 0
  // Each look at the clock finds it a little later, as work would.
  const running = { ...clock, monotonic: () => clock.monotonic() + ++passed / 10 }
  const runtime: AgentRuntime = {
    async *respond() {
      for (let part = 0; part < parts; part++) yield { type: 'text', text: 'word ' }
    },
  }
  const store = createMemoryStore()
  const platform = createPlatform({
    ...{ store, runtime, clock: running, workers: false, log: silentLog, rateLimits: null },
  })
  const { id: accountId } = await platform.access.createAccount({ slug: 'a', name: 'A' })
  const agent = await platform.agents.create({ accountId, name: 'Echo', greeting: 'Welcome.' })
  await platform.agents.publish(agent.id, { environment: 'live' })
  let others = 0
  let over = false
  const turn = (): void => {
    others++
    if (!over) setImmediate(turn)
  }
  setImmediate(turn)
  passed = 0
  await Promise.all(
    Array.from({ length: chats }, async () => {
      const { state } = await platform.debugChat.start(agent, { environment: 'live' })
      for (let said = 0; said < messages; said++)
        await platform.debugChat.send(agent, state.id, { environment: 'live', message: 'Hello' })
    }),
  )
  over = true
  const looks = passed
  await platform.close()
  return { others, looks }
}

test('while many chats talk in microtasks others have their turn again and again', async () => {
  const { others, looks } = await turnsOfOthers(4, 1)
  // As many milliseconds as there were looks, by ten; twice the slice is the most that a turn may take on average.
  expect(others).toBeGreaterThan(looks / 10 / (4 * SLICE))
})

test('so they have while one runtime says thousands of parts without a pause', async () => {
  const { others, looks } = await turnsOfOthers(1, 4_000, 1)
  expect(others).toBeGreaterThan(looks / 10 / (4 * SLICE))
})
