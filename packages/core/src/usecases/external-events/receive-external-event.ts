import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { publicId } from '../../domain/conversation/conversation-key.ts'
import {
  type EventIdLocation,
  type ExternalEventParts,
  extractEventId,
} from '../../domain/external-event/extract-event-id.ts'
import { PAYLOAD_TYPES, payloadType } from '../../domain/external-event/payload.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { onFirstUse } from '../../domain/on-first-use.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { own } from '../shared/arguments.ts'

/** The schema of {@link ExternalEventInput}. */
export const externalEventSchema = onFirstUse(() =>
  z.object({
    accountId: z.string(),
    agentId: z.string(),
    location: own<EventIdLocation>(),
    /** Name or dotted path of the id inside the location. */
    path: own<string>(),
    headers: own<ExternalEventParts['headers']>(),
    /** Without the question mark. */
    query: own<string>(),
    contentType: own<string>(
      given => given === null || given === undefined || typeof given === 'string',
      'expected string',
    ),
    body: own<Uint8Array>(),
  }),
)

/** A webhook request, and where in it the event id stands. */
export type ExternalEventInput = InputOf<ReturnType<typeof externalEventSchema>>

/**
 * - `accepted`: stored; its conversation goes on with it.
 * - `duplicate`: an earlier one was kept; this one was not.
 * - `conversation_ended`: stored, and not delivered.
 */
export type ExternalEventStatus = 'accepted' | 'duplicate' | 'conversation_ended'

/** The outcome of an external event. */
export interface ExternalEventReceipt {
  readonly eventId: string
  readonly conversationId: ConversationId
  readonly status: ExternalEventStatus
}

/**
 * Refuses a body that is not of an accepted content type (contract/external-events.md).
 * @throws UNSUPPORTED_CONTENT_TYPE
 */
export function refuseContentType(contentType: string | undefined): asserts contentType is string {
  if (payloadType(contentType) !== null) return
  throw new PlatformError(
    'UNSUPPORTED_CONTENT_TYPE',
    `Content-Type must be one of ${PAYLOAD_TYPES.join(', ')}.`,
  )
}

/** Stores an external event, then hands it to its conversation (contract/external-events.md). */
export async function receiveExternalEvent(
  context: Pick<Context, 'store' | 'clock' | 'settings'>,
  engine: Pick<Engine, 'execute'>,
  { accountId, agentId, location, path, ...parts }: ExternalEventInput,
): Promise<ExternalEventReceipt> {
  refuseContentType(parts.contentType)
  const eventId = eventIdIn(location, path, parts)
  const stored = await context.store.conversations.externalEvents.accept({
    eventId,
    accountId,
    agentId,
    contentType: parts.contentType,
    body: parts.body,
    receivedAt: context.clock.now(),
  })
  if (stored.status === 'unknown') {
    throw new PlatformError('EXTERNAL_EVENT_ID_INVALID', 'External event id is not valid')
  }
  const conversationId = publicId(stored.conversationId)
  if (stored.status === 'duplicate') return { eventId, conversationId, status: 'duplicate' }
  return { eventId, conversationId, status: await deliver(context, engine, stored.conversationId, eventId) }
}

/** @throws EXTERNAL_EVENT_ID_NOT_FOUND, with a hint when the body cannot be read (EX10) */
function eventIdIn(location: EventIdLocation, path: string, parts: ExternalEventParts): string {
  const found = extractEventId(location, path, parts)
  if ('id' in found) return found.id
  const because = found.problem === null ? '' : `: the body cannot be read, ${found.problem}`
  throw new PlatformError('EXTERNAL_EVENT_ID_NOT_FOUND', `External event id not found in request${because}`)
}

async function deliver(
  { settings }: Pick<Context, 'settings'>,
  engine: Pick<Engine, 'execute'>,
  conversationId: ConversationId,
  eventId: string,
): Promise<'accepted' | 'conversation_ended'> {
  try {
    const outcome = await engine.execute(conversationId, { type: 'external_event', eventId })
    if (outcome.status === 'missing') return 'conversation_ended'
    // Any other refusal delays it: the turn that expects the event has not finished, and looks for it when it does.
    return outcome.status === 'refused' && outcome.refusal === 'ended' ? 'conversation_ended' : 'accepted'
  } catch (error) {
    // It is stored and has set the conversation's timer, so it is delivered later; an error now would ask for it twice.
    settings.onError(error, 'external event')
    return 'accepted'
  }
}
