/** What lists, figures and searches read of conversations. */
export const FIGURES = `
-- How many listed conversations started in a stretch of time: how a page deep in a list is found.
CREATE TABLE record_count (
  scope INTEGER NOT NULL,
  width INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (scope, width, bucket)
) STRICT, WITHOUT ROWID;

-- When finished, listed conversations were active, until they are packed; the longest ones never are.
CREATE TABLE loose_interval (
  scope INTEGER NOT NULL,
  span INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  conversation INTEGER NOT NULL,
  finished_at INTEGER NOT NULL,
  variant INTEGER NOT NULL,
  language TEXT,
  to_number TEXT NOT NULL,
  PRIMARY KEY (scope, span, started_at, conversation)
) STRICT, WITHOUT ROWID;

-- The same, packed: many intervals of one span that began in one stretch of time. A chunk never changes, and its row is
-- never used again: what is changed is a new chunk.
CREATE TABLE interval_chunk (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  scope INTEGER NOT NULL,
  span INTEGER NOT NULL,
  stretch INTEGER NOT NULL,
  first_start INTEGER NOT NULL,
  last_end INTEGER NOT NULL,
  intervals INTEGER NOT NULL,
  called TEXT NOT NULL,
  packed BLOB NOT NULL
) STRICT;
CREATE INDEX interval_chunk_of ON interval_chunk (scope, span, stretch, first_start, last_end, intervals);

CREATE TABLE word_key (key BLOB NOT NULL) STRICT;
INSERT INTO word_key (key) VALUES (randomblob(32));

-- The turns that hold a word, of conversations that began in an hour; first is the first of them. A word is a hash of it
-- with the file's key: pages of an index keep copies of what was moved out of them, which are no words then.
CREATE TABLE word_block (
  scope INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  word BLOB NOT NULL,
  first INTEGER NOT NULL,
  turns BLOB NOT NULL,
  PRIMARY KEY (scope, hour, word, first)
) STRICT, WITHOUT ROWID;

-- Whose the turns are that are in the index of words, in rows that are short: those of turns are long.
CREATE TABLE turn_of (
  turn INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL
) STRICT;
CREATE TRIGGER turn_gone AFTER DELETE ON turn BEGIN
  DELETE FROM turn_of WHERE turn = old.row;
END;

-- Turns up to a row are in the index of words; later ones are added in batches, and a long one in parts.
CREATE TABLE indexed_turns (
  row INTEGER PRIMARY KEY CHECK (row = 1),
  through INTEGER NOT NULL,
  part INTEGER,
  words INTEGER NOT NULL
) STRICT;
INSERT INTO indexed_turns (row, through, words) VALUES (1, 0, 0);
-- The rows behind the last one are given again: the turns that get them are not indexed.
CREATE TRIGGER last_indexed_turn_gone AFTER DELETE ON turn
WHEN old.row > (SELECT coalesce(max(row), 0) FROM turn) BEGIN
  UPDATE indexed_turns SET through = (SELECT coalesce(max(row), 0) FROM turn)
    WHERE through > (SELECT coalesce(max(row), 0) FROM turn);
END;
CREATE TRIGGER part_indexed_turn_gone AFTER DELETE ON turn BEGIN
  UPDATE indexed_turns SET part = NULL, words = 0 WHERE part = old.row;
END;

-- claim numbers the claims; claimed_first and claimed_last are the rows of the newest one, null once it is over.
CREATE TABLE embedder (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  claim INTEGER NOT NULL,
  claimed_first INTEGER,
  claimed_last INTEGER,
  held_until INTEGER NOT NULL,
  used_at INTEGER NOT NULL
) STRICT;

-- Rows of turns that were embedded: those from first to last. A few ranges, so that a write of a turn need not say
-- anything.
CREATE TABLE embedded_turns (
  embedder INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (embedder, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE turn_vector (
  row INTEGER PRIMARY KEY,
  embedder INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  conversation INTEGER NOT NULL,
  user BLOB,
  agent BLOB
) STRICT;
CREATE UNIQUE INDEX turn_vector_of_turn ON turn_vector (turn, embedder);
CREATE INDEX turn_vector_of_conversation ON turn_vector (conversation, embedder, turn);
CREATE INDEX turn_vector_of_embedder ON turn_vector (embedder);
CREATE TRIGGER turn_vector_gone AFTER DELETE ON turn BEGIN
  DELETE FROM turn_vector WHERE turn = old.row;
END;
-- The rows behind the last one are given again: whoever gets them is not embedded.
CREATE TRIGGER last_turn_gone AFTER DELETE ON turn
WHEN old.row > (SELECT coalesce(max(row), 0) FROM turn) BEGIN
  DELETE FROM embedded_turns WHERE first > (SELECT coalesce(max(row), 0) FROM turn);
  UPDATE embedded_turns SET last = (SELECT coalesce(max(row), 0) FROM turn)
    WHERE last > (SELECT coalesce(max(row), 0) FROM turn);
  UPDATE embedder SET claimed_first = NULL, claimed_last = NULL, held_until = 0
    WHERE claimed_last > (SELECT coalesce(max(row), 0) FROM turn);
END;
`
