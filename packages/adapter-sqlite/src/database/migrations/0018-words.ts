import { indexAllTurns } from '../../conversations/search-words.ts'
import type { Migration } from '../migrate.ts'

const SQL = `
DROP TRIGGER turn_gone;
DROP TABLE turn_words;
CREATE TRIGGER turn_gone AFTER DELETE ON turn BEGIN
  DELETE FROM turn_of WHERE turn = old.row;
END;

-- Words of turns that were written lately, with a space between them, until they are packed.
CREATE TABLE loose_words (
  turn INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  words INTEGER NOT NULL,
  user TEXT NOT NULL,
  agent TEXT NOT NULL
) STRICT;
CREATE INDEX loose_words_of ON loose_words (scope, turn, words);

-- The same, packed: the turns that hold a word, of conversations that began in an hour; first is the first of them. A word is
-- a hash of it with the file's key: pages of an index keep copies of what was moved out of them, which are no words then.
CREATE TABLE word_key (key BLOB NOT NULL) STRICT;
INSERT INTO word_key (key) VALUES (randomblob(32));
CREATE TABLE word_block (
  scope INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  word BLOB NOT NULL,
  first INTEGER NOT NULL,
  turns BLOB NOT NULL,
  PRIMARY KEY (scope, hour, word, first)
) STRICT, WITHOUT ROWID;

-- Logs of conversations that were removed: they are no more, and their rows go in short steps.
CREATE TABLE removed_log (
  conversation INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  last_event INTEGER,
  last_turn INTEGER,
  -- How many words of the last turn are out of the index already.
  words INTEGER NOT NULL
) STRICT;
`

/** An index of words from which a turn can be taken without a trace, and removals in steps of any log's length. */
export const words: Migration = { version: 18, name: 'words', sql: SQL, run: indexAllTurns }
