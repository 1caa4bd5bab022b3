import type { Handoff } from '@colloquy/client/http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { waited } from '../page/moments.ts'
import { inserted, repliesOf } from '../page/views/desk/canned.ts'
import {
  attentionOf,
  besides,
  type Desk,
  type DeskEvent,
  deskAfter,
  emptyDesk,
  takenByOthers,
  waitingOf,
} from '../page/views/desk/desk-state.ts'
import { createEventReader, pauseAfter } from '../page/views/desk/events.ts'
import { factsOf } from '../page/views/desk/facts-of.ts'
import { actOf } from '../page/views/desk/shortcuts.ts'
import { repliesFor, slashAt } from '../page/views/desk/slash.ts'

const ME = { id: 'me', name: 'Ada', avatar_url: '' }
const OTHER = { id: 'other', name: 'Ben', avatar_url: '' }

const handoff = (id: string, agent: Handoff['agent'] | null = null): Handoff => ({
  handoff_id: id,
  session_id: `session-${id}`,
  status: agent === null ? 'waiting' : 'active',
  queue_name: 'reception',
  reason: '',
  destination: 'reception',
  waiting_since: `2026-01-01T10:00:0${id}.000Z`,
  position_in_queue: null,
  can_return: true,
  ...(agent === null ? {} : { agent }),
})

const came = (id: string): DeskEvent => ({
  type: 'frame',
  frame: { type: 'handoff.waiting', handoff: handoff(id) },
})
const taken = (id: string, agent = ME): DeskEvent => ({
  type: 'frame',
  frame: { type: 'handoff.accepted', handoff: handoff(id, agent) },
})
const ended = (id: string): DeskEvent => ({ type: 'frame', frame: { type: 'handoff.ended', handoff_id: id } })
const spoke = (id: string, messageId: string, at = '2026-01-01T10:05:00.000Z'): DeskEvent => ({
  type: 'frame',
  frame: {
    type: 'handoff.visitor_message',
    handoff_id: id,
    message: { message_id: messageId, text: `said ${messageId}`, sent_at: at },
  },
})
const listed = (...handoffs: readonly Handoff[]): DeskEvent => ({ type: 'listed', handoffs })
const OPENED: DeskEvent = { type: 'opened' }

const after = (...events: readonly DeskEvent[]): Desk => events.reduce(deskAfter, emptyDesk(ME.id))

/** Who waits, whom this person talks to and whether that is over, and who is with others. */
const seen = (desk: Desk) => ({
  waiting: waitingOf(desk).map(({ handoff_id }) => handoff_id),
  mine: [...desk.talks].map(([id, { over }]) => (over === null ? id : `${id} over`)),
  others: takenByOthers(desk).map(({ handoff_id }) => handoff_id),
})

const NOTHING = { waiting: [], mine: [], others: [] }

test.each<readonly [string, readonly DeskEvent[], Partial<ReturnType<typeof seen>>]>([
  ['who comes waits, the longest first', [came('2'), came('1')], { waiting: ['1', '2'] }],
  ['who is taken by me is mine', [came('1'), taken('1')], { mine: ['1'] }],
  ['who is taken by somebody else leaves the queue', [came('1'), taken('1', OTHER)], { others: ['1'] }],
  ['late news takes nobody back into the queue', [taken('1', OTHER), came('1')], { others: ['1'] }],
  ['who leaves while waiting is gone', [came('1'), ended('1')], {}],
  ['what is over stays until it is put away', [taken('1'), ended('1')], { mine: ['1 over'] }],
  ['what is over is put away', [taken('1'), ended('1'), { type: 'put_away', handoffId: '1' }], {}],
  ['what goes on is not put away', [taken('1'), { type: 'put_away', handoffId: '1' }], { mine: ['1'] }],
  [
    'a list from before the end brings nobody back',
    [OPENED, came('1'), ended('1'), listed(handoff('1'))],
    {},
  ],
  ['a list from before the arrival sends nobody away', [OPENED, came('1'), listed()], { waiting: ['1'] }],
  [
    'a list after a gap ends what ended meanwhile',
    [came('1'), taken('2'), { type: 'lost' }, OPENED, came('3'), listed(handoff('3'))],
    { waiting: ['3'], mine: ['2 over'] },
  ],
  ['who is given to me is mine', [taken('1', OTHER), taken('1')], { mine: ['1'] }],
  ['what I took elsewhere is mine here', [OPENED, listed(handoff('1', ME))], { mine: ['1'] }],
])('CO16 at the desk %s', (_, events, expected) => {
  expect(seen(after(...events))).toEqual({ ...NOTHING, ...expected })
})

