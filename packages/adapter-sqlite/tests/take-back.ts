import { turnWords } from '@colloquy/core/store'
import BetterSqlite3, { type Database } from 'better-sqlite3'
import { recordTextOf, type StateParts, stateOf } from '../src/conversations/state-parts.ts'
import { migrate } from '../src/database/migrate.ts'
import { words } from '../src/database/migrations/0018-words.ts'
import { conversationHeads } from '../src/database/migrations/0024-conversation-heads.ts'
import { indexedTurns } from '../src/database/migrations/0025-indexed-turns.ts'
import { MIGRATIONS } from '../src/database/migrations/all.ts'

interface Part {
  readonly type: string
  readonly name: string
  readonly sql: string
}

/** All that a schema is made of, but the table that SQLite keeps for AUTOINCREMENT, and that cannot be dropped. */
export const schemaOf = (database: Database): readonly Part[] =>
  database
    .prepare<unknown[], Part>(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name <> 'sqlite_sequence' ORDER BY type, name",
    )
    .all()

function earlierSchema(version: number): readonly Part[] {
  const earlier = new BetterSqlite3(':memory:')
  migrate(earlier, MIGRATIONS.slice(0, version))
  const schema = schemaOf(earlier)
  earlier.close()
  return schema
}

/**
 * Makes a table what it was, with its rows: the columns that it has had since go. One that had another name then has its default.
 * Tables that refer to it go on referring to its name.
 */
function remakeTable(database: Database, { name, sql }: Part): void {
  database.exec(`PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON;
    ALTER TABLE ${name} RENAME TO later_${name}; ${sql}`)
  const columns = database
    .prepare(
      `SELECT group_concat(name) FROM pragma_table_info('${name}')
       WHERE name IN (SELECT name FROM pragma_table_info('later_${name}'))`,
    )
    .pluck()
    .get()
  database.exec(
    `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM later_${name}; DROP TABLE later_${name};
     PRAGMA legacy_alter_table = OFF; PRAGMA foreign_keys = ON`,
  )
}

/** What moved into rows of their own moves back into those of the conversations, with states and records whole. */
function takeBackHeads(database: Database): void {
  for (const name of ['version', 'sequence', 'last_event', 'last_turn', 'wake_at', 'claims'])
    database.exec(`ALTER TABLE conversation RENAME COLUMN former_${name} TO ${name};
      UPDATE conversation SET ${name} = (SELECT ${name} FROM conversation_head WHERE row = conversation.row)`)
  const parts = database.prepare<unknown[], StateParts & { readonly row: number }>(
    'SELECT conversation.row AS row, state, changes FROM conversation JOIN conversation_head USING (row)',
  )
  const set = database.prepare('UPDATE conversation SET state = ?, summary = ?, details = ? WHERE row = ?')
  for (const { row, ...rest } of parts.all()) {
    const { summary, details } = recordTextOf(rest)
    set.run(JSON.stringify(stateOf(rest)), summary, details, row)
  }
}

/** A turn whose words are not in the index yet. */
interface UnindexedTurn {
  readonly turn: number
  readonly conversation: number
  readonly record: string
}

/** Those turns, which are in `turn_of` from now on like all others. */
function unindexedTurns(database: Database): readonly UnindexedTurn[] {
  const turns = database
    .prepare<unknown[], UnindexedTurn>(
      'SELECT row AS turn, conversation, record FROM turn WHERE row > (SELECT through FROM indexed_turns)',
    )
    .all()
  const insert = database.prepare('INSERT INTO turn_of (turn, conversation) VALUES (?, ?)')
  for (const { turn, conversation } of turns) insert.run(turn, conversation)
  return turns
}

/** Keeps their words as they were kept until they were packed. */
function keepLoose(database: Database, turns: readonly UnindexedTurn[]): void {
  const insert = database.prepare(`INSERT INTO loose_words (turn, scope, hour, words, user, agent)
    SELECT ?, scope, started_at / 3600000, ?, ?, ? FROM conversation WHERE row = ?`)
  for (const { turn, conversation, record } of turns) {
    const { user, agent } = turnWords({ record: JSON.parse(record) })
    insert.run(turn, new Set([...user, ...agent]).size, user.join(' '), agent.join(' '), conversation)
  }
}

/** Makes a file what it was at an earlier version: all that was added since goes. */
export function takeBack(database: Database, version: number): void {
  const unindexed = version < indexedTurns.version ? unindexedTurns(database) : []
  if (version < conversationHeads.version) takeBackHeads(database)
  const earlier = earlierSchema(version)
  const kept = new Map(earlier.map(part => [part.name, part.sql]))
  for (const { type, name } of schemaOf(database))
    if (!kept.has(name) && !name.startsWith('sqlite_')) database.exec(`DROP ${type} IF EXISTS ${name}`)
  for (const part of earlier) {
    const now = schemaOf(database).find(({ name }) => name === part.name)
    if (now !== undefined && now.type === 'table' && now.sql !== part.sql) remakeTable(database, part)
    if ((now?.type === 'trigger' || now?.type === 'index') && now.sql !== part.sql)
      database.exec(`DROP ${now.type} ${part.name}`)
  }
  // Tables before their indexes.
  const isIndex = ({ type }: Part): number => (type === 'index' ? 1 : 0)
  for (const { name, sql } of earlier.toSorted((one, other) => isIndex(one) - isIndex(other))) {
    // A virtual table brings tables of its own, which come after it.
    if (!schemaOf(database).some(part => part.name === name)) database.exec(sql)
  }
  if (version >= words.version && version < indexedTurns.version) keepLoose(database, unindexed)
  database.exec(`DELETE FROM schema_migration WHERE version > ${version}`)
}
