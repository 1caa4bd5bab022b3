import { KINDS } from '@colloquy/core/store'
import type { Database } from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { conversationStatements } from '../src/conversations/conversation-statements.ts'
import { eventStatements } from '../src/conversations/external-events.ts'
import { lineStatements } from '../src/conversations/handoffs.ts'
import { intervalStatements } from '../src/conversations/intervals/interval-statements.ts'
import { countStatements } from '../src/conversations/record-counts.ts'
import { recordStatements } from '../src/conversations/records.ts'
import { removalStatements } from '../src/conversations/removal-statements.ts'
import { vectorStatements } from '../src/conversations/vector-statements.ts'
import { wordStatements } from '../src/conversations/word-statements.ts'
import { openDatabase } from '../src/database/database.ts'
import { createDefine, type Define } from '../src/database/statements.ts'
import { documentStatements } from '../src/documents/statements.ts'

/** What SQLite means to do, a line for each step. */
const plan = (database: Database, sql: string): readonly string[] =>
  database
    .prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(Array.from(sql.matchAll(/\?/g), () => null))
    .map(({ detail }) => detail)

const PARTS: Readonly<
  Record<string, (define: Define) => Readonly<Record<string, { readonly sql: string }>>>
> = {
  conversations: conversationStatements,
  'external events': eventStatements,
  intervals: intervalStatements,
  counts: countStatements,
  records: recordStatements,
  'waiting lines': lineStatements,
  removals: removalStatements,
  vectors: vectorStatements,
  words: wordStatements,
}

/** Statements that return a whole table, and those that read a chain or a list that was handed to them. */
const WHOLE = ['key', 'removedLog', 'scopes', 'unusedEmbedders']
const NO_TABLE = /^SCAN (CONSTANT ROW|chain|waiting|json_each|deployment_of|\(subquery)|VIRTUAL TABLE INDEX/

describe('plans', () => {
  for (const [part, statements] of Object.entries(PARTS)) {
    it(`SQ60 no statement reads through a table to find rows: ${part}`, () => {
      const database = openDatabase({ filename: ':memory:' }).database
      onTestFinished(() => {
        database.close()
      })
      const scans = Object.entries(statements(createDefine(database)))
        .filter(([name]) => !WHOLE.includes(name))
        .flatMap(([name, { sql }]) => plan(database, sql).map(detail => ({ name, detail })))
        .filter(({ detail }) => /^SCAN /.test(detail) && !NO_TABLE.test(detail))
      expect(scans).toEqual([])
    })
  }

  it('SQ61 pages, lists, intervals and timers come out of their index in order, without sorting', () => {
    const database = openDatabase({ filename: ':memory:' }).database
    onTestFinished(() => {
      database.close()
    })
    const define = createDefine(database)
    const conversations = conversationStatements(define)
    const intervals = intervalStatements(define)
    const vectors = vectorStatements(define)
    const ordered = {
      page: [recordStatements(define).page.sql, 'conversation_listed'],
      places: [recordStatements(define).places.sql, 'conversation_listed'],
      vectors: [vectors.vectors.sql, 'turn_vector_of_conversation (conversation=? AND embedder=?)'],
      newestTurns: [vectors.newestBetween.sql, 'turn USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)'],
      inProgress: [intervals.loose.sql, 'COVERING INDEX conversation_active'],
      loose: [intervals.loose.sql, 'PRIMARY KEY (scope=? AND span=? AND started_at>? AND started_at<?)'],
      oldestLoose: [intervals.oldestLoose.sql, 'PRIMARY KEY (scope=? AND span=?)'],
      dropLooseUntil: [
        intervals.dropLooseUntil.sql,
        'PRIMARY KEY (scope=? AND span=? AND (started_at,conversation)<(?,?))',
      ],
      chunkBounds: [
        intervals.chunkBounds.sql,
        'COVERING INDEX interval_chunk_of (scope=? AND span=? AND stretch>? AND stretch<?)',
      ],
      chunks: [intervals.chunks.sql, 'interval_chunk_of (scope=? AND span=? AND stretch>? AND stretch<?)'],
      chunksAround: [
        intervals.chunksAround.sql,
        'interval_chunk_of (scope=? AND span=? AND stretch=? AND first_start<?)',
      ],
      shortChunk: [intervals.shortChunk.sql, 'interval_chunk_of (scope=? AND span=? AND stretch=?)'],
      anchorAfter: [
        conversations.anchorAfter.sql,
        'event_anchor USING PRIMARY KEY (conversation=? AND sequence>?)',
      ],
      clientEvent: [
        conversations.clientEvent.sql,
        'client_event USING PRIMARY KEY (conversation=? AND client_event_id=?)',
      ],
      due: [conversations.due.sql, 'conversation_head_due (due_at>? AND due_at<?)'],
      late: [conversations.late.sql, 'conversation_head_due (due_at>?)'],
      handoffs: [conversations.handoffs.sql, 'handoff_line (status=? AND account_id=?)'],
      waits: [lineStatements(define).waits.sql, 'COVERING INDEX handoff_wait_newest'],
      lines: [lineStatements(define).freeLines.sql, 'COVERING INDEX handoff_line'],
      open: [conversations.open.sql, 'conversation_active'],
      over: [removalStatements(define).over.sql, 'conversation_over'],
    } as const
    for (const [sql, index] of Object.values(ordered)) {
      const details = plan(database, sql).join('\n')
      expect(details).toContain(index)
      expect(details).not.toContain('TEMP B-TREE')
    }
  })

  for (const kind of KINDS)
    for (const [index, columns] of Object.entries(kind.indexes))
      it(`SQ61 every part of a list of documents comes out of its index: ${kind.name} by ${index}`, () => {
        const database = openDatabase({ filename: ':memory:' }).database
        onTestFinished(() => {
          database.close()
        })
        const { list } = documentStatements(createDefine(database), kind)
        const shapes = columns.map((_, at) => ({ prefix: columns.slice(0, at) }))
        const ranges = [...shapes, { prefix: columns }].flatMap(range => {
          const place = [...columns.slice(range.prefix.length), 'id']
          const through =
            range.prefix.length < columns.length
              ? [
                  { ...range, through: 1 },
                  { ...range, from: 1, through: 1 },
                ]
              : []
          return [range, { ...range, after: place }, { ...range, after: place, descending: true }, ...through]
        })
        for (const { clear, rows } of ranges.map(range => list(index, range))) {
          expect(plan(database, clear.sql).join()).toContain(`${kind.name}_by_${index} `)
          const steps = plan(database, rows.sql)
          expect(steps).toHaveLength(1)
          expect(steps[0]).toMatch(
            new RegExp(`^(SEARCH|SCAN) ${kind.name} USING INDEX ${kind.name}_by_${index}\\b`),
          )
        }
      })
})
