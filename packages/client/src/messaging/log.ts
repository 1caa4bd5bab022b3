import type {
  Attachment,
  CallAction,
  EventName,
  Level,
  SentFile,
  ServerEvent,
  Suggestion,
  TakenFiles,
} from './events.ts'

/** Author of a message. */
export type Speaker = 'visitor' | 'agent' | 'live agent'

/** Someone who serves the visitor. */
export interface Server {
  readonly kind: 'agent' | 'live agent'
  /** Id of a live agent; empty for the agent. */
  readonly id: string
  readonly name: string
  /** Empty for none. */
  readonly avatarUrl: string
}

/** A message as it is shown. */
export interface Message {
  /** Stands for the message from its first moment on: a key for lists. */
  readonly id: string
  readonly from: Speaker
  readonly text: string
  /** ISO 8601, by the server's clock; empty while the message is on its way. */
  readonly timestamp: string
  /**
   * `sending`: on its way, and sent again until it is there. `failed`: refused. `streaming`: more text follows.
   * `done`: as it stands in the conversation.
   */
  readonly state: 'sending' | 'failed' | 'streaming' | 'done'
  /** The reason why it failed, in words for the visitor; empty otherwise. */
  readonly problem: string
  /** Name and picture of the agent or live agent; empty where not known. */
  readonly name: string
  readonly avatarUrl: string
  readonly attachments: readonly Attachment[]
  readonly suggestions: readonly Suggestion[]
  readonly callActions: readonly CallAction[]
  readonly files: readonly SentFile[]
}

/** State of the visitor's handoff to a live agent. */
export type Handoff =
  | { readonly state: 'requested' }
  | {
      readonly state: 'queued'
      readonly queue: string
      /** From 1; null until it is known. */
      readonly position: number | null
      /** Null until it is known. */
      readonly estimatedWaitSeconds: number | null
      /** Words for the visitor; empty for none. */
      readonly message: string
    }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'timed out' }
  /** The page is to bring the visitor to a person by its own means. */
  | { readonly state: 'elsewhere'; readonly reason: string; readonly queue: string; readonly route: string }

/** The reason for a session's end. `gone`: the server does not know it any more, or gave no reason. */
export type EndReason = 'visitor' | 'silence' | 'finished' | 'gone'

/** Notice of the server to the visitor, apart from the messages. */
export interface Notice {
  readonly level: Level
  readonly message: string
}

/** A reply in progress: its chunks by index, and its text up to the first gap. */
interface Stream {
  readonly chunks: ReadonlyMap<number, string>
  readonly joined: number
  readonly text: string
}

/** State of a session, as its events report it. */
export interface Log {
  /** The sequence of the newest event. */
  readonly cursor: number
  readonly messages: readonly Message[]
  readonly messageIds: ReadonlySet<string>
  readonly streams: ReadonlyMap<string, Stream>
  readonly joined: boolean
  readonly servedBy: Server | null
  readonly thinking: boolean
  readonly typing: boolean
  readonly handoff: Handoff | null
  /** BCP 47; null until the agent changes it. */
  readonly language: string | null
  readonly notice: Notice | null
  readonly ended: EndReason | null
  /** Id for which a context token of the session is signed; empty if none would be accepted. */
  readonly contextId: string
  /** Files that the server takes; null for none. */
  readonly takes: TakenFiles | null
  readonly heartbeatSeconds: number
  readonly maxMessageBytes: number
  readonly maxReconnectAttempts: number
}

/** A session without events. */
export const EMPTY_LOG: Log = {
  cursor: 0,
  messages: [],
  messageIds: new Set(),
  streams: new Map(),
  joined: false,
  servedBy: null,
  thinking: false,
  typing: false,
  handoff: null,
  language: null,
  notice: null,
  ended: null,
  contextId: '',
  takes: null,
  heartbeatSeconds: 30,
  maxMessageBytes: 131_072,
  maxReconnectAttempts: 5,
}

/** A log that is being written: of this frame alone. */
type Draft = {
  -readonly [Field in keyof Log]: Log[Field]
} & { messages: Message[]; messageIds: Set<string>; streams: Map<string, Stream> }

/** More chunks than a reply has: an index beyond is a mistake. */
const MOST_CHUNKS = 100_000

const BARE = {
  timestamp: '',
  problem: '',
  name: '',
  avatarUrl: '',
  attachments: [],
  suggestions: [],
  callActions: [],
  files: [],
} as const

