// Made from schema.ts by `npm run document`.

import type { RateLimit } from '../domain/access/token-bucket.ts'
import type { Brand } from '../domain/brand.ts'
import type { FileType } from '../domain/file/file.ts'
import type { HostMap } from './host-map.ts'
import type { NumberClaim } from './number-claim.ts'
import type { QueuePosition } from './queue-position.ts'

/** Rate limits. Null: no limit at all (contract/limits.md, Rate limits). */
export interface RateLimits {
  /** Requests per API key; sessions and handshakes per access token. @default 50 per second, burst 100 */
  readonly key: RateLimit | null
  /** A visitor's joins and messages; other frames five times as often. @default 10 per second, burst 20 */
  readonly session: RateLimit | null
  /**
   * Bytes of all frames of a session, counted before they are read. Frames above it are not read, and who goes on is
   * closed with 1008 (MS92).
   * @default 262144 per second, burst 2097152
   */
  readonly sessionBytes: RateLimit | null
  /** Access tokens per connector and address. @default 10 per second, burst 10 */
  readonly accessToken: RateLimit | null
  /** Texts per agent that open a session. @default 10 per second, burst 20 */
  readonly text: RateLimit | null
  /** Calls that an agent makes. @default 10 per second, burst 20 */
  readonly call: RateLimit | null
  /**
   * Questions to the assistant of live agents: suggestions per live agent, summaries per handoff.
   * @default 0.5 per second, burst 10
   */
  readonly assistant: RateLimit | null
  /** Attempts per address with API keys and connector tokens that are not valid. @default 20 per second, burst 40 */
  readonly failedAuthentication: RateLimit | null
}

/** Limits in bytes, characters or number. */
export interface LimitSettings {
  /** Body of a request, by the family of its path. A host may give one number for all families. */
  readonly bodyBytes: BodyLimits
  /** Arrays and objects of a JSON body within each other. From 1 to 1000. @default 100 */
  readonly jsonDepth: number
  /** Text of a visitor's message, in UTF-8. From 1 to 536870888 bytes. @default 131072, 128 KiB */
  readonly messageBytes: number
  /** A frame that a client sends over a socket. From 1 to 536870888 bytes. @default 1048576, 1 MiB */
  readonly frameBytes: number
  /** Connections of a session. From 1 to 1000000000. @default 10 */
  readonly connectionsPerSession: number
  /** Events in one `EVENT_BATCH`. From 1 to 100000. @default 500 */
  readonly eventsPerBatch: number
  /**
   * A page of a log, as JSON, that is read and sent to a client that connects. The next page is read when the client
   * has taken this one. Also the longest `EVENT_BATCH` of more than one event. From 1 to 536870888 bytes.
   * @default 262144, 256 KiB
   */
  readonly replayPageBytes: number
  /** Visitor's messages that wait for an answer, per conversation. From 0 to 1000000000. @default 50 */
  readonly queuedMessages: number
  /** Conversations whose state a process keeps in memory. From 1 to 10000000. @default 10000 */
  readonly cachedConversations: number
  /** Concurrency figures that a process keeps in memory, one per window. From 1 to 10000000. @default 1000000 */
  readonly cachedFigures: number
  /** External events that a conversation awaits; the newest ones are kept. From 1 to 1000000000. @default 100 */
  readonly awaitedEvents: number
  /**
   * The largest size of a conversation's events and turns, as JSON in UTF-8. A conversation that reaches it ends. From
   * 1 to 536870888 bytes.
   * @default 16777216, 16 MiB
   */
  readonly conversationBytes: number
  /** Events of a conversation. A conversation that reaches it ends. From 1 to 1000000000. @default 50000 */
  readonly conversationEvents: number
  /**
   * Rows of lists, turns and events that are read and sent at a time, in UTF-8: what an answer holds in memory, however
   * long it is. From 1 to 536870888 bytes.
   * @default 4194304, 4 MiB
   */
  readonly sliceBytes: number
  /**
   * The largest size of a branch's or a revision's content, as JSON in UTF-8. From 1 to 536870888 bytes.
   * @default 67108864, 64 MiB
   */
  readonly contentBytes: number
  /** Conversation state that an agent has written, as JSON. From 1 to 536870888 bytes. @default 65536, 64 KiB */
  readonly variableBytes: number
  /** Text of a colleague's note about a conversation. From 1 to 20000 characters. @default 4000 */
  readonly noteLength: number
  /** Notes of colleagues about one conversation. From 1 to 1000. @default 200 */
  readonly notesPerConversation: number
  /** Text of a summary for live agents; a longer one is cut. From 1 to 20000 characters. @default 2000 */
  readonly summaryLength: number
  /** Text of a reply that live agents share. From 1 to 20000 characters. @default 4000 */
  readonly sharedReplyLength: number
  /** Text of one reply of an agent. From 1 to 536870888 characters. @default 100000 */
  readonly replyLength: number
  /**
   * Arguments of one call of a function, and its result, as JSON each. From 1 to 536870888 bytes.
   * @default 65536, 64 KiB
   */
  readonly functionBytes: number
  /**
   * Text of an error of a function, or of a failed turn, as it is recorded. From 1 to 536870888 characters.
   * @default 1000
   */
  readonly functionErrorLength: number
  /**
   * Data that a host gives to record a start, a turn or an end, as JSON in UTF-8. From 1 to 536870888 bytes.
   * @default 262144, 256 KiB
   */
  readonly recordingBytes: number
  /** A recording that a listener is sent. From 1 to 536870888 bytes. @default 268435456, 256 MiB */
  readonly audioBytes: number
  /** A real-time config's variables, and its schema, as JSON each. From 1 to 536870888 bytes. @default 65536, 64 KiB */
  readonly realTimeConfigBytes: number
  /** Conversations that a purge removes at once, before other work has its turn. From 1 to 100000. @default 25 */
  readonly conversationsPerPurge: number
  /**
   * Entries of the audit log that a purge removes at once, before other work has its turn. From 1 to 100000.
   * @default 500
   */
  readonly auditEntriesPerPurge: number
}

