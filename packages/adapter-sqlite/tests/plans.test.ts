import { ALL_KINDS, type Kind, type Range } from '@colloquy/core/store'
import type { Database } from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { createDefine, type Define, type SqlValue } from '../src/database/statements.ts'
import { documentStatements } from '../src/documents/statements.ts'
import { nameOfIndex } from '../src/documents/tables.ts'

/** What SQLite means to do, a line for each step. */
const plan = (database: Database, sql: string): readonly string[] =>
  database
    .prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(Array.from(sql.matchAll(/\?/g), () => null))
    .map(({ detail }) => detail)

/** The statements about a kind, and the SQL of those that have run. */
function collected(kind: Kind<unknown>) {
  const { database } = openDatabase({ filename: ':memory:' })
  onTestFinished(() => {
    database.close()
  })
  const ran = new Set<string>()
  const define = createDefine(database)
  const noting = ((write: never) => {
    const statement = define(write)
    const note = <Given extends readonly SqlValue[], Result>(run: (...given: Given) => Result) => {
      return (...given: Given) => {
        // Where an index is looked for that may be a table of its own.
        if (!statement.sql.includes('sqlite_schema')) ran.add(statement.sql)
        return run(...given)
      }
    }
    const { all, get, run, sql } = statement
    return { sql, all: note(all), get: note(get), run: note(run) }
  }) as unknown as Define
  return { database, ran, run: documentStatements(noting, kind, () => String) }
}

/** Every way in which a part of an index may be asked for. */
function rangesOf(columns: readonly string[]): readonly Range[] {
  return [...columns.keys(), columns.length].flatMap((length): readonly Range[] => {
    const range = { prefix: columns.slice(0, length) }
    const place = [...columns.slice(length), '["1",1,"1"]']
    const within =
      length < columns.length
        ? [
            { ...range, through: 1 },
            { ...range, from: 1, through: 1 },
          ]
        : []
    return [range, { ...range, after: place }, { ...range, after: place, descending: true }, ...within]
  })
}

/** Runs it twice. Returns how often SQLite prepared it: the driver then makes a function for its rows. */
function preparationsOf(database: Database, sql: string, values: readonly SqlValue[]): number {
  const made = vi.fn(Function)
  vi.stubGlobal('Function', made)
  try {
    const statement = database.prepare<unknown[], unknown>(sql)
    for (let run = 0; run < 2; run++) expect(statement.all(...values)).toHaveLength(1)
    return made.mock.calls.length
  } finally {
    vi.unstubAllGlobals()
  }
}

describe('plans', () => {
  it('a statement is prepared once, whatever it is given', () => {
    const { database } = openDatabase({ filename: ':memory:' })
    onTestFinished(() => {
      database.close()
    })
    database.exec('create table note (id text unique, topic text); create index by_topic on note (topic, id)')
    database.exec("insert into note values ('a', 'rooms')")
    const list = 'select * from note indexed by by_topic where topic = ? order by id limit ? offset ?'
    expect(preparationsOf(database, list, ['rooms', 1, 0])).toBe(2)
    expect(preparationsOf(database, createDefine(database)(list).sql, ['rooms', 1, 0])).toBe(1)
  })

  for (const kind of ALL_KINDS)
    for (const [index, columns] of [...Object.entries(kind.indexes), ['id', []] as const])
      it(`SQ60 every part of a list of documents comes out of its index: ${kind.name} by ${index}`, () => {
        const { database, ran, run } = collected(kind)
        const named = nameOfIndex(kind, index) ?? `sqlite_autoindex_${kind.name}_1`
        for (const range of rangesOf(columns)) {
          run.bodies(index, range)
          if (index !== 'id') run.clear(index, range.prefix)
        }
        expect(ran.size).toBeGreaterThan(1)
        for (const sql of ran) {
          const steps = plan(database, sql)
          // Triggers look at single rows.
          const own = steps.filter(step => step.includes(` ${kind.name} `))
          expect(own[0]).toMatch(
            new RegExp(`^(SEARCH|SCAN) ${kind.name} USING (COVERING )?INDEX ${named}\\b`),
          )
          expect(steps.join()).not.toContain('TEMP B-TREE')
        }
      })

  for (const kind of ALL_KINDS)
    it(`SQ60 a document is found, changed and removed by its key: ${kind.name}`, () => {
      const { database, ran, run } = collected(kind)
      const key = run.keyOf(kind.key === undefined ? 'a' : JSON.stringify(kind.key.map(() => 'a')))
      run.get(key)
      run.version(key)
      run.remove(key)
      for (const sql of [...ran].filter(sql => sql.includes(kind.name)))
        expect(plan(database, sql)[0]).toMatch(/^SEARCH /)
    })
})
