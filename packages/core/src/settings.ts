import type { RateLimit } from './domain/access/token-bucket.ts'
import type { Brand } from './domain/brand.ts'
import { DEFAULT_RULES } from './domain/conversation/default-rules.ts'
import { ENVIRONMENTS, type Environment } from './domain/environment.ts'
import type { Family } from './domain/family.ts'
import { given } from './domain/given.ts'
import type { AccountId } from './domain/ids.ts'
import { thrownDetails } from './domain/thrown.ts'
import { PlatformError } from './errors.ts'
import type { Log } from './ports/log.ts'
import { refuseBrand, refuseFunction, refuseHosts, refuseSwitch, refuseWord } from './refuse-settings.ts'
import { type RangesOf, refuseNumbers, refuseOutside, SETTING_RANGES } from './setting-ranges.ts'
import { refuseUnknown } from './shared/refuse-unknown.ts'

export type { RateLimit } from './domain/access/token-bucket.ts'

/** Host names by region or cluster, for one family of hosts (contract/accounts-and-keys.md, Hosts and regions). */
export type HostMap = Readonly<Record<string, string>>

/** How often something may be done; null: as often as anybody likes (contract/limits.md, Rate limits). */
export interface RateLimits {
  /** Requests per API key; sessions and handshakes per access token. @default 50 per second, burst 100 */
  readonly key: RateLimit | null
  /** A visitor's joins and messages; other frames five times as often. @default 10 per second, burst 20 */
  readonly session: RateLimit | null
  /** Access tokens per connector and address. @default 10 per second, burst 10 */
  readonly accessToken: RateLimit | null
  /** Tries per address with API keys and connector tokens that open nothing. @default 20 per second, burst 40 */
  readonly failedAuthentication: RateLimit | null
}

/** Where a visitor stands who waits for the built-in desk. */
export interface QueuePlace {
  readonly accountId: AccountId
  readonly queueName: string
  /** From 1. */
  readonly position: number
  /** Null while it is not known. */
  readonly estimatedWaitSeconds: number | null
}