/** Body of a request, by the family of its path. A host may give one number for all families. */
export interface BodyLimits {
  /** Body of a request of the agents API. From 1 to 536870888 bytes. @default 1048576, 1 MiB */
  readonly agents: number
  /** Body of a request of debug chat. From 1 to 536870888 bytes. @default 524288, 512 KiB */
  readonly 'debug-chat': number
  /** Body of a request of conversations v1. From 1 to 536870888 bytes. @default 1048576, 1 MiB */
  readonly 'conversations-v1': number
  /** Body of a request of conversations v3. From 1 to 536870888 bytes. @default 1048576, 1 MiB */
  readonly 'conversations-v3': number
  /** Body of a request of concurrency. From 1 to 536870888 bytes. @default 1048576, 1 MiB */
  readonly concurrency: number
  /** Body of a request of external events. From 1 to 536870888 bytes. @default 1048576, 1 MiB */
  readonly 'external-events': number
  /** Body of a request of messaging. From 1 to 536870888 bytes. @default 65536, 64 KiB */
  readonly messaging: number
  /** Body of a request of the operator. From 1 to 536870888 bytes. @default 65536, 64 KiB */
  readonly operator: number
  /** Body of a request of the desk. From 1 to 536870888 bytes. @default 1048576, 1 MiB */
  readonly desk: number
  /** Body of a request of turn-based chat. From 1 to 536870888 bytes. @default 524288, 512 KiB */
  readonly chat: number
  /** Body of a request of webhooks. From 1 to 536870888 bytes. @default 65536, 64 KiB */
  readonly webhooks: number
  /** Body of a request of alerts. From 1 to 536870888 bytes. @default 65536, 64 KiB */
  readonly alerts: number
  /** Body of a request of texts. From 1 to 536870888 bytes. @default 524288, 512 KiB */
  readonly texts: number
  /** Body of a request of the earlier outbound calls. From 1 to 536870888 bytes. @default 65536, 64 KiB */
  readonly calls: number
  /** Body of a request of handoff state. From 1 to 536870888 bytes. @default 65536, 64 KiB */
  readonly 'handoff-state': number
  /** Body of a request of number reservation. From 1 to 536870888 bytes. @default 524288, 512 KiB */
  readonly 'number-reservation': number
}

