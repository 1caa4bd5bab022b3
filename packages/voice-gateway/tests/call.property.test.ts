import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unheardMs } from '../src/domain/playback.ts'
import { createCallBench } from './support/call-bench.ts'

const REPLY =
  'We have rooms from Monday on, in all sizes. Breakfast is from seven to ten. Dogs are welcome too, for a small fee.'

/** Returns what a message says was heard of a reply. */
const recorded = (custom: Readonly<Record<string, string>>, messageId: string): number | null => {
  const pair = (custom.voice_heard ?? '').split(' ').find(one => one.startsWith(`${messageId}:`))
  return pair === undefined ? null : Number(pair.split(':')[1])
}

/** The words of a text before a place, whole ones alone. */
const wholeWords = (text: string, characters: number): number =>
  characters >= text.length ? text.length : text.lastIndexOf(' ', characters) + 1

test('VG6 whenever the visitor speaks, the message says what was heard, to the word', () => {
  for (let frame = 0; frame * 20 <= REPLY.length * 20 + 200; frame++) {
    const bench = createCallBench()
    bench.reply('m1', REPLY, true)
    // The speaker is always ahead of the player, by up to a second.
    for (let at = 0; at < frame * 20 + 1_000; at += 60) bench.speak(60)
    for (let at = 0; at < frame; at++) bench.play(20)
    const truth = bench.heardOf('m1')
    bench.voice(400)
    bench.quiet(500)
    bench.words(1, 'One moment.')
    const [said] = bench.said()
    const told = recorded(said?.custom ?? {}, 'm1')
    // A reply that was heard to its end was not cut.
    if (truth >= REPLY.length) expect(told).toBeNull()
    else {
      expect(told).toBeLessThanOrEqual(truth)
      // No more is missing than the word in which it was cut, and one for a sentence whose length is not known yet.
      const lower = wholeWords(REPLY, Math.max(0, wholeWords(REPLY, truth) - 2))
      expect(told).toBeGreaterThanOrEqual(Math.min(lower, truth))
    }
  }
})

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('voice' as const), ms: fc.constantFrom(60, 200, 340, 700) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('quiet' as const), ms: fc.constantFrom(100, 300, 600) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('words' as const), of: fc.nat(2), kind: fc.nat(4) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('speak' as const), ms: fc.constantFrom(20, 100, 1_000) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('play' as const),
      ms: fc.constantFrom(20, 200, 1_500),
      marks: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reply' as const),
      of: fc.nat(2),
      more: fc.constantFrom('Yes. ', 'We have rooms. And ', 'dogs, too'),
      complete: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('interrupt' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(250, 1_250, 11_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mute' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('dtmf' as const) }) },
)

type BenchStep = typeof step extends fc.Arbitrary<infer Step> ? Step : never

test('VG6, VG5 and VG9 whatever happens, nothing is said twice, and nothing is heard twice', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.boolean(), (steps: readonly BenchStep[], isDeaf) => {
      const bench = createCallBench()
      if (isDeaf) bench.isDeafToClear()
      const complete = new Set<string>()
      let keys = 0
      const act = (one: BenchStep): unknown => {
        switch (one.do) {
          case 'voice':
            return bench.voice(one.ms)
          case 'quiet':
            return bench.quiet(one.ms)
          case 'words': {
            const id = Math.max(1, bench.state.nextId - 1 - one.of)
            return bench.words(
              id,
              [`words ${id}`, null, '', 'uh-huh', 'again'][one.kind] ?? null,
              one.kind === 1,
            )
          }
          case 'speak':
            return bench.speak(one.ms)
          case 'play':
            return bench.play(one.ms, one.marks)
          case 'reply': {
            const id = `m${one.of}`
            if (complete.has(id)) return null
            if (one.complete) complete.add(id)
            return bench.reply(id, one.more, one.complete)
          }
          case 'wait':
            return bench.wait(one.ms)
          case 'interrupt':
            return bench.tell({ type: 'interrupt' })
          case 'mute':
            return bench.tell({ type: 'mute', muted: true })
          case 'dtmf':
            return bench.tell({ type: 'dtmf', digits: '1', id: `k${keys++}` })
        }
      }
      for (const one of steps) {
        act(one)
        expect(unheardMs(bench.state.playback)).toBeGreaterThanOrEqual(0)
      }
      const said = bench.said()
      // Each message has an id of its own, and those of utterances are in their order.
      const ids = said.map(({ custom }) => custom.client_event_id ?? '')
      expect(new Set(ids).size).toBe(ids.length)
      const positions = ids.filter(id => !id.includes('dtmf')).map(id => Number(id.split('.').at(-1)))
      expect(positions).toEqual(positions.toSorted((a, b) => a - b))
      // What was heard of a reply never shrinks, and is never more than its text.
      for (const { custom } of said)
        for (const [id, { text }] of bench.replies) {
          const characters = recorded(custom, id)
          if (characters === null) continue
          expect(characters).toBeGreaterThanOrEqual(0)
          expect(characters).toBeLessThanOrEqual(text.length)
        }
      // With a client that answers, no part of a piece is heard twice.
      if (isDeaf) return
      for (const id of new Set(bench.heard.map(part => part.id))) {
        const parts = bench.heard.filter(part => part.id === id)
        const ordered = parts.toSorted((one, other) => one.from - other.from)
        for (const [index, part] of ordered.entries()) {
          const before = ordered[index - 1]
          if (before !== undefined) expect(part.from).toBeGreaterThanOrEqual(before.to)
        }
      }
    }),
    { numRuns: runs(300, 5_000) },
  )
})