/** Returns a message of the visitor that is not in the log yet. */
export const ownMessage = (
  id: string,
  text: string,
  problem: string | null,
  files: readonly SentFile[] = [],
): Message => ({
  ...BARE,
  id,
  files,
  from: 'visitor',
  text,
  state: problem === null ? 'sending' : 'failed',
  problem: problem ?? '',
})

/**
 * Inserts a message at its place in the log: after existing messages, before a reply in progress, whose place is known
 * when it ends. A message that is done stays in its place.
 */
function put(log: Draft, message: Message): void {
  if (log.messageIds.has(message.id)) return
  if (message.state === 'done') log.messageIds.add(message.id)
  const under = log.messages.findIndex(({ state }) => state === 'streaming')
  const streaming = under === -1 ? [] : log.messages.splice(under)
  const others = streaming.filter(({ id }) => id !== message.id)
  log.messages.push(...(message.state === 'done' ? [message, ...others] : [...others, message]))
}

/** Returns a reply that was broken off is never completed: its turn is run again under another id. */
function dropIncomplete(log: Draft): void {
  if (log.messages.some(({ state }) => state === 'streaming'))
    log.messages = log.messages.filter(({ state }) => state !== 'streaming')
}

type Said = ServerEvent<'AI_AGENT_MESSAGE' | 'AI_AGENT_MESSAGE_CHUNK' | 'LIVE_AGENT_MESSAGE'>

function say(log: Draft, { name: event, payload, timestamp }: Said, text: string, isDone: boolean): void {
  const from = event === 'LIVE_AGENT_MESSAGE' ? 'live agent' : 'agent'
  const speaker = log.servedBy?.kind === from ? log.servedBy : null
  const { messageId, attachments, suggestions, callActions } = payload
  const message: Message = {
    id: messageId,
    from,
    text,
    timestamp,
    state: isDone ? 'done' : 'streaming',
    problem: '',
    name: payload.name || (speaker?.name ?? ''),
    avatarUrl: payload.avatarUrl || (speaker?.avatarUrl ?? ''),
    attachments,
    suggestions,
    callActions,
    files: 'files' in payload ? payload.files : [],
  }
  if (from === 'agent') log.thinking = false
  else log.typing = false
  put(log, message)
  if (!isDone || from !== 'agent') return
  dropIncomplete(log)
  log.streams = new Map()
}

/** Returns the stream with one more chunk; chunks that are there already stay as they are. */
function withChunk({ chunks: known, joined, text }: Stream, index: number, piece: string): Stream {
  if (known.has(index) || index <= joined) return { chunks: known, joined, text }
  const chunks = new Map(known).set(index, piece)
  let next = { joined, text }
  for (;;) {
    const following = chunks.get(next.joined + 1)
    if (following === undefined) break
    chunks.delete(next.joined + 1)
    next = { joined: next.joined + 1, text: next.text + following }
  }
  return { chunks, ...next }
}

const NO_CHUNKS: Stream = { chunks: new Map(), joined: 0, text: '' }

/** False where chunks are missing before the last one. */
function takeChunk(log: Draft, event: ServerEvent<'AI_AGENT_MESSAGE_CHUNK'>): boolean {
  const { messageId, index, isComplete, text: piece } = event.payload
  if (!Number.isInteger(index) || index < 1 || index > MOST_CHUNKS || log.messageIds.has(messageId))
    return true
  const stream = withChunk(log.streams.get(messageId) ?? NO_CHUNKS, index, piece)
  log.streams.set(messageId, stream)
  if (isComplete && stream.joined < index) return false
  if (stream.joined > 0) say(log, event, stream.text, isComplete)
  return true
}

const END_REASONS: Readonly<Record<string, EndReason>> = {
  REASON_USER_END: 'visitor',
  REASON_USER_ABANDONED: 'silence',
  REASON_NATURAL_END: 'finished',
}