/** Files that visitors and live agents send, where the host gives `files` (FI1). */
export interface FileRules {
  /**
   * The types that are taken. A file must be declared as one of them, and be it by its content (FI2).
   * @default image/png, image/jpeg, image/gif, image/webp, application/pdf, text/plain
   */
  readonly types: readonly FileType[]
  /** A file. From 1 to 104857600 bytes. @default 10485760, 10 MiB */
  readonly bytes: number
  /**
   * Width times height of a picture: a small file may unpack to a large one (FI4). From 1 to 1000000000.
   * @default 50000000
   */
  readonly picturePixels: number
  /** Files that a message names. From 1 to 20. @default 5 */
  readonly perMessage: number
  /** Files of a conversation. From 1 to 1000. @default 50 */
  readonly perConversation: number
  /** All files of a conversation. From 1 to 536870888 bytes. @default 104857600, 100 MiB */
  readonly bytesPerConversation: number
  /**
   * Files that a process receives at a time, of an account three quarters; each is in memory meanwhile. From 1 to 1000.
   * @default 16
   */
  readonly uploadsAtOnce: number
  /** Time in which a file must arrive. From 1 to 315360000000 milliseconds. @default 120000, 2 minutes */
  readonly uploadTime: number
  /**
   * Time after which a file is removed that no message has named (FI11). From 120000 to 604800000 milliseconds.
   * @default 3600000, 1 hour
   */
  readonly unnamedFor: number
  /**
   * Time after which the address of a file expires (FI13). From 1000 to 86400000 milliseconds.
   * @default 300000, 5 minutes
   */
  readonly addressLifetime: number
  /**
   * Time in which the port for files must store, open or remove a file. From 1 to 60000 milliseconds.
   * @default 30000, 30 seconds
   */
  readonly deadline: number
}

/** Outbound webhooks (contract/webhooks.md). */
export interface WebhookSettings {
  /** Endpoints of an account. From 0 to 1000000000. @default 10 */
  readonly endpoints: number
  /**
   * Time in which a receiver must answer, if its endpoint has no time-out of its own. From 1 to 315360000000
   * milliseconds.
   * @default 5000, 5 seconds
   */
  readonly timeout: number
  /**
   * Waits before the second attempt, the third and so on; after the last one a delivery is dead.
   * @default 1 minute, 5 minutes, 15 minutes, 1 hour, 4 hours
   */
  readonly retryDelays: readonly number[]
  /** Deliveries that a process sends to one endpoint at a time. From 1 to 1000000000. @default 5 */
  readonly perEndpoint: number
  /** Deliveries that a process sends at a time. From 1 to 1000000000. @default 200 */
  readonly concurrency: number
  /**
   * Time for which the secret before a rotation still signs. From 0 to 315360000000 milliseconds.
   * @default 86400000, 1 day
   */
  readonly secretOverlap: number
  /**
   * Retention of events and their deliveries. Pending ones are kept longer. From 0 to 315360000000 milliseconds.
   * @default 2592000000, 30 days
   */
  readonly retention: number
}

/** Alert rules (contract/alerts.md). */
export interface AlertSettings {
  /** Rules of an account. From 0 to 10000. @default 10 */
  readonly rules: number
  /**
   * Interval at which one process evaluates the rules for all. From 1 to 315360000000 milliseconds.
   * @default 15000, 15 seconds
   */
  readonly evaluationInterval: number
  /**
   * Interval at which a process writes its counters to the store. From 1 to 315360000000 milliseconds.
   * @default 5000, 5 seconds
   */
  readonly flushInterval: number
  /** Retention of counters. From 1 to 315360000000 milliseconds. @default 604800000, 7 days */
  readonly counterRetention: number
}

/** Replays that a version must have passed before it may be published or promoted (TE62). */
export interface ReplayRequirement {
  /** Environments that require it. @default none */
  readonly environments: readonly ('pre-release' | 'live')[]
  /** Conversations of live that it must have, or all that there are. From 1 to 1000. @default 200 */
  readonly sample: number
  /** Days for which it counts, from its start. From 1 to 365. @default 14 */
  readonly days: number
  /** The largest share of turns that are `worse` or `errored`. From 0 to 1. @default 0 */
  readonly maxWorse: number
  /** The largest share of turns that are `changed` or `off_script`. From 0 to 1. @default 0.05 */
  readonly maxChanged: number
  /** The largest share of turns that are `not_replayable`. From 0 to 1. @default 0.2 */
  readonly maxNotReplayable: number
}