/** Everything a host may set, with its default. Times are milliseconds unless a name says otherwise. */
export interface Settings {
  /**
   * The words in the names of events, and of headers and fields: 1 to 50 letters, digits, `_` and `-` each. A host may give one word
   * for both. @default "AI"
   */
  readonly brand: Brand
  /** Which hosts serve which family; null: everything on any host. @default null */
  readonly hosts: { readonly base: HostMap; readonly platform: HostMap; readonly messaging: HostMap } | null
  /** `conversation`: the deployment of its start, for its whole life. `turn`: the active one at every turn. @default "conversation" */
  readonly deploymentPinning: 'conversation' | 'turn'
  readonly rateLimits: RateLimits
  readonly limits: {
    /**
     * Body of a request, bytes, by the family of its path. A host may give one number for all families.
     * @default 1048576; 524288 for debug chat, 65536 for messaging, operator and webhooks
     */
    readonly bodyBytes: Readonly<Record<Family, number>>
    /** Arrays and objects of a JSON body within each other. @default 100 */
    readonly jsonDepth: number
    /** Text of a visitor's message, UTF-8 bytes. @default 131072 */
    readonly messageBytes: number
    /** A socket frame, bytes. @default 1048576 */
    readonly frameBytes: number
    /** Connections of a session. @default 10 */
    readonly connectionsPerSession: number
    /** Events in one EVENT_BATCH. @default 500 */
    readonly eventsPerBatch: number
    /**
     * How much of a log is read at a time to be sent to a client that connects, bytes of JSON: the next page is read when the client has
     * taken the one before. Also the longest EVENT_BATCH of more than one event. @default 262144
     */
    readonly replayPageBytes: number
    /** Visitor's messages that wait for an answer, per conversation. @default 50 */
    readonly queuedMessages: number
    /** Conversations whose state a process keeps at hand. @default 10000 */
    readonly cachedConversations: number
    /** Concurrency figures that a process keeps at hand, a window each. @default 1000000 */
    readonly cachedFigures: number
    /** External events that a conversation awaits, the newest ones. @default 100 */
    readonly awaitedEvents: number
    /** All that a conversation's events and turns say, UTF-8 bytes of JSON: where it reaches that, it ends. @default 16777216 */
    readonly conversationBytes: number
    /** Events of a conversation: where it reaches that, it ends. @default 50000 */
    readonly conversationEvents: number
    /** Rows of lists, turns and events that are read and sent at a time, UTF-8 bytes: what an answer holds in memory, however long it is. @default 4194304 */
    readonly sliceBytes: number
    /** All that a branch or a revision of an agent holds, UTF-8 bytes of JSON. @default 67108864, 64 MiB */
    readonly contentBytes: number
    /** Conversation state that an agent has written, bytes of JSON. @default 65536 */
    readonly variableBytes: number
    /** Text of one reply of an agent, characters. @default 100000 */
    readonly replyLength: number
    /** Arguments of one call of a function, and its result, bytes of JSON each. @default 65536 */
    readonly functionBytes: number
    /** Text of an error of a function, or of a failed turn, as it is recorded, characters. @default 1000 */
    readonly functionErrorLength: number
    /** What a host hands over to record a start, a turn or an end, UTF-8 bytes of JSON. @default 262144 */
    readonly recordingBytes: number
    /** A recording that a listener is sent, bytes. @default 268435456, 256 MiB */
    readonly audioBytes: number
    /** A real-time config's variables, and its schema, bytes of JSON each. @default 65536 */
    readonly realTimeConfigBytes: number
    /** Conversations that a purge removes at once, before others have their turn; at least 1. @default 25 */
    readonly conversationsPerPurge: number
    /** Entries of the audit log that a purge removes at once, before others have their turn; at least 1. @default 500 */
    readonly auditEntriesPerPurge: number
  }
  /** A visitor's silence until the session ends. @default 600000 */
  readonly sessionIdle: number
  /**
   * How long before that end the visitor is told of it, once a silence (`SESSION_IDLE_WARNING`, MS37). Sessions whose `sessionIdle` is not
   * longer get no warning; 0: none at all. @default 60000
   */
  readonly idleWarning: number
  /** A debug chat's silence until it is gone. @default 1800000 */
  readonly debugChatIdle: number
  /** How long a turn may take before it has failed. @default 60000 */
  readonly turnDeadline: number
  /** How long a call of a function may take, where the function does not say; below `turnDeadline`. @default 10000, or half of `turnDeadline` where that is less */
  readonly functionTimeout: number
  /** How long a process that goes away waits for its turns. @default 5000 */
  readonly drainTimeout: number
  /** How long a node owns a turn without a sign of life. @default 15000 */
  readonly turnLease: number
  /** How often a turn that loses its lease is run again before it has failed. @default 3 */
  readonly turnAttempts: number
  /** How often a process looks for conversations whose time has come. @default 500 */
  readonly wakeInterval: number
  /** How long a conversation that cannot be woken is left alone at most, after ever longer pauses. @default 600000 */
  readonly longestWakeRetry: number
  /**
   * For how long nothing is ended for want of signs of life after this process stood still or its clock stepped: sockets are read
   * first. @default 2000
   */
  readonly resumeGrace: number
  /** Longest wait before streamed text is sent on. @default 50 */
  readonly chunkFlush: number
  /** Streamed text that may wait for more, characters: before it would be longer, it is sent on. @default 160 */
  readonly chunkLength: number
  /** Lifetime of an access token, seconds. @default 86400 */
  readonly accessTokenSeconds: number
  /**
   * Signs visitors' access tokens; every process of a store needs the same. Of a list the first signs, and tokens of all of them
   * are good: to rotate, put a new secret in front, and take the old one out once its last token has expired. At least 16
   * characters each. Null: keys are generated, kept in the store, and rotated there. @default null
   */
  readonly tokenSecret: string | readonly string[] | null
  /** Age at which a key that the store keeps no longer signs new access tokens; null: until it is rotated by hand. @default 2592000000, 30 days */
  readonly tokenKeyRotation: number | null
  /**
   * How far the clocks of two processes may differ: an access token may have been issued as far in the future. It never lives
   * longer for it. @default 30000
   */
  readonly tokenClockTolerance: number
  /** Shortest time between two notes of when a key or connector was last used. @default 60000 */
  readonly credentialUseInterval: number
  /** Time in a handoff queue, where a connector does not say, seconds. @default 300 */
  readonly handoffTimeoutSeconds: number
  /**
   * How long open sockets may go on after their connector or key has expired, or where the notice that it was revoked got lost;
   * also how old the token keys may be by which a process checks access tokens. @default 15000
   */
  readonly revocationCheck: number
  /** Longest time between two reports of a waiting visitor's place in the queue. @default 15000 */
  readonly queueStatusInterval: number
  /**
   * Words for a visitor who waits for the built-in desk, beside each report of the place: 1 to 1,000 characters, or null for none (DK27).
   * @default none
   */
  readonly queueMessage: ((place: QueuePlace) => string | null) | null
  /** How long a live agent, once seen through a socket of the desk, may be neither there nor act before counting as left. @default 60000 */
  readonly liveAgentAbsence: number
  /** How long a call to the live-agent system may take before it has failed. @default 10000 */
  readonly liveAgentDeadline: number
  /** Heartbeat interval that clients are told, seconds. @default 30 */
  readonly heartbeatSeconds: number
  /** Outbound webhooks (contract/webhooks.md). */
  readonly webhooks: {
    /** Endpoints of an account. @default 10 */
    readonly endpoints: number
    /** How long a receiver may take to answer, where its endpoint is made without a time-out. @default 5000 */
    readonly timeout: number
    /** Waits before the second attempt, the third and so on; after the last one a delivery is dead. @default 1 min, 5 min, 15 min, 1 h, 4 h */
    readonly retryDelays: readonly number[]
    /** Deliveries that a process sends to one endpoint at a time. @default 5 */
    readonly perEndpoint: number
    /** Deliveries that a process sends at a time. @default 200 */
    readonly concurrency: number
    /** How long the secret before a rotation still signs. @default 86400000 */
    readonly secretOverlap: number
    /** How long events and their deliveries are kept, pending ones longer. @default 2592000000, 30 days */
    readonly retention: number
  }
  /** Environments, of `pre-release` and `live`, to which a version may be published or promoted only once its tests have passed. @default none */
  readonly requirePassingTests: readonly Exclude<Environment, 'sandbox'>[]
  /** Whether debug chats that begin now stand in lists of conversations, with the channel `DEBUG`; never in figures (RC58). @default false */
  readonly listDebugChats: boolean
  /** Whether a version gets to live by promotion only by way of pre-release (AG49). @default false */
  readonly requirePreRelease: boolean
  /** Runs of agents' test cases. Their leases and attempts are those of turns. */
  readonly testRuns: {
    /** Runs that a process has under way at a time. @default 4 */
    readonly concurrency: number
    /** Test cases of a run that are under way at a time. @default 4 */
    readonly casesAtOnce: number
    /** Runs of an agent that are kept, the newest ones. @default 200 */
    readonly kept: number
  }
  /** How `PlatformOptions.embedder` is used for searches by meaning (RC45). */
  readonly semanticSearch: {
    /**
     * Cosine, from -1 to 1, from which a turn means about the same as a query. Models differ in it: judge yours on queries of your
     * own. @default 0.5
     */
    readonly minLikeness: number
    /** How long the vector of a query may take. @default 5000 */
    readonly queryTimeout: number
    /** Turns that are embedded at a time, two texts each. @default 16 */
    readonly batchTurns: number
    /** How long a batch may take. @default 30000 */
    readonly batchTimeout: number
    /** After which time turns that could not be embedded are tried again. @default 60000 */
    readonly retryAfter: number
    /** Characters of a text that are embedded, the first ones. @default 2000 */
    readonly textLength: number
  }
  /** Told of every error that a client only sees as INTERNAL. @default writes to the log */
  readonly onError: (error: unknown, where: string) => void
}

