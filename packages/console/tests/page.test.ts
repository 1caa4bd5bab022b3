import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { href, routeOf } from '../page/address.ts'
import { shownOf } from '../page/data/rating.ts'
import { linesOf } from '../page/lines.ts'
import { textOf } from '../page/value-text.ts'
import { fieldsOf, type Kind, readValue, writtenOf } from '../page/views/agents/config-fields.ts'
import { contentText } from '../page/views/agents/expectations.ts'
import { nextCell } from '../page/views/agents/grid-keys.ts'
import { findTopics, inNaturalOrder } from '../page/views/agents/topic-search.ts'
import { wordDiff } from '../page/views/agents/word-diff.ts'
import { changesOf, draftOf, NOTHING_SEEN, type Rule, seenAfter } from '../page/views/alerts/rule.ts'
import { queryOf, searchOf } from '../page/views/conversations/filters.ts'
import { pageFiles } from './support.ts'

const names = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' })

test('CO9 an address is read as it was written', () => {
  const query = fc.dictionary(names, names, { maxKeys: 4 })
  fc.assert(
    fc.property(fc.array(names, { maxLength: 5 }), query, (path, given) => {
      const read = routeOf(href(path, given))
      expect([read.path, { ...read.query }]).toEqual([path, { ...given }])
    }),
  )
  expect(href(['agents'], { find: '', topic: undefined })).toBe('#/agents')
  expect(routeOf('#/agents/%E0%A4%A?find')).toEqual({ path: ['agents', '%E0%A4%A'], query: { find: '' } })
})

test('CO9 what is not known in the address of a list is left out of the question', () => {
  expect(queryOf({})).toEqual({ client_env: 'live' })
  const odd = { environment: 'moon', state: 'asleep', from: 'yesterday', to: '', find: '', by: 'smell' }
  expect(queryOf(odd)).toEqual({ client_env: 'live' })
  const from = '2026-03-01T09:00'
  const asked = { environment: 'sandbox', state: 'ended', from, find: 'dogs', by: 'meaning' }
  expect(searchOf(asked)).toEqual({
    client_env: 'sandbox',
    in_progress: false,
    start_time: new Date(from).toISOString(),
    end_time: '9999-12-31',
    query: 'dogs',
    query_type: 'semantic',
  })
})

describe('a topic is found', () => {
  const topic = (name: string, content: string, ...queries: readonly string[]) => ({
    name,
    content,
    exampleQueries: { queries },
  })
  const CAFE = topic('Café', 'Cakes from nine.', 'Is there coffee?')
  const BAR = topic('Bar', 'No coffee, no CAFÉ, drinks.', 'When does it open?')
  const POOL = topic('Pool', 'Warm.')

  test('by words anywhere in it, those in names first', () => {
    const all = [BAR, POOL, CAFE]
    expect(findTopics(all, 'cafe')).toEqual([CAFE, BAR])
    expect(findTopics(all, '  COFFEE drinks ')).toEqual([BAR])
    expect(findTopics(all, 'open bar')).toEqual([BAR])
    expect(findTopics(all, 'sauna')).toEqual([])
    expect(findTopics(all, ' ')).toBe(all)
  })

  test('by any of its words, in any order', () => {
    const words = fc.array(fc.constantFrom('Zimmer', 'Größe', 'naïve', '犬', '3', 'pm'), { minLength: 1 })
    const picked = fc.tuple(words, words).chain(([name, content]) =>
      fc.record({
        one: fc.constant(topic(name.join(' '), content.join(' '))),
        asked: fc.shuffledSubarray([...name, ...content]),
      }),
    )
    fc.assert(
      fc.property(picked, ({ one, asked }) => {
        expect(findTopics([one], asked.join(' ').toUpperCase().replaceAll('SS', 'ß'))).toEqual([one])
        expect(findTopics([one], [...asked, 'sauna'].join(' '))).toEqual([])
      }),
    )
  })

  test('and its questions are its lines that say something', () => {
    expect(linesOf(' When? \n\n  Where?\n')).toEqual(['When?', 'Where?'])
  })
})

