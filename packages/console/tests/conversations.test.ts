import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Begun, follow, type Shown, withFresh } from '../page/data/follow.ts'
import { type Exported, headOf, NOTHING, withPage } from '../page/views/conversations/exporting.ts'
import { newestFound, type Span, spansOf } from '../page/views/conversations/newest-found.ts'
import { placeOf as placeInSound } from '../page/views/conversations/recording.ts'
import type { Row } from '../page/views/conversations/row.ts'
import { filtersOf, isAt, placeOf, replacedBy } from '../page/views/conversations/views.ts'
import { type Line, type Turn, type VoiceOfLine, woven } from '../page/views/conversations/woven.ts'

const moment = (second: number): string => new Date(Date.UTC(2026, 2, 1) + second * 1_000).toISOString()

const line = (sequence: number, from: Line['from'], text: string): Line => ({
  ...{ sequence, at: moment(sequence), what: from === null ? 'joined' : 'said', from, text },
})

const turn = (said: string, reply: string, at = 0): Turn => ({
  ...{ user_input: said, agent_response: reply, latency: 1, intents: [], is_ood: false, is_silence: false },
  ...{ user_input_datetime: moment(at), agent_response_datetime: moment(at) },
})

describe('CO36 a transcript', () => {
  const told = (turns: readonly Turn[], lines: readonly Line[]): readonly string[] =>
    woven(turns, lines).map(({ turn: one, line: other }) =>
      one === null ? `${other.from}: ${other.text}` : `${one.user_input} > ${one.agent_response}`,
    )

  test('has each turn in the place of its question, and all else between them', () => {
    const lines = [
      line(1, 'ai_agent', 'Hello.'),
      line(2, 'visitor', 'A room?'),
      line(3, 'ai_agent', 'Yes.'),
      line(4, 'visitor', 'A person, please'),
      line(5, 'ai_agent', 'One moment.'),
      line(6, null, 'Dora'),
      line(7, 'visitor', 'A room?'),
      line(8, 'live_agent', 'Of course.'),
    ]
    const turns = [turn('', 'Hello.'), turn('A room?', 'Yes.'), turn('A person, please', 'One moment.')]
    const people = ['null: Dora', 'visitor: A room?', 'live_agent: Of course.']
    const answered = [' > Hello.', 'A room? > Yes.', 'A person, please > One moment.']
    expect(told(turns, lines)).toEqual([...answered, ...people])
    // Before its turn is written a message stands alone, in the same place.
    expect(told(turns.slice(0, 2), lines.slice(0, 4))).toEqual([
      ...answered.slice(0, 2),
      'visitor: A person, please',
    ])
  })

  test('CO36 says of each turn whether it was spoken, and what was heard of its answer', () => {
    const lines: readonly Line[] = [
      { ...line(1, 'visitor', 'Tell me all'), spoken: true },
      { ...line(2, 'ai_agent', 'One. Two. Three.'), heard: 'One.' },
      { ...line(3, 'visitor', 'Stop'), spoken: true },
      line(4, 'ai_agent', 'Good.'),
      line(5, 'visitor', 'In writing'),
    ]
    const turns = [turn('Tell me all', 'One. Two. Three.'), turn('Stop', 'Good.'), turn('In writing', 'Yes.')]
    expect(woven(turns, lines).flatMap(one => (one.turn ? [[one.spoken, one.heard]] : []))).toEqual([
      [true, 'One.'],
      [true, undefined],
      [false, undefined],
    ])
  })

  test('CO36 has what a later message of a call says of earlier ones, and no line for silence', () => {
    const said = (id: string, more: Partial<VoiceOfLine> = {}) => ({
      spoken: true as const,
      voice: { id, heard: {}, latency: { endpoint_ms: 500, stt_ms: 40 }, ...more },
    })
    const first = [
      { ...line(1, 'visitor', 'Tell me all'), ...said('v1') },
      { ...line(2, 'ai_agent', 'One. Two. Three.'), messageId: 'm1' },
    ]
    const turns = [turn('Tell me all', 'One. Two. Three.')]
    const seen = (lines: readonly Line[]) =>
      woven(turns, lines).map(one => (one.turn ? [one.heard, one.latency] : one.line.text))
    expect(seen(first)).toEqual([[undefined, { endpoint_ms: 500, stt_ms: 40 }]])
    const reply = { to: 'v1', first_text_ms: 300, first_audio_ms: 90 }
    const later = { ...line(3, 'visitor', 'Stop'), ...said('v2', { heard: { m1: 4 }, reply }) }
    const silence = { ...line(4, 'visitor', ''), voice: { id: 'v3', kind: 'silence' as const, heard: {} } }
    expect(seen([...first, later, silence])).toEqual([
      ['One.', { endpoint_ms: 500, stt_ms: 40, ...reply }],
      'Stop',
    ])
  })

  test('has what the log does not say by its time', () => {
    const lines = [line(1, 'visitor', 'One'), line(5, 'visitor', 'Five')]
    expect(told([turn('', 'Three', 3), turn('', 'Nine', 9)], lines)).toEqual([
      'visitor: One',
      ' > Three',
      'visitor: Five',
      ' > Nine',
    ])
  })

  test('has every turn and every line once', () => {
    const text = fc.constantFrom('', 'a', 'b')
    const lines = fc.array(fc.tuple(fc.constantFrom('visitor', 'ai_agent', 'live_agent', null), text))
    const turns = fc.array(fc.tuple(text, text, fc.nat(9)))
    fc.assert(
      fc.property(turns, lines, (some, others) => {
        const all = some.map(([said, reply, at]) => turn(said, reply, at))
        const log = others.map(([from, said], at) => line(at, from, said))
        const entries = woven(all, log)
        expect(entries.flatMap(one => one.turn ?? []).length).toBe(all.length)
        const rest = entries.flatMap(one => one.line ?? [])
        expect(new Set(rest.map(({ sequence }) => sequence)).size).toBe(rest.length)
        const texts = (from: Line['from']) => log.filter(one => one.from === from && one.text !== '').length
        const shown = (from: Line['from']) => rest.filter(one => one.from === from && one.text !== '').length
        for (const from of ['live_agent', null] as const) expect(shown(from)).toBe(texts(from))
        const asked = all.filter(one => one.user_input !== '').length
        expect(shown('visitor')).toBeGreaterThanOrEqual(texts('visitor') - asked)
      }),
    )
  })
})

