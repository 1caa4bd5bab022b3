import { ADA, createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { eventsOf, wakesAt } from '@colloquy/test-support/stored'
import { openVisitor, type Visitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import {
  createFakeClock,
  createScriptedRuntime,
  type FakeClock,
  type Script,
} from '../../src/testing/index.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const ended = (visitor: Visitor): boolean => visitor.types().includes('SESSION_END')

/** Lets time pass while the visitor's client sends its heartbeats. */
async function keepTalking(clock: FakeClock, visitor: Visitor, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 30 * SECOND) {
    await clock.advance(Math.min(left, 30 * SECOND))
    await visitor.heartbeat()
  }
}

/** Processes over one store, whose agent takes ten seconds for "slow" and says when it is asked. */
function setUp() {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const bus = createLocalBus()
  const asked: string[] = []
  const script: Script = {
    greeting: 'Welcome.',
    messages: {
      slow: () => {
        asked.push('slow')
        return [{ type: 'wait', milliseconds: 10 * SECOND }, 'Done.']
      },
    },
    otherwise: 'Certainly.',
  }
  const start = (options: Partial<PlatformOptions> = {}) => {
    const own = options.clock ?? clock
    return createPlatform({
      ...{ store, bus, clock, rateLimits: null, runtime: createScriptedRuntime(script, own) },
      ...options,
    })
  }
  return { clock, store, bus, asked, start }
}

describe('a step forward', () => {
  it('TM3 ends no session whose visitor sends heartbeats, whichever process looks', async () => {
    const { clock, start } = setUp()
    const platform = start()
    start()
    const visitor = await openVisitor(platform, clock)
    await visitor.join()
    await keepTalking(clock, visitor, 5 * MINUTE)
    clock.step(HOUR)
    await keepTalking(clock, visitor, 12 * MINUTE)
    expect(ended(visitor)).toBe(false)
    await clock.advance(11 * MINUTE)
    expect(ended(visitor)).toBe(true)
  })

  it('TM3 leaves a silent visitor the rest of the idle time, and no more', async () => {
    const { clock, start } = setUp()
    const visitor = await openVisitor(start(), clock)
    await visitor.join()
    await clock.advance(6 * MINUTE)
    clock.step(HOUR)
    await clock.advance(3 * MINUTE)
    expect(ended(visitor)).toBe(false)
    await clock.advance(70 * SECOND)
    expect(ended(visitor)).toBe(true)
  })

  it('TM3 asks for a turn that is under way no second time', async () => {
    const { asked, clock, start } = setUp()
    const platform = start()
    start()
    const visitor = await openVisitor(platform, clock)
    await visitor.join()
    await visitor.say('slow')
    clock.step(HOUR)
    await clock.advance(11 * SECOND)
    await visitor.heartbeat()
    expect(visitor.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'Done.'])
    expect(asked).toEqual(['slow'])
  })

  it('TM3 leaves a visitor in the queue the rest of its time-out, and says no longer wait than there was', async () => {
    const { clock, store, start, waiting } = createDeskBench()
    const platform = start()
    const visitor = await waiting(platform)
    const other = await waiting(platform)
    await keepTalking(clock, visitor, 100 * SECOND)
    clock.step(HOUR)
    await keepTalking(clock, visitor, 195 * SECOND)
    expect(visitor.types()).not.toContain('HANDOFF_TIMEOUT')
    await platform.desk.accept(other.accountId, handoffOf(other), ADA)
    const waits = await store.conversations.handoffs.joinedWaits(other.accountId, 'reception', 0, 9)
    expect(waits.map(({ waited }) => waited)).toEqual([300 * SECOND])
    await keepTalking(clock, visitor, 10 * SECOND)
    expect(visitor.types()).toContain('HANDOFF_TIMEOUT')
  })

  it('TM3 leaves a live agent whose socket is open, also where another process looks', async () => {
    const { clock, start, waiting } = createDeskBench()
    const [platform] = [start(), start()]
    const visitor = await waiting(platform)
    await platform.desk.watch(visitor.accountId, () => {}, { liveAgentId: ADA.id })
    await platform.desk.accept(visitor.accountId, handoffOf(visitor), ADA)
    clock.step(HOUR)
    await keepTalking(clock, visitor, 5 * MINUTE)
    expect(ended(visitor)).toBe(false)
  })
})

