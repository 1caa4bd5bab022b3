import { createNetwork } from '@colloquy/test-support/network'
import { runs } from '@colloquy/test-support/runs'
import { bubblesOf, type TimedFrame } from '@colloquy/test-support/two-task-client'
import { openVisitor, type Visitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform } from '../../src/platform.ts'
import {
  batchEvents,
  createFakeClock,
  createScriptedRuntime,
  type ReceivedEvent,
  type Script,
} from '../../src/testing/index.ts'

const pause = (milliseconds: number) => ({ type: 'wait', milliseconds }) as const

const SCRIPT: Script = {
  greeting: ['Wel', pause(60), 'come ', pause(60), 'here.'],
  messages: {
    story: [pause(90), 'Once ', pause(70), 'upon ', pause(70), 'a time ', pause(70), 'there was an inn.'],
  },
  otherwise: 'Yes.',
}

function setUp(script: Script = SCRIPT) {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const network = createNetwork()
  const start = () =>
    createPlatform({ store, clock, bus: network.bus(), runtime: createScriptedRuntime(script, clock) })
  return { clock, network, start }
}

/** A session whose agent has greeted. */
async function greeted(script?: Script) {
  const made = setUp(script)
  const here = made.start()
  const visitor = await openVisitor(here, made.clock, true)
  await visitor.join()
  await made.clock.advance(2_000)
  return { ...made, here, there: made.start(), visitor }
}

/** A client that was just started, with the frames as they come. */
async function relaunch(
  { id: sessionId, accessToken }: Visitor,
  over: Platform,
  { now }: { now(): number },
): Promise<{ readonly frames: readonly TimedFrame[]; leave(): void }> {
  const frames: TimedFrame[] = []
  const handshake = await over.messaging.handshake({ sessionId, accessToken, cursor: null })
  if ('status' in handshake) throw new Error(handshake.message)
  const connection = handshake.open({
    send: frame => void frames.push({ at: now(), frame: JSON.parse(frame) }),
    close: () => undefined,
    drained: async () => undefined,
  })
  return { frames, leave: () => connection.closed() }
}

const texts = (events: readonly ReceivedEvent[]) =>
  events.filter(({ type }) => type.endsWith('_MESSAGE_CHUNK')).map(({ payload }) => payload.text)

describe('a connection in mid-reply', () => {
  for (const elsewhere of [false, true])
    test(`MS29 gets the chunks so far inside its batch, behind the events before them, ${elsewhere ? 'over another process' : 'over the same process'}`, async () => {
      const { clock, here, there, visitor } = await greeted()
      await visitor.say('story')
      await clock.advance(250)
      const { frames } = await relaunch(visitor, elsewhere ? there : here, clock)
      await clock.settle()
      expect(frames).toHaveLength(1)
      const batch = frames.flatMap(({ frame }) => batchEvents(frame))
      expect(texts(batch)).toEqual(['Welcome ', 'here.', 'Once ', 'upon '])
      expect(batch.map(({ sequence }) => sequence ?? 0)).toEqual(
        batch.map(({ sequence }) => sequence ?? 0).toSorted((one, other) => one - other),
      )
      await clock.advance(1_000)
      const [next] = frames.slice(1)
      expect([next?.frame.payload.chunk_index, next?.frame.payload.text]).toEqual([3, 'a time '])
    })

  test('MS29 gets what follows the batch no sooner than 50 ms after it, while a reply streams', async () => {
    const { clock, here, visitor } = await greeted()
    await visitor.say('story')
    await clock.advance(89)
    const { frames } = await relaunch(visitor, here, clock)
    await clock.advance(2_000)
    const [batch, ...others] = frames
    expect(others.length).toBeGreaterThan(3)
    for (const { at } of others) expect(at - (batch?.at ?? 0)).toBeGreaterThanOrEqual(50)
  })

  test('MS29 gets its batch after 250 ms where no process answers, and the chunks when the reply is in the log', async () => {
    const slow = ['Once ', pause(400), 'upon ', pause(400), 'a time.']
    const { clock, network, there, visitor } = await greeted({ ...SCRIPT, messages: { story: slow } })
    await visitor.say('story')
    await clock.advance(450)
    network.delivery = 'never'
    const { frames } = await relaunch(visitor, there, clock)
    await clock.advance(249)
    expect(frames).toEqual([])
    await clock.advance(1)
    expect(texts(frames.flatMap(({ frame }) => batchEvents(frame)))).toEqual(['Welcome ', 'here.'])
    network.delivery = 'at once'
    await clock.advance(30_000)
    expect(texts(frames.slice(1).map(({ frame }) => frame)).join('')).toBe('Once upon a time.')
  })

  test('MS29 closes at once, also while it waits for the answer of another process', async () => {
    const { clock, network, there, visitor } = await greeted()
    await visitor.say('story')
    await clock.advance(200)
    network.delivery = 'never'
    const { frames, leave } = await relaunch(visitor, there, clock)
    await clock.settle()
    leave()
    await there.close()
    expect(frames).toEqual([])
  })

  test('MS29 a client that reads batches and single frames in two tasks sees each reply whole, once, whenever it is relaunched', async () => {
    const words = fc.array(fc.constantFrom('a ', 'bcd ', 'e f ', 'ghi. '), { minLength: 2, maxLength: 7 })
    await fc.assert(
      fc.asyncProperty(
        words,
        fc.nat(120),
        fc.array(fc.tuple(fc.nat(150), fc.boolean()), { minLength: 3, maxLength: 12 }),
        fc.infiniteStream(fc.nat(45)),
        async (said, think, launches, lags) => {
          const story = [pause(think), ...said.flatMap(word => [word, pause(70)])]
          const { clock, here, there, visitor } = await greeted({ ...SCRIPT, messages: { story } })
          await visitor.say('story')
          const launched = []
          for (const [wait, elsewhere] of launches) {
            await clock.advance(wait)
            const client = await relaunch(visitor, elsewhere ? there : here, clock)
            launched.push(client)
            // A session has ten places.
            if (launched.length > 6) launched.shift()?.leave()
          }
          await clock.advance(10_000)
          const lag = () => lags.next().value ?? 0
          for (const { frames } of launched)
            expect(bubblesOf(frames, lag)).toEqual(['Welcome here.', said.join('')])
        },
      ),
      { numRuns: runs(25, 400) },
    )
  })

  test('MS29 the two-task client sees a reply torn where single frames tell what belongs into the batch', () => {
    const chunk = (index: number, sequence: number, text: string, complete = false): ReceivedEvent => ({
      ...{ id: `${text}${index}`, sequence, timestamp: '', type: 'EVENT_TYPE_AI_AGENT_MESSAGE_CHUNK' },
      payload: { chunk_index: index, text, is_complete: complete },
    })
    const greeting = chunk(1, 3, 'Welcome here.', true)
    const batch: ReceivedEvent = {
      ...{ id: 'b', sequence: null, timestamp: '', type: 'EVENT_TYPE_EVENT_BATCH' },
      payload: { events: [greeting] },
    }
    const frames = [batch, chunk(1, 3, 'Once '), chunk(2, 4, 'upon.', true)].map(frame => ({ at: 1, frame }))
    const lags = [1, 30, 10].values()
    expect(bubblesOf(frames, () => lags.next().value ?? 0)).not.toEqual(['Welcome here.', 'Once upon.'])
  })
})
