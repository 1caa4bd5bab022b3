import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { describe, expect, test } from 'vitest'
import { deskEventOnWire } from '../../src/http/desk-wire.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import type { AgentRuntime, HistoryLine } from '../../src/ports/agent-runtime.ts'
import type { LiveAgentCallbacks } from '../../src/ports/live-agent-callbacks.ts'
import type { LiveAgents } from '../../src/ports/live-agents.ts'

const ADA = { id: 'ada', name: 'Ada', avatarUrl: '' }

/** A runtime that hands off when it is asked for a person, and keeps what it was given to read. */
function readingRuntime() {
  const histories: (readonly HistoryLine[])[] = []
  const runtime: AgentRuntime = {
    async *respond(turn) {
      histories.push(await turn.history(100))
      const { input } = turn
      const said = input.type === 'message' ? input.text : ''
      yield { type: 'text', text: said === '' ? 'Welcome.' : `You said ${said}.` }
      if (said === 'person') yield { type: 'handoff', destination: 'reception', reason: 'asked' }
    },
  }
  return { histories, runtime }
}

/** Two processes, in the first of which a visitor talks to Ada. */
async function talking(options: Partial<PlatformOptions> = {}) {
  const bench = createDeskBench()
  const [platform, other] = [bench.start(options), bench.start(options)]
  const visitor = await bench.waiting(platform)
  const { accountId } = visitor
  const id = handoffOf(visitor)
  await platform.desk.accept(accountId, id, ADA)
  await bench.clock.settle()
  return { ...bench, platform, other, visitor, accountId, id }
}

describe('back to the agent', () => {
  test('DK41 the agent answers the next message, and knows what the live agent said', async () => {
    const { histories, runtime } = readingRuntime()
    const { accountId, clock, id, platform, visitor } = await talking({ runtime })
    await visitor.say('Do you have rooms?')
    await platform.desk.send(accountId, id, { text: 'Yes, two.' })
    await platform.desk.return(accountId, id)
    await clock.settle()
    expect(visitor.types().slice(-3)).toEqual(['LIVE_AGENT_LEFT', 'SESSION_START', 'AI_AGENT_JOINED'])
    expect(visitor.closedBy()).toBeNull()
    const replies = visitor.texts('AI_AGENT_MESSAGE').length
    await visitor.say('At what price?')
    expect(visitor.texts('AI_AGENT_MESSAGE').slice(replies)).toEqual(['You said At what price?.'])
    expect(
      histories
        .at(-1)
        ?.slice(-2)
        .map(({ from, text }) => [from, text]),
    ).toEqual([
      ['visitor', 'Do you have rooms?'],
      ['live_agent', 'Yes, two.'],
    ])
  })

  test('DK41 every process tells its desk once that it is over, and a later handoff is another one', async () => {
    const { accountId, clock, id, other, platform, visitor } = await talking()
    const heard = [platform, other].map(() => [] as string[])
    for (const [at, one] of [platform, other].entries())
      await one.desk.watch(accountId, event => {
        const frame = deskEventOnWire(event)
        heard[at]?.push(`${frame.type} ${'reason' in frame ? frame.reason : ''}`)
      })
    await other.desk.return(accountId, id)
    await clock.settle()
    expect(await platform.desk.handoffs(accountId, 'active')).toEqual([])
    await visitor.say('person')
    await clock.settle()
    expect(heard[0]).toEqual(['handoff.accepted ', 'handoff.ended returned', 'handoff.waiting '])
    expect(heard[1]).toEqual(heard[0])
    await expect(platform.desk.return(accountId, id)).rejects.toMatchObject({ code: 'HANDOFF_CONFLICT' })
    const again = await platform.desk.accept(accountId, handoffOf(visitor, 2), ADA)
    expect(again.status).toBe('active')
  })

  test('DK41 of one who leaves and one who returns at once, over two processes, one has done it', async () => {
    for (const first of ['leave', 'return'] as const) {
      const { accountId, clock, id, other, platform, visitor } = await talking()
      const second = first === 'leave' ? 'return' : 'leave'
      const outcomes = await Promise.allSettled([
        platform.desk[first](accountId, id),
        other.desk[second](accountId, id),
        platform.desk[second](accountId, id),
      ])
      await clock.settle()
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(visitor.types().filter(type => type === 'LIVE_AGENT_LEFT')).toHaveLength(1)
      const ends = visitor.types().filter(type => type === 'SESSION_END').length
      const joins = visitor.types().filter(type => type === 'AI_AGENT_JOINED').length
      expect(ends + joins).toBe(2)
    }
  })

  test('DK41 the record counts both stretches of the agent, and none of the live agent', async () => {
    const { accountId, clock, id, platform, visitor } = await talking()
    const load = async () => (await contextOf(platform).store.conversations.load(visitor.id))?.state.record
    const before = (await load())?.aiDuration ?? 0
    await clock.advance(60_000)
    await platform.desk.return(accountId, id)
    await clock.advance(7_000)
    await visitor.end()
    await clock.settle()
    expect((await load())?.aiDuration).toBe(before + 7_000)
    expect((await load())?.handoffDestination).toBe('reception')
  })

  test('DK41 where the setting forbids it, it is refused in words, and the live agent goes on', async () => {
    const { accountId, clock, id, platform, visitor } = await talking({ returnToAgent: false })
    const [active] = await platform.desk.handoffs(accountId, 'active')
    expect(active?.canReturn).toBe(false)
    await expect(platform.desk.return(accountId, id)).rejects.toMatchObject({
      code: 'HANDOFF_CONFLICT',
      message: expect.stringContaining('the setting returnToAgent is off'),
    })
    await platform.desk.send(accountId, id, { text: 'Still here' })
    await clock.settle()
    expect(visitor.types().at(-1)).toBe('LIVE_AGENT_MESSAGE')
    const allowed = await talking()
    const [shown] = await allowed.platform.desk.handoffs(allowed.accountId, 'active')
    expect(shown?.canReturn).toBe(true)
  })
})

