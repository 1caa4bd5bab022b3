import type { ActivityIntervals, ConversationStore, IntervalFilter } from '@colloquy/core'
import { sql } from 'kysely'
import type { ConversationStatements } from './conversation-statements.ts'
import { mergeRuns, numberVariants, type SortedRun } from './interval-runs.ts'
import { fromJson } from './json.ts'
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
    // Three JSON arrays: a third of the time that a JavaScript object for each row takes.
    sql<{ readonly starts: string; readonly ends: string; readonly variants: string }>`
      select json_group_array(started_at) as starts, json_group_array(finished_at) as ends,
        json_group_array(variant) as variants from (select started_at, finished_at, variant
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
      order by started_at)`.compile(db),
  ),
})

const toRun = (found: {
  readonly starts: string
  readonly ends: string
  readonly variants: string
}): SortedRun => ({
  starts: new Float64Array(fromJson<readonly number[]>(found.starts)),
  ends: new Float64Array(fromJson<readonly (number | null)[]>(found.ends).map(end => end ?? Infinity)),
  variant: new Uint32Array(fromJson<readonly number[]>(found.variants)),
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
    return SPANS.flatMap(({ span, longest }) => {
      const found = own.active.get({ ...conditions, span, earliest: filter.from - longest })
      return found === undefined || found.starts === '[]' ? [] : [toRun(found)]
    })
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
        const merged = mergeRuns(runsOf(scope, filter))
        const { variant, rows } = numberVariants(merged)
        const variants = rows.map(row => run.variantNames.get({ row }) ?? { id: null, name: null })
        return { starts: merged.starts, ends: merged.ends, variant, variants }
      }),
  } satisfies Partial<ConversationStore>
}
