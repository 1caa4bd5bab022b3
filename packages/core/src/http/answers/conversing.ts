import * as z from 'zod'
import { CALL_STATUSES } from '../../domain/call/outbound-call.ts'
import { ASSIGNMENT_MODES } from '../../domain/conversation/assignment.ts'
import { sentFileSchema } from '../../domain/conversation/event-payloads.ts'
import { answers, list, namedVisitor } from './answer.ts'
import { deskNote, deskSummary } from './desk-note.ts'
import { fileAddress, fileRefusals, uploadRefusals } from './files.ts'

const text = z.string()
const texts = list(z.string())

/** Traces that a runtime or a function of the host reported. */
const traces = list(z.record(z.string(), z.unknown()))

const turnResult = z.object({
  conversationId: text,
  userInput: text,
  response: text,
  metadata: z
    .object({
      state: z.record(z.string(), z.unknown()),
      currentNode: text,
      nodeTrace: texts,
      metrics: z.record(z.string(), z.union([text, texts])),
      functionEvents: traces,
      handoffDestination: text,
      retrievedTopics: texts,
      retrievedSources: texts,
      citedTopic: text,
      inFlow: z.null(),
      inStep: z.null(),
      llmRequests: traces,
      asrLangCode: text,
      ttsLangCode: text,
    })
    .meta({ id: 'DebugTurnMetadata' }),
  conversationEnded: z.boolean(),
  delayedResponse: z.boolean(),
  error: text.exactOptional(),
})

/** A turn of a debug chat, with the replies that came since the last message. */
export const debugTurn = turnResult
  .extend({ delayedResponses: list(turnResult.meta({ id: 'DelayedTurn' })) })
  .meta({ id: 'DebugTurn' })

const callRefusals = [
  ...(['PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT', 'CHAT_DRAFT_NOT_EXIST', 'NOT_IMPLEMENTED'] as const),
  'CALLS_PROVIDER_FAILED',
] as const

const chat = ['CONVERSATIONS_NOT_FOUND', 'CHAT_ENVIRONMENT_MISMATCH'] as const

/** The live agent to whom a waiting visitor is offered, and until when. */
export const offeredTo = z.object({ id: z.string(), name: z.string(), until: z.iso.datetime() })

/** A visitor who waits for, or talks to, a live agent. */
export const handoff = z
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
    offered_to: offeredTo.exactOptional(),
    transferred: z
      .object({ from: z.object({ id: z.string(), name: z.string() }), reason: z.string() })
      .exactOptional(),
    can_return: z.boolean(),
    visitor: namedVisitor.exactOptional(),
    last_line: z.object({ text, at: z.iso.datetime() }).exactOptional(),
  })
  .meta({ id: 'Handoff' })

/** The facts about a visitor beside the conversation. */
const deskVisitor = z
  .object({
    visitor: namedVisitor.exactOptional(),
    language: text.nullable(),
    page: z.object({ url: text, title: text }).nullable(),
    device: z
      .object({ kind: z.enum(['desktop', 'phone', 'tablet']), system: text, browser: text.nullable() })
      .nullable(),
    rating: z.object({ score: z.int().min(1).max(5), comment: text }).nullable(),
    attributes: z.record(z.string(), z.unknown()),
    verified: z.record(z.string(), z.unknown()).nullable(),
    earlier: list(
      z.object({
        project_id: text,
        conversation_id: text,
        channel: text,
        started_at: z.iso.datetime(),
        ended_at: z.iso.datetime().nullable(),
        score: z.int().min(1).max(5).nullable(),
      }),
    ),
  })
  .meta({ id: 'DeskVisitor' })

/** A live agent who is at the desk. */
const colleague = z
  .object({
    id: z.string(),
    name: z.string(),
    avatar_url: z.string(),
    queues: list(z.string()).nullable(),
    talks: z.int().min(0),
    talks_at_once: z.int().min(1),
    skills: list(z.string()),
    /** Null for one who takes visitors. */
    away_since: z.iso.datetime().nullable(),
  })
  .meta({ id: 'DeskColleague' })