describe('a live-agent system of the host', () => {
  /** One that takes every visitor, and whose next `forward` waits until it is let go. */
  function createSystem() {
    const system = {
      callbacks: null as LiveAgentCallbacks | null,
      forwarded: [] as string[],
      letGo: () => {},
    }
    const held = new Promise<void>(resolve => {
      system.letGo = resolve
    })
    const liveAgents = (callbacks: LiveAgentCallbacks): LiveAgents => {
      system.callbacks = callbacks
      return {
        request: async ({ handoffId }) => void (await callbacks.joined(handoffId, ADA)),
        async forward(_, { text }) {
          system.forwarded.push(text)
          await held
        },
        async visitorTyping() {},
        async cancel() {
          system.forwarded.push('cancelled')
        },
      }
    }
    return { system, liveAgents }
  }

  test('DK41 returns a visitor; what it does not have is answered by the agent, once and in order', async () => {
    const { system, liveAgents } = createSystem()
    const bench = createDeskBench()
    const platform = bench.start({ liveAgents, runtime: readingRuntime().runtime })
    const visitor = await bench.waiting(platform)
    const replies = visitor.texts('AI_AGENT_MESSAGE').length
    await visitor.say('one')
    await visitor.say('two')
    expect(await system.callbacks?.returned(handoffOf(visitor), 'solved')).toBe(true)
    system.letGo()
    await bench.clock.settle()
    expect(visitor.received.find(({ type }) => type === 'EVENT_TYPE_LIVE_AGENT_LEFT')?.payload).toEqual({
      reason: 'solved',
    })
    expect(visitor.texts('AI_AGENT_MESSAGE').slice(replies)).toEqual(['You said one.', 'You said two.'])
    expect(system.forwarded).toEqual(['one'])
    expect(await system.callbacks?.returned(handoffOf(visitor))).toBe(false)
    expect(await system.callbacks?.left(handoffOf(visitor))).toBe(false)
  })

  test('DK41 is told in words where the setting forbids it', async () => {
    const { system, liveAgents } = createSystem()
    const bench = createDeskBench()
    const platform = bench.start({ liveAgents, returnToAgent: false })
    const visitor = await bench.waiting(platform)
    await expect(system.callbacks?.returned(handoffOf(visitor))).rejects.toMatchObject({
      code: 'HANDOFF_CONFLICT',
      message: expect.stringContaining('Leave instead'),
    })
    expect(await system.callbacks?.left(handoffOf(visitor))).toBe(true)
  })
})
