import type { Migration } from '../migrate.ts'

// conversation.span stays, unused: to drop a column is to rewrite the table.
const INTERVAL_CHUNKS = `
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

-- The same, packed: many intervals of one span that began in one stretch of time. A chunk never changes, and its row is never
-- used again: what is changed is a new chunk.
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

DROP INDEX conversation_open;
CREATE INDEX conversation_active ON conversation
  (scope, listed, started_at, variant, language, to_number, finished_at) WHERE finished_at IS NULL;

INSERT INTO loose_interval
SELECT scope,
  CASE
    WHEN finished_at < started_at THEN 3
    WHEN finished_at - started_at <= 14400000 THEN 0
    WHEN finished_at - started_at <= 172800000 THEN 1
    WHEN finished_at - started_at <= 3888000000 THEN 2
    ELSE 3
  END AS class,
  started_at, row, finished_at, variant, language, to_number
FROM conversation INDEXED BY conversation_interval
WHERE listed = 1 AND finished_at IS NOT NULL
ORDER BY scope, class, started_at, row;
DROP INDEX conversation_interval;
`

/** Packs what concurrency is counted from: a week is read as columns, not as rows. */
export const intervalChunks: Migration = { version: 8, name: 'interval-chunks', sql: INTERVAL_CHUNKS }
