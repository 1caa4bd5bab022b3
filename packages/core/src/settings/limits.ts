import { DEFAULT_RULES } from '../domain/conversation/default-rules.ts'
import type { Family } from '../domain/family.ts'
import { bytes, characters, count, group } from './kinds.ts'

const MIB = 1_048_576

const body = (family: string, value: number = MIB) => bytes(value, `Body of a request of ${family}.`)

const BODY_BYTES = {
  agents: body('the agents API'),
  'debug-chat': body('debug chat', 524_288),
  'conversations-v1': body('conversations v1'),
  'conversations-v3': body('conversations v3'),
  concurrency: body('concurrency'),
  'external-events': body('external events'),
  messaging: body('messaging', 65_536),
  operator: body('the operator', 65_536),
  desk: body('the desk'),
  chat: body('turn-based chat', 524_288),
  webhooks: body('webhooks', 65_536),
  alerts: body('alerts', 65_536),
  texts: body('texts', 524_288),
  calls: body('the earlier outbound calls', 65_536),
  'handoff-state': body('handoff state', 65_536),
  'number-reservation': body('number reservation', 524_288),
} satisfies Record<Family, unknown>

const bodyBytes = group(
  {
    type: 'BodyLimits',
    doc: 'Body of a request, by the family of its path. A host may give one number for all families.',
  },
  BODY_BYTES,
  given =>
    typeof given === 'number'
      ? Object.fromEntries(Object.keys(BODY_BYTES).map(family => [family, given]))
      : given,
)

/** The bounds on bytes, characters and numbers. */
export const limits = group(
  { type: 'LimitSettings', doc: 'Limits in bytes, characters or number.' },
  {
    bodyBytes,
    jsonDepth: count(100, 'Arrays and objects of a JSON body within each other.', { to: 1_000 }),
    messageBytes: bytes(131_072, "Text of a visitor's message, in UTF-8."),
    frameBytes: bytes(MIB, 'A frame that a client sends over a socket.'),
    connectionsPerSession: count(10, 'Connections of a session.'),
    eventsPerBatch: count(500, 'Events in one `EVENT_BATCH`.', { to: 100_000 }),
    replayPageBytes: bytes(
      262_144,
      'A page of a log, as JSON, that is read and sent to a client that connects. The next page is read when the client has taken this one. Also the longest `EVENT_BATCH` of more than one event.',
    ),
    queuedMessages: count(
      DEFAULT_RULES.queuedMessages,
      "Visitor's messages that wait for an answer, per conversation.",
      { from: 0 },
    ),
    cachedConversations: count(10_000, 'Conversations whose state a process keeps in memory.', {
      to: 10_000_000,
    }),
    cachedFigures: count(1_000_000, 'Concurrency figures that a process keeps in memory, one per window.', {
      to: 10_000_000,
    }),
    awaitedEvents: count(
      DEFAULT_RULES.awaitedEvents,
      'External events that a conversation awaits; the newest ones are kept.',
    ),
    conversationBytes: bytes(
      DEFAULT_RULES.conversationBytes,
      "The largest size of a conversation's events and turns, as JSON in UTF-8. A conversation that reaches it ends.",
    ),
    conversationEvents: count(
      DEFAULT_RULES.conversationEvents,
      'Events of a conversation. A conversation that reaches it ends.',
    ),
    sliceBytes: bytes(
      4_194_304,
      'Rows of lists, turns and events that are read and sent at a time, in UTF-8: what an answer holds in memory, however long it is.',
    ),
    contentBytes: bytes(
      67_108_864,
      "The largest size of a branch's or a revision's content, as JSON in UTF-8.",
    ),
    variableBytes: bytes(
      DEFAULT_RULES.variableBytes,
      'Conversation state that an agent has written, as JSON.',
    ),
    noteLength: characters(4_000, "Text of a colleague's note about a conversation.", { to: 20_000 }),
    notesPerConversation: count(200, 'Notes of colleagues about one conversation.', { to: 1_000 }),
    summaryLength: characters(2_000, 'Text of a summary for live agents; a longer one is cut.', {
      to: 20_000,
    }),
    sharedReplyLength: characters(4_000, 'Text of a reply that live agents share.', { to: 20_000 }),
    replyLength: characters(100_000, 'Text of one reply of an agent.'),
    functionBytes: bytes(65_536, 'Arguments of one call of a function, and its result, as JSON each.'),
    functionErrorLength: characters(
      1_000,
      'Text of an error of a function, or of a failed turn, as it is recorded.',
    ),
    recordingBytes: bytes(
      262_144,
      'Data that a host gives to record a start, a turn or an end, as JSON in UTF-8.',
    ),
    audioBytes: bytes(268_435_456, 'A recording that a listener is sent.'),
    realTimeConfigBytes: bytes(65_536, "A real-time config's variables, and its schema, as JSON each."),
    conversationsPerPurge: count(
      25,
      'Conversations that a purge removes at once, before other work has its turn.',
      { to: 100_000 },
    ),
    auditEntriesPerPurge: count(
      500,
      'Entries of the audit log that a purge removes at once, before other work has its turn.',
      { to: 100_000 },
    ),
  },
)