/** Changes of each event. They return false if the event cannot be applied because an earlier one is missing. */
const APPLY: {
  readonly [Name in EventName]?: (log: Draft, event: ServerEvent<Name>) => boolean | undefined
} = {
  SESSION_START(log, { payload }) {
    const positive = (value: number | null, otherwise: number): number =>
      value !== null && value >= 1 ? value : otherwise
    // A later one, after a live agent has left, has no context id.
    log.contextId ||= payload.contextId
    log.takes = payload.files
    log.heartbeatSeconds = positive(payload.heartbeatSeconds, log.heartbeatSeconds)
    log.maxMessageBytes = positive(payload.maxMessageBytes, log.maxMessageBytes)
    log.maxReconnectAttempts = positive(payload.maxReconnectAttempts, log.maxReconnectAttempts)
  },
  USER_MESSAGE(log, { payload, clientEventId, timestamp }) {
    const { messageId, text, files } = payload
    log.notice = null
    put(log, {
      ...ownMessage(clientEventId || messageId, text, null, files),
      timestamp,
      state: 'done',
    })
  },
  AI_AGENT_JOINED(log, { payload: { name, avatarUrl } }) {
    log.joined = true
    log.handoff = null
    log.servedBy = { kind: 'agent', id: '', name, avatarUrl }
  },
  AI_AGENT_THINKING(log) {
    log.thinking = true
  },
  AI_AGENT_MESSAGE(log, event) {
    say(log, event, event.payload.text, true)
  },
  AI_AGENT_MESSAGE_CHUNK: takeChunk,
  AI_AGENT_TRIGGERED_HANDOFF(log) {
    log.handoff = { state: 'requested' }
  },
  AI_AGENT_LEFT(log) {
    log.thinking = false
    log.servedBy = null
  },
  HANDOFF_ACCEPTED(log, { payload: { queue } }) {
    log.handoff = { state: 'queued', queue, position: null, estimatedWaitSeconds: null, message: '' }
  },
  HANDOFF_QUEUE_STATUS(log, { payload }) {
    if (log.servedBy?.kind !== 'live agent') log.handoff = { state: 'queued', ...payload }
  },
  HANDOFF_FAILED(log, { payload: { reason } }) {
    log.handoff = { state: 'failed', reason }
  },
  HANDOFF_TIMEOUT(log) {
    log.handoff = { state: 'timed out' }
  },
  CLIENT_HANDOFF_REQUIRED(log, { payload }) {
    log.handoff = { state: 'elsewhere', ...payload }
  },
  LIVE_AGENT_JOINED(log, { payload }) {
    log.handoff = null
    log.servedBy = { kind: 'live agent', ...payload }
  },
  LIVE_AGENT_MESSAGE(log, event) {
    say(log, event, event.payload.text, true)
  },
  LIVE_AGENT_TYPING(log, { payload }) {
    log.typing = payload.typing
  },
  LIVE_AGENT_LEFT(log) {
    log.typing = false
    log.servedBy = null
  },
  LANGUAGE_CHANGED(log, { payload: { language } }) {
    log.language = language
  },
  SYSTEM_MESSAGE(log, { payload }) {
    log.notice = payload
    if (payload.level !== 'error') return
    log.thinking = false
    dropIncomplete(log)
  },
  SESSION_END(log, { payload: { reason } }) {
    dropIncomplete(log)
    log.thinking = false
    log.typing = false
    log.servedBy = null
    log.ended = END_REASONS[reason] ?? 'gone'
  },
}

function apply<Name extends EventName>(log: Draft, event: ServerEvent<Name>): boolean {
  return APPLY[event.name]?.(log, event) !== false
}

/** A log after some events. */
export interface Taken {
  readonly log: Log
  /** The events that were not there before, in order. */
  readonly events: readonly ServerEvent[]
  /** Something is missing before the next event: it has to be asked for again, from the cursor. */
  readonly hasGap: boolean
}

/** Returns a chunk before the last one has the sequence of an event before the reply, and is in no log. */
const placeOf = ({ name, payload, sequence }: ServerEvent): number | null =>
  name === 'AI_AGENT_MESSAGE_CHUNK' && !payload.isComplete ? null : sequence

/**
 * Applies events in the order in which they came. Each event of the log is applied once, in its place. Stops at the
 * first gap.
 *
 * @param answered ids of events that are waiting for their answer: it is not a notice to the visitor
 */
export function takeEvents(log: Log, events: readonly ServerEvent[], answered: ReadonlySet<string>): Taken {
  const draft: Draft = {
    ...log,
    messages: [...log.messages],
    messageIds: new Set(log.messageIds),
    streams: new Map(log.streams),
  }
  const taken: ServerEvent[] = []
  const done = (hasGap: boolean): Taken => ({ log: draft, events: taken, hasGap })
  for (const event of events) {
    const place = placeOf(event)
    if (place !== null && place <= draft.cursor) continue
    const isAnswer = event.name === 'SYSTEM_MESSAGE' && answered.has(event.clientEventId)
    const fits = place === null || place === draft.cursor + 1
    if (!fits || (!isAnswer && !apply(draft, event))) return done(true)
    draft.cursor = place ?? draft.cursor
    taken.push(event)
  }
  return done(false)
}

/** Removes the state that holds only while connected. The next connection reports it again. */
export const withoutPresent = (log: Log): Log => ({ ...log, thinking: false, typing: false })