/**
 * Recording of turns, by environment. `full`: with what each turn wrote, about 200 bytes and what its functions write,
 * so that it can be replayed alone. `outcome`: without (TE68). A host may give one word for all environments.
 */
export interface TurnRecordingSettings {
  /** Recording of turns in sandbox. @default "full" */
  readonly sandbox: 'full' | 'outcome'
  /** Recording of turns in pre-release. @default "full" */
  readonly 'pre-release': 'full' | 'outcome'
  /** Recording of turns in live. @default "full" */
  readonly live: 'full' | 'outcome'
}

/** Runs of agents' test cases. Their leases and attempts are those of turns. */
export interface TestRunSettings {
  /** Runs that a process has in progress at a time. From 1 to 1000000000. @default 4 */
  readonly concurrency: number
  /** Test cases of a run that are in progress at a time. From 1 to 1000000000. @default 4 */
  readonly casesAtOnce: number
  /**
   * Runs of an agent that are kept, the newest ones. Replays that stand in the way of a version are kept beside them,
   * as many at most (TE96). From 1 to 1000000000.
   * @default 200
   */
  readonly kept: number
  /**
   * Time limit of a call to the visitor or the judge. After that the talk has errored (TE84). From 1 to 315360000000
   * milliseconds.
   * @default 60000, 1 minute
   */
  readonly answerDeadline: number
}

/** Use of `PlatformOptions.embedder` for searches by meaning (RC45). */
export interface SemanticSearchSettings {
  /**
   * Cosine, from -1 to 1, from which a turn means about the same as a query. Models differ in it: judge yours on
   * queries of your own. From -1 to 1.
   * @default 0.5
   */
  readonly minLikeness: number
  /** Time limit of the vector of a query. From 1 to 315360000000 milliseconds. @default 5000, 5 seconds */
  readonly queryTimeout: number
  /** Turns that are embedded at a time, two texts each. From 1 to 10000. @default 16 */
  readonly batchTurns: number
  /** Time limit of a batch. From 1 to 315360000000 milliseconds. @default 30000, 30 seconds */
  readonly batchTimeout: number
  /**
   * After which time turns that could not be embedded are tried again. From 0 to 315360000000 milliseconds.
   * @default 60000, 1 minute
   */
  readonly retryAfter: number
  /** Length of a text that is embedded, from its beginning. From 1 to 1000000 characters. @default 2000 */
  readonly textLength: number
}

/** The settings that are groups of others. */
export type SettingGroup =
  | 'brand'
  | 'rateLimits'
  | 'limits'
  | 'fileRules'
  | 'webhooks'
  | 'alerts'
  | 'requireReplay'
  | 'turnRecording'
  | 'testRuns'
  | 'semanticSearch'

