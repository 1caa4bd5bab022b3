import { createMemoryStore } from '@colloquy/adapter-memory'
import { keepingLog } from '@colloquy/test-support/bus-ends'
import { eventsOf } from '@colloquy/test-support/stored'
import { openVisitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlatform } from '../../src/platform.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'
import { startPollLoop } from '../../src/usecases/shared/poll-loop.ts'

const LONGEST = 5_000

/** A worker whose rounds do what they are told, and what the host hears of it. */
function bench(works: () => boolean, retryAfter = 500) {
  const clock = createFakeClock()
  const began = clock.monotonic()
  const { told, log } = keepingLog()
  const errors: [unknown, string][] = []
  const rounds: number[] = []
  const settings = {
    longestWorkerRetry: LONGEST,
    onError: (error: unknown, where: string) => void errors.push([error, where]),
  }
  const loop = startPollLoop(
    { clock, log, settings },
    {
      name: 'some work',
      async round() {
        rounds.push(clock.monotonic() - began)
        if (!works()) throw new Error(`Away at ${clock.monotonic() - began}.`)
        return 500
      },
      retryAfter,
    },
  )
  return { clock, told, errors, rounds, loop }
}

const pauses = (rounds: readonly number[]) =>
  rounds.slice(1).map((moment, index) => moment - (rounds[index] ?? 0))

describe('a worker that fails', () => {
  it('EM11 tries again after pauses that double up to the bound, and pauses as usual once it works', async () => {
    let away = true
    const { clock, told, errors, rounds, loop } = bench(() => !away)
    await clock.advance(20_000)
    away = false
    await clock.advance(5_000)
    expect(pauses(rounds).slice(0, 9)).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 500, 500])
    expect(errors).toEqual([[new Error('Away at 0.'), 'some work']])
    expect(told).toEqual([
      { message: 'A background worker works again.', fields: { worker: 'some work', failedFor: 22_500 } },
    ])
    await loop.stop()
  })

  it('EM11 a usual pause that is longer than the bound stays as it is', async () => {
    const { clock, rounds, loop } = bench(() => false, 15_000)
    await clock.advance(60_000)
    expect(pauses(rounds)).toEqual([15_000, 15_000, 15_000, 15_000])
    await loop.stop()
  })

  it('EM11 whatever fails and works, the host hears once of each beginning and each end, and no pause is longer than the bound', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async outcomes => {
        let round = 0
        const { clock, told, errors, rounds, loop } = bench(() => outcomes[round++] ?? true)
        await clock.advance((outcomes.length + 1) * LONGEST)
        await loop.stop()
        const begins = outcomes.filter((works, at) => !works && (outcomes[at - 1] ?? true))
        expect(errors.length).toBe(begins.length)
        expect(told.length).toBe(begins.length)
        for (const [at, pause] of pauses(rounds).entries())
          if (outcomes[at] ?? true) expect(pause).toBe(500)
          else expect(pause).toBeLessThanOrEqual(LONGEST)
      }),
      { numRuns: 30 },
    )
  })

  it('EM11 what a round fails for that was under way when the worker was stopped is not told', async () => {
    const { loop, errors } = bench(() => false)
    await loop.stop()
    expect(errors).toEqual([])
  })
})

describe('a store that is away', () => {
  /** A platform with every worker over a store that can be taken away. */
  function setUp() {
    const clock = createFakeClock()
    const memory = createMemoryStore()
    const state = { away: false }
    const fragile = <Part extends object>(part: Part): Part =>
      new Proxy(part, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name)
          if (typeof value === 'object' && value !== null) return fragile(value)
          if (typeof value !== 'function') return value
          return (...given: unknown[]) =>
            state.away
              ? Promise.reject(new Error('The database is away.'))
              : Reflect.apply(value, target, given)
        },
      })
    const store: Store = { ...fragile(memory), close: memory.close }
    const { told, log } = keepingLog()
    const errors: string[] = []
    const platform = createPlatform({
      ...{ store, clock, log, idleWarning: 0, sessionIdle: 60_000 },
      runtime: createScriptedRuntime({ greeting: 'Welcome.' }, clock),
      onError: (_, where) => void errors.push(where),
      embedder: { id: 'toy', embed: async texts => texts.map(() => Float32Array.of(1)) },
      webhookSender: { objection: () => null, send: async () => ({ type: 'answered', status: 204 }) },
    })
    return { clock, memory, state, told, errors, platform }
  }

  it('EM11 and EN40 every worker tells once that it is, and once that it is back, and what came due meanwhile follows', async () => {
    const { clock, memory, state, told, errors, platform } = setUp()
    const visitor = await openVisitor(platform, clock)
    await visitor.join()
    await visitor.drop()
    await clock.advance(30_000)
    state.away = true
    await clock.advance(600_000)
    expect([...errors].sort()).toEqual(['queue status', 'tests', 'turn embedder', 'webhooks', 'worker'])
    expect(told).toEqual([])
    state.away = false
    await clock.advance(61_000)
    expect(told.map(({ fields }) => fields.worker).sort()).toEqual([...errors].sort())
    expect((await eventsOf(memory.conversations, visitor.id, 0)).at(-1)?.type).toBe('SESSION_END')
    await platform.close()
  })

  it('EM11 and TM4 a step back of the clock while the store is away holds nothing up once it is back', async () => {
    const { clock, memory, state, platform } = setUp()
    const visitor = await openVisitor(platform, clock)
    await visitor.join()
    await visitor.drop()
    await clock.advance(1_000)
    state.away = true
    clock.step(-86_400_000)
    await clock.advance(30_000)
    state.away = false
    await clock.advance(70_000)
    expect((await eventsOf(memory.conversations, visitor.id, 0)).at(-1)?.type).toBe('SESSION_END')
    await platform.close()
  })
})
