import { JOURNALED_EVENT_TYPES, type Json } from '@colloquy/core/domain'
import { aConversation, anEvent } from '@colloquy/core/testing'
import { runs } from '@colloquy/test-support/runs'
import { eventsOf } from '@colloquy/test-support/stored'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../src/store.ts'

/** What the short way could take for its own: ends of strings and of heads, and what comes before a payload. */
const tricky = fc.constantFrom(
  '"',
  '\\',
  '\n',
  ',"payload":\n',
  '","at":1',
  '\u001f',
  'é',
  '\ud800',
  '0b8ac3c9',
)
const id = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), tricky), { minLength: 1, maxLength: 3 })
  .map(parts => parts.join(''))

const field: fc.Arbitrary<Json> = fc.oneof(id, fc.integer(), fc.boolean(), fc.constant(null), fc.array(id))

const event = fc.record(
  {
    id,
    type: fc.constantFrom(...JOURNALED_EVENT_TYPES),
    at: fc.oneof(fc.integer({ min: 0 }), fc.constantFrom(1_700_000_000_000.5, 1e21, -1)),
    payload: fc.dictionary(id, fc.oneof(field, fc.dictionary(id, field))),
    custom: fc.oneof(fc.constant(null), fc.dictionary(id, id)),
    clientEventId: fc.oneof(fc.constant(null), id),
    localId: fc.oneof(fc.constant(null), id),
  },
  { requiredKeys: ['id', 'type', 'at', 'payload', 'custom', 'clientEventId'] },
)

it('SQ109 reads an event as it was written, whatever it holds', async () => {
  const { close, conversations } = createSqliteStore({ filename: ':memory:' })
  onTestFinished(close)
  let logs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(event), async given => {
      const log = `AS-${++logs}`
      // Ids of clients are told apart: each event has its own.
      const events = given.map(({ localId, clientEventId, ...one }, index) =>
        anEvent({
          ...one,
          clientEventId: clientEventId === null ? null : `${index} ${clientEventId}`,
          ...(localId === undefined
            ? {}
            : { localId: localId === null ? null : `${index} local ${localId}` }),
        }),
      )
      await conversations.create(aConversation(log, { events }))
      const read = await eventsOf(conversations, log, 0)
      const written = events.map((one, index) => ({ ...one, sequence: index + 1 }))
      expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(written)))
    }),
    { numRuns: runs(60, 3_000) },
  )
})
