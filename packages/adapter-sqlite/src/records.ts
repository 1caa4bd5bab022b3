import type {
  AccountId,
  ActivityIntervals,
  AgentId,
  ConversationId,
  IntervalFilter,
  RecordFilter,
  RecordPage,
  RecordPosition,
  RecordText,
} from '@colloquy/core'
import { asId } from '@colloquy/core'
import { sql } from 'kysely'
import { type Connection, query } from './connection.ts'
import type { ConversationStatements } from './conversation-statements.ts'
import { turnsText } from './conversation-store.ts'

interface RecordRow {
  readonly id: string
  readonly started_at: number
  readonly summary: string
  readonly details: string
  readonly turns: string | null
  readonly last_turn: number | null
}

const textOf = (statements: ConversationStatements, row: RecordRow): RecordText => ({
  summary: row.summary,
  details: row.details,
  turns: row.turns ?? turnsText(statements, row.last_turn),
})

const listed = (filter: Pick<RecordFilter, 'accountId' | 'agentId'>) =>
  query
    .selectFrom('conversations')
    .where('listed', '=', 1)
    .where('account_id', '=', filter.accountId)
    .where('agent_id', '=', filter.agentId)

/** A page of records, in the order of the index that lists them. */
export function readRecords(
  connection: Connection,
  statements: ConversationStatements,
  filter: RecordFilter,
  from: RecordPosition,
  limit: number,
): RecordPage {
  const { startTime, endTime, variantId, variantName, inProgress, channels } = filter
  const page = listed(filter)
    .select(['id', 'started_at', 'summary', 'details', 'turns', 'last_turn'])
    .where('environment', '=', filter.environment)
    .$if(startTime !== undefined, q => q.where('started_at', '>=', startTime ?? 0))
    .$if(endTime !== undefined, q => q.where('started_at', '<', endTime ?? 0))
    .$if(variantId !== undefined, q => q.where('variant_id', '=', variantId ?? ''))
    .$if(variantName !== undefined, q => q.where('variant_name', '=', variantName ?? ''))
    .$if(inProgress === true, q => q.where('finished_at', 'is', null))
    .$if(inProgress === false, q => q.where('finished_at', 'is not', null))
    .$if(channels !== undefined, q => q.where('channel', 'in', channels ?? []))
    .orderBy('started_at')
    .orderBy('id')
    .limit(limit + 1)
  const placed =
    'offset' in from
      ? page.offset(from.offset)
      : page.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('started_at', 'id'), '>', tuple(from.after.startedAt, from.after.id)),
        )
  const rows = connection.all(placed)
  return {
    records: rows.slice(0, limit).map(row => ({
      id: asId(row.id),
      startedAt: row.started_at,
      text: textOf(statements, row),
    })),
    more: rows.length > limit,
  }
}

export function readRecord(
  connection: Connection,
  statements: ConversationStatements,
  accountId: AccountId,
  agentId: AgentId,
  id: ConversationId,
): RecordText | null {
  const [row] = connection.all(
    listed({ accountId, agentId })
      .select(['id', 'started_at', 'summary', 'details', 'turns', 'last_turn'])
      .where('id', '=', id),
  )
  return row === undefined ? null : textOf(statements, row)
}

/** Those in progress and those that finished inside the range or later, each by its own index. */
export function readIntervals(connection: Connection, filter: IntervalFilter): ActivityIntervals {
  const { from, to, variantId, variantName, language, phoneNumber } = filter
  const rows = connection.all(
    listed(filter)
      .select(['started_at', 'finished_at', 'variant_id', 'variant_name'])
      // An empty range holds no instant, so nothing is active in it.
      .$if(from >= to, q => q.where(sql<boolean>`0`))
      .where('environment', '=', filter.environment)
      .where('started_at', '<', to)
      .where(eb =>
        eb.or([
          eb('finished_at', 'is', null),
          eb('finished_at', '>', from),
          eb.and([eb('finished_at', '=', from), eb('started_at', '=', from)]),
        ]),
      )
      .$if(variantId !== undefined, q => q.where('variant_id', '=', variantId ?? ''))
      .$if(variantName !== undefined, q => q.where('variant_name', '=', variantName ?? ''))
      .$if(language !== undefined, q => q.where('language', '=', language ?? ''))
      .$if(phoneNumber !== undefined, q => q.where('to_number', '=', phoneNumber ?? ''))
      .orderBy('started_at')
      .orderBy('id'),
  )
  const variants: { id: string | null; name: string | null }[] = []
  const known = new Map<string, number>()
  const variant = Uint32Array.from(rows, row => {
    const key = JSON.stringify([row.variant_id, row.variant_name])
    const place = known.get(key) ?? variants.push({ id: row.variant_id, name: row.variant_name }) - 1
    known.set(key, place)
    return place
  })
  return {
    starts: Float64Array.from(rows, row => row.started_at),
    ends: Float64Array.from(rows, row => row.finished_at ?? Number.POSITIVE_INFINITY),
    variant,
    variants,
  }
}