describe('CO36 a list that is followed', () => {
  const row = (second: number, isRunning = true): Begun => ({
    id: `C-${second}`,
    started_at: moment(second),
    in_progress: isRunning,
  })
  const page = (cursor: string | null, ...seconds: readonly number[]) => ({
    rows: seconds.map(second => row(second)),
    cursor,
  })
  const ids = ({ rows, fresh }: Shown<Begun>) => [rows.map(({ id }) => id), fresh.map(({ id }) => id)]

  test('takes in what is new, unless somebody is at it; then that waits, and nothing moves', () => {
    const first = follow(undefined, page(null, 2, 1), false)
    expect(ids(follow(first, page(null, 3, 2, 1), false))).toEqual([['C-3', 'C-2', 'C-1'], []])
    const held = follow(first, page(null, 3, 2, 1), true)
    expect(ids(held)).toEqual([['C-2', 'C-1'], ['C-3']])
    const later = follow(held, page(null, 4, 3, 2, 1), true)
    expect(ids(later)).toEqual([
      ['C-2', 'C-1'],
      ['C-4', 'C-3'],
    ])
    expect(ids(withFresh(later))).toEqual([['C-4', 'C-3', 'C-2', 'C-1'], []])
  })

  test('keeps the place of one that is over, and says so; what is beyond the page is as it was', () => {
    const shown = follow(undefined, page('older', 5, 4, 3), true)
    const further = { ...shown, rows: [...shown.rows, row(2), row(1)], cursor: null }
    const next = follow(further, page('older', 5, 3), true)
    expect(next.rows.map(({ id, in_progress }) => [id, in_progress])).toEqual([
      ['C-5', true],
      ['C-4', false],
      ['C-3', true],
      ['C-2', true],
      ['C-1', true],
    ])
    expect(next.cursor).toBe(null)
  })

  test('begins anew where more has come than a page', () => {
    const shown = { ...follow(undefined, page('a', 2, 1), true), cursor: 'further' }
    const next = follow(shown, page('b', 9, 8), true)
    expect([ids(next), next.cursor]).toEqual([
      [
        ['C-2', 'C-1'],
        ['C-9', 'C-8'],
      ],
      'further',
    ])
    expect([ids(withFresh(next)), withFresh(next).cursor]).toEqual([[['C-9', 'C-8'], []], 'b'])
  })

  test('shows what comes into an empty one', () => {
    const empty = follow(undefined, page(null), true)
    expect(ids(follow(empty, page(null, 1), true))).toEqual([['C-1'], []])
  })
})

