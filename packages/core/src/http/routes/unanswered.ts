import * as z from 'zod'
import { decodeCursor, encodeCursor } from '../../domain/conversation/cursor.ts'
import { isoTime } from '../../domain/time.ts'
import { PlatformError } from '../../errors.ts'
import { edgeOf } from '../../platform-context.ts'
import { UNANSWERED_LIMITS, type Unanswered } from '../../usecases/records/read-unanswered.ts'
import { defineRoute, type Route } from '../route.ts'
import { existing } from './agent-conversations.ts'
import { agentsApi, ofAgent } from './agents-api.ts'
import * as value from './query-values.ts'

const { conversations, groups } = UNANSWERED_LIMITS

/** Returns the groups of questions as they go out. */
export const groupsOnWire = (found: Unanswered['groups']) =>
  found.map(({ count, examples }) => ({
    count,
    examples: examples.map(({ startedAt, ...example }) => ({ ...example, startedAt: isoTime(startedAt) })),
  }))

/**
 * The place at which a page begins: groups that were shown, and the time before which conversations count, so that all
 * pages are of the same ones.
 */
function placeOf(
  cursor: string | undefined,
  now: number,
): { readonly offset: number; readonly before: number } {
  if (cursor === undefined) return { offset: 0, before: now }
  const position = decodeCursor(cursor)
  const offset = Number(position?.id)
  if (position !== null && Number.isSafeInteger(offset) && offset >= 0)
    return { offset, before: position.startedAt }
  throw new PlatformError(
    'SCHEMA_VALIDATION_FAILED',
    'cursor is malformed: pass the cursor of the previous page unchanged.',
  )
}

/** The questions of visitors without an answer of the agent (contract/conversations.md). */
export const unansweredRoutes: readonly Route[] = [
  defineRoute({
    ...agentsApi,
    ...ofAgent,
    method: 'GET',
    path: '/v1/agents/:agentId/unanswered',
    operation: 'listUnanswered',
    summary: 'List the questions that an agent did not answer, in groups, the largest first',
    query: z.object({
      clientEnv: value.environment,
      deploymentId: value.text.exactOptional(),
      startTime: value.time.exactOptional(),
      endTime: value.time.exactOptional(),
      conversations: value.integer(1, conversations.most).exactOptional(),
      limit: value.integer(1, groups.most).default(groups.default),
      cursor: value.text.exactOptional(),
    }),
    async handle({ platform, agent, query }) {
      const { accountId, id: agentId } = existing(agent)
      const { clientEnv: environment, conversations, cursor, endTime, limit, ...rest } = query
      const { offset, before } = placeOf(cursor, endTime ?? edgeOf(platform).clock.now() + 1)
      const { groups: page, ...read } = await platform.reading.unanswered(
        { accountId, agentId, environment, endTime: before, ...rest },
        conversations,
        { offset, limit },
      )
      const next = offset + page.length
      const last = next >= read.total ? null : encodeCursor({ startedAt: before, id: String(next) })
      return { status: 200, json: { ...read, groups: groupsOnWire(page), cursor: last } }
    },
  }),
]
