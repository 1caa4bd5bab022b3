import type { AgentId } from '@colloquy/core'
import type { TextPair, TextPairStore } from '@colloquy/core/store'
import { sql } from 'kysely'
import { fromJson } from '../database/json.ts'
import type { Define } from '../database/statements.ts'

/** A pair's row. */
export type TextPairRow = {
  ours: string
  theirs: string
  agent_id: AgentId
  version: number
  /** JSON of the whole pair. */
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
  find: define<{ ours: string; theirs: string }>('read a pair of numbers')<Pick<TextPairRow, 'pair'>>(
    (t, p) => sql`select pair from ${t('text_pair')} where ours = ${p('ours')} and theirs = ${p('theirs')}`,
  ),
  insert: define<TextPairRow>('save a pair of numbers')<{ readonly done: true }>(
    (t, p) => sql`
    insert into ${t('text_pair')} (ours, theirs, agent_id, version, pair)
    values (${p('ours')}, ${p('theirs')}, ${p('agent_id')}, ${p('version')}::int, ${p('pair')})
    on conflict (ours, theirs) do nothing returning true as done`,
  ),
  update: define<TextPairRow & { expectedVersion: number }>('save a pair of numbers')<{
    readonly done: true
  }>(
    (t, p) => sql`
    update ${t('text_pair')} set agent_id = ${p('agent_id')}, version = ${p('version')}::int, pair = ${p('pair')}
    where ours = ${p('ours')} and theirs = ${p('theirs')} and version = ${p('expectedVersion')}::int
    returning true as done`,
  ),
})

/** Pairs of numbers in PostgreSQL. */
export function textPairMethods(define: Define): TextPairStore {
  const run = textPairStatements(define)
  return {
    async find(ours, theirs) {
      const row = await run.find.get({ ours, theirs })
      return row === undefined ? null : toPair(row)
    },
    async save(pair, expectedVersion) {
      const row = fromPair(pair)
      const done =
        expectedVersion === 0 ? await run.insert.get(row) : await run.update.get({ ...row, expectedVersion })
      return done === undefined ? 'stale' : 'saved'
    },
  }
}
