import type { Migration } from '../migrate.ts'

const TURN_VECTORS = `
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

-- Rows of turns that were embedded: those from first to last. A few ranges, so that a write of a turn need not say anything.
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

/** Vectors of turns, by embedder. */
export const turnVectors: Migration = { version: 12, name: 'turn-vectors', sql: TURN_VECTORS }
