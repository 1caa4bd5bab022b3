import { busParts } from '@colloquy/test-support/bus-ends'
import { greeted, handoffWish } from '@colloquy/test-support/conversation'
import { createNetwork } from '@colloquy/test-support/network'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { cutChunk } from '../../src/domain/conversation/chunks.ts'
import type { TransientEvent } from '../../src/domain/conversation/event.ts'
import { createNotices } from '../../src/guarded/notices.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { silentLog } from '../../src/ports/log.ts'
import { topics } from '../../src/ports/notices.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { createFakeClock } from '../../src/testing/index.ts'
import { createReplyStream } from '../../src/usecases/conversation/turn/reply-stream.ts'
import { createEphemeral } from '../../src/usecases/room/ephemeral.ts'
import { createRooms } from '../../src/usecases/room/rooms.ts'

describe('where a chunk ends', () => {
  test.each([
    ['Two rooms are', 'Two rooms ', 'are'],
    ['line\nnext', 'line\n', 'next'],
    ['ends with a space ', 'ends with a space ', ''],
    ['word', '', 'word'],
    ['', '', ''],
    ['https://example.com/a-rather-long-path?with=query,and&more', '', null],
    ['酒店有两百间客房', '酒店有两百间', '客房'],
    ['See 酒店有两百间客房', 'See ', '酒店有两百间客房'],
  ])('MS30 %j is cut into %j and %j', (text, ready, rest) => {
    expect(cutChunk(text)).toEqual({ ready, rest: rest ?? text })
  })

  test.each([
    ['a run without any place', 'x'.repeat(1001), 1000],
    ['a family at the end', `${'x'.repeat(1000)}👨‍👩‍👧‍👦`, 1000],
    ['a grapheme that is longer than the bound', `e${'\u0301'.repeat(1200)}`, 1000],
    ['surrogates throughout', '😀'.repeat(501), 1000],
    ['a pair of surrogates on the bound', `${'x'.repeat(999)}😀`, 999],
  ])('MS30 %s is cut in time', (_, text, at) => {
    expect(cutChunk(text).ready).toHaveLength(at)
  })

  it('MS30 no cut tears a grapheme, unless that alone is too long, and both sides are the text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ' ',
        '\n',
        'word',
        'https://example.com/',
        '你好',
        'สวัสดี',
        '👨‍👩‍👧‍👦',
        'e\u0301',
        '🇬🇧',
        '。',
      ),
      fc.string({ unit: 'grapheme' }),
    )
    const segments = (text: string) =>
      new Set(Array.from(new Intl.Segmenter(undefined).segment(text), ({ index }) => index))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 600, size: 'max' }), pieces => {
        const text = pieces.join('')
        const { ready, rest } = cutChunk(text)
        expect(ready + rest).toBe(text)
        if (ready !== '' && rest !== '') expect(segments(text).has(ready.length)).toBe(true)
        if (rest.length > 1000) expect.fail(`${rest.length} characters wait`)
      }),
      { numRuns: 200 },
    )
  })
})

/** A stream whose chunks are kept with the moment at which they left. */
function stream() {
  const clock = createFakeClock()
  const notices = createNotices(null, busParts('here'))
  const settings = resolveSettings({}, silentLog)
  const rooms = createRooms({ clock, notices, settings, store: createMemoryStore() })
  const ephemeral = createEphemeral({ clock, notices, rooms }, null)
  const drive = greeted()
  drive.say('Hi')
  const { state } = drive
  if (state.turn === null) throw new Error('no turn is under way')
  const chunks: TransientEvent[] = []
  const times: number[] = []
  const begin = clock.now()
  rooms.of(state.id).listen({
    notice({ transients }) {
      chunks.push(...transients)
      times.push(...transients.map(() => clock.now() - begin))
    },
    gap() {},
  })
  const context = { clock, settings }
  const reply = createReplyStream(context, ephemeral, { state, turn: state.turn, messageId: 'm' })
  return { clock, chunks, times, reply }
}

