import { turnWords, type WordCondition } from '@colloquy/core'
import type { Database } from 'better-sqlite3'
import { sql } from 'kysely'
import type { NewTurn } from './conversation-log.ts'
import { fromJson } from './json.ts'
import type { RecordCounts } from './record-counts.ts'
import type { Define } from './statements.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A day with more conversations than these is searched hour by hour, so that a common word never gathers a whole busy day. */
const BUSY_DAY = 2_000

/** A conversation's place in the lists, as far as a search narrows it down. */
interface Place {
  readonly scope: number
  readonly startedAt: number
}

/** A stretch of time whose conversations have a word of their own in the index. */
interface Stretch {
  readonly place: string
  readonly from: number
  readonly to: number
}

const placeWord = (scope: number, unit: 'd' | 'h', number: number): string =>
  `s${scope}${unit}${number < 0 ? 'm' : ''}${Math.abs(number)}`

const placeWords = ({ scope, startedAt }: Place): string =>
  `${placeWord(scope, 'd', Math.floor(startedAt / DAY))} ${placeWord(scope, 'h', Math.floor(startedAt / HOUR))}`

/** The functions by which the migration indexes turns that are there already. */
export function defineSearchFunctions(database: Database): void {
  database.function('search_words', { deterministic: true }, (record, side) => {
    const words = turnWords({ record: fromJson(String(record)) })
    return (side === 'user' ? words.user : words.agent).join(' ')
  })
  database.function('search_place', { deterministic: true }, (scope, startedAt) =>
    placeWords({ scope: Number(scope), startedAt: Number(startedAt) }),
  )
}

/** The statements that keep words and places of turns, prepared. */
export const wordStatements = (define: Define) => ({
  addTurn: define<{ turn: number; conversation: number }>()((db, p) =>
    db
      .insertInto('turn_of')
      .values({ turn: p('turn'), conversation: p('conversation') })
      .compile(),
  ),
  addWords: define<{ turn: number; user: string; agent: string; place: string }>()((db, p) =>
    sql`insert into turn_words (rowid, user, agent, place)
      values (${p('turn')}, ${p('user')}, ${p('agent')}, ${p('place')})`.compile(db),
  ),
  dropWords: define<{ turn: number }>()((db, p) =>
    sql`delete from turn_words where rowid = ${p('turn')}`.compile(db),
  ),
  turnsOf: define<{ conversation: number }>()((db, p) =>
    sql<{ readonly turn: number; readonly record: string }>`
      with recursive chain (row, previous, record) as (
        select row, previous, record from turn
        where row = (select last_turn from conversation where row = ${p('conversation')})
        union all
        select turn.row, turn.previous, turn.record from chain cross join turn on turn.row = chain.previous
      )
      select row as turn, record from chain`.compile(db),
  ),
})

/** What makes conversations found by the words of their turns. */
export interface SearchWords {
  /** Indexes turns of a conversation that were added in these rows. */
  add(conversation: number, place: Place, rows: readonly number[], turns: readonly NewTurn[]): void
  /** The conversation stands elsewhere in the lists from now on. */
  move(conversation: number, place: Place): void
  /** The match of the index for each stretch of time that has conversations, in order. */
  stretches(
    scope: number,
    condition: WordCondition,
    from: number,
    to: number,
  ): Iterable<{ readonly match: string }>
}

const COLUMNS = { user: 'user', agent: 'agent', either: '{user agent}' } as const

/** Words hold letters and digits alone, so that quoting them is enough. */
const matchOf = ({ place }: Stretch, { words, speaker }: WordCondition): string =>
  `place:"${place}" AND ${COLUMNS[speaker]}:(${words.map(word => `"${word}"`).join(' AND ')})`

/** Keeps the index of words in the transaction that writes the turns. */
export function createSearchWords(define: Define, counts: RecordCounts): SearchWords {
  const run = wordStatements(define)

  function* stretches(scope: number, from: number, to: number): Generator<Stretch> {
    for (const { bucket, records } of counts.days(scope, from, to)) {
      if (records <= BUSY_DAY) {
        yield { place: placeWord(scope, 'd', bucket), from: bucket * DAY, to: (bucket + 1) * DAY }
        continue
      }
      for (let hour = bucket * 24; hour < (bucket + 1) * 24; hour++) {
        yield { place: placeWord(scope, 'h', hour), from: hour * HOUR, to: (hour + 1) * HOUR }
      }
    }
  }

  return {
    add(conversation, place, rows, turns) {
      for (const [index, turn] of rows.entries()) {
        const { user = [], agent = [] } = turns[index]?.words ?? {}
        run.addTurn.run({ turn, conversation })
        run.addWords.run({ turn, user: user.join(' '), agent: agent.join(' '), place: placeWords(place) })
      }
    },
    move(conversation, place) {
      for (const { turn, record } of run.turnsOf.all({ conversation })) {
        const { user, agent } = turnWords({ record: fromJson(record) })
        run.dropWords.run({ turn })
        run.addWords.run({ turn, user: user.join(' '), agent: agent.join(' '), place: placeWords(place) })
      }
    },
    *stretches(scope, condition, from, to) {
      for (const stretch of stretches(scope, from, to)) {
        if (stretch.to > from && stretch.from < to) {
          yield { match: matchOf(stretch, condition) }
        }
      }
    },
  }
}