/** Figures of visitors who waited, and of talks with them. */
const deskFigures = z
  .object({
    answered: z.int().min(0),
    answered_within: z.int().min(0),
    abandoned: z.int().min(0),
    unanswered: z.int().min(0),
    median_wait_seconds: z.number().nullable(),
    longest_wait_seconds: z.number().nullable(),
    handled: z.int().min(0),
    median_handling_seconds: z.number().nullable(),
    total_handling_seconds: z.number(),
    declined: z.int().min(0),
  })
  .meta({ id: 'DeskFigures' })

const deskFiguresReport = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    all: deskFigures,
    queues: list(deskFigures.extend({ queue_name: z.string() }).meta({ id: 'QueueFigures' })),
    live_agents: list(
      deskFigures.extend({ id: z.string(), name: z.string() }).meta({ id: 'LiveAgentFigures' }),
    ),
    times: list(
      z.object({
        from: z.iso.datetime(),
        answered: z.int().min(0),
        abandoned: z.int().min(0),
        unanswered: z.int().min(0),
        handled: z.int().min(0),
      }),
    ),
  })
  .meta({ id: 'DeskFiguresReport' })

/** The way in which visitors of a queue are assigned. */
const queueAssignment = z
  .object({ queue_name: z.string(), mode: z.enum(ASSIGNMENT_MODES), skills: list(z.string()) })
  .meta({ id: 'QueueAssignment' })

const handoffWithTranscript = handoff
  .extend({
    transcript: list(
      z.object({
        from: z.enum(['visitor', 'ai_agent', 'live_agent']),
        text: z.string(),
        at: z.iso.datetime(),
        files: list(sentFileSchema).exactOptional(),
        agent: z.object({ id: z.string(), name: z.string().exactOptional() }).exactOptional(),
      }),
    ),
    notes: list(deskNote),
    summary: deskSummary.exactOptional(),
    can_suggest: z.boolean(),
  })
  .meta({ id: 'HandoffWithTranscript' })

/** A reply that live agents share. */
const sharedReply = z
  .object({
    id: z.string(),
    code: z.string(),
    text: z.string(),
    project_id: z.string().nullable(),
    language: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'SharedReply' })

/** A queue that has hours. */
const deskQueue = z
  .object({
    queue_name: z.string(),
    time_zone: z.string(),
    weekly: list(z.object({ day: z.int().min(1).max(7), from: z.string(), to: z.string() })),
    holidays: texts,
    is_open: z.boolean(),
    opens_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'DeskQueue' })

const replyRefusals = ['REPLY_CODE_TAKEN', 'PROJECT_NOT_FOUND', 'ACCOUNT_NOT_FOUND'] as const

const ofHandoff = z.object({ destination: text.exactOptional(), reason: text.exactOptional() })

const replied = { response: text, end_conversation: z.boolean(), handoff: ofHandoff.exactOptional() }

/** A reply of a turn-based chat, with its number. */
const chatReply = z.object({ index: z.int().min(1), ...replied }).meta({ id: 'ChatReply' })