describe('CO36 what is found', () => {
  const DAY = 86_400_000
  const NOW = 20_000 * DAY

  test('is newest first, each once, page by page, however many began at once', async () => {
    const times = fc.array(fc.oneof(fc.nat(NOW), fc.integer({ min: NOW - DAY, max: NOW - DAY + 9 })), {
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 9 }), async (given, most) => {
        const all = given
          .map((at, id) => ({ at, id }))
          .sort((one, other) => one.at - other.at || one.id - other.id)
        const search = async ({ start, end }: Span, isWhole: boolean) => {
          const rows = all.filter(({ at }) => at >= start && at < end)
          return { rows: isWhole ? rows : rows.slice(0, most), isAll: isWhole || rows.length <= most }
        }
        const found: typeof all = []
        let left = spansOf({ start: 0, end: 9 * NOW }, NOW + 1)
        while (left.length > 0) {
          const page = await newestFound(left, most, search)
          found.push(...page.rows)
          left = page.left
        }
        expect(found).toEqual(all.toReversed())
      }),
    )
  })

  test('is looked for where it was said lately first, within what was asked for', () => {
    const start = NOW - 40 * DAY
    expect(spansOf({ start, end: 9 * NOW }, NOW)).toEqual([
      { start, end: NOW - 30 * DAY },
      { start: NOW - 30 * DAY, end: NOW - DAY },
      { start: NOW - DAY, end: NOW },
    ])
    expect(spansOf({ start: 5, end: 9 }, NOW)).toEqual([{ start: 5, end: 9 }])
  })
})