describe('two texts side by side', () => {
  test('are each whole, and share what is not marked', () => {
    const text = fc.array(fc.constantFrom('check', 'in', 'at', '3', '5', 'pm', '\n', '.'), { maxLength: 12 })
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [before, after] = [one.join(' '), other.join(' ')]
        const [former, latter] = wordDiff(before, after)
        const whole = (parts: typeof former) => parts.map(part => part.text).join('')
        const shared = (parts: typeof former) => whole(parts.filter(part => part.isSame))
        expect([whole(former), whole(latter)]).toEqual([before, after])
        expect(shared(former)).toBe(shared(latter))
      }),
    )
  })

  test('are wholly marked where finding out would take too long', () => {
    const long = 'word '.repeat(15_000)
    expect(wordDiff(long, `${long}.`)[1]).toEqual([{ text: `${long}.`, isSame: false }])
    expect(wordDiff(long, long)[0]).toEqual([{ text: long, isSame: true }])
  })

  test('CO22 may be any values, which are read as words and lines', () => {
    const values = [null, 'as it is', true, { a: [1, { b: 'c', d: 'two\nlines' }], e: {} }]
    expect(values.map(textOf)).toEqual([
      '',
      'as it is',
      'yes',
      'a:\n  – 1\n  – b: c\n    d:\n      two\n      lines\ne: ',
    ])
    expect(contentText({ queries: ['When?', 'Where?'] })).toBe('When?\nWhere?')
    const call = { name: 'book', arguments: { nights: 2 } }
    const expectations = { citedTopic: 'Pool', contains: ['open', 'warm'], function: call, ends: false }
    expect(contentText([{ text: 'Is there a pool?', expectations }])).toBe(
      [
        'Visitor says: Is there a pool?',
        'Answered from: Pool',
        'Has the words: “open”, “warm”',
        'Calls: book · nights: 2',
        'The conversation goes on',
      ].join('\n'),
    )
  })
})

describe('CO22 variables of a real-time config', () => {
  test('are those of the schema, in its order, and all others that there are', () => {
    const schema = {
      properties: {
        open: { type: 'boolean', title: 'Is the desk open?' },
        rate: { type: 'integer', description: 'In percent.' },
        tone: { enum: ['warm', 'brief'] },
        steps: { enum: [1, 2] },
        constructor: { type: 'string' },
      },
    }
    const variables = { extra: { deep: [1] }, rate: 'ten', tone: 'warm', note: 'later' }
    expect(fieldsOf(schema, variables).map(({ name, kind, value }) => [name, kind, value])).toEqual([
      ['open', 'boolean', undefined],
      ['rate', 'json', 'ten'],
      ['tone', 'choice', 'warm'],
      ['steps', 'json', undefined],
      ['constructor', 'text', undefined],
      ['extra', 'json', { deep: [1] }],
      ['note', 'text', 'later'],
    ])
    expect(
      fieldsOf(schema, {})
        .map(({ label, hint }) => [label, hint])
        .slice(0, 2),
    ).toEqual([
      ['Is the desk open?', null],
      ['rate', 'In percent.'],
    ])
    expect(fieldsOf(undefined, {})).toEqual([])
  })

  test('are read as they were written, whatever the schema', () => {
    const value = fc.jsonValue().filter(one => one !== null && (typeof one !== 'string' || one.trim() !== ''))
    const schema = fc.constantFrom({}, ...['string', 'integer', 'boolean', 'object'].map(type => ({ type })))
    fc.assert(
      fc.property(fc.dictionary(names, value), schema, (given, one) => {
        const properties = Object.fromEntries(Object.keys(given).map(name => [name, one]))
        for (const field of fieldsOf({ properties }, given))
          expect(readValue(field.kind, writtenOf(field))).toEqual(JSON.parse(JSON.stringify(field.value)))
      }),
    )
  })

  test('may have no value, and nothing that is not of their kind', () => {
    const kinds: readonly Kind[] = ['text', 'number', 'boolean', 'choice', 'json']
    for (const kind of kinds)
      expect([writtenOf({ kind, value: undefined }), readValue(kind, ' ')]).toEqual(['', undefined])
    for (const text of ['1,5', 'one', '"1"', 'true'])
      expect(() => readValue('number', text)).toThrow(SyntaxError)
    expect(() => readValue('json', '{a: 1}')).toThrow(SyntaxError)
  })
})

test('Enter and the arrows lead from row to row, and modifiers and the inside of a text do not', () => {
  const cursor = { at: 2, end: 5, isHeld: false }
  expect(['Enter', 'ArrowDown', 'ArrowUp', 'a'].map(key => nextCell(key, cursor))).toEqual([1, 0, 0, 0])
  expect(nextCell('ArrowDown', { ...cursor, at: 5 })).toBe(1)
  expect(nextCell('ArrowUp', { ...cursor, at: 0 })).toBe(-1)
  expect(nextCell('Enter', { ...cursor, isHeld: true })).toBe(0)
})

const rule = (id: string, state: Rule['current_state'], more: Partial<Rule> = {}): Rule => ({
  ...{
    id,
    name: 'Slow',
    project_id: null,
    metric: 'turn_latency_p95',
    operator: '>',
    threshold_value: 4_000,
  },
  ...{ window_duration: '10m', enabled: true, current_state: state, since: null, last_evaluated_at: null },
  ...{ current_value: null, created_at: '', updated_at: '', ...more },
})

