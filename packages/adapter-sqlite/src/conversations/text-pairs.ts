import type { AgentId } from '@colloquy/core'
import type { TextPair, TextPairStore } from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'

/** A pair's row. */
export type TextPairRow = {
  ours: string
  theirs: string
  agent_id: AgentId
  version: number
  pair: string
}

export const toPair = ({ pair }: Pick<TextPairRow, 'pair'>): TextPair => fromJson(pair)

export const fromPair = (pair: TextPair): TextPairRow => ({
  ours: pair.ours,
  theirs: pair.theirs,
  agent_id: pair.agentId,
  version: pair.version,
  pair: JSON.stringify(pair),
})

const textPairStatements = (define: Define) => ({
  find: define<{ ours: string; theirs: string }>()((db, p) =>
    db
      .selectFrom('text_pair')
      .select(['pair', 'version'])
      .where('ours', '=', p('ours'))
      .where('theirs', '=', p('theirs'))
      .compile(),
  ),
  insert: define<TextPairRow>()((db, p) =>
    db
      .insertInto('text_pair')
      .values({
        ours: p('ours'),
        theirs: p('theirs'),
        agent_id: p('agent_id'),
        version: p('version'),
        pair: p('pair'),
      })
      .compile(),
  ),
  update: define<TextPairRow>()((db, p) =>
    db
      .updateTable('text_pair')
      .set({ agent_id: p('agent_id'), version: p('version'), pair: p('pair') })
      .where('ours', '=', p('ours'))
      .where('theirs', '=', p('theirs'))
      .compile(),
  ),
})

/** What is removed with an agent. */
export const agentTextStatements = (define: Define) => ({
  dropPairsOf: define<{ id: AgentId }>()((db, p) =>
    db.deleteFrom('text_pair').where('agent_id', '=', p('id')).compile(),
  ),
})

/** Pairs of numbers in SQLite. */
export function textPairMethods({ define, read, write }: Session): TextPairStore {
  const run = textPairStatements(define)
  return {
    find: (ours, theirs) =>
      read('read a pair of numbers', () => {
        const row = run.find.get({ ours, theirs })
        return row === undefined ? null : toPair(row)
      }),
    async save(pair, expectedVersion) {
      const row = fromPair(pair)
      return write('save a pair of numbers', () => {
        const known = run.find.get({ ours: row.ours, theirs: row.theirs })
        if ((known?.version ?? 0) !== expectedVersion) return 'stale'
        if (known === undefined) run.insert.run(row)
        else run.update.run(row)
        return 'saved'
      })
    },
  }
}