/** The responses of the routes that carry conversations: debug chat, messaging, external events and the desk. */
export const conversingAnswers = {
  startDebugChat: answers(
    { 201: debugTurn },
    'CHAT_DRAFT_NOT_EXIST',
    'BRANCH_NOT_FOUND',
    'VARIANT_NOT_FOUND',
    'CONVERSATION_ID_ALREADY_EXISTS',
    'CHAT_CONVERSATION_ENDED',
    'CONVERSATIONS_NOT_FOUND',
    'AGENT_FAILED',
  ),
  continueDebugChat: answers(
    { 200: debugTurn },
    ...chat,
    'BRANCH_NOT_FOUND',
    'CHAT_CONVERSATION_ENDED',
    'AGENT_FAILED',
  ),
  readDebugChat: answers({ 200: debugTurn }, ...chat),

  createChat: answers(
    { 200: z.object({ conversation_id: text, response: text }).meta({ id: 'ChatBegun' }) },
    ...(['CHAT_DRAFT_NOT_EXIST', 'VARIANTS_NOT_FOUND', 'CHAT_CONVERSATION_ENDED'] as const),
    ...(['CHAT_TIMEOUT', 'CONVERSATIONS_NOT_FOUND', 'CHAT_DRAFT_DEPLOYMENT_FAILED'] as const),
    'IDEMPOTENCY_KEY_REUSED',
  ),
  respondToChat: answers(
    { 200: z.object({ conversation_id: text, ...replied }).meta({ id: 'ChatAnswer' }) },
    ...(['CONVERSATIONS_NOT_FOUND', 'CHAT_TIMEOUT', 'CHAT_CONVERSATION_ENDED', 'AGENT_FAILED'] as const),
    'IDEMPOTENCY_KEY_REUSED',
  ),
  closeChat: answers({ 200: z.object({ success: z.boolean() }) }, 'CONVERSATIONS_NOT_FOUND'),
  listChatReplies: answers(
    { 200: z.object({ replies: list(chatReply), next: z.int().min(0) }) },
    'CONVERSATIONS_NOT_FOUND',
  ),

  sendText: answers(
    { 202: null },
    ...(['CHAT_DRAFT_NOT_EXIST', 'PHONE_NUMBERS_NOT_FOUND', 'NOT_IMPLEMENTED'] as const),
  ),

  startOutboundCall: answers({ 200: z.object({ call_sid: text }) }, ...callRefusals),
  readOutboundCallStatus: answers(
    { 200: z.object({ status: z.enum(['queued', 'calling', 'success', 'failure']), reason: text }) },
    'CALLS_NOT_FOUND',
  ),
  placeOutboundCall: answers(
    { 200: z.object({ callSid: text, status: z.literal('QUEUED') }) },
    ...(['CONNECTORS_NOT_FOUND', 'VARIANTS_NOT_FOUND'] as const),
    ...callRefusals,
  ),
  readOutboundCall: answers(
    { 200: z.object({ callSid: text, status: z.enum(CALL_STATUSES), reason: text }) },
    'CALLS_NOT_FOUND',
  ),

  reserveNumber: answers({ 200: z.object({ dni: text }) }, 'DNI_ROUTE_NOT_FOUND'),

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
    'AUTH_USER_UNAUTHORISED',
    'USER_ACCESS_FORBIDDEN',
  ),

  streamEvents: answers(
    { 200: { contentType: 'text/event-stream' } },
    ...(['MESSAGING_BAD_REQUEST', 'MESSAGING_UNAUTHORISED', 'SESSION_NOT_FOUND'] as const),
  ),
  postEvents: answers(
    { 202: null },
    ...(['MESSAGING_BAD_REQUEST', 'MESSAGING_UNAUTHORISED', 'SESSION_NOT_FOUND'] as const),
  ),
  rateSession: answers(
    { 204: null },
    ...(['MESSAGING_BAD_REQUEST', 'MESSAGING_UNAUTHORISED', 'SESSION_NOT_FOUND'] as const),
  ),

  uploadFile: answers(
    { 201: sentFileSchema },
    ...(['MESSAGING_BAD_REQUEST', 'MESSAGING_UNAUTHORISED', 'SESSION_NOT_FOUND'] as const),
    ...uploadRefusals,
  ),
  readFileAddress: answers(
    { 200: fileAddress },
    ...(['MESSAGING_BAD_REQUEST', 'MESSAGING_UNAUTHORISED', 'SESSION_NOT_FOUND'] as const),
    ...fileRefusals,
  ),
  readFile: answers(
    { 200: { contentType: '*/*' }, 206: { contentType: '*/*' } },
    ...fileRefusals,
    ...(['FILES_FAILED', 'RANGE_OUTSIDE'] as const),
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
  readHandoffVisitor: answers({ 200: deskVisitor }, 'HANDOFF_NOT_FOUND'),
  acceptHandoff: answers(
    { 200: handoffWithTranscript },
    ...(['HANDOFF_NOT_FOUND', 'HANDOFF_CONFLICT', 'TALKS_LIMIT'] as const),
  ),
  showHandoffTyping: answers({ 204: null }, 'HANDOFF_NOT_FOUND', 'HANDOFF_CONFLICT'),
  sendHandoffMessage: answers(
    { 201: z.object({ message_id: z.string() }) },
    'HANDOFF_NOT_FOUND',
    'HANDOFF_CONFLICT',
    ...fileRefusals,
    'FILES_LIMIT',
  ),
  uploadHandoffFile: answers(
    { 201: sentFileSchema },
    'HANDOFF_NOT_FOUND',
    'HANDOFF_CONFLICT',
    ...uploadRefusals,
  ),
  summarizeHandoff: answers({ 202: deskSummary }, 'HANDOFF_NOT_FOUND', 'NOT_IMPLEMENTED'),
  suggestReplies: answers(
    { 200: z.object({ suggestions: texts }) },
    ...(['HANDOFF_NOT_FOUND', 'HANDOFF_CONFLICT', 'NOT_IMPLEMENTED', 'ASSISTANT_FAILED'] as const),
  ),
  readHandoffFileAddress: answers({ 200: fileAddress }, 'HANDOFF_NOT_FOUND', ...fileRefusals),
  listHandoffNotes: answers({ 200: z.object({ notes: list(deskNote) }) }, 'HANDOFF_NOT_FOUND'),
  writeHandoffNote: answers({ 201: deskNote }, 'HANDOFF_NOT_FOUND', 'NOTE_CONFLICT'),
  listDeskQueues: answers({ 200: z.object({ queues: list(deskQueue) }) }),
  readDeskFigures: answers({ 200: deskFiguresReport }),
  listQueueAssignments: answers({ 200: z.object({ assignments: list(queueAssignment) }) }),
  replaceQueueAssignment: answers(
    { 200: queueAssignment },
    ...(['QUEUES_LIMIT', 'WRITE_CONFLICT', 'ACCOUNT_NOT_FOUND'] as const),
  ),
  deleteQueueAssignment: answers({ 204: null }, 'QUEUE_NOT_FOUND'),
  replaceQueueHours: answers({ 200: deskQueue }, 'QUEUES_LIMIT', 'WRITE_CONFLICT', 'ACCOUNT_NOT_FOUND'),
  deleteQueueHours: answers({ 204: null }, 'QUEUE_NOT_FOUND'),
  listSharedReplies: answers({ 200: z.object({ replies: list(sharedReply) }) }),
  createSharedReply: answers({ 201: sharedReply }, ...replyRefusals, 'REPLIES_LIMIT'),
  updateSharedReply: answers({ 200: sharedReply }, ...replyRefusals, 'REPLY_NOT_FOUND', 'WRITE_CONFLICT'),
  deleteSharedReply: answers({ 204: null }, 'REPLY_NOT_FOUND'),
  listHandoffReplies: answers(
    {
      200: z.object({
        replies: list(sharedReply.extend({ filled: z.string() }).meta({ id: 'FilledReply' })),
      }),
    },
    'HANDOFF_NOT_FOUND',
  ),
  leaveHandoff: answers({ 204: null }, 'HANDOFF_NOT_FOUND', 'HANDOFF_CONFLICT'),
  transferHandoff: answers({ 200: handoff }, 'HANDOFF_NOT_FOUND', 'HANDOFF_CONFLICT', 'TALKS_LIMIT'),
  declineHandoff: answers({ 204: null }, 'HANDOFF_NOT_FOUND', 'HANDOFF_CONFLICT', 'WRITE_CONFLICT'),
  updateColleague: answers({ 204: null }, 'WRITE_CONFLICT'),
  listColleagues: answers({ 200: z.object({ colleagues: list(colleague) }) }),
  returnHandoff: answers({ 204: null }, 'HANDOFF_NOT_FOUND', 'HANDOFF_CONFLICT'),
  rejectHandoff: answers({ 204: null }, 'HANDOFF_NOT_FOUND', 'HANDOFF_CONFLICT'),
}