const note = (number: number) => ({
  ...{ note_id: `n-${number}`, number, author: { id: 'ada', name: 'Ada' }, text: `Note ${number}` },
  at: '2026-01-01T00:00:00.000Z',
})
const noteFrame = (id: string, number: number): DeskEvent => ({
  type: 'frame',
  frame: { type: 'handoff.note', handoff_id: id, note: note(number) },
})

test('CO564 notes are there once and in order, also of a conversation that is over, until it is dismissed', () => {
  const numbers = (desk: Desk) => desk.notes.get('1')?.map(({ number }) => number)
  const begun = after(came('1'), taken('1'), noteFrame('1', 2), noteFrame('1', 1), noteFrame('1', 2))
  expect(numbers(begun)).toEqual([1, 2])
  const over = deskAfter(begun, ended('1'))
  expect(numbers(deskAfter(over, noteFrame('1', 3)))).toEqual([1, 2, 3])
  expect(numbers(deskAfter(over, { type: 'put_away', handoffId: '1' }))).toBeUndefined()
  expect(numbers(after(came('1'), noteFrame('1', 1), ended('1')))).toBeUndefined()
})

test('CO651 the newest summary of a visitor is known, until they are dismissed', () => {
  const summary = (status: 'pending' | 'done' | 'failed', minute: number) => ({
    ...{ status, text: status === 'done' ? 'Wants a room.' : '', failure: null },
    at: `2026-01-01T10:0${minute}:00.000Z`,
  })
  const told = (status: 'pending' | 'done' | 'failed', minute: number): DeskEvent => ({
    type: 'frame',
    frame: { type: 'handoff.summary', handoff_id: '1', summary: summary(status, minute) },
  })
  const statusOf = (...events: readonly DeskEvent[]) => after(...events).summaries.get('1')?.status
  expect(statusOf(told('done', 1))).toBeUndefined()
  expect(statusOf(came('1'), told('pending', 1), told('done', 2))).toBe('done')
  expect(statusOf(came('1'), told('done', 2), told('pending', 1))).toBe('done')
  expect(statusOf(came('1'), told('done', 2), ended('1'))).toBeUndefined()
  expect(statusOf(came('1'), taken('1'), told('done', 2), ended('1'))).toBe('done')
  const over = [came('1'), taken('1'), told('done', 2), ended('1')]
  expect(statusOf(...over, { type: 'put_away', handoffId: '1' })).toBeUndefined()
})

test('CO564 the newest words of who waits are known', () => {
  const said = (text: string): DeskEvent => ({
    type: 'frame',
    frame: {
      type: 'handoff.visitor_message',
      handoff_id: '1',
      message: { message_id: text, text, sent_at: '2026-01-01T10:01:00.000Z' },
    },
  })
  const lastOf = (...events: readonly DeskEvent[]) => after(...events).handoffs.get('1')?.last_line?.text
  expect(lastOf(came('1'), said('One'), said('Two'))).toBe('Two')
  expect(lastOf(came('1'), taken('1'), said('One'))).toBeUndefined()
})

test('CO601 who comes from a colleague asks for attention, who is taken does not', () => {
  const unread = (...events: readonly DeskEvent[]) => after(...events).talks.get('1')?.unread
  expect(unread(came('1'), taken('1'))).toBe(0)
  expect(unread(came('1'), taken('1', OTHER), taken('1'))).toBe(1)
  expect(unread(came('1'), taken('1'), taken('1', OTHER), taken('1'))).toBe(1)
})

