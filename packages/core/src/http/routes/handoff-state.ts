import * as z from 'zod'
import { defineRoute, type Route } from '../route.ts'
import { readingParams, readingScope, scopeIds } from './conversation-query.ts'
import * as value from './query-values.ts'

/**
 * Routes for the data that a conversation left to those to whom its agent handed it off (contract/conversations.md,
 * Handoff state).
 */
export const handoffStateRoutes: readonly Route[] = [
  defineRoute({
    family: 'handoff-state',
    credential: 'host_key',
    method: 'GET',
    path: '/v1/:account_id/:project_id/handoff_state',
    operation: 'readHandoffState',
    summary: 'Read the handoff data of a conversation',
    params: readingParams,
    query: z.object({ id: value.text.exactOptional(), shared_id: value.text.exactOptional() }),
    scope: readingScope,
    async handle({ platform, query, ...scope }) {
      const { id, sharedId, data } = await platform.reading.handoffState({
        ...scopeIds(scope),
        ...(query.id === undefined ? {} : { id: query.id }),
        ...(query.shared_id === undefined ? {} : { sharedId: query.shared_id }),
      })
      return { status: 200, json: { id, ...(sharedId === null ? {} : { shared_id: sharedId }), data } }
    },
  }),
]