/** What a host may set; what it leaves out, or gives as undefined, has its default. */
export type SettingsInput = Partial<
  Omit<Settings, 'brand' | 'limits' | 'webhooks' | 'rateLimits' | 'testRuns' | 'semanticSearch'>
> & {
  readonly brand?: string | Partial<Brand>
  /** Null: none at all. */
  readonly rateLimits?: Partial<RateLimits> | null
  readonly limits?: Partial<Omit<Settings['limits'], 'bodyBytes'>> & {
    readonly bodyBytes?: number | Partial<Settings['limits']['bodyBytes']>
  }
  readonly webhooks?: Partial<Settings['webhooks']>
  readonly testRuns?: Partial<Settings['testRuns']>
  readonly semanticSearch?: Partial<Settings['semanticSearch']>
}

const FUNCTION_TIMEOUT = 10_000

type BodyBytes = Settings['limits']['bodyBytes']

/** One limit for every family, but for those that have their own. */
function bodiesOf(bytes: number, own: Partial<BodyBytes> = {}): BodyBytes {
  return {
    agents: bytes,
    'debug-chat': bytes,
    'conversations-v1': bytes,
    'conversations-v3': bytes,
    concurrency: bytes,
    'external-events': bytes,
    messaging: bytes,
    operator: bytes,
    desk: bytes,
    webhooks: bytes,
    ...own,
  }
}

const FAMILIES: readonly string[] = Object.keys(bodiesOf(0))

