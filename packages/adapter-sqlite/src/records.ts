import type {
  ConversationId,
  ConversationStore,
  RecordFilter,
  RecordPosition,
  RecordText,
} from '@colloquy/core'
import { sql } from 'kysely'
import { turnsText } from './conversation-log.ts'
import type { ConversationStatements } from './conversation-statements.ts'
import type { RecordCounts } from './record-counts.ts'
import type { Session } from './session.ts'
import type { Define } from './statements.ts'

/** From this offset on, looking the place of a record up is cheaper than stepping over those before it. */
export const DEEP_OFFSET = 1_000

interface RecordRow {
  readonly id: ConversationId
  readonly startedAt: number
  readonly summary: string
  readonly details: string
  readonly turns: string | null
  readonly lastTurn: number | null
}

const columns = sql`id, started_at as startedAt, summary, details, turns, last_turn as lastTurn`

/** The statements that read records, prepared. */
export const recordStatements = (define: Define) => ({
  // One shape for all filters: those that are not given are null, and null lets everything through.
  page: define<{
    scope: number
    startedAt: number
    id: string
    end: number
    variantId: string | null
    variantName: string | null
    inProgress: 0 | 1 | null
    channels: string | null
    limit: number
    offset: number
  }>()((db, p) =>
    sql<RecordRow>`
      select ${columns} from conversation indexed by conversation_list
      where scope = ${p('scope')} and listed = 1
        and (started_at, id) > (${p('startedAt')}, ${p('id')}) and started_at < ${p('end')}
        and (${p('variantId')} is null
          or variant in (select row from variant where id = ${p('variantId')}))
        and (${p('variantName')} is null
          or variant in (select row from variant where name = ${p('variantName')}))
        and (${p('inProgress')} is null or (finished_at is null) = ${p('inProgress')})
        and (${p('channels')} is null or channel in (select value from json_each(${p('channels')})))
      order by started_at, id limit ${p('limit')} offset ${p('offset')}`.compile(db),
  ),
  one: define<{ id: string; accountId: string; agentId: string }>()((db, p) =>
    sql<RecordRow>`
      select ${columns} from conversation where id = ${p('id')} and listed = 1 and scope in
        (select row from scope where agent_id = ${p('agentId')} and account_id = ${p('accountId')})`.compile(
      db,
    ),
  ),
})

/** Where a page begins, in the list's own order: after this start and id, then some records on. */
interface Start {
  readonly startedAt: number
  readonly id: string
  readonly offset: number
}

const isUnfiltered = ({ variantId, variantName, inProgress, channels }: RecordFilter): boolean =>
  variantId === undefined && variantName === undefined && inProgress === undefined && channels === undefined

function startOf(
  counts: RecordCounts,
  scope: number,
  filter: RecordFilter,
  from: RecordPosition,
): Start | null {
  const first: Start = { startedAt: filter.startTime ?? Number.MIN_SAFE_INTEGER, id: '', offset: 0 }
  if ('after' in from) {
    return from.after.startedAt < first.startedAt ? first : { ...from.after, offset: 0 }
  }
  if (from.offset < DEEP_OFFSET || !isUnfiltered(filter)) return { ...first, offset: from.offset }
  const located = counts.locate(scope, filter.startTime ?? null, from.offset)
  return located && { startedAt: located.from, id: '', offset: located.skip }
}

/** The port's methods that read conversation records. */
export function recordMethods(
  { define, snapshot }: Session,
  run: ConversationStatements,
  counts: RecordCounts,
) {
  const own = recordStatements(define)
  const textOf = ({ summary, details, turns, lastTurn }: RecordRow): RecordText => ({
    summary,
    details,
    turns: turns ?? turnsText(run, lastTurn),
  })
  return {
    records: (filter, from, limit) =>
      snapshot('list conversation records', () => {
        const scope = run.scope.get({
          accountId: filter.accountId,
          agentId: filter.agentId,
          environment: filter.environment,
        })?.row
        const start = scope === undefined ? null : startOf(counts, scope, filter, from)
        if (scope === undefined || start === null) return { records: [], more: false }
        const rows = own.page.all({
          ...start,
          scope,
          end: filter.endTime ?? Number.MAX_SAFE_INTEGER,
          variantId: filter.variantId ?? null,
          variantName: filter.variantName ?? null,
          inProgress: filter.inProgress === undefined ? null : filter.inProgress ? 1 : 0,
          channels: filter.channels === undefined ? null : JSON.stringify(filter.channels),
          limit: limit + 1,
        })
        const records = rows
          .slice(0, limit)
          .map(row => ({ id: row.id, startedAt: row.startedAt, text: textOf(row) }))
        return { records, more: rows.length > limit }
      }),
    record: (accountId, agentId, id) =>
      snapshot('read a conversation record', () => {
        const row = own.one.get({ accountId, agentId, id })
        return row === undefined ? null : textOf(row)
      }),
  } satisfies Partial<ConversationStore>
}
