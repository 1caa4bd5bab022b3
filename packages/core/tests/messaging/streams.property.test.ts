import { readPart } from '@colloquy/test-support/event-stream'
import { createNetwork } from '@colloquy/test-support/network'
import { runs } from '@colloquy/test-support/runs'
import { openVisitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

// Slow: streams are cut at every place, for many interleavings.

const frameSchema = z.looseObject({
  sequence: z.number().nullable(),
  type: z.string(),
  payload: z.looseObject({ events: z.array(z.looseObject({ sequence: z.number() })).optional() }),
})

/** What a visitor does next, and in which of the processes. */
type Step =
  | { readonly do: 'post'; readonly at: number; readonly count: number; readonly again: boolean }
  | { readonly do: 'come back'; readonly at: number }
  | { readonly do: 'read' | 'settle' | 'say on a socket' | 'wait' }
  | { readonly do: 'network'; readonly delivery: 'at once' | 'by hand' | 'never' }
  | { readonly do: 'deliver'; readonly index: number; readonly keep: boolean }

const place = fc.nat(1)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('post'),
      at: place,
      count: fc.integer({ min: 1, max: 4 }),
      again: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('come back'), at: place }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('read', 'settle', 'say on a socket', 'wait') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('network'),
      delivery: fc.constantFrom('at once', 'by hand', 'never'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('deliver'), index: fc.nat(4), keep: fc.boolean() }) },
) as fc.Arbitrary<Step>

/** A reader that keeps what it has had over all its streams, as a browser does. */
function createReader(open: (platform: Platform, cursor: string | null) => Promise<AsyncIterable<string>>) {
  const sequences: number[] = []
  let lastEventId: string | null = null
  let iterator: AsyncIterator<string> | null = null
  /** A piece that was asked for, and has not come yet. */
  let coming: Promise<void> | null = null
  let gone = false

  function keep(text: string): void {
    for (const piece of text.split('\n\n')) {
      const part = readPart(piece)
      if (part === null || part.name !== 'message') continue
      const { sequence, payload } = frameSchema.parse(JSON.parse(part.data))
      sequences.push(
        ...(payload.events?.map(event => event.sequence) ?? (sequence === null ? [] : [sequence])),
      )
      lastEventId = part.id ?? lastEventId
    }
  }

  return {
    sequences,
    get isGone() {
      return gone
    },
    async leave(): Promise<void> {
      await iterator?.return?.()
    },
    /** Breaks the stream off, and comes back with what the last whole event said. */
    async comeBack(platform: Platform): Promise<void> {
      await iterator?.return?.()
      await coming
      iterator = (await open(platform, lastEventId))[Symbol.asyncIterator]()
      coming = null
      gone = false
    },
    /** Asks for a piece where none is under way. */
    read(): void {
      const own = iterator
      if (own === null || coming !== null || gone) return
      coming = own.next().then(({ done, value }) => {
        // What a broken connection still had is lost with it.
        if (own !== iterator) return
        coming = null
        if (done === true) gone = true
        else keep(value)
      })
    },
  }
}

test('ES2, ES7 and ES1 nothing is lost, doubled or out of order, whatever way posts and streams take', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
      const clock = createFakeClock()
      const store = createMemoryStore()
      const network = createNetwork()
      const errors: unknown[] = []
      const runtime = createScriptedRuntime(
        {
          greeting: 'Welcome.',
          otherwise: ({ input }) => (input.type === 'message' ? `I heard: ${input.text}` : ''),
        },
        clock,
      )
      const platforms = [0, 1].map(() =>
        createPlatform({
          ...{ store, clock, runtime, bus: network.bus(), log: silentLog, rateLimits: null },
          onError: error => void errors.push(error),
        }),
      )
      const at = (index: number): Platform => platforms[index] ?? expect.fail('no platform')
      const visitor = await openVisitor(at(0), clock)
      await visitor.join()
      const { id: sessionId, accessToken } = visitor
      const reader = createReader(async (platform, cursor) => {
        const stream = await platform.messaging.openStream({ sessionId, accessToken, cursor })
        if ('status' in stream) throw new Error(`The stream was refused: ${stream.message}`)
        return stream.chunks
      })
      const posted: string[] = []
      const post = async (platform: Platform, texts: readonly string[]): Promise<void> => {
        const refusal = await platform.messaging.postEvents({
          ...{ sessionId, accessToken, stream: null },
          read: async () =>
            texts.map(text =>
              JSON.stringify({
                ...{ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text } },
                metadata: { custom: { client_event_id: text } },
              }),
            ),
        })
        expect(refusal).toBeNull()
      }
      await reader.comeBack(at(1))
      for (const next of steps) {
        if (next.do === 'post') {
          const texts = Array.from({ length: next.count }, (_, index) => `posted ${posted.length + index}`)
          posted.push(...texts)
          await post(at(next.at), texts)
          // Its answer was lost: the client sends it again, and may reach another process.
          if (next.again) await post(at(1 - next.at), texts)
        } else if (next.do === 'come back') await reader.comeBack(at(next.at))
        else if (next.do === 'read') reader.read()
        else if (next.do === 'settle') await clock.settle()
        else if (next.do === 'wait') await clock.advance(16_000)
        else if (next.do === 'say on a socket') await visitor.say('on a socket')
        else if (next.do === 'network') network.delivery = next.delivery
        else if (next.do === 'deliver') network.deliver(next.index, next.keep)
        if (reader.isGone) await reader.comeBack(at(0))
      }
      // Whatever was lost is made good by time alone.
      for (let round = 0; round < 8; round++) {
        for (let piece = 0; piece < 3; piece++) {
          reader.read()
          await clock.settle()
        }
        if (reader.isGone) await reader.comeBack(at(0))
        await clock.advance(round < 3 ? 1_000 : 16_000)
      }
      const { events } = await store.conversations.eventPage(sessionId, 0, {
        ...{ count: 100_000, bytes: Number.MAX_SAFE_INTEGER },
      })
      expect(reader.sequences).toEqual(events.map(({ sequence }) => sequence))
      const said = events
        .filter(({ type }) => type === 'USER_MESSAGE')
        .map(({ payload }) => payload.value.text)
      expect(said.filter(text => text !== 'on a socket')).toEqual(posted)
      expect(errors).toEqual([])
      await reader.leave()
      await Promise.all(platforms.map(platform => platform.close()))
    }),
    { numRuns: runs(25, 400) },
  )
})
