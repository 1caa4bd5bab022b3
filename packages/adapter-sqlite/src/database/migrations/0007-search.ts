import type { Migration } from '../migrate.ts'

const SQL = `
-- The words of each turn's two sides, and where its conversation stands in the lists. What a word is says core: here are
-- words only, with a space between them. Nothing is kept but the index.
CREATE VIRTUAL TABLE turn_words USING fts5(
  user, agent, place, content='', contentless_delete=1, detail=column, tokenize='ascii'
);
CREATE TABLE turn_of (
  turn INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL
) STRICT;
CREATE TRIGGER turn_gone AFTER DELETE ON turn BEGIN
  DELETE FROM turn_words WHERE rowid = old.row;
  DELETE FROM turn_of WHERE turn = old.row;
END;

WITH RECURSIVE chain (turn, conversation) AS (
  SELECT last_turn, row FROM conversation WHERE last_turn IS NOT NULL
  UNION ALL
  SELECT turn.previous, chain.conversation FROM chain CROSS JOIN turn ON turn.row = chain.turn
  WHERE turn.previous IS NOT NULL
)
INSERT INTO turn_of (turn, conversation) SELECT turn, conversation FROM chain ORDER BY turn;
INSERT INTO turn_words (rowid, user, agent, place)
  SELECT turn.row, search_words(record, 'user'), search_words(record, 'agent'), search_place(scope, started_at)
  FROM turn_of CROSS JOIN turn ON turn.row = turn_of.turn CROSS JOIN conversation ON conversation.row = turn_of.conversation
  ORDER BY turn.row;
`

/** Finds conversations by the words of their turns. */
export const search: Migration = { version: 7, name: 'search', sql: SQL }
