import type { ActivityIntervals, ConversationStore, IntervalFilter } from '@colloquy/core'
import { sql } from 'kysely'
import type { ConversationStatements } from './conversation-statements.ts'
import { mergeRuns, type SortedRun } from './interval-runs.ts'
import type { Session } from './session.ts'
import { SPANS } from './spans.ts'
import type { Define } from './statements.ts'

/** The statement that finds active conversations, prepared. */
export const intervalStatements = (define: Define) => ({
  active: define<{
    scope: number
    span: number
    earliest: number
    from: number
    to: number
    variantId: string | null
    variantName: string | null
    language: string | null
    phoneNumber: string | null
  }>()((db, p) =>
    sql<{ readonly startedAt: number; readonly finishedAt: number | null; readonly variant: number }>`
      select started_at as startedAt, finished_at as finishedAt, variant
      from conversation indexed by conversation_interval
      where scope = ${p('scope')} and listed = 1 and span = ${p('span')}
        and started_at > ${p('earliest')} and started_at < ${p('to')}
        and (started_at >= ${p('from')} or finished_at is null or finished_at > ${p('from')})
        and (${p('variantId')} is null
          or variant in (select row from variant where id = ${p('variantId')}))
        and (${p('variantName')} is null
          or variant in (select row from variant where name = ${p('variantName')}))
        and (${p('language')} is null or language = ${p('language')})
        and (${p('phoneNumber')} is null or to_number = ${p('phoneNumber')})
      order by started_at`.compile(db),
  ),
})

const EMPTY: ActivityIntervals = {
  starts: new Float64Array(),
  ends: new Float64Array(),
  variant: new Uint32Array(),
  variants: [],
}

/** The port's method that concurrency is counted from. */
export function intervalMethods({ define, snapshot }: Session, run: ConversationStatements) {
  const own = intervalStatements(define)

  const runsOf = (scope: number, filter: IntervalFilter): readonly SortedRun[] => {
    const conditions = {
      scope,
      from: filter.from,
      to: filter.to,
      variantId: filter.variantId ?? null,
      variantName: filter.variantName ?? null,
      language: filter.language ?? null,
      phoneNumber: filter.phoneNumber ?? null,
    }
    return SPANS.map(({ span, longest }) => {
      const found: SortedRun = { starts: [], ends: [], variant: [] }
      for (const row of own.active.each({ ...conditions, span, earliest: filter.from - longest })) {
        found.starts.push(row.startedAt)
        found.ends.push(row.finishedAt ?? Infinity)
        found.variant.push(row.variant)
      }
      return found
    }).filter(({ starts }) => starts.length > 0)
  }

  return {
    intervals: filter =>
      snapshot('read when conversations were active', () => {
        const scope = run.scope.get({
          accountId: filter.accountId,
          agentId: filter.agentId,
          environment: filter.environment,
        })?.row
        if (scope === undefined || filter.from >= filter.to) return EMPTY
        const { variantRows, ...columns } = mergeRuns(runsOf(scope, filter))
        const variants = variantRows.map(row => run.variantNames.get({ row }) ?? { id: null, name: null })
        return { ...columns, variants }
      }),
  } satisfies Partial<ConversationStore>
}
