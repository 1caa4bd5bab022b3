import { z } from 'zod'
import { WINDOW } from '../../domain/concurrency/window.ts'
import { isoTime } from '../../domain/time.ts'
import { PlatformError } from '../../errors.ts'
import type { Concurrency } from '../../usecases/reading/read-concurrency.ts'
import { defineRoute } from '../route.ts'
import { readingParams, readingScope, scopeIds } from './conversation-query.ts'
import * as value from './query-values.ts'

const concurrencyQuery = z.object({
  start_time: value.time,
  end_time: value.time,
  client_env: value.environment,
  variant_id: value.text.optional(),
  variant_name: value.text.optional(),
  language: value.text.optional(),
  phone_number: value.phoneNumber.optional(),
  slice_by: z
    .enum(['variant', 'language', 'phone_number'], 'must be variant; language and phone_number are reserved')
    .optional(),
})

/** Time series of peaks (platform-api.md, Concurrent calls; decisions.md section 6). */
const readConcurrency = defineRoute({
  method: 'GET',
  path: '/v1/:account_id/:project_id/conversations/concurrency',
  family: 'concurrency',
  credential: 'project',
  summary: 'Peak concurrent conversations in 5-minute intervals',
  params: readingParams,
  query: concurrencyQuery,
  body: null,
  scope: readingScope,
  async handle({ platform, query, ...scope }) {
    if (query.slice_by === 'language' || query.slice_by === 'phone_number') {
      throw new PlatformError(
        'NOT_IMPLEMENTED',
        `slice_by=${query.slice_by} is not implemented: the one value is variant`,
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
      ...(query.language !== undefined && { language: query.language }),
      ...(query.phone_number !== undefined && { phoneNumber: query.phone_number }),
      ...(query.slice_by !== undefined && { sliceBy: query.slice_by }),
    })
    return {
      status: 200,
      json: { account_id: accountId, project_id: agentId, intervals: intervalsOf(figures) },
    }
  },
})

/** Concurrency figures. */
export const concurrencyRoutes = [readConcurrency] as const

/** One interval a window, or a window and variant; by time, then variant id. */
function intervalsOf({ range, series }: Concurrency) {
  const windows = (range.to - range.from) / WINDOW
  return Array.from({ length: windows }, (_, window) => isoTime(range.from + window * WINDOW)).flatMap(
    (time, window) =>
      series.map(({ variant, peaks }) => ({
        time,
        max_concurrent_conversations: peaks[window] ?? 0,
        ...(variant !== null && { variant_id: variant.id, variant_name: variant.name }),
      })),
  )
}