const DEFAULTS: Omit<Settings, 'onError' | 'functionTimeout'> = {
  brand: { events: 'AI', headers: 'AI' },
  hosts: null,
  deploymentPinning: 'conversation',
  rateLimits: {
    key: { perSecond: 50, burst: 100 },
    session: { perSecond: 10, burst: 20 },
    accessToken: { perSecond: 10, burst: 10 },
    failedAuthentication: { perSecond: 20, burst: 40 },
  },
  limits: {
    bodyBytes: bodiesOf(1_048_576, {
      'debug-chat': 524_288,
      messaging: 65_536,
      operator: 65_536,
      webhooks: 65_536,
    }),
    jsonDepth: 100,
    messageBytes: 131_072,
    frameBytes: 1_048_576,
    connectionsPerSession: 10,
    eventsPerBatch: 500,
    replayPageBytes: 262_144,
    queuedMessages: DEFAULT_RULES.queuedMessages,
    cachedConversations: 10_000,
    cachedFigures: 1_000_000,
    awaitedEvents: DEFAULT_RULES.awaitedEvents,
    conversationBytes: DEFAULT_RULES.conversationBytes,
    conversationEvents: DEFAULT_RULES.conversationEvents,
    sliceBytes: 4_194_304,
    contentBytes: 67_108_864,
    variableBytes: DEFAULT_RULES.variableBytes,
    replyLength: 100_000,
    functionBytes: 65_536,
    functionErrorLength: 1_000,
    recordingBytes: 262_144,
    audioBytes: 268_435_456,
    realTimeConfigBytes: 65_536,
    conversationsPerPurge: 25,
    auditEntriesPerPurge: 500,
  },
  sessionIdle: 600_000,
  idleWarning: 60_000,
  debugChatIdle: 1_800_000,
  turnDeadline: 60_000,
  drainTimeout: 5_000,
  turnLease: DEFAULT_RULES.turnLease,
  turnAttempts: DEFAULT_RULES.turnAttempts,
  wakeInterval: 500,
  longestWakeRetry: 600_000,
  resumeGrace: 2_000,
  chunkFlush: 50,
  chunkLength: 160,
  accessTokenSeconds: 86_400,
  tokenSecret: null,
  tokenKeyRotation: 2_592_000_000,
  tokenClockTolerance: 30_000,
  credentialUseInterval: 60_000,
  handoffTimeoutSeconds: 300,
  revocationCheck: 15_000,
  queueStatusInterval: 15_000,
  queueMessage: null,
  liveAgentAbsence: DEFAULT_RULES.liveAgentAbsence,
  liveAgentDeadline: 10_000,
  heartbeatSeconds: 30,
  webhooks: {
    endpoints: 10,
    timeout: 5_000,
    retryDelays: [60_000, 300_000, 900_000, 3_600_000, 14_400_000],
    perEndpoint: 5,
    concurrency: 200,
    secretOverlap: 86_400_000,
    retention: 2_592_000_000,
  },
  requirePassingTests: [],
  listDebugChats: false,
  requirePreRelease: false,
  testRuns: { concurrency: 4, casesAtOnce: 4, kept: 200 },
  semanticSearch: {
    minLikeness: 0.5,
    queryTimeout: 5_000,
    batchTurns: 16,
    batchTimeout: 30_000,
    retryAfter: 60_000,
    textLength: 2_000,
  },
}

/** One word for both, or each its own. @throws SCHEMA_VALIDATION_FAILED for a word that no header or event can hold */
function resolveBrand(input: SettingsInput['brand']): Brand {
  if (input === undefined) return DEFAULTS.brand
  const eachItsOwn = typeof input === 'object' && input !== null
  const words = eachItsOwn ? given({ ...input }) : { events: input, headers: input }
  const brand = { ...DEFAULTS.brand, ...words }
  refuseBrand(brand, word => (eachItsOwn ? `brand.${word}` : 'brand'))
  return brand
}

const NO_RATE_LIMITS: RateLimits = { key: null, session: null, accessToken: null, failedAuthentication: null }

/** The rate limits that the host sets over the defaults. @throws SCHEMA_VALIDATION_FAILED for one that would let nothing through */
function resolveRateLimits(input: SettingsInput['rateLimits']): RateLimits {
  const resolved = input === null ? NO_RATE_LIMITS : { ...DEFAULTS.rateLimits, ...given({ ...input }) }
  for (const [name, limit] of Object.entries(resolved)) {
    if (limit === null) continue
    if (typeof limit !== 'object')
      throw new PlatformError(
        'SCHEMA_VALIDATION_FAILED',
        `rateLimits.${name} must be { perSecond, burst }, or null for no limit.`,
      )
    refuseUnknown(`rateLimits.${name}`, limit, ['perSecond', 'burst'])
    refuseOutside(`rateLimits.${name}.perSecond`, limit.perSecond, RATE)
    refuseOutside(`rateLimits.${name}.burst`, limit.burst, BURST)
  }
  return resolved
}