const lines = (desk: Desk, id: string) => desk.talks.get(id)?.lines.map(({ text, state }) => [text, state])
const read = (id: string, ...texts: readonly string[]): DeskEvent => ({
  type: 'read',
  handoff: {
    ...handoff(id, ME),
    ...{ notes: [], can_suggest: false },
    transcript: texts.map(text => ({ from: 'visitor', text, at: '2026-01-01T10:05:00.000Z' })),
  },
})
const mine = (lineId: string): DeskEvent => ({
  type: 'said',
  handoffId: '1',
  line: { id: lineId, from: 'live_agent', text: lineId, at: '2026-01-01T10:06:00.000Z', state: 'sending' },
})

test('CO16 a message is there once, however often it is told, and the transcript doubles none', () => {
  expect(lines(after(taken('1'), spoke('1', 'a'), spoke('1', 'a')), '1')).toEqual([['said a', 'done']])
  expect(lines(after(taken('1'), spoke('1', 'a'), read('1', 'hello', 'said a')), '1')).toEqual([
    ['hello', 'done'],
    ['said a', 'done'],
  ])
  const later = spoke('1', 'b', '2026-01-01T10:05:01.000Z')
  expect(lines(after(taken('1'), later, read('1', 'hello')), '1')).toEqual([
    ['hello', 'done'],
    ['said b', 'done'],
  ])
})

test('what was said in a gap asks for attention once, and what was said before the visitor was taken does not', () => {
  const line = (at: string) => ({ from: 'visitor' as const, text: at, at })
  const readAt = (...times: readonly string[]): DeskEvent => ({
    type: 'read',
    handoff: { ...handoff('1', ME), notes: [], can_suggest: false, transcript: times.map(line) },
  })
  const [early, heard, late] = ['2026-01-01T10:04Z', '2026-01-01T10:05Z', '2026-01-01T10:06Z'] as const
  const first = after(taken('1'), readAt(early))
  expect(attentionOf(first)).toBe(0)
  const gap: readonly DeskEvent[] = [{ type: 'lost' }, OPENED]
  const back = [...gap, readAt(early, heard, late)].reduce(
    deskAfter,
    deskAfter(first, spoke('1', 'a', heard)),
  )
  expect(attentionOf(back)).toBe(2)
  expect(attentionOf([...gap, readAt(early, heard, late)].reduce(deskAfter, back))).toBe(2)
  expect(attentionOf(after(taken('1'), spoke('1', 'a', heard), readAt(early, heard)))).toBe(1)
})

test('CO16 what was not sent stays, and is sent again as the same message', () => {
  const failed = after(taken('1'), mine('m'), {
    type: 'settled',
    handoffId: '1',
    lineId: 'm',
    isSent: false,
  })
  expect(lines(failed, '1')).toEqual([['m', 'failed']])
  expect(lines(deskAfter(failed, read('1', 'hello')), '1')).toEqual([
    ['hello', 'done'],
    ['m', 'failed'],
  ])
  const again = deskAfter(failed, mine('m'))
  expect(lines(again, '1')).toEqual([['m', 'sending']])
  const sent = deskAfter(again, { type: 'settled', handoffId: '1', lineId: 'm', isSent: true })
  expect(lines(sent, '1')).toEqual([['m', 'done']])
})

test('who has no connection is marked until back or over, and a lost stream ends typing', () => {
  const presence = (state: 'here' | 'gone'): DeskEvent => ({
    type: 'frame',
    frame: { type: 'handoff.visitor_presence', handoff_id: '1', state },
  })
  const typing: DeskEvent = {
    type: 'frame',
    frame: { type: 'handoff.visitor_typing', handoff_id: '1', state: 'started' },
  }
  const away = (...events: readonly DeskEvent[]) => [...after(taken('1'), ...events).away]
  expect(away()).toEqual([])
  expect(away(presence('gone'))).toEqual(['1'])
  expect(away(presence('gone'), presence('here'))).toEqual([])
  expect(away(presence('gone'), ended('1'))).toEqual([])
  expect(away(presence('gone'), OPENED)).toEqual([])
  const typed = after(taken('1'), typing)
  expect(typed.talks.get('1')?.isTyping).toBe(true)
  expect(deskAfter(typed, { type: 'lost' }).talks.get('1')?.isTyping).toBe(false)
})