test('CO19 an alert is over when it was seen firing and does not fire; one that fires again, or is deleted, is not', () => {
  const first = seenAfter(NOTHING_SEEN, [rule('a', 'alert'), rule('b', 'ok'), rule('c', 'alert')])
  expect(first).toEqual({ firing: ['a', 'c'], over: [] })
  const second = seenAfter(first, [rule('a', 'ok'), rule('b', 'alert'), rule('c', 'no_data')])
  expect(second).toEqual({ firing: ['b'], over: ['a', 'c'] })
  expect(seenAfter(second, [rule('a', 'alert'), rule('b', 'unknown')])).toEqual({
    firing: ['a'],
    over: ['b'],
  })
})

test('CO19 what is sent of a rule is what was changed of it', () => {
  const before = rule('a', 'ok', { project_id: 'PROJECT-A' })
  const draft = draftOf(before)
  expect(changesOf(draft, before)).toEqual({})
  expect(changesOf({ ...draft, threshold: ' 500 ', agentId: '' }, before)).toEqual({
    threshold_value: 500,
    project_id: null,
  })
  const side = { ...draft, deploymentId: 'D-1' }
  expect(changesOf(side, before)).toEqual({ deployment_id: 'D-1' })
  const ofSide = { ...before, deployment_id: 'D-1' }
  expect(changesOf({ ...side, metric: 'call_volume' }, ofSide)).toEqual({
    ...{ metric: 'call_volume', deployment_id: null },
  })
  for (const threshold of ['4.000', '4,000', '4e3', '0x10', '4 000', ''])
    expect(changesOf({ ...draft, threshold }, before)).toEqual({ threshold_value: Number.NaN })
})

test('every metric is shown once, and what is no rating is not shown as one', () => {
  const name = fc.oneof(fc.constantFrom('visitor_rating', 'visitor_comment', 'csat'), names)
  const value = fc.oneof(fc.constantFrom('1', '5', '6', '', '4.5'), names, fc.array(names, { minLength: 2 }))
  fc.assert(
    fc.property(fc.dictionary(name, value, { noNullPrototype: true }), metrics => {
      const { score, comment, others } = shownOf(metrics)
      const again = {
        ...(score === null ? {} : { visitor_rating: [score] }),
        ...(comment === null ? {} : { visitor_comment: [comment] }),
      }
      const all = [...Object.entries(again), ...others.map(([one, values]) => [one, values] as const)]
      const given = Object.entries(metrics).map(([one, text]) => [one, [text].flat()] as const)
      const sorted = (entries: readonly (readonly [string, readonly string[]])[]) =>
        [...entries].sort(([one], [two]) => (one < two ? -1 : 1))
      expect(sorted(all)).toEqual(sorted(given))
      expect(score === null || ['1', '2', '3', '4', '5'].includes(score)).toBe(true)
      expect(comment === null || score !== null).toBe(true)
    }),
  )
})

test('CO13 the page is small, its first screen smaller, and the licenses of others are with it', async () => {
  const files = await pageFiles()
  const textOf = (path: string): string => new TextDecoder().decode(files.get(path))
  const sizeOf = (paths: Iterable<string>): number =>
    [...paths].reduce((sum, path) => sum + gzipSync(files.get(path) ?? '').length, 0)
  const whole = sizeOf([...files.keys()].filter(path => path !== 'THIRD-PARTY-LICENSES.txt'))
  // All that a browser loads before the first screen is there: the page, its files, and the screen with its parts.
  const first = new Set(['index.html'])
  const load = (path: string): void => {
    if (first.has(path) || !files.has(path)) return
    first.add(path)
    const imports = textOf(path).matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)
    for (const [, name = ''] of imports) load(`assets/${name}`)
  }
  for (const [path] of textOf('index.html').matchAll(/assets\/[\w.-]+/g)) load(path)
  const screens = [...files.keys()].filter(path => path.startsWith('assets/home-'))
  screens.forEach(load)
  expect(screens).toHaveLength(1)
  expect(first.size).toBeGreaterThan(4)
  console.log(`The console's page: first screen ${sizeOf(first)} B, all areas ${whole} B.`)
  expect(sizeOf(first)).toBeLessThanOrEqual(50_000)
  expect(whole).toBeLessThanOrEqual(180_000)
  const licenses = textOf('THIRD-PARTY-LICENSES.txt')
  for (const name of ['preact', '@preact/signals', 'diff']) expect(licenses).toContain(`${name} `)
})

test('topics stand in the order in which people look for them', () => {
  const names = ['VAT 10', 'vat 2', 'Ärger', 'Zoo', 'VAT 1', 'apple']
  expect(inNaturalOrder(names.map(name => ({ name }))).map(({ name }) => name)).toEqual([
    ...['apple', 'Ärger', 'VAT 1', 'vat 2', 'VAT 10', 'Zoo'],
  ])
})
