import * as z from 'zod'
import { WINDOW } from '../../domain/concurrency/window.ts'
import { isoTime } from '../../domain/time.ts'
import { PlatformError } from '../../errors.ts'
import type { Concurrency } from '../../usecases/records/read-concurrency.ts'
import { defineRoute } from '../route.ts'
import { readingParams, readingScope, scopeIds } from './conversation-query.ts'
import * as value from './query-values.ts'

const concurrencyQuery = z.object({
  start_time: value.time,
  end_time: value.time,
  client_env: value.environment,
  variant_id: value.text.optional(),
  variant_name: value.name.optional(),
  deployment_id: value.text.optional(),
  language: value.text.optional(),
  phone_number: value.phoneNumber.optional(),
  slice_by: z
    .enum(
      ['variant', 'deployment', 'language', 'phone_number'],
      'must be variant or deployment; language and phone_number are reserved',
    )
    .optional(),
})

/** Time series of peaks (contract/conversations.md, Concurrency). */
const readConcurrency = defineRoute({
  method: 'GET',
  path: '/v1/:account_id/:project_id/conversations/concurrency',
  family: 'concurrency',
  credential: 'project',
  operation: 'readConcurrency',
  summary: 'Peak concurrent conversations in 5-minute intervals',
  params: readingParams,
  query: concurrencyQuery,
  scope: readingScope,
  async handle({ platform, query, ...scope }) {
    if (query.slice_by === 'language' || query.slice_by === 'phone_number') {
      throw new PlatformError(
        'NOT_IMPLEMENTED',
        `slice_by=${query.slice_by} is not implemented. Allowed: variant and deployment.`,
      )
    }
    const { accountId, agentId } = scopeIds(scope)
    const figures = await platform.reading.concurrency({
      accountId,
      agentId,
      environment: query.client_env,
      startTime: query.start_time,
      endTime: query.end_time,
      ...(query.variant_id !== undefined && { variantId: query.variant_id }),
      ...(query.variant_name !== undefined && { variantName: query.variant_name }),
      ...(query.deployment_id !== undefined && { deploymentId: query.deployment_id }),
      ...(query.language !== undefined && { language: query.language }),
      ...(query.phone_number !== undefined && { phoneNumber: query.phone_number }),
      ...(query.slice_by !== undefined && { sliceBy: query.slice_by }),
    })
    const named = { account_id: accountId, project_id: agentId }
    return windowsOf(figures) * figures.series.length <= CHUNK
      ? { status: 200, json: { ...named, intervals: intervalsOf(figures, 0, windowsOf(figures)) } }
      : { status: 200, chunks: chunksOf(named, figures) }
  },
})

/** Concurrency figures. */
export const concurrencyRoutes = [readConcurrency] as const

/**
 * Intervals that are written at once: a week of one series. A week of many variants would block other work (CC8).
 */
const CHUNK = 2017

const windowsOf = ({ range }: Concurrency): number => (range.to - range.from) / WINDOW

/**
 * One interval a window, or a window and variant or deployment; by time, then that id; of the windows from `first` to
 * before `end`.
 */
function intervalsOf({ range, series }: Concurrency, first: number, end: number) {
  return Array.from({ length: end - first }, (_, index) => first + index).flatMap(window => {
    const time = isoTime(range.from + window * WINDOW)
    return series.map(({ deploymentId, variant, peaks }) => ({
      time,
      max_concurrent_conversations: peaks[window] ?? 0,
      ...(variant !== null && { variant_id: variant.id, variant_name: variant.name }),
      ...(deploymentId !== undefined && { deployment_id: deploymentId }),
    }))
  })
}

/** Returns the answer's text, a few windows at a time. */
async function* chunksOf(named: object, figures: Concurrency): AsyncGenerator<string> {
  const windows = windowsOf(figures)
  const atOnce = Math.max(1, Math.floor(CHUNK / figures.series.length))
  yield `${JSON.stringify(named).slice(0, -1)},"intervals":[`
  for (let first = 0; first < windows; first += atOnce) {
    const intervals = intervalsOf(figures, first, Math.min(first + atOnce, windows))
    yield (first === 0 ? '' : ',') + JSON.stringify(intervals).slice(1, -1)
  }
  yield ']}'
}
