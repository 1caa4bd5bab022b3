import { eventsOf } from '@colloquy/test-support/stored'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import type { ConversationId } from '../../src/domain/ids.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { aConversation, createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

/** The store as a process sees it that is cut off right after it has claimed something. */
const cutOffAfterClaims = (store: Store, claimed: () => void): Store => ({
  ...store,
  conversations: {
    ...store.conversations,
    timers: {
      ...store.conversations.timers,
      async claimDue(...given) {
        const due = await store.conversations.timers.claimDue(...given)
        if (due.length === 0) return due
        claimed()
        return new Promise(() => {})
      },
    },
  },
})

it('a process that dies between its claim and the wake-up holds up nothing for longer than a second', async () => {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const runtime = createScriptedRuntime({ greeting: 'Welcome.' }, clock)
  let claims = 0
  // The first one to look at any moment is the one that dies.
  createPlatform({ store: cutOffAfterClaims(store, () => claims++), clock, runtime, idleWarning: 0 })
  const platform = createPlatform({ store, clock, runtime, idleWarning: 0 })
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  const moment = clock.now() + 600_000
  await clock.advance(moment - clock.now() + 1_000)
  expect(claims).toBe(1)
  expect((await eventsOf(store.conversations, visitor.id, 0)).at(-1)?.type).toBe('SESSION_END')
})

describe('a conversation that cannot be woken', () => {
  /** Two sessions over a store that cannot load the first one while it is broken. */
  async function setUp() {
    const clock = createFakeClock()
    const memory = createMemoryStore()
    const state = { broken: '' }
    const store: Store = {
      ...memory,
      conversations: {
        ...memory.conversations,
        load: async id => {
          if (id === state.broken) throw new Error('unreadable')
          return memory.conversations.load(id)
        },
      },
    }
    const told: number[] = []
    const errors: unknown[] = []
    const start = (options: Partial<PlatformOptions> = {}) =>
      createPlatform({
        ...{
          store,
          clock,
          runtime: createScriptedRuntime({}, clock),
          sessionIdle: 60_000,
          longestWakeRetry: 30_000,
        },
        onError: (error, where) => {
          if (where !== 'worker') return
          told.push(clock.now())
          errors.push(error)
        },
        ...options,
      })
    const platform = start()
    const [broken, other] = [await openVisitor(platform, clock), await openVisitor(platform, clock)]
    state.broken = broken.id
    const last = async (id: ConversationId) => (await eventsOf(memory.conversations, id, 0)).at(-1)?.type
    return { clock, start, state, told, errors, broken, other, last }
  }

  const gaps = (moments: readonly number[]) =>
    moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0))

  it('EN44 is tried again ever more rarely, each time the host is told, and others go on', async () => {
    const { clock, told, errors, broken, other, last } = await setUp()
    await clock.advance(60_500)
    expect(await last(other.id)).toBe('SESSION_END')
    expect(errors[0]).toMatchObject({
      message: `The conversation ${broken.id} could not be woken; it is tried again later.`,
      cause: new Error('unreadable'),
    })
    await clock.advance(200_000)
    expect(told.length).toBeGreaterThan(9)
    const waits = gaps(told)
    for (const [index, wait] of waits.slice(0, 6).entries()) {
      expect(wait).toBeGreaterThanOrEqual(500 * 2 ** index)
      expect(wait).toBeLessThanOrEqual(500 * 2 ** index + 500)
    }
    for (const wait of waits.slice(-3)) expect(Math.abs(wait - 30_000)).toBeLessThanOrEqual(500)
  })

  it('EN44 what a process has waited for holds for the next one, and a wake-up that works begins anew', async () => {
    const { clock, start, state, told, broken, last } = await setUp()
    await clock.advance(60_000 + 100_000)
    const before = told.length
    start()
    await clock.advance(20_000)
    expect(told.length - before).toBeLessThanOrEqual(1)
    state.broken = ''
    await clock.advance(31_000)
    expect(await last(broken.id)).toBe('SESSION_END')
  })

  it('EN44 more of them than are claimed at once starve nobody', async () => {
    const clock = createFakeClock()
    const memory = createMemoryStore()
    const healthy = 'healthy'
    const store: Store = {
      ...memory,
      conversations: {
        ...memory.conversations,
        load: async id => {
          if (id.startsWith('broken')) throw new Error('unreadable')
          return memory.conversations.load(id)
        },
      },
    }
    const at = clock.now()
    for (let index = 0; index < 250; index++)
      await memory.conversations.create(aConversation(`broken-${index}`, { wakeAt: at + index }))
    await memory.conversations.create(aConversation(healthy, { wakeAt: at + 400 }))
    const woken = async () => (await memory.conversations.load(healthy))?.version
    createPlatform({ store, clock, runtime: createScriptedRuntime({}, clock), onError: () => {} })
    await clock.advance(1_000)
    expect(await woken()).toBeGreaterThan(1)
  })
})
