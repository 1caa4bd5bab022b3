import * as z from 'zod'
import { answers, list } from './answer.ts'

/** What the record of a conversation may hold otherwise than this version writes it (DC4). */
const kept = z.unknown()

const turnResult = z.object({
  conversationId: z.string(),
  userInput: kept,
  response: kept,
  metadata: z
    .object({
      state: kept,
      currentNode: kept,
      nodeTrace: kept,
      metrics: kept,
      functionEvents: kept,
      handoffDestination: kept,
      retrievedTopics: kept,
      retrievedSources: kept,
      citedTopic: kept,
      inFlow: z.null(),
      inStep: z.null(),
      llmRequests: kept,
      asrLangCode: kept,
      ttsLangCode: kept,
    })
    .meta({ id: 'DebugTurnMetadata' }),
  conversationEnded: z.boolean(),
  delayedResponse: z.boolean(),
  error: kept.exactOptional(),
})

/** A turn of a debug chat, with the replies that came since the last message. */
export const debugTurn = turnResult
  .extend({ delayedResponses: list(turnResult.meta({ id: 'DelayedTurn' })) })
  .meta({ id: 'DebugTurn' })

const chat = ['CONVERSATIONS_NOT_FOUND', 'CHAT_ENVIRONMENT_MISMATCH'] as const

const handoff = z
  .object({
    handoff_id: z.string(),
    session_id: z.string(),
    status: z.enum(['requested', 'waiting', 'active', 'over']),
    queue_name: z.string(),
    reason: z.string(),
    destination: z.string(),
    waiting_since: z.iso.datetime(),
    position_in_queue: z.int().min(1).nullable(),
    agent: z.object({ id: z.string(), name: z.string(), avatar_url: z.string() }).exactOptional(),
  })
  .meta({ id: 'Handoff' })

const handoffWithTranscript = handoff
  .extend({
    transcript: list(
      z.object({
        from: z.enum(['visitor', 'ai_agent', 'live_agent']),
        text: z.string(),
        at: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: 'HandoffWithTranscript' })

/** What the routes answer over which conversations are had: debug chat, messaging, external events and the desk. */
export const conversingAnswers = {
  startDebugChat: answers(
    { 201: debugTurn },
    'CHAT_DRAFT_NOT_EXIST',
    'VARIANT_NOT_FOUND',
    'CONVERSATION_ID_ALREADY_EXISTS',
    'CHAT_CONVERSATION_ENDED',
    'CONVERSATIONS_NOT_FOUND',
    'AGENT_FAILED',
  ),
  continueDebugChat: answers({ 200: debugTurn }, ...chat, 'CHAT_CONVERSATION_ENDED', 'AGENT_FAILED'),
  readDebugChat: answers({ 200: debugTurn }, ...chat),

  issueAccessToken: answers(
    {
      200: z.object({
        access_token: z.string(),
        expires_in: z.int().min(0),
        token_type: z.literal('Bearer'),
      }),
    },
    'MESSAGING_UNAUTHORISED',
  ),
  createSession: answers(
    { 200: z.object({ session_id: z.string() }) },
    'MESSAGING_BAD_REQUEST',
    'MESSAGING_UNAUTHORISED',
  ),

  receiveExternalEvent: answers(
    {
      201: z.object({
        external_event_id: z.string(),
        conversation_id: z.string(),
        status: z.enum(['accepted', 'duplicate', 'conversation_ended']),
      }),
    },
    'EXTERNAL_EVENT_ID_NOT_FOUND',
    'EXTERNAL_EVENT_ID_INVALID',
  ),

  listHandoffs: answers({ 200: z.object({ handoffs: list(handoff) }) }),
  readHandoff: answers({ 200: handoffWithTranscript }, 'HANDOFF_NOT_FOUND'),
  acceptHandoff: answers({ 200: handoffWithTranscript }, 'HANDOFF_NOT_FOUND', 'HANDOFF_CONFLICT'),
  showHandoffTyping: answers({ 204: null }, 'HANDOFF_NOT_FOUND', 'HANDOFF_CONFLICT'),
  sendHandoffMessage: answers(
    { 201: z.object({ message_id: z.string() }) },
    'HANDOFF_NOT_FOUND',
    'HANDOFF_CONFLICT',
  ),
  leaveHandoff: answers({ 204: null }, 'HANDOFF_NOT_FOUND', 'HANDOFF_CONFLICT'),
  rejectHandoff: answers({ 204: null }, 'HANDOFF_NOT_FOUND', 'HANDOFF_CONFLICT'),
}
