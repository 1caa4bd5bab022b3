import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { acrossPage } from '../page/views/conversations/across.ts'
import { conditionOf } from '../page/views/conversations/conditions.ts'
import { queryOf, searchOf } from '../page/views/conversations/filters.ts'
import { passageOf } from '../page/views/conversations/passage.ts'

describe('CO628 conversations of several agents', () => {
  const row = (agent: string, second: number, id: string) => ({
    ...{
      id: `${id}-${agent}`,
      agent,
      started_at: new Date(Date.UTC(2026, 2, 1) + second * 1_000).toISOString(),
    },
  })
  type Row = ReturnType<typeof row>
  const byNewest = (one: Row, other: Row): number => {
    if (one.started_at === other.started_at) return one.id > other.id ? -1 : 1
    return one.started_at > other.started_at ? -1 : 1
  }

  /** Lists by name, in pages of that size, of which some are empty. */
  const reader = (lists: ReadonlyMap<string, readonly Row[]>, size: number) => {
    let asked = 0
    const read = async (name: string, { cursor = '0' }: { readonly cursor?: string | undefined }) => {
      asked++
      const rows = lists.get(name) ?? []
      const [from, isEmpty] = [Number(cursor.replace('+', '')), cursor.endsWith('+')]
      if (!isEmpty && from > 0 && from % 2 === 0) return { rows: [], cursor: `${from}+` }
      const end = from + size
      return { rows: rows.slice(from, end), cursor: end < rows.length ? String(end) : null }
    }
    return { read, asked: () => asked }
  }

  test('come as one list, newest first, each once, page by page', async () => {
    const lists = fc.array(fc.array(fc.nat(30), { maxLength: 14 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(lists, fc.integer({ min: 1, max: 6 }), fc.nat(3), async (seconds, limit, size) => {
        const names = seconds.map((_, at) => `PROJECT-${at}`)
        const made = new Map(
          names.map((name, at) => [
            name,
            (seconds[at] ?? []).map((second, nth) => row(name, second, `C${nth}`)).toSorted(byNewest),
          ]),
        )
        const { read } = reader(made, size + 1)
        const seen: Row[] = []
        let cursor: string | null | undefined
        do {
          const signal = new AbortController().signal
          const page = await acrossPage<Row>(names, read, { cursor: cursor ?? undefined, limit, signal })
          expect(page.rows.length).toBeLessThanOrEqual(limit)
          seen.push(...page.rows)
          cursor = page.cursor ?? null
        } while (cursor !== null)
        expect(seen).toEqual([...made.values()].flat().toSorted(byNewest))
      }),
    )
  })

  test('are read a bounded number of times for one page, whatever few of them a filter wants', async () => {
    const wanted = row('PROJECT-A', 5, 'C')
    let asked = 0
    const read = async (name: string, { cursor = '0' }: { readonly cursor?: string | undefined }) => {
      asked++
      const isThere = name === 'PROJECT-A' || cursor === '9'
      const rows = isThere ? [{ ...wanted, id: `${name}-${cursor}` }] : []
      return { rows, cursor: name === 'PROJECT-A' || cursor === '9' ? null : String(Number(cursor) + 1) }
    }
    const pages: string[][] = []
    let cursor: string | null | undefined
    do {
      asked = 0
      const given = { cursor: cursor ?? undefined, limit: 9, signal: new AbortController().signal }
      const page = await acrossPage<Row>(['PROJECT-A', 'PROJECT-B'], read, given)
      pages.push(page.rows.map(({ id }) => id))
      expect(asked).toBeLessThanOrEqual(4)
      cursor = page.cursor ?? null
    } while (cursor !== null)
    expect(pages).toEqual([[], [], [], ['PROJECT-B-9', 'PROJECT-A-0']])
  })

  test('are not doubled when others begin while somebody reads on', async () => {
    const names = ['PROJECT-A', 'PROJECT-B']
    const old = names.map(name => [name, [4, 3, 2, 1].map(at => row(name, at, `C${at}`))] as const)
    const later = old.map(([name, rows]) => [name, [row(name, 9, 'C9'), ...rows]] as const)
    const signal = new AbortController().signal
    const first = await acrossPage<Row>(names, reader(new Map(old), 9).read, { limit: 3, signal })
    const { read, asked } = reader(new Map(later), 9)
    const next = await acrossPage<Row>(names, read, { cursor: first.cursor ?? '', limit: 9, signal })
    const all = old.flatMap(([, rows]) => rows).toSorted(byNewest)
    expect([...first.rows, ...next.rows]).toEqual(all)
    expect([next.cursor, asked()]).toEqual([null, 2])
  })
})

describe('CO628 filters', () => {
  const row = {
    ...{ handoff: false, num_ood: 0, metrics: { visitor_rating: '2' }, total_duration: 300 },
    language: 'de-AT',
  }
  const holds = (filters: Readonly<Record<string, string>>) => conditionOf(filters)?.(row) ?? null

  test('narrow a list by rating, duration and language, all of them together', () => {
    expect(holds({})).toBeNull()
    expect(holds({ rating: '9', longer: 'x', language: ' ', handoff: 'odd', show: 'rated' })).toBeNull()
    expect([holds({ rating: '2' }), holds({ rating: '3' })]).toEqual([true, false])
    expect([holds({ longer: '5' }), holds({ longer: '15' })]).toEqual([true, false])
    const languages = ['de', 'DE-at', 'd', 'de-A', 'en']
    expect(languages.map(language => holds({ language }))).toEqual([true, true, false, false, false])
    expect(holds({ rating: '2', longer: '1', handoff: 'no' })).toBe(true)
    expect(holds({ rating: '2', longer: '1', handoff: 'yes' })).toBe(false)
  })

  test('of handoff, answers and rating combine: a list has what each of them alone would have', () => {
    const rows = [false, true].flatMap(handoff =>
      [0, 2].flatMap(num_ood =>
        [undefined, '2', '4'].map(score => ({
          ...{ ...row, handoff, num_ood },
          metrics: score === undefined ? {} : { visitor_rating: score },
        })),
      ),
    )
    const choices = Object.entries({ handoff: ['no', 'yes'], answered: ['yes', 'no'], rating: ['any', '2'] })
    const shown = (filters: Readonly<Record<string, string>>) =>
      rows.filter(conditionOf(filters) ?? (() => true))
    const sizes = choices.flatMap(([name, values]) => values.map(value => shown({ [name]: value }).length))
    expect(sizes).toEqual([6, 6, 6, 6, 8, 4])
    for (const handoff of ['', 'no', 'yes'])
      for (const answered of ['', 'yes', 'no'])
        for (const rating of ['', 'any', '2', '4']) {
          const each = [{ handoff }, { answered }, { rating }].map(one => shown(one))
          const all = rows.filter(one => each.every(found => found.includes(one)))
          expect(shown({ handoff, answered, rating }), `${handoff} ${answered} ${rating}`).toEqual(all)
          expect(all.length).toBeGreaterThan(0)
        }
  })

  test('ask the server for one deployment, also in a search', () => {
    expect(queryOf({ version: ' DEPLOYMENT-1 ' })).toEqual({
      client_env: 'live',
      deployment_id: 'DEPLOYMENT-1',
    })
    expect(queryOf({ version: ' ' })).toEqual({ client_env: 'live' })
    expect(searchOf({ version: 'DEPLOYMENT-1', find: 'a' })).toMatchObject({ deployment_id: 'DEPLOYMENT-1' })
  })
})

describe('CO628 a passage', () => {
  const said = (user_input: string, agent_response = '') => ({ user_input, agent_response })
  const marked = (turns: readonly ReturnType<typeof said>[], query: string) =>
    passageOf(turns, query)
      ?.map(({ isFound, text }) => (isFound ? `[${text}]` : text))
      .join('')

  test('is of the text with most of the words, which are marked whatever their case and accents', () => {
    const turns = [said('A room?', 'Yes.'), said('Is the CAFÉ open?', 'The café opens with the garden.')]
    expect(marked(turns, 'cafe garden')).toBe('The [café] opens with the [garden].')
    expect(marked([said('Frühstückszeiten?')], 'fruhstuck')).toBe('[Frühstückszeiten]?')
    expect(marked([said('Meine Kündigung')], 'kündig')).toBe('Meine [Kündigung]')
    expect(marked([said('Große Straße')], 'STRASSE')).toBe('Große [Straße]')
    expect(passageOf(turns, 'dog')).toBeNull()
    expect(passageOf(turns, '')).toBeNull()
  })

  test('is a part of a long text, which has all of its first word', () => {
    const long = `${'before '.repeat(40)}needle ${'after '.repeat(80)}needle`
    const passage = marked([said(long)], 'needle') ?? ''
    expect(passage.length).toBeLessThan(180)
    expect(passage).toMatch(/^… .*\[needle\].* …$/)
  })

  test('says the text as it is, whatever the text and the query', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 30 }),
        fc.string({ maxLength: 8 }),
        (text, query) => {
          const passage = passageOf([said(text)], query)
          if (passage !== null) expect(passage.map(piece => piece.text).join('')).toBe(text)
        },
      ),
    )
  })
})
