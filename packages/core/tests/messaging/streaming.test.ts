import { createNetwork } from '@colloquy/test-support/network'
import { assembled, chunksOf, expectStream, fieldClient, replies } from '@colloquy/test-support/replies'
import { eventsOf } from '@colloquy/test-support/stored'
import { openVisitor, type Visitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import type { AgentRuntime } from '../../src/ports/agent-runtime.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { topics } from '../../src/ports/notices.ts'
import { createFakeClock, createScriptedRuntime, type Script } from '../../src/testing/index.ts'

const pause = (milliseconds: number) => ({ type: 'wait', milliseconds }) as const

const SCRIPT: Script = {
  greeting: 'Welcome.',
  messages: {
    story: ['Once ', pause(60), 'upon a ', pause(60), 'time ', pause(60), 'there was ', pause(60), 'an inn.'],
    endless: ['Once ', pause(60), 'upon a ', pause(600_000), 'time.'],
    person: ['One moment.', { type: 'handoff', destination: 'reception', reason: 'asked for a person' }],
    broken: ['Half ', pause(60), 'a ', pause(60), { type: 'fail', message: 'the model is down' }],
  },
  otherwise: 'Yes.',
}

function setUp(script: Script = SCRIPT) {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const network = createNetwork()
  const errors: unknown[] = []
  const start = (options: Partial<PlatformOptions> = {}) =>
    createPlatform({
      store,
      clock,
      bus: network.bus(),
      runtime: createScriptedRuntime(script, clock),
      onError: error => errors.push(error),
      ...options,
    })
  return { clock, store, network, errors, start }
}

describe('connecting in the middle of a reply', () => {
  it('MS29 brings the chunks so far and the further ones, over any process', async () => {
    const { clock, start } = setUp()
    const here = await openVisitor(start(), clock, true)
    await here.join()
    await here.say('story')
    await clock.advance(130)
    const there = await here.reconnect(start())
    const sofar = chunksOf(here).slice(1)
    expect(sofar.map(({ payload }) => payload.text)).toEqual(['Once ', 'upon a '])
    expect(chunksOf(there).slice(1)).toEqual(
      sofar.map(event => expect.objectContaining({ payload: event.payload })),
    )
    await clock.advance(200)
    for (const visitor of [here, there]) {
      expect(replies(visitor)).toEqual(['Welcome.', 'Once upon a time there was an inn.'])
      const indexes = chunksOf(visitor).map(({ payload }) => payload.chunk_index)
      expect(indexes).toEqual([1, 1, 2, 3, 4, 5])
    }
    expect(chunksOf(there).map(({ payload }) => payload)).toEqual(
      chunksOf(here).map(({ payload }) => payload),
    )
  })

  it('MS29 a chunk that shows a gap waits, asks, and follows the answer', async () => {
    const long = [...Array.from({ length: 40 }, (_, index) => [`${index} `, pause(60)]).flat(), 'end.']
    const { clock, network, start } = setUp({ ...SCRIPT, messages: { long } })
    const here = await openVisitor(start(), clock, true)
    await here.join()
    await here.say('long')
    await clock.advance(600)
    network.delivery = 'never'
    const there = await here.reconnect(start())
    network.delivery = 'at once'
    await clock.advance(300)
    // The question was asked a moment ago: what comes now waits.
    expect(chunksOf(there)).toHaveLength(1)
    await clock.advance(900)
    expect(chunksOf(there).map(({ payload }) => payload)).toEqual(
      chunksOf(here).map(({ payload }) => payload),
    )
    expect(chunksOf(there).length).toBeGreaterThan(20)
    await clock.advance(2_000)
    expect(replies(there)).toEqual(replies(here))
  })

  it('MS29 where everything is lost, the complete chunk brings the others', async () => {
    const { clock, network, start } = setUp()
    network.delivery = 'never'
    const here = await openVisitor(start(), clock, true)
    await here.join()
    await here.say('story')
    await clock.advance(100)
    const there = await here.reconnect(start())
    await clock.advance(15_000)
    await there.heartbeat()
    expect(replies(there)).toEqual(['Welcome.', 'Once upon a time there was an inn.'])
    expect(chunksOf(there).map(({ payload }) => payload)).toEqual(
      chunksOf(here).map(({ payload }) => payload),
    )
  })

  it('MS29 an answer that comes when the reply is in the log is not told', async () => {
    const { clock, network, start } = setUp()
    const here = await openVisitor(start(), clock, true)
    await here.join()
    await here.say('story')
    await clock.advance(100)
    network.delivery = 'by hand'
    const there = await here.reconnect(start())
    expect(network.waiting.map(({ topic }) => topic)).toEqual([topics.question])
    network.deliver()
    const late = network.waiting.splice(0)
    network.delivery = 'at once'
    await clock.advance(300)
    await there.heartbeat()
    const before = chunksOf(there)
    network.waiting.push(...late)
    while (network.waiting.length > 0) network.deliver()
    expect(chunksOf(there)).toEqual(before)
    expect(replies(there)).toEqual(replies(here))
  })

  it('MS29 says that the agent thinks, from the store and not from what a process remembers', async () => {
    const { clock, network, start } = setUp()
    const elsewhere = start()
    const here = await openVisitor(start(), clock, true)
    await here.join()
    const there = await here.reconnect(elsewhere)
    // This process has the conversation at hand, and hears no more of it.
    await there.say('one')
    network.delivery = 'never'
    await here.say('endless')
    const thinking = await here.reconnect(elsewhere)
    await clock.advance(350)
    expect(thinking.types().at(-1)).toBe('AI_AGENT_THINKING')
    await clock.advance(120_000)
    expect((await here.reconnect(elsewhere)).types().at(-1)).not.toBe('AI_AGENT_THINKING')
  })

  it('MS29 names the place in the queue, over any process, until the queue is left', async () => {
    const silent = async () => {}
    const liveAgents = () => ({ request: silent, forward: silent, visitorTyping: silent, cancel: silent })
    const { clock, store, start } = setUp()
    const first = start({ liveAgents })
    const second = start({ liveAgents })
    const here = await openVisitor(first, clock, true)
    await here.join()
    await here.say('person')
    const handoffId = (await store.conversations.load(here.id))?.state.handoff?.id
    if (handoffId === undefined) throw new Error('no handoff')
    await first.liveAgents.accepted(handoffId)
    await clock.settle()
    await first.liveAgents.queueStatus(handoffId, { position: 3, estimatedWaitSeconds: 90 })
    const places = (visitor: typeof here) =>
      visitor.received
        .filter(({ type }) => type === 'EVENT_TYPE_HANDOFF_QUEUE_STATUS')
        .map(({ payload }) => payload)
    const there = await here.reconnect(second)
    expect(places(there)).toEqual([
      expect.objectContaining({ position_in_queue: 3, estimated_wait_seconds: 90 }),
    ])
    expect(places(await here.reconnect(first))).toEqual(places(there))
    await first.liveAgents.queueStatus(handoffId, { position: 1, estimatedWaitSeconds: 10 })
    await second.liveAgents.joined(handoffId, { id: 'ada', name: 'Ada', avatarUrl: '' })
    expect(places(await here.reconnect(second))).toEqual([])
  })
})

describe('a reply that is abandoned', () => {
  /** A process that stops being scheduled in the middle of a reply. */
  async function crash(dead: { now: boolean }) {
    const made = setUp()
    const { clock } = made
    const stopped: Clock = {
      now: clock.now,
      monotonic: clock.monotonic,
      schedule: (delay, task) => clock.schedule(delay, () => dead.now || task()),
    }
    const first = made.start({ clock: stopped, runtime: createScriptedRuntime(SCRIPT, stopped) })
    const second = made.start()
    return { ...made, first, second }
  }

  it('MS29 is never completed: the visitor sees one complete reply, under another message id', async () => {
    const dead = { now: false }
    const { clock, first, second } = await crash(dead)
    const here = await openVisitor(first, clock, true)
    const there = await here.reconnect(second)
    await here.join()
    await here.say('story')
    await clock.advance(130)
    dead.now = true
    await clock.advance(16_000)
    const again = await here.reconnect(second)
    for (const visitor of [there, again])
      expect(replies(visitor)).toEqual(['Welcome.', 'Once upon a time there was an inn.'])
    const ids = new Set(chunksOf(there).map(({ payload }) => payload.message_id))
    const complete = chunksOf(there).filter(({ payload }) => payload.is_complete === true)
    expect([ids.size, complete.length]).toEqual([3, 2])
    expect(assembled(there)).toEqual(['Welcome.', 'Once upon a ', 'Once upon a time there was an inn.'])
    expect(assembled(again)).toEqual(['Welcome.', 'Once upon a time there was an inn.'])
  })

  it('MS29 says nothing behind the reply, however late its chunks come', async () => {
    const dead = { now: false }
    const { clock, network, first, second } = await crash(dead)
    const here = await openVisitor(first, clock, true)
    const there = await here.reconnect(second)
    await here.join()
    network.delivery = 'by hand'
    await here.say('story')
    await clock.advance(130)
    dead.now = true
    const late = network.waiting.splice(0)
    network.delivery = 'at once'
    await clock.advance(16_000)
    const fresh = await there.reconnect(second)
    network.waiting.push(...late)
    while (network.waiting.length > 0) network.deliver()
    for (const visitor of [there, fresh]) {
      expect(replies(visitor)).toEqual(['Welcome.', 'Once upon a time there was an inn.'])
      expect(assembled(visitor)).toEqual(replies(visitor))
    }
  })

  it('MS29 leaves no chunk to whoever connects after it has failed', async () => {
    const { clock, start } = setUp()
    const platform = start()
    const here = await openVisitor(platform, clock, true)
    await here.join()
    await here.say('broken')
    await clock.advance(1_000)
    expect(here.texts('SYSTEM_MESSAGE')).toEqual(['Sorry, I encountered an error. Please try again.'])
    const seen = chunksOf(here).length
    for (const process of [platform, start()]) {
      const there = await here.reconnect(process)
      expect(assembled(there)).toEqual(['Welcome.'])
    }
    await here.say('one')
    expect(replies(here)).toEqual(['Welcome.', 'Yes.'])
    expect(chunksOf(here)).toHaveLength(seen + 1)
  })

  it('RN20 a process that finds its lease lost aborts its runtime, streams no more, and calls it no failure', async () => {
    const { clock, errors, start } = setUp()
    const frozen = { now: false }
    const aborted: string[] = []
    const talks: AgentRuntime = {
      async *respond({ input }, signal) {
        if (input.type === 'greeting') yield { type: 'text', text: 'Welcome.' }
        signal.addEventListener('abort', () => aborted.push(input.type))
        for (let word = 0; input.type === 'message'; word++) {
          yield { type: 'text', text: `${word} ` }
          await new Promise<void>(resolve => clock.schedule(1_000, resolve))
        }
      },
    }
    const paused = (delay: number, task: () => void): (() => void) => {
      // A process that is not scheduled for a while goes on where it was.
      const wait = (): void => {
        if (frozen.now) clock.schedule(1_000, wait)
        else task()
      }
      return clock.schedule(delay, wait)
    }
    const first = start({
      runtime: talks,
      clock: { now: clock.now, monotonic: clock.monotonic, schedule: paused },
    })
    const here = await openVisitor(first, clock, true)
    await here.join()
    await here.say('story')
    await clock.advance(3_000)
    frozen.now = true
    const there = await here.reconnect(start())
    await clock.advance(16_000)
    expect(replies(there)).toEqual(['Welcome.', 'Once upon a time there was an inn.'])
    frozen.now = false
    await clock.advance(6_000)
    expect(aborted).toEqual(['message'])
    const seen = chunksOf(there).length
    await clock.advance(10_000)
    expect(chunksOf(there)).toHaveLength(seen)
    expect(errors).toEqual([])
  })

  it('RN20 a visitor who leaves in mid-reply is no error of the host', async () => {
    const { clock, errors, start } = setUp()
    const here = await openVisitor(start(), clock, true)
    await here.join()
    await here.say('endless')
    await clock.advance(100)
    await here.end()
    await clock.advance(1_000)
    expect(here.types().at(-1)).toBe('SESSION_END')
    expect(errors).toEqual([])
  })
})

const TOLD = ['Welcome.', 'Once upon a time there was an inn.']

/** Steps of a visitor whose reply streams, until it is over. */
const MOMENTS = Array.from({ length: 8 }, (_, index) => index)

describe('clients of the field', () => {
  it.each(MOMENTS)(
    'MS29 have every word once and in its place, connecting anew %i steps into a reply',
    async moment => {
      for (const other of ['the same process', 'another one']) {
        const { clock, start } = setUp()
        const here = start()
        const there = other === 'another one' ? start() : here
        const first = await openVisitor(here, clock, true)
        await first.join()
        await first.say('story')
        await clock.advance(moment * 40 + 1)
        await first.drop()
        const { cursor } = fieldClient(first)
        const again = await first.reconnect(there, cursor)
        const relaunched = await first.reconnect(there)
        await clock.advance(1_000)
        for (const second of [again, relaunched]) expect(fieldClient(first, second).texts()).toEqual(TOLD)
        expect(fieldClient(relaunched).texts()).toEqual(TOLD)
        expect(replies(relaunched)).toEqual(TOLD)
        expect(replies({ received: [...first.received, ...again.received] })).toEqual(TOLD)
        expectStream(first)
        expectStream(relaunched)
        expectStream(again, cursor)
      }
    },
  )

  it('MS29 have every word once although they connect anew at every chunk, here and there in turn', async () => {
    const { clock, start } = setUp()
    const [here, there] = [start(), start()]
    const connections = [await openVisitor(here, clock, true)]
    await connections[0]?.join()
    await connections[0]?.say('story')
    for (let step = 0; step < 12; step++) {
      await clock.advance(30)
      const last = connections.at(-1)
      await last?.drop()
      const { cursor } = fieldClient(...connections)
      const next = await last?.reconnect(step % 2 === 0 ? there : here, step % 3 === 0 ? undefined : cursor)
      if (next !== undefined) connections.push(next)
    }
    await clock.advance(1_000)
    expect(fieldClient(...connections).texts()).toEqual(TOLD)
    expect(connections).toHaveLength(13)
  })

  it('MS29 have every word once over two connections at a time, through two processes', async () => {
    const { clock, start } = setUp()
    const one = await openVisitor(start(), clock, true)
    const two = await one.reconnect(start())
    await one.join()
    await one.say('story')
    for (let step = 0; step < 10; step++) {
      await clock.advance(40)
      for (const client of [fieldClient(one, two), fieldClient(two, one)])
        expect(TOLD[1]?.startsWith(client.texts()[1] ?? '')).toBe(true)
    }
    for (const client of [fieldClient(one, two), fieldClient(two, one), fieldClient(one), fieldClient(two)])
      expect(client.texts()).toEqual(TOLD)
    expect(chunksOf(one).map(({ id, sequence }) => [id, sequence])).toEqual(
      chunksOf(two).map(({ id, sequence }) => [id, sequence]),
    )
  })

  it('MS29 keep the broken-off text of a turn that crashed, and have the one that followed under another id', async () => {
    const made = setUp()
    const dead = { now: false }
    const stopped: Clock = {
      ...made.clock,
      schedule: (delay, task) => made.clock.schedule(delay, () => dead.now || task()),
    }
    const first = made.start({ clock: stopped, runtime: createScriptedRuntime(SCRIPT, stopped) })
    const second = made.start()
    const here = await openVisitor(first, made.clock, true)
    await here.join()
    await here.say('story')
    await made.clock.advance(130)
    dead.now = true
    await here.drop()
    const there = await here.reconnect(second, fieldClient(here).cursor)
    await made.clock.advance(16_000)
    expect(fieldClient(here, there).texts()).toEqual(['Welcome.', 'Once upon a ', TOLD[1]])
    expect(fieldClient(await here.reconnect(second)).texts()).toEqual(TOLD)
  })

  it('MS29 get a chunk under one id and text, live and replayed, whoever sends it, and the log holds the last one under it', async () => {
    const { clock, store, start } = setUp()
    const here = await openVisitor(start(), clock, true)
    await here.join()
    await here.say('story')
    await clock.advance(130)
    const there = await here.reconnect(start())
    await clock.advance(1_000)
    const later = await here.reconnect(start())
    const sent = (visitor: Visitor) => chunksOf(visitor).map(({ id, payload }) => ({ id, payload }))
    expect(sent(here)).toHaveLength(6)
    expect(new Set(sent(here).map(({ id }) => id)).size).toBe(6)
    for (const visitor of [there, later]) expect(sent(visitor)).toEqual(sent(here))
    const log = await eventsOf(store.conversations, here.id, 0)
    expect(log.filter(({ type }) => type === 'AI_AGENT_MESSAGE_CHUNK').map(({ id }) => id)).toEqual(
      chunksOf(here).flatMap(({ id, payload }) => (payload.is_complete === true ? [id] : [])),
    )
    // The events of the log alone number without a gap, and those of a stream stand below the reply that they are of.
    expect(here.sequences()).toEqual(log.map(({ sequence }) => sequence))
    expect(chunksOf(later).map(({ sequence }) => sequence)).toEqual([4, 5, 5, 5, 5, 6])
  })
})