/** All settings of a host, with their defaults. Times are milliseconds unless a name says otherwise. */
export interface Settings {
  /**
   * The words in the names of events, and of headers and fields. A host may give one word for both (HT39).
   * @default "AI"
   */
  readonly brand: Brand
  /**
   * Hosts of each family of routes. Null: everything on any host. `base`: the agents API, debug chat, webhooks and
   * alerts; `platform`: conversations, turn-based chat, concurrency, handoff state, texts, calls in their earlier form,
   * number reservation and external events; `messaging`: messaging.
   * @default null
   */
  readonly hosts: { readonly base: HostMap; readonly platform: HostMap; readonly messaging: HostMap } | null
  /**
   * `conversation`: the deployment that was active at its start, for its whole life. `turn`: the active one at every
   * turn.
   * @default "conversation"
   */
  readonly deploymentPinning: 'conversation' | 'turn'
  /** Rate limits. Null: no limit at all (contract/limits.md, Rate limits). */
  readonly rateLimits: RateLimits
  /** Limits in bytes, characters or number. */
  readonly limits: LimitSettings
  /**
   * Time in which `sharedLimits` must answer. After that they count as away: this process counts for itself, and asks
   * once a second whether they are back (LI12). From 1 to 315360000000 milliseconds.
   * @default 250
   */
  readonly sharedLimitsTimeout: number
  /**
   * For how long a session's connection counts in `sharedLimits` after its process was killed. It is renewed three
   * times as often (LI12). From 1 to 315360000000 milliseconds.
   * @default 60000, 1 minute
   */
  readonly placeLease: number
  /** A visitor's silence until the session ends. From 1 to 315360000000 milliseconds. @default 600000, 10 minutes */
  readonly sessionIdle: number
  /**
   * Time before that end at which the visitor is warned, once a silence (`SESSION_IDLE_WARNING`, MS11). Sessions whose
   * `sessionIdle` is not longer get no warning. 0: none at all. From 0 to 315360000000 milliseconds.
   * @default 60000, 1 minute
   */
  readonly idleWarning: number
  /** A debug chat's silence until it is gone. From 1 to 315360000000 milliseconds. @default 1800000, 30 minutes */
  readonly debugChatIdle: number
  /** Phone numbers of an agent. From 1 to 1000000000. @default 1000 */
  readonly phoneNumbers: number
  /** Phone numbers of the pool from which those of an agent are reserved (TP21). From 1 to 1000000000. @default 1000 */
  readonly pooledNumbers: number
  /**
   * Time for which a number of a pool is reserved for a caller (TP21). From 1 to 1000000000 seconds.
   * @default 600, 10 minutes
   */
  readonly reservation: number
  /** Saved views of an account (RC605). From 1 to 1000. @default 100 */
  readonly savedViews: number
  /** Queues of an account that have hours (DK557). From 1 to 1000. @default 100 */
  readonly deskQueues: number
  /** Whether the agent may take a message for the live agents if their queue is closed (DK559). @default false */
  readonly messageWhenClosed: boolean
  /**
   * Visitors whom a live agent may talk to at once at the built-in desk, unless their seat says another number (DK604).
   * From 1 to 1000.
   * @default 20
   */
  readonly talksAtOnce: number
  /**
   * Time for which a visitor of an assigned queue is offered to one live agent, before the next one (DK611). From 1 to
   * 315360000000 milliseconds.
   * @default 30000, 30 seconds
   */
  readonly offerTime: number
  /**
   * Waits and talks that figures of the desk are made of; of more the newest ones, and the figures say from when
   * (DK620). From 1 to 100000.
   * @default 20000
   */
  readonly deskFigures: number
  /**
   * Time in which the assistant of live agents must answer. After that it has failed (DK646, DK650). From 1 to
   * 315360000000 milliseconds.
   * @default 20000, 20 seconds
   */
  readonly assistantTimeout: number
  /** Whether a session keeps the page and the device that it began on, for live agents (DK640). @default true */
  readonly visitorDetails: boolean
  /** Replies that the live agents of an account share (DK553). From 1 to 1000. @default 200 */
  readonly sharedReplies: number
  /** Voices that an account adds to its library. From 1 to 1000000000. @default 1000 */
  readonly voices: number
  /**
   * Bytes of sound that the audio cache keeps for an account; what was not used the longest goes first (VA5). From 1 to
   * 1000000000.
   * @default 268435456
   */
  readonly audioCacheBytes: number
  /**
   * Time in which the speech provider must answer. After that it has failed (VL8). From 1 to 315360000000 milliseconds.
   * @default 30000, 30 seconds
   */
  readonly speechDeadline: number
  /**
   * Time without a call after which a turn-based chat is over. From 1 to 315360000000 milliseconds.
   * @default 3600000, 1 hour
   */
  readonly chatIdle: number
  /**
   * A user's silence, after a reply, until a text warns of the session's end (TX10). From 1 to 315360000000
   * milliseconds.
   * @default 86400000, 1 day
   */
  readonly textIdle: number
  /**
   * Time in which a user who was warned must reply. After that the session ends (TX10). From 1 to 315360000000
   * milliseconds.
   * @default 600000, 10 minutes
   */
  readonly textGrace: number
  /**
   * The text that a user gets who has been silent for `textIdle`.
   * @default "Are you still there? This conversation will end soon unless you reply."
   */
  readonly textWarning: string
  /**
   * Time in which a carrier must accept a text. After that it is asked again (TX21). From 1 to 315360000000
   * milliseconds.
   * @default 10000, 10 seconds
   */
  readonly textDeadline: number
  /** Number of times that a carrier is asked to accept a text (TX21). From 1 to 1000. @default 20 */
  readonly textAttempts: number
  /**
   * Time in which a provider must accept a call. After that the call has failed (OC5). From 1 to 315360000000
   * milliseconds.
   * @default 10000, 10 seconds
   */
  readonly callDeadline: number
  /**
   * Time without a report of a call after which its provider is asked for its status (OC16). From 1 to 315360000000
   * milliseconds.
   * @default 60000, 1 minute
   */
  readonly callSilence: number
  /**
   * Time after its request at which a call without a reported end has failed (OC16). From 1 to 315360000000
   * milliseconds.
   * @default 86400000, 1 day
   */
  readonly longestCall: number
  /** Time limit of a turn. After that it has failed. From 2 to 315360000000 milliseconds. @default 60000, 1 minute */
  readonly turnDeadline: number
  /**
   * Time limit of a function call, if the function sets none. Below `turnDeadline`. From 1 to 315360000000
   * milliseconds.
   * @default 10000, or half of `turnDeadline` where that is less
   */
  readonly functionTimeout: number
  /**
   * Time for which a closing process waits for its turns. From 0 to 315360000000 milliseconds.
   * @default 5000, 5 seconds
   */
  readonly drainTimeout: number
  /**
   * Time for which a process owns a turn without renewing its lease. From 1 to 315360000000 milliseconds.
   * @default 15000, 15 seconds
   */
  readonly turnLease: number
  /**
   * Number of times that a turn which lost its lease is run again. After that it has failed. From 1 to 1000.
   * @default 3
   */
  readonly turnAttempts: number
  /**
   * Interval at which a process looks into the store for due work that it was not told of, such as work of a process
   * that was killed or shares no bus with it. From 1 to 315360000000 milliseconds.
   * @default 10000, 10 seconds
   */
  readonly wakeInterval: number
  /**
   * The longest pause before a conversation that cannot be woken is tried again; pauses grow up to it. From 1 to
   * 315360000000 milliseconds.
   * @default 600000, 10 minutes
   */
  readonly longestWakeRetry: number
  /**
   * The longest pause after which a background worker that fails, for example while the database is away, tries again;
   * pauses double up to it. From 1 to 315360000000 milliseconds.
   * @default 5000, 5 seconds
   */
  readonly longestWorkerRetry: number
  /**
   * For how long no session or live agent counts as silent after this process stood still or its clock stepped: sockets
   * are read first. From 0 to 315360000000 milliseconds.
   * @default 2000, 2 seconds
   */
  readonly resumeGrace: number
  /** Longest wait before streamed text is sent on. From 0 to 315360000000 milliseconds. @default 50 */
  readonly chunkFlush: number
  /**
   * Streamed text that may wait for more: before it would be longer, it is sent on. From 1 to 1000000 characters.
   * @default 160
   */
  readonly chunkLength: number
  /** Lifetime of an access token. From 1 to 1000000000 seconds. @default 86400, 1 day */
  readonly accessTokenSeconds: number
  /**
   * Signs visitors' access tokens; every process of a store needs the same. Of a list the first signs, and tokens of
   * all of them are good: to rotate, put a new secret in front, and take the old one out once its last token has
   * expired. At least 16 characters each. Null: keys are generated, kept in the store, and rotated there (CR16).
   * @default null
   */
  readonly tokenSecret: string | readonly string[] | null
  /**
   * Encrypts what the store must be able to read again: secrets of webhook endpoints, context keys, token keys
   * (AES-256-GCM); every process of a store needs the same. Of a list the first encrypts, and all decrypt. At least 16
   * characters each. Null: such secrets are stored as they are (CR91).
   * @default null
   */
  readonly secretsKey: string | readonly string[] | null
  /**
   * Age at which a key that the store keeps no longer signs new access tokens; null: until it is rotated by hand. From
   * 1 to 315360000000 milliseconds, or null.
   * @default 2592000000, 30 days
   */
  readonly tokenKeyRotation: number | null
  /**
   * Largest difference between the clocks of two processes: by default each may be 30 seconds off. An access token may
   * have been issued that far in the future. It never lives longer for it. From 0 to 315360000000 milliseconds.
   * @default 60000, 1 minute
   */
  readonly tokenClockTolerance: number
  /**
   * Shortest time between two notes of when a key or connector was last used. From 0 to 315360000000 milliseconds.
   * @default 60000, 1 minute
   */
  readonly credentialUseInterval: number
  /** Time in a handoff queue, where a connector does not say. From 1 to 1000000000 seconds. @default 300, 5 minutes */
  readonly handoffTimeoutSeconds: number
  /**
   * Time for which open sockets may go on after their connector or key has expired, or if the notice of its revocation
   * got lost. Also the largest age of the token keys by which a process checks access tokens. From 1 to 315360000000
   * milliseconds.
   * @default 15000, 15 seconds
   */
  readonly revocationCheck: number
  /**
   * Longest time between two reports of a waiting visitor's position in the queue. From 1 to 315360000000 milliseconds.
   * @default 15000, 15 seconds
   */
  readonly queueStatusInterval: number
  /**
   * Words for a visitor who waits for the built-in desk, beside each report of the position: 1 to 1,000 characters, or
   * null for none (DK27).
   * @default null
   */
  readonly queueMessage: ((position: QueuePosition) => string | null) | null
  /**
   * Returns whether an account may have a phone number that it asks to import: true if the number is its own. Called
   * for each number, at most 10 seconds. Null: only operators give numbers to accounts (TP37).
   * @default null
   */
  readonly verifyNumber: ((claim: NumberClaim) => boolean | Promise<boolean>) | null
  /**
   * Time after which a live agent counts as left who was seen through a socket of the desk, and since then was neither
   * there nor acted. From 1 to 315360000000 milliseconds.
   * @default 60000, 1 minute
   */
  readonly liveAgentAbsence: number
  /** Files that visitors and live agents send, where the host gives `files` (FI1). */
  readonly fileRules: FileRules
  /**
   * Whether a live agent may give a visitor back to the AI agent, at the built-in desk and through `returned` of a
   * live-agent system of your own (DK41).
   * @default true
   */
  readonly returnToAgent: boolean
  /**
   * Time limit of a call to the redactor. After that the text is withheld (RD3). The conversation waits for it. From 1
   * to 315360000000 milliseconds.
   * @default 2000, 2 seconds
   */
  readonly redactionDeadline: number
  /**
   * Time limit of a call to the guard. After that it has failed (GU4). From 1 to 315360000000 milliseconds.
   * @default 5000, 5 seconds
   */
  readonly guardDeadline: number
  /**
   * Result of a guard that throws, is late or gives no verdict: the turn fails, or the words pass as they are (GU4).
   * @default "refuse"
   */
  readonly guardFailure: 'refuse' | 'allow'
  /**
   * Time limit of a call to the live-agent system. After that it has failed. From 1 to 315360000000 milliseconds.
   * @default 10000, 10 seconds
   */
  readonly liveAgentDeadline: number
  /** Heartbeat interval that clients are told. From 1 to 1000000000 seconds. @default 30 */
  readonly heartbeatSeconds: number
  /** Outbound webhooks (contract/webhooks.md). */
  readonly webhooks: WebhookSettings
  /** Alert rules (contract/alerts.md). */
  readonly alerts: AlertSettings
  /** Environments to which a version may be published or promoted only once its tests have passed. @default none */
  readonly requirePassingTests: readonly ('pre-release' | 'live')[]
  /** Replays that a version must have passed before it may be published or promoted (TE62). */
  readonly requireReplay: ReplayRequirement
  /**
   * Recording of turns, by environment. `full`: with what each turn wrote, about 200 bytes and what its functions
   * write, so that it can be replayed alone. `outcome`: without (TE68). A host may give one word for all environments.
   */
  readonly turnRecording: TurnRecordingSettings
  /**
   * Time from the end of a conversation for which its turns keep what only replays need: what they and their functions
   * wrote. After it they count as `not_replayable` (TE94). Null: as long as the conversation. From 1 to 315360000000
   * milliseconds, or null.
   * @default null
   */
  readonly turnRecordingRetention: number | null
  /**
   * Whether debug chats that begin now stand in lists of conversations, with the channel `DEBUG`; never in figures
   * (RC58).
   * @default false
   */
  readonly listDebugChats: boolean
  /** Whether a version can only be promoted to live from pre-release (AG40). @default false */
  readonly requirePreRelease: boolean
  /** Runs of agents' test cases. Their leases and attempts are those of turns. */
  readonly testRuns: TestRunSettings
  /** Use of `PlatformOptions.embedder` for searches by meaning (RC45). */
  readonly semanticSearch: SemanticSearchSettings
  /** Called with every error that a client only sees as `INTERNAL`. @default writes to the log */
  readonly onError: (error: unknown, where: string) => void
}
