import { ADA, createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import type { ConversationState } from '../../src/domain/conversation/state.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import type { ConversationStore, EventPageBounds } from '../../src/ports/store/conversations.ts'
import {
  aConversation,
  anEvent,
  aState,
  createFakeClock,
  createScriptedRuntime,
} from '../../src/testing/index.ts'
import { readHistory } from '../../src/usecases/conversation/turn/turn-input.ts'

const GREETING = { type: 'greeting', turnId: '' } as const

/**
 * A conversation in which so many lines of so many bytes were said, over a store that notes how much is read at a time.
 */
async function said(lines: number, bytes: number) {
  const store = createMemoryStore().conversations
  const text = (line: number) => `${line} ${'é'.repeat(bytes / 2)}`
  const events = Array.from({ length: lines }, (_, line) =>
    anEvent({ id: `${line}`, type: 'USER_MESSAGE', payload: { text: text(line) } }),
  )
  const state: ConversationState = aState('AS-1', { sequence: lines })
  await store.create(aConversation('AS-1', { events, state }))
  const asked: EventPageBounds[] = []
  const noted: Pick<ConversationStore, 'eventsBefore'> = {
    eventsBefore: (id, before, bounds) => {
      asked.push(bounds)
      return store.eventsBefore(id, before, bounds)
    },
  }
  const history = async (limit: number, most: number) =>
    (await readHistory(noted, state, GREETING, { lines: limit, bytes: most })).map(line =>
      Number(line.text.split(' ')[0]),
    )
  return { history, asked }
}

describe('reading what was said', () => {
  it('EN45 the newest lines come, as many as fit into the bytes, one at least', async () => {
    const { history } = await said(40, 1_000)
    expect(await history(5, 1_000_000)).toEqual([35, 36, 37, 38, 39])
    expect(await history(5, 3_100)).toEqual([37, 38, 39])
    expect(await history(5, 1)).toEqual([39])
    expect(await history(100, 1_000_000)).toEqual(Array.from({ length: 40 }, (_, line) => line))
    expect(await history(0, 1_000_000)).toEqual([])
  })

  it('EN45 no more than a few events are read at a time, and none that is not needed', async () => {
    const { history, asked } = await said(900, 2_000)
    expect(await history(500, 100_000)).toHaveLength(49)
    expect(Math.max(...asked.map(({ count }) => count))).toBeLessThanOrEqual(32)
    expect(Math.max(...asked.map(({ bytes }) => bytes))).toBeLessThanOrEqual(262_144)
    expect(asked.length).toBeLessThanOrEqual(4)
  })

  it('EN45 nothing that visitors, live agents and testers do reads a log or all turns as a whole', async () => {
    const { clock, errors, start, store, waiting } = createDeskBench()
    const { eventPage, eventsBefore, turns } = store.conversations
    const whole: string[] = []
    store.conversations.eventPage = async (id, after, bounds) => {
      if (bounds.bytes > 10_000_000 && bounds.count > 100) whole.push('events')
      return eventPage(id, after, bounds)
    }
    store.conversations.eventsBefore = async (id, before, bounds) => {
      if (bounds.bytes > 10_000_000 && bounds.count > 100) whole.push('events')
      return eventsBefore(id, before, bounds)
    }
    store.conversations.turns = async (id, limit, bytes) => {
      if (bytes === undefined) whole.push('turns')
      return turns(id, limit, bytes)
    }
    const platform = start()
    const heard: string[] = []
    const visitor = await waiting(platform)
    const stop = await platform.desk.watch(visitor.accountId, event => heard.push(event.type))
    const next = await waiting(platform)
    await clock.settle()
    await visitor.say('Hello?')
    await platform.desk.accept(visitor.accountId, handoffOf(visitor), ADA)
    await platform.desk.send(visitor.accountId, handoffOf(visitor), {
      text: 'Good evening.',
      messageId: 'm1',
    })
    await platform.desk.send(visitor.accountId, handoffOf(visitor), {
      text: 'Good evening.',
      messageId: 'm1',
    })
    await visitor.say('At last.')
    await platform.desk.leave(visitor.accountId, handoffOf(visitor))
    await platform.desk.send(visitor.accountId, handoffOf(visitor), {
      text: 'Good evening.',
      messageId: 'm1',
    })
    await next.end()
    stop()
    const agent = await platform.agents.find(visitor.agentId)
    if (agent === null) throw new Error('there is no agent')
    await platform.debugChat.start(agent, { environment: 'live', conversationId: 'chat' })
    const { turn } = await platform.debugChat.read(agent, 'chat', { environment: 'live' })
    expect(turn?.record.agent_response).toBe('Welcome.')
    await clock.settle()
    expect(heard).toEqual(expect.arrayContaining(['waiting', 'accepted', 'visitor_message', 'ended']))
    expect(errors).toEqual([])
    expect(whole).toEqual([])
  })

  it('DC11 a debug chat shows its newest turn, however long those before it were', async () => {
    const clock = createFakeClock()
    const store = createMemoryStore()
    const runtime = createScriptedRuntime(
      { greeting: 'Welcome.', otherwise: () => 'x'.repeat(50_000) },
      clock,
    )
    const platform = createPlatform({ store, clock, runtime, limits: { sliceBytes: 10_000 } })
    const { agentId } = await openVisitor(platform, clock)
    const agent = await platform.agents.find(agentId)
    if (agent === null) throw new Error('there is no agent')
    await platform.debugChat.start(agent, { environment: 'live', conversationId: 'chat' })
    const sent = { environment: 'live', message: 'more' } as const
    for (let round = 0; round < 3; round++) {
      const answered = platform.debugChat.send(agent, 'chat', sent)
      await clock.settle()
      expect((await answered).turn.record.agent_response).toHaveLength(50_000)
    }
    const newest = await platform.debugChat.read(agent, 'chat', { environment: 'live' })
    expect(newest.turn?.record.user_input).toBe('more')
  })
})