describe('a step back', () => {
  it('TM4 holds up no end of a session whose visitor is silent, connected or not', async () => {
    const { clock, store, start } = setUp()
    const platform = start()
    const visitors = [await openVisitor(platform, clock), await openVisitor(platform, clock)]
    for (const visitor of visitors) await visitor.join()
    await clock.advance(MINUTE)
    clock.step(-2 * HOUR)
    await clock.advance(10 * MINUTE + 5 * SECOND)
    expect(visitors.map(ended)).toEqual([true, true])
    expect(await wakesAt(store.conversations, null)).toBe(true)
  })

  it('TM4 ends no session whose visitor sends heartbeats', async () => {
    const { clock, start } = setUp()
    const visitor = await openVisitor(start(), clock)
    await visitor.join()
    clock.step(-2 * HOUR)
    await keepTalking(clock, visitor, 25 * MINUTE)
    expect(ended(visitor)).toBe(false)
  })

  it('TM4 is found by a process that starts after it', async () => {
    const { clock, store, start } = setUp()
    const before = start()
    const visitor = await openVisitor(before, clock)
    await visitor.join()
    await before.idle()
    const { start: again, clock: later } = { start, clock: createFakeClock(clock.now() - 2 * HOUR) }
    again({ clock: later })
    await later.advance(10 * MINUTE + 5 * SECOND)
    expect((await eventsOf(store.conversations, visitor.id, 0)).at(-1)?.type).toBe('SESSION_END')
  })

  it('TM4 holds up neither a turn whose process has died nor the time-out of a queue', async () => {
    const { asked, clock, start } = setUp()
    const dead = { now: false }
    const dying: Clock = {
      ...{ now: clock.now, monotonic: clock.monotonic },
      schedule: (delay, task) => clock.schedule(delay, () => dead.now || task()),
    }
    const here = await openVisitor(start({ clock: dying }), clock)
    await here.join()
    const there = await here.reconnect(start())
    await here.say('slow')
    dead.now = true
    clock.step(-2 * HOUR)
    await clock.advance(40 * SECOND)
    expect(there.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'Done.'])
    expect(asked).toEqual(['slow', 'slow'])

    const desk = createDeskBench()
    const visitor = await desk.waiting(desk.start())
    desk.clock.step(-2 * HOUR)
    await keepTalking(desk.clock, visitor, 5 * MINUTE + 5 * SECOND)
    expect(visitor.types()).toContain('HANDOFF_TIMEOUT')
  })

  it('puts nobody who comes later before those who wait: places, the desk and its feed', async () => {
    const { clock, start, waiting } = createDeskBench()
    const platform = start()
    const first = await waiting(platform)
    clock.step(-2 * HOUR)
    const second = await waiting(platform)
    const places = [first, second].map(({ received }) => received.at(-1)?.payload.position_in_queue)
    expect(places).toEqual([1, 2])
    const inOrder = [handoffOf(first), handoffOf(second)]
    const ids = async (status: 'waiting' | 'active') =>
      (await platform.desk.handoffs(first.accountId, status)).map(({ handoffId }) => handoffId)
    const watched = async () => {
      const told: string[] = []
      const stop = await platform.desk.watch(first.accountId, event => {
        if ('handoff' in event) told.push(event.handoff.handoffId)
      })
      stop()
      return told
    }
    expect(await ids('waiting')).toEqual(inOrder)
    expect(await watched()).toEqual(inOrder)
    const { position } = await platform.desk.handoff(first.accountId, handoffOf(second))
    expect(position).toBe(2)
    for (const id of inOrder.toReversed()) await platform.desk.accept(first.accountId, id, ADA)
    expect(await ids('active')).toEqual(inOrder)
    expect(await watched()).toEqual(inOrder)
  })

  it('TM4 sets back no time of a conversation: events, turns, the end; latencies are what passed', async () => {
    const { clock, store, start } = setUp()
    const platform = start()
    const visitor = await openVisitor(platform, clock)
    const { startedAt } = (await store.conversations.load(visitor.id))?.state ?? { startedAt: 0 }
    await visitor.join()
    await visitor.say('slow')
    await clock.advance(4 * SECOND)
    clock.step(-2 * HOUR)
    await clock.advance(7 * SECOND)
    await visitor.say('more')
    await visitor.end()
    const events = await eventsOf(store.conversations, visitor.id, 0)
    const stamps = events.map(({ at }) => at)
    expect(stamps).toEqual(stamps.toSorted((one, other) => one - other))
    const { state } = (await store.conversations.load(visitor.id)) ?? {}
    expect(state?.endedAt).toBeGreaterThanOrEqual(startedAt)
    const turns = (await store.conversations.turns(visitor.id)).map(({ record }) => record)
    expect(turns.map(({ latency }) => latency)).toEqual([0, 10, 0])
    for (const { user_input_datetime: asked, agent_response_datetime: answered } of turns)
      expect(Date.parse(String(answered))).toBeGreaterThanOrEqual(Date.parse(String(asked)))
  })

  it('TM4 lets a host finish a record without saying when', async () => {
    const { clock, store, start } = setUp()
    const platform = start()
    const visitor = await openVisitor(platform, clock)
    const { accountId, agentId } = visitor
    const started = { accountId, agentId, environment: 'live' as const, channel: 'VOICE-SIP' }
    const startedAt = clock.now()
    const { conversationId } = await platform.conversations.start(started)
    clock.step(-2 * HOUR)
    const finished = await platform.conversations.finish({ agentId, conversationId })
    expect(finished).toMatchObject({ status: 'recorded' })
    expect((await store.conversations.load(conversationId))?.state).toMatchObject({
      startedAt,
      endedAt: startedAt,
    })
  })
})

