import { hash } from 'node:crypto'
import type { Containing, Kind } from '@colloquy/core/store'
import type { Define } from '../database/statements.ts'

/** Hexadecimal digits of what stands for a word. */
const DIGITS = 12

/** Word hashes that a process caches. When there are more, the cache is emptied. */
const KEPT_HASHES = 10_000

/** Segments of an index that SQLite itself would merge all at once: the most that it takes. */
const NO_CRISIS = 1_999

/** Pages of an index that a step merges: a few milliseconds. */
const MERGED_PAGES = 64

/**
 * Returns the tables that belong to a kind with words: its own, that in which words are found, and how far that one
 * goes.
 */
const tablesOf = ({ name }: Kind<unknown>) => ['', '_words', '_words_done'].map(end => `${name}${end}`)

/**
 * Returns the table of a kind's words, how far it goes, and what takes removed words out of it. Words are added behind
 * the writes, many together: alone they cost as much as all else that a turn writes. The words themselves stand nowhere
 * in it: it keeps hashes of them with a key of the file.
 */
export function wordsSchema(name: string): readonly string[] {
  const words = `${name}_words`
  const through = `(SELECT through FROM ${words}_done)`
  const without = `INSERT INTO ${words} (${words}, rowid, words) VALUES ('delete', old.row, old.words);`
  // A row that comes next may have the number of the last one that went.
  const last = `(SELECT coalesce(max(row), 0) FROM ${name})`
  const back = `UPDATE ${words}_done SET through = ${last} WHERE through > ${last};`
  const withNew = `INSERT INTO ${words} (rowid, words) VALUES (new.row, new.words);`
  return [
    `CREATE VIRTUAL TABLE ${words} USING fts5(words, content='', columnsize=0, detail=none, tokenize='ascii');`,
    // It merges in steps of ours, and never all of it within a write.
    `INSERT INTO ${words} (${words}, rank) VALUES ('automerge', 0);`,
    `INSERT INTO ${words} (${words}, rank) VALUES ('crisismerge', ${NO_CRISIS});`,
    `CREATE TABLE ${words}_done (through INTEGER NOT NULL, key TEXT NOT NULL) STRICT;`,
    `INSERT INTO ${words}_done VALUES (0, hex(randomblob(16)));`,
    `CREATE TRIGGER ${words}_go AFTER DELETE ON ${name} WHEN old.row <= ${through} BEGIN\n  ${without}\n  ${back}\nEND;`,
    `CREATE TRIGGER ${words}_change AFTER UPDATE OF words ON ${name}\n  WHEN old.row <= ${through} AND old.words <> new.words BEGIN\n  ${without}\n  ${withNew}\nEND;`,
  ]
}

/** Returns a function that hashes words of a kind. Call it within a read or a write. */
export function wordHashes(define: Define, kind: Kind<unknown>): (word: string) => string {
  const [, , done] = tablesOf(kind)
  const keyOf = define<string>(`select key from ${done}`)
  const hashes = new Map<string, string>()
  let key: string | undefined
  return word => {
    const known = hashes.get(word)
    if (known !== undefined) return known
    key ??= keyOf.get() ?? ''
    const made = hash('sha256', key + word, 'hex').slice(0, DIGITS)
    if (hashes.size >= KEPT_HASHES) hashes.clear()
    hashes.set(word, made)
    return made
  }
}

/**
 * Returns the ids that documents with words hold in a column: those of the table of words, and of those that have not
 * come there the ones that do.
 *
 * @param given the parameter for a text
 */
export function idsWithWords(
  { column, kind, words }: Containing,
  hashOf: (word: string) => string,
  given: (text: string) => string,
): string {
  const [table, found, done] = tablesOf(kind)
  const hashes = words.map(some => some.map(hashOf))
  const match = given(hashes.map(some => `(${some.join(' OR ')})`).join(' AND '))
  const fresh = hashes.map(some => `(${some.map(hash => `instr(words, ${given(hash)}) > 0`).join(' or ')})`)
  return `
    select ${column} from ${table} where row in (select rowid from ${found} where ${found} match ${match})
    union
    select ${column} from ${table} where row > (select through from ${done}) and ${fresh.join(' and ')}`
}

/**
 * Adds words that were written since to those that are found at once, of so many documents at most, and merges some of
 * the index.
 */
export function wordsBehind(define: Define, kind: Kind<unknown>): (most: number) => void {
  const [table, words, done] = tablesOf(kind)
  const next = define<number | null>(
    `select max(row) from (
      select row from ${table} where row > (select through from ${done}) order by row limit ?)`,
  )
  const add = define(
    `insert into ${words} (rowid, words)
      select row, words from ${table} where row > (select through from ${done}) and row <= ?`,
  )
  const move = define(`update ${done} set through = ?`)
  const merge = define(`insert into ${words} (${words}, rank) values ('merge', ${MERGED_PAGES})`)
  return most => {
    const last = next.get(most) ?? null
    if (last !== null) {
      add.run(last)
      move.run(last)
    }
    merge.run()
  }
}
