import * as z from 'zod'
import { isReservedSlug } from '../../domain/access/schemas.ts'
import { PlatformError } from '../../errors.ts'
import type { RecordFilter } from '../../ports/store/records.ts'
import type { ResolvedScope } from '../authorize.ts'
import * as value from './query-values.ts'

/** Path of everything that is read of one agent (contract/conversations.md, v1 list). */
export const readingParams = z.object({ account_id: z.string(), project_id: z.string() })

/** Path of one conversation. */
export const recordParams = readingParams.extend({ conversation_id: z.string() })

/**
 * Returns the account and agent that a reading path names; records outlive their agent (AG25).
 * @throws ACCOUNT_NOT_FOUND for a word with which the paths of the Agents API begin (AC8)
 */
export function readingScope({ params }: { readonly params: z.output<typeof readingParams> }) {
  const { account_id: account, project_id: agent } = params
  if (isReservedSlug(account))
    throw new PlatformError('ACCOUNT_NOT_FOUND', 'There is no account of that id or slug.')
  return { account, agent, evenDeleted: true }
}

/** The filters that v1 and v3 share. */
export const recordFilterQuery = z.object({
  client_env: value.environment,
  start_time: value.time.optional(),
  end_time: value.time.optional(),
  variant_id: value.text.optional(),
  variant_name: value.name.optional(),
  deployment_id: value.text.optional(),
  in_progress: value.boolean.optional(),
  topic: value.text.optional(),
})

/** Query of the v1 list (contract/conversations.md, v1 list). */
export const v1ListQuery = recordFilterQuery.extend({
  limit: value.integer(1, 5000).default(5),
  offset: value.integer(0, Number.MAX_SAFE_INTEGER).default(0),
})

/** Query of the v3 list (contract/conversations.md, v3 list). */
export const v3ListQuery = recordFilterQuery.extend({
  channel: value.repeatable.optional(),
  include_latency: value.boolean.default(true),
  limit: value.integer(1, 1000).default(100),
  cursor: value.text.optional(),
  offset: value.integer(0, Number.MAX_SAFE_INTEGER).optional(),
  query_type: z.enum(['transcript', 'semantic'], 'must be transcript or semantic').optional(),
  query: value.text.optional(),
  turn_type: z.enum(['user', 'agent'], 'must be user or agent').optional(),
  sample: z.enum(['random'], 'must be random').optional(),
})

/** Query of a v3 record. */
export const v3RecordQuery = z.object({ include_latency: value.boolean.default(true) })

/** The part of a request's resolved scope that selects records. */
export type RecordScope = Pick<ResolvedScope, 'account' | 'agentId'>

/**
 * Returns the ids of the account and agent that a request is about.
 * @throws PROJECT_NOT_FOUND when the request names none
 */
export function scopeIds({ account, agentId }: RecordScope): Pick<RecordFilter, 'accountId' | 'agentId'> {
  if (account === null || agentId === null) {
    throw new PlatformError('PROJECT_NOT_FOUND', 'The request names no project.')
  }
  return { accountId: account.id, agentId }
}

/** Returns the filter that a list's query asks for. */
export function recordFilter(
  scope: RecordScope,
  query: z.output<typeof recordFilterQuery> & { readonly channel?: readonly string[] | undefined },
): RecordFilter {
  return {
    ...scopeIds(scope),
    environment: query.client_env,
    ...(query.start_time !== undefined && { startTime: query.start_time }),
    ...(query.end_time !== undefined && { endTime: query.end_time }),
    ...(query.variant_id !== undefined && { variantId: query.variant_id }),
    ...(query.variant_name !== undefined && { variantName: query.variant_name }),
    ...(query.deployment_id !== undefined && { deploymentId: query.deployment_id }),
    ...(query.in_progress !== undefined && { inProgress: query.in_progress }),
    ...(query.channel !== undefined && { channels: query.channel }),
    ...(query.topic !== undefined && { topic: query.topic }),
  }
}
