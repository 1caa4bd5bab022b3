import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Past, readPast, withPast } from '../src/chat/more/past.ts'
import { transcriptOf } from '../src/chat/more/transcript.ts'
import { en } from '../src/chat/words/en.ts'

const messages = fc.array(
  fc.record({
    from: fc.constantFrom('visitor' as const, 'agent' as const, 'live agent' as const),
    name: fc.string({ maxLength: 5 }),
    text: fc.oneof(fc.string({ maxLength: 20 }), fc.constant('x'.repeat(150_000))),
    timestamp: fc.constant('2026-01-01T00:00:00.000Z'),
  }),
  { maxLength: 4 },
)
const past: fc.Arbitrary<Past> = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), messages })

test('WI8 what is kept on the device is bounded, newest first, and each conversation is there once', () => {
  fc.assert(
    fc.property(fc.array(past, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), (all, most) => {
      let kept: readonly Past[] = []
      for (const one of all) {
        kept = readPast(JSON.stringify(withPast(kept, one, most)))
        expect(kept.length).toBeLessThanOrEqual(most)
        expect(JSON.stringify(kept).length).toBeLessThan(1_000_000)
        expect(new Set(kept.map(({ id }) => id)).size).toBe(kept.length)
        if (kept.length > 0 && one.messages.every(({ text }) => text.length < 1_000))
          expect(kept[0]).toEqual(one)
      }
    }),
  )
})

test('WI8 what is on the device and is no conversation is left out', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), json => {
      for (const { id, messages } of readPast(json)) {
        expect(typeof id).toBe('string')
        for (const { text } of messages) expect(typeof text).toBe('string')
      }
    }),
  )
  expect(readPast(null)).toEqual([])
  expect(readPast('[{"id": "a", "messages": [{"from": "root"}]}, null, 3]')).toEqual([])
})

test('a transcript has each message with its time and who says it, and nothing that is not said', () => {
  const bare = { problem: '', avatarUrl: '', suggestions: [], callActions: [], files: [], attachments: [] }
  const timestamp = '2026-03-04T05:06:07.000Z'
  const card = { kind: 'url', title: 'Rooms', url: 'https://a.example', previewUrl: '', action: '' } as const
  expect(
    transcriptOf(
      {
        messages: [
          {
            ...bare,
            id: '1',
            from: 'agent',
            text: 'Hello.',
            name: '',
            timestamp,
            state: 'done',
            attachments: [card],
          },
          { ...bare, id: '2', from: 'visitor', text: 'Hi', name: '', timestamp, state: 'done' },
          { ...bare, id: '3', from: 'live agent', text: 'Ada here', name: 'Ada', timestamp, state: 'done' },
          { ...bare, id: '4', from: 'visitor', text: 'Not there', name: '', timestamp: '', state: 'failed' },
        ],
      },
      en,
    ),
  ).toBe(
    [
      '[2026-03-04 05:06 UTC] Virtual agent\nHello.\nRooms https://a.example\n',
      '[2026-03-04 05:06 UTC] You\nHi\n',
      '[2026-03-04 05:06 UTC] Ada\nAda here\n',
    ].join('\n'),
  )
})
