import { expect, test } from 'vitest'
import { emptyLog, goLive, readEvent, type SessionEvent, type SessionLog } from '../src/domain/session-log.ts'

const CALL = '1-00000000-0000-4000-8000-000000000001'
const NUMBER = '+493012345678'

const event = (sequence: number, type: string, payload: SessionEvent['payload'] = {}): SessionEvent => ({
  ...{ id: `e${sequence}`, type, sequence, payload, custom: {} },
})

const says = (sequence: number) =>
  event(sequence, 'AI_AGENT_MESSAGE', { message_id: `m${sequence}`, text: 'Hello.' })
const leaves = (sequence: number, route: string) => event(sequence, 'CLIENT_HANDOFF_REQUIRED', { route })

const read = (call: string | null, ...events: readonly SessionEvent[]): SessionLog =>
  events.reduce((log, one) => readEvent(log, one)[0], emptyLog(call))

const factsAt = (log: SessionLog) => goLive(log, CALL, null)[1].filter(({ type }) => type === 'leaves')

test('VG105 a call that is resumed after the handoff to a number leaves, and another one begins anew', () => {
  const handed = [says(1), leaves(2, NUMBER)]
  expect(factsAt(read(CALL, ...handed))).toEqual([{ type: 'leaves', destination: NUMBER }])
  expect(factsAt(read(null, ...handed))).toEqual([])
  // The agent is back.
  expect(factsAt(read(CALL, ...handed, says(3)))).toEqual([])
})

test.each(['reception', '+0123456', '+49', '+4930 1234', `${NUMBER}<`, ''])(
  'VG105 a handoff to "%s", which is no number, lets the call go on',
  route => {
    const [log] = goLive(read(CALL, says(1)), CALL, null)
    expect(readEvent(log, leaves(2, route))[1]).toEqual([])
    expect(readEvent(log, leaves(2, NUMBER))[1]).toEqual([{ type: 'leaves', destination: NUMBER }])
  },
)

test.each(['AI_AGENT_TRIGGERED_HANDOFF', 'HANDOFF_ACCEPTED', 'LIVE_AGENT_JOINED', 'AI_AGENT_LEFT'])(
  'VG103 the agent answers silence from its first words on, until %s',
  type => {
    expect(read(null, event(1, 'AI_AGENT_JOINED')).isAttended).toBe(false)
    expect(read(null, says(1)).isAttended).toBe(true)
    expect(read(null, says(1), event(2, type)).isAttended).toBe(false)
    expect(read(null, says(1), event(2, type), says(3)).isAttended).toBe(true)
  },
)

const LONG = 'Dogs are welcome. They sleep in the garden. Cats do not.'

/** A call that goes on at a server which has none of the reply that was being heard: its own was killed. */
function resumedWith(reply: string, mark: { readonly played_ms: number; readonly done?: boolean }) {
  const begun = read(CALL, event(1, 'AI_AGENT_JOINED'), event(2, 'USER_MESSAGE', { text: 'My dog?' }))
  const [live] = goLive(begun, CALL, null)
  const chunk = (id: string, text: string) =>
    event(0, 'AI_AGENT_MESSAGE_CHUNK', { message_id: id, text, chunk_index: 1, is_complete: false })
  const [, facts] = readEvent(live, { ...chunk('m1', LONG), sequence: null })
  const second = facts.flatMap(fact => (fact.type === 'reply' ? fact.pieces : []))[1]
  const [resumed, nothing] = goLive(begun, CALL, { id: second?.id ?? '', ...mark })
  expect(nothing).toEqual([])
  const whole = event(3, 'AI_AGENT_MESSAGE', { message_id: 'm2', text: reply })
  const [after, made] = readEvent(resumed, whole)
  const next = event(4, 'AI_AGENT_MESSAGE', { message_id: 'm3', text: reply })
  return [made, readEvent(after, next)[1]].map(told =>
    told.flatMap(fact =>
      fact.type === 'reply' ? fact.pieces.map(({ fromMs, text }) => [text.trim(), fromMs]) : [],
    ),
  )
}

test('VG13 a reply that is made again after its server was killed goes on where it was heard, if its words are the same', () => {
  const sentences = ['Dogs are welcome.', 'They sleep in the garden.', 'Cats do not.'].map(text => [text, 0])
  const [, second, third] = sentences
  // Only the first reply may be the same one: a later one is spoken whole.
  expect(resumedWith(LONG, { played_ms: 300 })).toEqual([[[second?.[0], 300], third], sentences])
  expect(resumedWith(LONG, { played_ms: 500, done: true })).toEqual([[third], sentences])
  const other = 'You may bring it. They sleep in the garden.'
  expect(resumedWith(other, { played_ms: 300 })[0]).toEqual([['You may bring it.', 0], second])
})