describe('CO625 an export', () => {
  const row = (at: number, more: object = {}): Row => ({
    ...{ id: `C-${at}`, project_id: 'PROJECT-A', started_at: moment(at), in_progress: false, num_turns: 1 },
    ...{ variant_name: '', total_duration: 60, language: 'en' },
    ...{ handoff: false, handoff_destination: '', num_ood: 0, metrics: {}, first_words: 'Hello' },
    ...more,
  })
  const textOf = async ({ parts }: Exported): Promise<string> => new Blob([...parts]).text()
  const given = { most: 1_000, oldest: Date.parse(moment(0)) }

  test('is a table of RFC 4180, in which no field is a formula', async () => {
    const said = ['=1+1', '+49 30', '-2', '@sum', '\tx', 'a "b", c', 'two\nlines', "it's"]
    const rows = said.map((first_words, at) => row(9 - at, { first_words }))
    const rated = row(1, {
      topics: ['Dogs, cats', '=1'],
      metrics: { visitor_rating: '4', visitor_comment: '=cmd', mood: ['a', 'b'] },
    })
    const page = { rows: [...rows, rated], cursor: null }
    const text = headOf('csv') + (await textOf(withPage(NOTHING, page, { ...given, format: 'csv' })))
    expect(text.startsWith('\uFEFFid,project_id,started_at,')).toBe(true)
    expect(text.endsWith('\r\n')).toBe(true)
    // A reader of its own: fields in quotation marks, in which two of them are one.
    const fields = [...text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)]
    const lines: string[][] = [[]]
    for (const [, quoted, plain = '', end] of fields) {
      lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
      if (end === '\r\n') lines.push([])
    }
    const [head = [], ...body] = lines.slice(0, -1)
    expect(body).toHaveLength(9)
    expect(new Set(body.map(({ length }) => length))).toEqual(new Set([head.length]))
    const column = (name: string) => body.map(line => line[head.indexOf(name)])
    expect(column('first_words').slice(0, 8)).toEqual([
      ...["'=1+1", "'+49 30", "'-2", "'@sum", "'\tx", 'a "b", c', 'two\nlines', "it's"],
    ])
    expect(column('rating').at(-1)).toBe('4')
    expect(column('topics').slice(-2)).toEqual(['', '["Dogs, cats","=1"]'])
    expect(column('comment').at(-1)).toBe("'=cmd")
    expect(column('metrics').at(-1)).toBe('{"mood":["a","b"]}')
  })

  test('is one JSON object a line, as the list read it', async () => {
    const rows = [row(2, { first_words: 'two\nlines' }), row(1)]
    const done = withPage(NOTHING, { rows, cursor: null }, { ...given, format: 'jsonl' })
    const lines = (await textOf(done)).trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line))).toEqual(rows)
    expect([done.count, done.share, done.cursor]).toEqual([2, 1, null])
  })

  test('grows page by page up to its bound, and tells how far it has come', async () => {
    let now = NOTHING
    const shares: number[] = []
    for (let page = 0; page < 500; page++) {
      const rows = Array.from({ length: 200 }, (_, at) => row(100_000 - page * 200 - at))
      now = withPage(now, { rows, cursor: String(page) }, { ...given, format: 'csv', most: 99_900 })
      shares.push(now.share)
    }
    expect(now.count).toBe(99_900)
    expect((await textOf(now)).split('\r\n')).toHaveLength(99_901)
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    expect(shares[249]).toBeCloseTo(0.5, 2)
    // A page that has nothing of a kind moves nothing.
    expect(withPage(now, { rows: [], cursor: 'x' }, { ...given, format: 'csv' }).share).toBe(now.share)
  })
})

test('CO625 a view has the filters of its place, the agent among them, and leads back to it', () => {
  const places = [
    { agentId: 'PROJECT-A', query: { handoff: 'no', rating: 'any', find: 'a & b', from: undefined, to: '' } },
    { agentId: undefined, query: { environment: 'sandbox' } },
    { agentId: undefined, query: {} },
  ]
  const views = places.map((place, at) => ({ name: `View ${at}`, filters: filtersOf(place) }))
  expect(views[0]?.filters).toEqual({ handoff: 'no', rating: 'any', find: 'a & b', agent: 'PROJECT-A' })
  for (const [at, view] of views.entries()) {
    expect(filtersOf(placeOf(view.filters))).toEqual(view.filters)
    expect(views.map(other => isAt(other, view.filters))).toEqual(views.map((_, other) => other === at))
  }
  expect(replacedBy(views, ' VIEW 1 ')).toBe(views[1])
  expect(replacedBy(views, 'View')).toBeUndefined()
})

test('CO690 what was said is found in the sound, which has the recordings one after the other', () => {
  const recording = (id: string, at: number, milliseconds: number) => ({
    ...{ id, started_at: moment(at), milliseconds, bytes: milliseconds * 64, end: 'complete' as const },
    consent: { by: 'visitor' as const, at: moment(at) },
  })
  const recordings = [recording('a', 100, 20_000), recording('gone', 130, 0), recording('b', 200, 10_000)]
  const found = [99, 100, 101, 110, 119, 120, 130, 200, 205, 210].map(at =>
    placeInSound(recordings, moment(at)),
  )
  expect(found).toEqual([null, 0, 0, 7, 16, null, null, 20, 22, null])
})
