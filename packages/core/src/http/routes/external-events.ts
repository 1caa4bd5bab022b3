import * as z from 'zod'
import { EVENT_ID_LOCATIONS } from '../../domain/external-event/extract-event-id.ts'
import { LONGEST_PATH } from '../../domain/external-event/path.ts'
import { refuseContentType } from '../../usecases/external-events/receive-external-event.ts'
import { oneOf } from '../../usecases/shared/one-of.ts'
import { refuseEncoding } from '../read-json.ts'
import { defineRoute } from '../route.ts'
import { scopeIds } from './conversation-query.ts'
import * as value from './query-values.ts'

const webhookQuery = z.object({
  event_id_location: oneOf(EVENT_ID_LOCATIONS),
  event_id_path: value.text.max(LONGEST_PATH, `must have at most ${LONGEST_PATH} characters`),
  account_id: value.text,
  project_id: value.text,
})

/** Receives an event of an external system for a conversation (contract/external-events.md). */
const receiveExternalEvent = defineRoute({
  method: 'POST',
  path: '/v1/external-events/webhook',
  family: 'external-events',
  credential: 'external_events',
  operation: 'receiveExternalEvent',
  summary: 'Push the result of an external system into an active conversation',
  query: webhookQuery,
  body: 'raw',
  scope({ readQuery }) {
    const { account_id: account, project_id: agent } = readQuery()
    return { account, agent }
  },
  async handle({ platform, query, request, ...scope }) {
    const contentType = request.headers['content-type']
    refuseContentType(contentType)
    refuseEncoding(request.headers)
    const receipt = await platform.externalEvents.receive({
      ...scopeIds(scope),
      location: query.event_id_location,
      path: query.event_id_path,
      headers: request.headers,
      query: request.query,
      contentType,
      body: await request.body(platform.settings.limits.bodyBytes['external-events']),
    })
    return {
      status: 201,
      json: {
        external_event_id: receipt.eventId,
        conversation_id: receipt.conversationId,
        status: receipt.status,
      },
    }
  },
})

/** The external-events webhook. */
export const externalEventRoutes = [receiveExternalEvent] as const