/** A merge deploys to sandbox, and its tests run there: nothing can have passed before. */
function refuseRequirement(environments: readonly string[] = []): void {
  const allowed = ENVIRONMENTS.filter(name => name !== 'sandbox')
  const wrong = environments.find(name => !allowed.some(other => other === name))
  if (wrong === undefined) return
  const message = `requirePassingTests may name ${allowed.join(' and ')}, not "${wrong}".`
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}

/** How often something may be done, and the waits between attempts. */
const RATE = { from: 0.000_001, to: 1_000_000, fractions: true }
const BURST = { from: 1, to: 1_000_000, fractions: true }
const RETRY_DELAY = { from: 0, to: 315_360_000_000 }

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = [...Object.keys(DEFAULTS), 'functionTimeout', 'onError']

/** Refuses what nothing reads, in the settings and in each group of them (EM4). */
function refuseUnknownSettings(input: SettingsInput): void {
  refuseUnknown('The settings', input, SETTING_NAMES)
  for (const group of ['limits', 'webhooks', 'testRuns', 'semanticSearch', 'rateLimits'] as const) {
    const given: unknown = input[group]
    if (given !== undefined && !(group === 'rateLimits' && given === null))
      refuseUnknown(group, given, Object.keys(DEFAULTS[group]))
  }
  const bodyBytes: unknown = input.limits?.bodyBytes
  if (typeof bodyBytes === 'object') refuseUnknown('limits.bodyBytes', bodyBytes, FAMILIES)
}

function refuseRetryDelays(delays: unknown): void {
  if (!Array.isArray(delays))
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      'webhooks.retryDelays must be an array of milliseconds.',
    )
  for (const [index, delay] of delays.entries())
    refuseOutside(`webhooks.retryDelays[${index}]`, delay, RETRY_DELAY)
}

/**
 * The host's settings over the defaults; what is undefined has its default. Errors go to the log unless the host takes them.
 * @throws SCHEMA_VALIDATION_FAILED for a brand that no header's name or event's can hold, hosts of some families alone, environments whose tests cannot be required, names that
 *   no setting has, and numbers out of their range
 */
export function resolveSettings(input: SettingsInput, log: Log): Settings {
  const onError = (error: unknown, where: string): void =>
    log.error('Something failed', {
      where,
      error: thrownDetails(error),
    })
  refuseUnknownSettings(input)
  const set = given(input)
  const { turnDeadline = DEFAULTS.turnDeadline } = set
  const { bodyBytes = {}, ...limits } = given({ ...set.limits })
  const settings = {
    onError,
    functionTimeout: Math.min(FUNCTION_TIMEOUT, Math.max(1, Math.floor(turnDeadline / 2))),
    ...DEFAULTS,
    ...set,
    brand: resolveBrand(set.brand),
    limits: {
      ...DEFAULTS.limits,
      ...limits,
      bodyBytes:
        typeof bodyBytes === 'number'
          ? bodiesOf(bodyBytes)
          : { ...DEFAULTS.limits.bodyBytes, ...given(bodyBytes) },
    },
    rateLimits: resolveRateLimits(set.rateLimits),
    webhooks: { ...DEFAULTS.webhooks, ...given({ ...set.webhooks }) },
    testRuns: { ...DEFAULTS.testRuns, ...given({ ...set.testRuns }) },
    semanticSearch: { ...DEFAULTS.semanticSearch, ...given({ ...set.semanticSearch }) },
  }
  refuseHosts(settings.hosts, ['base', 'platform', 'messaging'])
  refuseWord('deploymentPinning', settings.deploymentPinning, ['conversation', 'turn'])
  refuseRequirement(settings.requirePassingTests)
  refuseSwitch('requirePreRelease', settings.requirePreRelease)
  refuseSwitch('listDebugChats', settings.listDebugChats)
  refuseFunction('queueMessage', settings.queueMessage)
  refuseRetryDelays(settings.webhooks.retryDelays)
  refuseNumbers(
    settings,
    SETTING_RANGES satisfies RangesOf<Omit<Settings, 'brand' | 'hosts' | 'rateLimits' | 'queueMessage'>>,
  )
  return settings
}
