import { eventsOf } from '@colloquy/test-support/stored'
import { openVisitor, type Visitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import { createFakeClock, createScriptedRuntime, createSequentialIds } from '../../src/testing/index.ts'

/** A visitor with a connection to each of two processes, and one more to the first. */
async function connections(options: Partial<PlatformOptions> = {}) {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const runtime = createScriptedRuntime(
    {
      greeting: 'Welcome.',
      messages: { slow: [{ type: 'wait', milliseconds: 5_000 }, 'Slowly.'] },
      otherwise: ({ input }) => `You said ${input.type === 'message' ? input.text : ''}.`,
    },
    clock,
  )
  const shared = {
    store,
    clock,
    bus: createLocalBus(),
    ids: createSequentialIds(),
    runtime,
    rateLimits: null,
  }
  const first = createPlatform({ ...shared, ...options })
  const here = await openVisitor(first, clock)
  const there = await here.reconnect(createPlatform({ ...shared, ...options }))
  return { clock, store, here, there, beside: await here.reconnect(first) }
}

const echoes = (visitor: Visitor, type: string) =>
  visitor.received.filter(event => event.type === `EVENT_TYPE_${type}`)
const errors = (...visitors: readonly Visitor[]) =>
  visitors.flatMap(visitor => visitor.texts('SYSTEM_MESSAGE'))

describe('once only', () => {
  it.each([
    ['both, the same', { client_event_id: 'a', local_id: 'b' }],
    ['the first alone', { client_event_id: 'a' }],
    ['the second alone', { local_id: 'b' }],
    ['the first and another second', { client_event_id: 'a', local_id: 'x' }],
    ['another first and the second', { client_event_id: 'x', local_id: 'b' }],
  ])('EN6 a message with two ids takes effect once, sent again with %s', async (_, again) => {
    const { here, there, beside, store } = await connections()
    await here.join()
    await here.send('USER_MESSAGE', { text: 'one' }, { client_event_id: 'a', local_id: 'b' })
    for (const visitor of [here, there, beside]) {
      await visitor.send('USER_MESSAGE', { text: 'one' }, again)
      const [original, ...copies] = echoes(visitor, 'USER_MESSAGE')
      expect(copies).toEqual([original])
    }
    expect(here.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'You said one.'])
    const log = await eventsOf(store.conversations, here.id, 0)
    expect(log.filter(({ type }) => type === 'USER_MESSAGE')).toHaveLength(1)
  })

  it('EN6 an id counts under its own name: a first and a second that look alike are two messages', async () => {
    const { here } = await connections()
    await here.join()
    await here.send('USER_MESSAGE', { text: 'one' }, { client_event_id: '1', local_id: '2' })
    await here.send('USER_MESSAGE', { text: 'two' }, { client_event_id: '2', local_id: '3' })
    await here.send('USER_MESSAGE', { text: 'three' }, { local_id: '1' })
    expect(here.texts('AI_AGENT_MESSAGE')).toEqual([
      'Welcome.',
      'You said one.',
      'You said two.',
      'You said three.',
    ])
  })

  it('EN6 a join takes effect once, whichever connection sends it again', async () => {
    const { here, there, beside, store } = await connections()
    const custom = { local_id: 'join' }
    await Promise.all([here, there, beside].map(visitor => visitor.send('REQUEST_AI_AGENT_JOIN', {}, custom)))
    await there.send('REQUEST_AI_AGENT_JOIN', {}, custom)
    const log = await eventsOf(store.conversations, here.id, 0)
    expect(log.map(({ type }) => type)).toEqual([
      'SESSION_START',
      'REQUEST_AI_AGENT_JOIN',
      'AI_AGENT_JOINED',
      'AI_AGENT_MESSAGE',
    ])
    expect(errors(here, there, beside)).toEqual([])
  })

  it('EN6 an end that several connections send at once is echoed to each, and an error to none', async () => {
    const { here, there, beside, store } = await connections()
    await here.join()
    const custom = { client_event_id: 'end', local_id: 'end' }
    await Promise.all([here, there, beside].map(visitor => visitor.send('USER_END_SESSION', {}, custom)))
    const log = await eventsOf(store.conversations, here.id, 0)
    expect(log.filter(({ type }) => type === 'USER_END_SESSION')).toHaveLength(1)
    expect(log.at(-1)?.type).toBe('SESSION_END')
    for (const visitor of [here, there, beside]) {
      expect(echoes(visitor, 'USER_END_SESSION').length).toBeGreaterThanOrEqual(1)
      expect(visitor.closedBy()).toEqual({ code: 1000, reason: expect.any(String) })
    }
    expect(errors(here, there, beside)).toEqual([])
  })

  it('EN6 a message that was taken is not refused when it comes again while the queue is full', async () => {
    const { here, there, clock } = await connections({ limits: { queuedMessages: 1 } })
    await here.join()
    await here.send('USER_MESSAGE', { text: 'slow' }, { local_id: '1' })
    await here.send('USER_MESSAGE', { text: 'two' }, { local_id: '2' })
    await there.send('USER_MESSAGE', { text: 'two' }, { local_id: '2' })
    await there.send('USER_MESSAGE', { text: 'three' }, { local_id: '3' })
    expect(echoes(there, 'USER_MESSAGE').map(({ payload }) => payload.text)).toEqual(['slow', 'two', 'two'])
    expect(errors(there)).toEqual(['Our system is experiencing high load. Please try again in a moment.'])
    await clock.advance(5_000)
    await there.send('USER_MESSAGE', { text: 'three' }, { local_id: '3' })
    expect(here.texts('AI_AGENT_MESSAGE')).toEqual([
      'Welcome.',
      'Slowly.',
      'You said two.',
      'You said three.',
    ])
  })

  it('EN6 a failed turn leaves its message taken: sent again it is echoed, and only a new one is answered', async () => {
    const { here, clock } = await connections({
      runtime: {
        async *respond({ input }) {
          if (input.type === 'message') throw new Error('the model is down')
          yield { type: 'text', text: 'Welcome.' }
        },
      },
    })
    await here.join()
    for (const round of [1, 2]) {
      await here.send('USER_MESSAGE', { text: 'one' }, { local_id: '1' })
      await clock.settle()
      expect(echoes(here, 'USER_MESSAGE')).toHaveLength(round)
      expect(errors(here)).toHaveLength(1)
    }
    await here.send('USER_MESSAGE', { text: 'one' }, { local_id: '2' })
    expect(errors(here)).toHaveLength(2)
  })
})