test('CO601 who was taken over is with the other one, by name, until taken back or over for all', () => {
  const overOf = (desk: Desk) => desk.talks.get('1')?.over
  const lost = after(taken('1'), taken('1', OTHER))
  expect(overOf(lost)).toEqual({ reason: null, with: 'Ben' })
  expect(seen(lost)).toEqual({ waiting: [], mine: ['1 over'], others: ['1'] })
  expect(overOf(deskAfter(lost, taken('1')))).toBe(null)
  expect(overOf(deskAfter(lost, ended('1')))).toEqual({ reason: null })
  expect(seen(deskAfter(lost, { type: 'put_away', handoffId: '1' })).mine).toEqual([])
})

test('CO16 attention is asked for by who waits and what was not looked at', () => {
  const desk = after(came('1'), taken('2'), spoke('2', 'a'), spoke('2', 'b'))
  expect(attentionOf(desk)).toBe(3)
  expect(attentionOf(deskAfter(desk, { type: 'seen', handoffId: '2' }))).toBe(1)
})

test('CO16 one goes round one’s conversations in both directions', () => {
  const desk = after(taken('1'), taken('2'), taken('3'))
  expect([besides(desk, '3', 1), besides(desk, '1', -1), besides(desk, undefined, 1)]).toEqual([
    '1',
    '3',
    '1',
  ])
  expect(besides(after(), '1', 1)).toBe(null)
})

test('CO16 whatever comes in whatever order, nobody both waits and is talked to, and none comes back', () => {
  const id = fc.constantFrom('1', '2', '3')
  const event = fc.oneof(
    id.map(came),
    id.map(one => taken(one)),
    id.map(one => taken(one, OTHER)),
    id.map(ended),
    id.map(one => spoke(one, 'x')),
    fc.constant(OPENED),
    fc.subarray(['1', '2', '3']).map(ids => listed(...ids.map(one => handoff(one)))),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), events => {
      let desk = emptyDesk(ME.id)
      for (const one of events) {
        const before = desk
        desk = deskAfter(desk, one)
        const { waiting, others } = seen(desk)
        expect(waiting.filter(name => others.includes(name))).toEqual([])
        if (one.type === 'opened') continue
        for (const gone of before.gone) expect(desk.handoffs.has(gone)).toBe(false)
      }
    }),
  )
})

test.each([
  ['', 0, 0, 'Hi', 'Hi', 2],
  ['Dear guest', 10, 10, 'yes.', 'Dear guest yes.', 15],
  ['one two', 4, 7, 'three', 'one three', 9],
  ['onetwo', 3, 3, 'X', 'one X two', 5],
  ['one two', 3, 3, 'X', 'one X two', 5],
])('CO16 a reply is put at the cursor: %j from %i to %i', (text, start, end, reply, result, cursor) => {
  expect(inserted(text, { start, end }, reply)).toEqual({ text: result, cursor })
})

test('CO16 kept replies that cannot be read count as none', () => {
  expect([null, '{', '3', '["a", 1, "", "b"]'].map(repliesOf)).toEqual([[], [], [], ['a', 'b']])
})

test('CO16 waiting times count up from zero', () => {
  const since = '2026-01-01T10:00:00.000Z'
  const at = (seconds: number): string => waited(since, Date.parse(since) + seconds * 1_000)
  expect([-3, 0, 65, 3_723].map(at)).toEqual(['0:00', '0:00', '1:05', '1:02:03'])
})

