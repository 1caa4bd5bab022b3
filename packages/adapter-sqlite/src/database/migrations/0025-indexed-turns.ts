import type { Database } from 'better-sqlite3'
import { sidesOf } from '../../conversations/turn-reader.ts'
import { collectPostings, HOUR } from '../../conversations/word-blocks.ts'
import { prepareWords } from '../../conversations/word-statements.ts'
import type { Migration } from '../migrate.ts'
import { createDefine } from '../statements.ts'

const SQL = `
-- Whose turn it is; for earlier ones, and for all whose words are indexed, turn_of says it too.
ALTER TABLE turn ADD COLUMN conversation INTEGER;

-- Turns up to a row are in the index of words, and in turn_of; later ones are added in batches, and a long one in parts.
CREATE TABLE indexed_turns (
  row INTEGER PRIMARY KEY CHECK (row = 1),
  through INTEGER NOT NULL,
  part INTEGER,
  words INTEGER NOT NULL
) STRICT;
INSERT INTO indexed_turns (row, through, words) SELECT 1, coalesce(max(row), 0), 0 FROM turn;
-- The rows behind the last one are given again: the turns that get them are not indexed.
CREATE TRIGGER last_indexed_turn_gone AFTER DELETE ON turn
WHEN old.row > (SELECT coalesce(max(row), 0) FROM turn) BEGIN
  UPDATE indexed_turns SET through = (SELECT coalesce(max(row), 0) FROM turn)
    WHERE through > (SELECT coalesce(max(row), 0) FROM turn);
END;
CREATE TRIGGER part_indexed_turn_gone AFTER DELETE ON turn BEGIN
  UPDATE indexed_turns SET part = NULL, words = 0 WHERE part = old.row;
END;
`

interface LooseWords {
  readonly turn: number
  readonly scope: number
  readonly hour: number
  readonly user: string
  readonly agent: string
}

/** What was not packed yet goes into the index like all else. */
function packLoose(database: Database): void {
  const words = (text: string) => (text === '' ? [] : text.split(' '))
  const postings = collectPostings(prepareWords(createDefine(database)))
  const loose = database.prepare<unknown[], LooseWords>('SELECT * FROM loose_words ORDER BY turn')
  for (const { turn, scope, hour, user, agent } of loose.iterate())
    postings.add(turn, { scope, startedAt: hour * HOUR }, sidesOf({ user: words(user), agent: words(agent) }))
  postings.write()
  database.exec('DROP TABLE loose_words')
}

/** Words of turns are indexed beside the writes that add the turns, some at a time. */
export const indexedTurns: Migration = { version: 25, name: 'indexed-turns', sql: SQL, run: packLoose }