describe('when a chunk leaves', () => {
  it('MS30 a reply in one piece is one chunk', async () => {
    const { chunks, reply } = stream()
    reply.push('All of it at once.')
    expect(reply.finish()).toEqual(['All of it at once.'])
    expect(chunks).toEqual([])
  })

  it('MS30 the first piece leaves when a second comes, later ones at most every 50 ms', async () => {
    const { clock, times, reply } = stream()
    for (let piece = 0; piece < 100; piece++) {
      reply.push(`word ${piece} `)
      await clock.advance(3)
    }
    expect(times[0]).toBe(3)
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(50)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(53)
  })

  it('MS30 what is said at once leaves before more than 160 characters wait', async () => {
    const { chunks, reply } = stream()
    const sentence = 'This is a sentence of sixty characters, blanks counted too. '
    for (let piece = 0; piece < 7; piece++) reply.push(sentence)
    expect(chunks.map(({ payload }) => payload.text)).toEqual([
      sentence,
      sentence.repeat(2),
      sentence.repeat(2),
    ])
    expect(reply.finish().at(-1)).toBe(sentence.repeat(2))
  })

  it('MS30 text waits no longer than 50 ms for more', async () => {
    const { clock, chunks, reply } = stream()
    reply.push('Some words, then ')
    await clock.advance(49)
    expect(chunks).toHaveLength(0)
    await clock.advance(1)
    expect(chunks.map(({ payload }) => payload.text)).toEqual(['Some words, then '])
    expect(reply.finish()).toEqual(['Some words, then ', ''])
  })

  it('MS30 nothing leaves after the reply was finished or given up', async () => {
    for (const end of ['finish', 'stop'] as const) {
      const { clock, chunks, reply } = stream()
      reply.push('Some words ')
      reply[end]()
      reply.push('and more ')
      reply.push('and more ')
      await clock.advance(1_000)
      expect(chunks).toEqual([])
    }
  })

  it('MS30 whatever the pieces and pauses: chunks that were sent, and the last one, are the text', async () => {
    const piece = fc.tuple(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a ', 'word', '你好吗', ' ', '')),
      fc.nat(60),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20, size: 'max' }), async pieces => {
        const { clock, chunks, reply } = stream()
        for (const [text, pause] of pieces) {
          reply.push(text)
          await clock.advance(pause)
        }
        const all = reply.finish()
        expect(all.join('')).toBe(pieces.map(([text]) => text).join(''))
        expect(chunks.map(({ payload }) => [payload.chunk_index, payload.text, payload.is_complete])).toEqual(
          all.slice(0, -1).map((text, index) => [index + 1, text, false]),
        )
      }),
      { numRuns: 30 },
    )
  })
})

describe('what processes know of a place in the queue', () => {
  it('MS29 the newest one is told, whichever of them was told it', async () => {
    const clock = createFakeClock()
    const network = createNetwork()
    const settings = resolveSettings({}, silentLog)
    const start = (name: string) => {
      const notices = createNotices(network.bus(), busParts(name))
      const rooms = createRooms({ clock, notices, settings, store: createMemoryStore() })
      return { notices, ephemeral: createEphemeral({ clock, notices, rooms }, null) }
    }
    const [here, there] = [start('here'), start('there')]
    // Until the key of the bus is read.
    await clock.advance(0)
    const drive = greeted()
    drive.say('a person, please')
    drive.reply(handoffWish)
    const { state } = drive
    const place = (position: number) =>
      ({
        type: 'HANDOFF_QUEUE_STATUS',
        payload: { queue_name: '', position_in_queue: position },
        custom: null,
        to: null,
      }) as const
    const told: unknown[] = []
    there.notices.subscribe(topics.conversation(state.id), {
      notice: ({ transients }) => void told.push(...transients),
      gap() {},
    })
    here.ephemeral.remember(state, [place(3)])
    there.ephemeral.ask(state.id, 'visitor')
    expect(told).toEqual([{ ...place(3), to: 'visitor' }])
    await clock.advance(1)
    there.ephemeral.remember(state, [place(2)])
    there.ephemeral.ask(state.id, 'visitor')
    expect(told).toHaveLength(1)
    await clock.advance(1)
    here.ephemeral.remember(state, [place(1)])
    there.ephemeral.ask(state.id, 'visitor')
    expect(told.at(-1)).toEqual({ ...place(1), to: 'visitor' })
    expect(await there.ephemeral.snapshot(state)).toMatchObject({
      events: [place(2)],
      complete: false,
    })
  })
})