test('CO16 events are read however the stream is cut', () => {
  const stream = ': ping\n\nevent: open\ndata: {}\n\ndata: {"type":"a"}\n\n'
  const whole = [
    { name: 'open', data: '{}' },
    { name: 'message', data: '{"type":"a"}' },
  ]
  for (let cut = 0; cut <= stream.length; cut++) {
    const read = createEventReader()
    expect([...read(stream.slice(0, cut)), ...read(stream.slice(cut))]).toEqual(whole)
  }
})

test('CO16 tries to connect are further and further apart, half a minute at most', () => {
  expect([0, 1, 2, 9].map(failures => pauseAfter(failures, 1))).toEqual([1_000, 2_000, 4_000, 30_000])
  expect(pauseAfter(2, 0)).toBe(2_000)
})

test('CO16 shortcuts leave letters to who writes', () => {
  const held = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }
  const key = { key: '', code: '', ...held, target: null }
  for (const code of ['KeyN', 'KeyW', 'KeyR', 'KeyL', 'KeyQ', 'Digit2'])
    for (const altKey of [false, true]) expect(actOf({ ...key, key: '@', code, altKey })).toBe(null)
  expect(actOf({ ...key, key: 'F2', code: 'F2' })).toBe('next')
  expect(actOf({ ...key, key: 'F4', code: 'F4', altKey: true })).toBe(null)
  expect(actOf({ ...key, key: 'F2', code: 'F2', ctrlKey: true })).toBe(null)
  expect(actOf({ ...key, key: 'F8', code: 'F8' })).toBe('replies')
  expect(actOf({ ...key, key: 'F8', code: 'F8', shiftKey: true })).toBe('suggest')
  expect(actOf({ ...key, key: 'F9', code: 'F9', shiftKey: true })).toBe(null)
  expect(actOf({ ...key, key: 'ArrowDown', code: 'ArrowDown' })).toBe(null)
  expect(actOf({ ...key, key: 'ArrowDown', code: 'ArrowDown', altKey: true })).toBe('down')
  expect(actOf({ ...key, key: '?' })).toBe('help')
  expect(actOf({ ...key, key: '?', target: { tagName: 'TEXTAREA' } })).toBe(null)
})

const reply = (code: string, text = code) => ({
  ...{ id: code, code, text, filled: text, project_id: null, language: null },
  created_at: '2026-01-01T00:00:00.000Z',
})

test.each([
  ['/', 1, { start: 0, query: '' }],
  ['Well, /he', 9, { start: 6, query: 'he' }],
  ['/he llo', 3, { start: 0, query: 'he' }],
  ['line\n/grü', 9, { start: 5, query: 'grü' }],
  ['and/or', 6, null],
  ['/he llo', 7, null],
  ['https://x', 9, null],
  ['', 0, null],
  ['/x', 0, null],
])('CO565 in "%s" with the cursor at %i a slash asks for: %j', (text, cursor, expected) => {
  expect(slashAt(text, cursor)).toEqual(expected)
})

test('CO565 codes that begin with what was typed come first, whatever the case, then others; 8 at most', () => {
  const all = [reply('price'), reply('Hello'), reply('shell'), reply('bye', 'Hell of a day'), reply('x')]
  expect(repliesFor(all, 'HE').map(({ code }) => code)).toEqual(['Hello', 'shell', 'bye'])
  expect(repliesFor(all, 'none')).toEqual([])
  const many = Array.from({ length: 20 }, (_, at) => reply(`r${at}`))
  expect(repliesFor(many, '').map(({ code }) => code)).toEqual(many.slice(0, 8).map(({ code }) => code))
})

test('what the host gave of a visitor is read as words, what it signed first', () => {
  const attributes = { tier: 'Silver', booking: { nights: 3, rooms: ['12', '14'] }, vip: true, age: 41 }
  expect(factsOf({ attributes, verified: { tier: 'Gold' } })).toEqual([
    { name: 'tier', text: 'Gold', isVerified: true },
    { name: 'booking', text: 'nights: 3, rooms: “12”, “14”', isVerified: false },
    { name: 'vip', text: 'yes', isVerified: false },
    { name: 'age', text: '41', isVerified: false },
  ])
})
