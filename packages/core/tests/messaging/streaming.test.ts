import { createMemoryStore } from '@colloquy/adapter-memory'
import { describe, expect, it } from 'vitest'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import type { AgentRuntime } from '../../src/ports/agent-runtime.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { createFakeClock, createScriptedRuntime, type Script } from '../../src/testing/index.ts'
import { createNetwork } from '../support/network.ts'
import { assembled, chunksOf, replies } from '../support/replies.ts'
import { openVisitor } from '../support/visitor.ts'

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
    expect(network.waiting.map(({ notice }) => notice.asks !== undefined)).toEqual([true])
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

  it('MS31 is never completed: the visitor sees one complete reply, under another message id', async () => {
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

  it('MS31 says nothing behind the reply, however late its chunks come', async () => {
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

  it('MS31 leaves no chunk to whoever connects after it has failed', async () => {
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

  it('EN13 a process that finds its lease lost aborts its runtime, streams no more, and calls it no failure', async () => {
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

  it('EN13 a visitor who leaves in mid-reply is no error of the host', async () => {
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
