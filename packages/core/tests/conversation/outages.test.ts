import { keepingLog } from '@colloquy/test-support/bus-ends'
import { eventsOf } from '@colloquy/test-support/stored'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import { PlatformError } from '../../src/errors.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

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
      ...{ store, clock, idleWarning: 0, sessionIdle: 60_000 },
      // What happens in conversations is told as information; an outage is not.
      log: { ...log, info: () => {} },
      runtime: createScriptedRuntime({ greeting: 'Welcome.' }, clock),
      onError: (_, where) => void errors.push(where),
      embedder: { id: 'toy', embed: async texts => texts.map(() => Float32Array.of(1)) },
      webhookSender: { objection: () => null, send: async () => ({ type: 'answered', status: 204 }) },
    })
    return { clock, memory, state, told, errors, platform }
  }

  it('EM11 and CM7 every worker tells once that it is, and once that it is back, and what came due meanwhile follows', async () => {
    const { clock, memory, state, told, errors, platform } = setUp()
    const visitor = await openVisitor(platform, clock)
    await visitor.join()
    await visitor.drop()
    await clock.advance(30_000)
    state.away = true
    await clock.advance(600_000)
    expect([...errors].sort()).toEqual([
      'alerts',
      'queue status',
      'tests',
      'turn embedder',
      'webhooks',
      'worker',
    ])
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

describe('a store that is busy', () => {
  const busy = (): PlatformError => new PlatformError('STORE_BUSY', 'The store is busy. Try again.')

  /** A platform whose store is busy when it is told so, before or after it has done what it was asked. */
  async function setUp() {
    const clock = createFakeClock()
    const memory = createMemoryStore()
    const asked: string[] = []
    const plan: {
      rejects: 'before' | 'after' | 'content' | 'message' | 'said' | 'accepted' | 'event' | 'turn' | null
      times: number
    } = {
      rejects: null,
      times: 0,
    }
    const isBusy = (when: NonNullable<(typeof plan)['rejects']>): boolean =>
      plan.rejects === when && plan.times-- > 0
    const append: Store['conversations']['append'] = async write => {
      const isReply = write.turns.length > 0
      const isMessage = write.events.some(({ type }) => type === 'USER_MESSAGE')
      if (isMessage && isBusy('message')) throw busy()
      if (write.events.some(({ type }) => type === 'HANDOFF_ACCEPTED') && isBusy('accepted')) throw busy()
      if (isReply && (isBusy('before') || isBusy('turn'))) throw busy()
      const result = await memory.conversations.append(write)
      if (isReply && isBusy('after')) throw busy()
      if (isMessage && isBusy('said')) throw busy()
      return result
    }
    const eventsBefore: Store['conversations']['eventsBefore'] = async (...given) => {
      if (isBusy('event')) throw busy()
      return memory.conversations.eventsBefore(...given)
    }
    const variables: Store['agents']['realTimeConfigs']['variables'] = async (...given) => {
      if (isBusy('content') || isBusy('turn')) throw busy()
      return memory.agents.realTimeConfigs.variables(...given)
    }
    const errors: unknown[] = []
    const { told, log } = keepingLog()
    const platform = createPlatform({
      ...{ clock, log },
      store: {
        ...memory,
        agents: { ...memory.agents, realTimeConfigs: { ...memory.agents.realTimeConfigs, variables } },
        conversations: { ...memory.conversations, append, eventsBefore },
      },
      runtime: createScriptedRuntime(
        {
          greeting: 'Welcome.',
          messages: { person: [{ type: 'handoff', destination: 'reception', reason: 'asked' }] },
          otherwise: ({ input }) => {
            asked.push(input.type)
            return ['Certainly.']
          },
        },
        clock,
      ),
      onError: error => void errors.push(error),
    })
    const visitor = await openVisitor(platform, clock)
    await visitor.join()
    return { clock, memory, plan, asked, told, errors, platform, visitor }
  }

  it.each(['before', 'after', 'content'] as const)(
    'EN4 does not fail a turn: it goes on once there is an answer, and asks its runtime once (%s)',
    async rejects => {
      const { clock, memory, plan, asked, errors, visitor } = await setUp()
      Object.assign(plan, { rejects, times: 3 })
      await visitor.say('A room, please.')
      await clock.advance(5_000)
      expect(plan.times).toBeLessThan(3)
      expect(asked).toEqual(['message'])
      expect(errors).toEqual([])
      const log = await eventsOf(memory.conversations, visitor.id, 0)
      expect(log.filter(({ type }) => type === 'AI_AGENT_MESSAGE')).toHaveLength(2)
      expect(visitor.types().filter(type => type === 'AI_AGENT_MESSAGE')).toHaveLength(2)
      expect(visitor.types()).not.toContain('SYSTEM_MESSAGE')
    },
  )

  it('MS44 takes a message once whose answer was lost, echoes it once, and answers it', async () => {
    const { clock, memory, plan, errors, visitor } = await setUp()
    Object.assign(plan, { rejects: 'said', times: 1 })
    const said = visitor.say('A room, please.', 'm1')
    for (let second = 0; second < 20; second += 1) await clock.advance(1_000)
    await said
    expect(plan.times).toBeLessThan(1)
    expect(errors).toEqual([])
    const log = await eventsOf(memory.conversations, visitor.id, 0)
    expect(log.filter(({ type }) => type === 'USER_MESSAGE')).toHaveLength(1)
    const types = visitor.types()
    expect(types.filter(type => type === 'USER_MESSAGE')).toHaveLength(1)
    expect(types.filter(type => type === 'AI_AGENT_MESSAGE')).toHaveLength(2)
    expect(types).not.toContain('SYSTEM_MESSAGE')
  })

  it('MS44 a message without a client’s id is refused at once: it might be taken twice', async () => {
    const { plan, errors, visitor } = await setUp()
    Object.assign(plan, { rejects: 'said', times: 1 })
    await visitor.say('A room, please.')
    expect(visitor.types()).toContain('SYSTEM_MESSAGE')
    expect(errors).toHaveLength(1)
  })

  it.each([true, false])(
    'MS44 nothing with an id overtakes a message that failed: its sender sends both again over another connection (connected: %s)',
    async connected => {
      const { clock, memory, plan, platform, visitor } = await setUp()
      const say = (text: string, id: string) => visitor.say(text, id)
      // Tried at 0, 100, 300, 700, 1,500, 3,100, 5,100, 7,100 and 9,100 ms.
      Object.assign(plan, { rejects: 'message', times: 9 })
      const sent = [say('A room, please.', 'm1'), say('For two.', 'm2'), visitor.say('By the sea.')]
      await clock.settle()
      const dropped = connected ? null : visitor.drop()
      for (let second = 0; second < 13; second += 1) await clock.advance(1_000)
      await Promise.all([...sent, dropped])
      const said = async () =>
        (await eventsOf(memory.conversations, visitor.id, 0)).flatMap(({ type, payload }) =>
          type === 'USER_MESSAGE' ? [payload.text] : [],
        )
      expect(await said()).toEqual(['By the sea.'])
      const failed = visitor.received.filter(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE')
      expect(failed.map(({ metadata }) => metadata?.custom?.client_event_id)).toEqual(connected ? ['m1'] : [])
      if (connected) expect(visitor.closedBy()).toMatchObject({ code: 1011 })
      const again = await visitor.reconnect(platform, 0)
      await again.say('A room, please.', 'm1')
      await again.say('For two.', 'm2')
      expect(await said()).toEqual(['By the sea.', 'A room, please.', 'For two.'])
    },
  )

  it('EN32 a handoff to the desk waits for a busy store, up to the deadline of its request', async () => {
    const { clock, plan, visitor } = await setUp()
    Object.assign(plan, { rejects: 'accepted', times: 5 })
    await visitor.say('person')
    await clock.advance(2_000)
    expect(visitor.types()).not.toContain('HANDOFF_ACCEPTED')
    await clock.advance(2_000)
    expect(visitor.types()).toContain('HANDOFF_ACCEPTED')
    expect(visitor.types()).not.toContain('HANDOFF_FAILED')
  })

  it('EN32 a handoff to the desk fails when the store stays busy for longer', async () => {
    const { clock, plan, visitor } = await setUp()
    Object.assign(plan, { rejects: 'accepted', times: Number.POSITIVE_INFINITY })
    await visitor.say('person')
    for (let second = 0; second < 12; second += 1) await clock.advance(1_000)
    expect(visitor.types().at(-1)).toBe('HANDOFF_FAILED')
  })

  it('EN32 a message for a live agent waits for a store that is away, and is not said to have failed', async () => {
    const { clock, memory, plan, errors, platform, visitor } = await setUp()
    const stateNow = async () => (await memory.conversations.load(visitor.id))?.state
    const waiting = async () => (await stateNow())?.deliveries.length
    await visitor.say('person')
    await clock.advance(1_000)
    const handoffId = (await stateNow())?.handoff?.id
    if (handoffId === undefined) throw new Error('There is no handoff.')
    await platform.liveAgents.joined(handoffId, { id: 'ada', name: 'Ada', avatarUrl: '' })
    Object.assign(plan, { rejects: 'event', times: Number.POSITIVE_INFINITY })
    await visitor.say('Are you there?')
    for (let second = 0; second < 14; second += 1) await clock.advance(1_000)
    expect(errors).toEqual([expect.objectContaining({ code: 'STORE_BUSY' })])
    expect(await waiting()).toBe(1)
    Object.assign(plan, { rejects: null })
    for (let second = 0; second < 20; second += 1) await clock.advance(1_000)
    expect(await waiting()).toBe(0)
    expect(visitor.types()).not.toContain('SYSTEM_MESSAGE')
    expect(errors).toHaveLength(1)
  })

  it('EN4 a failure that could not be stated is none: the next attempt answers, and nothing is said to have failed', async () => {
    const { clock, plan, told, visitor } = await setUp()
    Object.assign(plan, { rejects: 'turn', times: Number.POSITIVE_INFINITY })
    await visitor.say('A room, please.')
    await clock.advance(65_000)
    expect(visitor.types()).not.toContain('SYSTEM_MESSAGE')
    Object.assign(plan, { rejects: null })
    for (let second = 0; second < 40; second += 1) await clock.advance(1_000)
    expect(visitor.types()).not.toContain('SYSTEM_MESSAGE')
    expect(visitor.types().filter(type => type === 'AI_AGENT_MESSAGE')).toHaveLength(2)
    expect(told.filter(({ message }) => message === 'A turn failed')).toEqual([])
  })

  it('EN4 fails a turn at its deadline, in words', async () => {
    const { clock, plan, errors, visitor } = await setUp()
    Object.assign(plan, { rejects: 'content', times: Number.POSITIVE_INFINITY })
    await visitor.say('A room, please.')
    await clock.advance(50_000)
    expect(visitor.types()).not.toContain('SYSTEM_MESSAGE')
    await clock.advance(15_000)
    expect(visitor.types()).toContain('SYSTEM_MESSAGE')
    expect(errors).toEqual([expect.objectContaining({ code: 'STORE_BUSY' })])
  })
})
