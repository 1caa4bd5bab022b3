import type { Message } from '@colloquy/client/messaging'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entriesOf, type Note } from '../src/chat/entries.ts'

const at = (minutes: number): string => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString()

const message = (
  id: string,
  from: Message['from'],
  timestamp: string,
  state: Message['state'] = 'done',
): Message => ({
  ...{ id, from, timestamp, state, text: id, problem: '', name: '', avatarUrl: '' },
  ...{ attachments: [], suggestions: [], callActions: [], files: [] },
})

const note = (sequence: number, minutes: number): Note => ({
  ...{ sequence, kind: 'joined', name: 'Ada', timestamp: at(minutes) },
})

test('who came and went stands between the messages by its time, and behind those before it', () => {
  const keys = entriesOf(
    [message('a', 'agent', at(0)), message('b', 'visitor', at(2)), message('c', 'visitor', '', 'sending')],
    [note(3, 1), note(9, 3)],
  ).map(({ key }) => key)
  expect(keys.slice(1)).toEqual(['a', 'note 3', 'b', 'note 9', 'c'])
  expect(entriesOf([message('a', 'agent', at(0))], [note(3, 1)]).map(({ kind }) => kind)).toEqual([
    ...['day', 'message', 'note'],
  ])
})

test('WI16 a reply that is complete is another line than its pieces', () => {
  const [, under] = entriesOf([message('a', 'agent', at(0), 'streaming')], [])
  const [, done] = entriesOf([message('a', 'agent', at(0))], [])
  expect(under?.key).not.toBe(done?.key)
})

const messages = fc
  .array(
    fc.record({
      from: fc.constantFrom('visitor' as const, 'agent' as const, 'live agent' as const),
      pause: fc.integer({ min: 0, max: 800 }),
    }),
    { maxLength: 20 },
  )
  .map(said => {
    let now = 0
    return said.map(({ from, pause }, index) => {
      now += pause
      return message(`m${index}`, from, at(now))
    })
  })
const notes = fc
  .uniqueArray(fc.integer({ min: 0, max: 10_000 }), { maxLength: 5 })
  .map(minutes => minutes.sort((one, other) => one - other).map((minute, index) => note(index, minute)))

test('every message and note has one line, in its order; each day begins one; a row has one first and one last', () => {
  fc.assert(
    fc.property(messages, notes, (said, came) => {
      const entries = entriesOf(said, came)
      const lines = entries.filter(entry => entry.kind === 'message')
      expect(lines.map(({ message }) => message)).toEqual(said)
      expect(entries.flatMap(entry => (entry.kind === 'note' ? [entry.note] : []))).toEqual(came)
      expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length)
      const days = entries.filter(({ kind }) => kind === 'day')
      const timestamps = [...said, ...came].map(({ timestamp }) => new Date(timestamp).toDateString())
      expect(days).toHaveLength(new Set(timestamps).size)
      for (const [index, entry] of entries.entries()) {
        if (entry.kind !== 'message') continue
        const [before, after] = [entries[index - 1], entries[index + 1]]
        if (!entry.first)
          expect(before).toMatchObject({ kind: 'message', message: { from: entry.message.from } })
        expect(entry.last).toBe(after?.kind !== 'message' || after.first)
      }
    }),
  )
})