describe('a pause', () => {
  const IDLE = { sessionIdle: MINUTE }

  it('TM6 ends no session whose frames wait in the socket', async () => {
    const { clock, start } = setUp()
    const visitor = await openVisitor(start(IDLE), clock)
    await visitor.join()
    clock.pause(65 * SECOND)
    await clock.advance(0)
    await visitor.heartbeat()
    await clock.advance(30 * SECOND)
    expect(ended(visitor)).toBe(false)
    await clock.advance(MINUTE)
    expect(ended(visitor)).toBe(true)
  })

  it('TM6 ends a session whose visitor was silent, once the sockets were read', async () => {
    const { clock, start } = setUp()
    const visitor = await openVisitor(start(IDLE), clock)
    await visitor.join()
    clock.pause(65 * SECOND)
    await clock.advance(1_999)
    expect(ended(visitor)).toBe(false)
    await clock.advance(1)
    expect(ended(visitor)).toBe(true)
  })

  it('TM6 leaves a live agent whose socket is open', async () => {
    const { clock, start, waiting } = createDeskBench()
    const platform = start({ sessionIdle: HOUR })
    const visitor = await waiting(platform)
    await platform.desk.watch(visitor.accountId, () => {}, { liveAgentId: ADA.id })
    await platform.desk.accept(visitor.accountId, handoffOf(visitor), ADA)
    clock.pause(2 * MINUTE)
    await clock.advance(2 * MINUTE)
    expect(ended(visitor)).toBe(false)
  })

  it('TM6 a process that is late at every look wakes conversations all the same', async () => {
    const { clock, start } = setUp()
    const visitor = await openVisitor(start(IDLE), clock)
    await visitor.join()
    for (let look = 0; look < 40; look++) {
      clock.pause(3_500)
      await clock.advance(0)
    }
    expect(ended(visitor)).toBe(true)
  })
})
