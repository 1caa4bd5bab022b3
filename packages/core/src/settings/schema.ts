import * as z from 'zod'
import { MIN_SECRET_LENGTH } from '../domain/access/secret.ts'
import { DEFAULT_RULES } from '../domain/conversation/default-rules.ts'
import { TEXT_LENGTH } from '../domain/conversation/split-text.ts'
import { ENVIRONMENTS } from '../domain/environment.ts'
import { brand } from './brand.ts'
import { fileRules } from './file-rules.ts'
import type { HostMap } from './host-map.ts'
import {
  about,
  count,
  flag,
  functionOf,
  group,
  number,
  numberInfo,
  numeric,
  oneOf,
  orNull,
  seconds,
  setting,
  TIME,
  TIME_OR_NONE,
  time,
  timeOrNone,
} from './kinds.ts'
import { limits } from './limits.ts'
import type { NumberClaim } from './number-claim.ts'
import type { QueuePosition } from './queue-position.ts'
import { rateLimits } from './rate-limits.ts'

const hostName = about(z.string(), {
  ...{ doc: 'A host, with its port where it has one.', unit: null },
  ...{ type: 'string', allowed: 'the name of a host' },
})

const hostNames = (families: string): z.ZodType<HostMap> =>
  about(z.record(z.string(), hostName), {
    doc: `Hosts of ${families}.`,
    type: 'HostMap',
    allowed: 'an object of host names by region or cluster, {} for none',
    unit: null,
    items: hostName,
  })

const HOSTED = {
  base: 'the agents API, debug chat, webhooks and alerts',
  platform:
    'conversations, turn-based chat, concurrency, handoff state, texts, calls in their earlier form, number reservation and external events',
  messaging: 'messaging',
} as const

const HOSTS = {
  base: hostNames(HOSTED.base),
  platform: hostNames(HOSTED.platform),
  messaging: hostNames(HOSTED.messaging),
}

const hosts = setting(z.strictObject(HOSTS).nullable(), null, {
  doc: `Hosts of each family of routes. Null: everything on any host. \`base\`: ${HOSTED.base}; \`platform\`: ${HOSTED.platform}; \`messaging\`: ${HOSTED.messaging}.`,
  type: '{ readonly base: HostMap; readonly platform: HostMap; readonly messaging: HostMap } | null',
  allowed: '{ base, platform, messaging }, or null for any host',
  unit: null,
  shape: HOSTS,
})

const secret = about(z.string().min(MIN_SECRET_LENGTH), {
  ...{ doc: 'A secret.', unit: null, secret: true },
  ...{ type: 'string', allowed: `a secret of at least ${MIN_SECRET_LENGTH} characters` },
})

const tokenSecret = setting(z.union([secret, z.array(secret).min(1)]).nullable(), null, {
  doc: `Signs visitors' access tokens; every process of a store needs the same. Of a list the first signs, and tokens of all of them are good: to rotate, put a new secret in front, and take the old one out once its last token has expired. At least ${MIN_SECRET_LENGTH} characters each. Null: keys are generated, kept in the store, and rotated there (CR16).`,
  type: 'string | readonly string[] | null',
  allowed: `a secret of at least ${MIN_SECRET_LENGTH} characters, a list of such secrets, or null`,
  unit: null,
  secret: true,
  items: secret,
})

const secretsKey = setting(z.union([secret, z.array(secret).min(1)]).nullable(), null, {
  doc: `Encrypts what the store must be able to read again: secrets of webhook endpoints, context keys, token keys (AES-256-GCM); every process of a store needs the same. Of a list the first encrypts, and all decrypt. At least ${MIN_SECRET_LENGTH} characters each. Null: such secrets are stored as they are (CR91).`,
  type: 'string | readonly string[] | null',
  allowed: `a secret of at least ${MIN_SECRET_LENGTH} characters, a list of such secrets, or null`,
  unit: null,
  secret: true,
  items: secret,
})

const tokenKeyRotation = setting(
  numeric(TIME).nullable(),
  2_592_000_000,
  orNull(
    numberInfo(
      TIME,
      'Age at which a key that the store keeps no longer signs new access tokens; null: until it is rotated by hand.',
      'milliseconds',
    ),
  ),
)

const queueMessage = setting(functionOf<(position: QueuePosition) => string | null>().nullable(), null, {
  doc: 'Words for a visitor who waits for the built-in desk, beside each report of the position: 1 to 1,000 characters, or null for none (DK27).',
  type: '((position: QueuePosition) => string | null) | null',
  allowed: 'a function, or null for none',
  unit: null,
})

const verifyNumber = setting(
  functionOf<(claim: NumberClaim) => boolean | Promise<boolean>>().nullable(),
  null,
  {
    doc: 'Returns whether an account may have a phone number that it asks to import: true if the number is its own. Called for each number, at most 10 seconds. Null: only operators give numbers to accounts (TP37).',
    type: '((claim: NumberClaim) => boolean | Promise<boolean>) | null',
    allowed: 'a function, or null for none',
    unit: null,
  },
)

const textWarning = setting(z.string().min(1).max(TEXT_LENGTH), DEFAULT_RULES.textWarning, {
  doc: 'The text that a user gets who has been silent for `textIdle`.',
  type: 'string',
  allowed: `1 to ${TEXT_LENGTH} characters`,
  unit: null,
})

const retryDelay = about(
  numeric(TIME_OR_NONE),
  numberInfo(TIME_OR_NONE, 'The wait before an attempt.', 'milliseconds'),
)

const webhooks = group(
  { type: 'WebhookSettings', doc: 'Outbound webhooks (contract/webhooks.md).' },
  {
    endpoints: count(10, 'Endpoints of an account.', { from: 0 }),
    timeout: time(5_000, 'Time in which a receiver must answer, if its endpoint has no time-out of its own.'),
    retryDelays: setting(z.array(retryDelay), [60_000, 300_000, 900_000, 3_600_000, 14_400_000], {
      doc: 'Waits before the second attempt, the third and so on; after the last one a delivery is dead.',
      type: 'readonly number[]',
      allowed: `an array of whole numbers from ${TIME_OR_NONE.from} to ${TIME_OR_NONE.to}`,
      unit: 'milliseconds',
      items: retryDelay,
    }),
    perEndpoint: count(5, 'Deliveries that a process sends to one endpoint at a time.'),
    concurrency: count(200, 'Deliveries that a process sends at a time.'),
    secretOverlap: timeOrNone(86_400_000, 'Time for which the secret before a rotation still signs.'),
    retention: timeOrNone(
      2_592_000_000,
      'Retention of events and their deliveries. Pending ones are kept longer.',
    ),
  },
)

const alerts = group(
  { type: 'AlertSettings', doc: 'Alert rules (contract/alerts.md).' },
  {
    rules: count(10, 'Rules of an account.', { from: 0, to: 10_000 }),
    evaluationInterval: time(15_000, 'Interval at which one process evaluates the rules for all.'),
    flushInterval: time(5_000, 'Interval at which a process writes its counters to the store.'),
    counterRetention: time(604_800_000, 'Retention of counters.'),
  },
)

const proving = about(z.enum(ENVIRONMENTS).exclude(['sandbox']), {
  doc: 'An environment.',
  type: "'pre-release' | 'live'",
  allowed: '"pre-release" or "live"',
  unit: null,
})

/** A merge deploys to sandbox, and its tests run there: nothing can have passed before. */
const requirePassingTests = setting(z.array(proving), [], {
  doc: 'Environments to which a version may be published or promoted only once its tests have passed.',
  type: "readonly ('pre-release' | 'live')[]",
  allowed: 'an array of "pre-release" and "live"',
  unit: null,
  items: proving,
  defaultText: 'none',
})

const share = (value: number, doc: string) => number(value, { from: 0, to: 1, fractions: true }, doc)

/** A replay needs what visitors said in live, so that a version may pass before it is anywhere. */
const requireReplay = group(
  {
    type: 'ReplayRequirement',
    doc: 'Replays that a version must have passed before it may be published or promoted (TE62).',
  },
  {
    environments: setting(z.array(proving), [], {
      doc: 'Environments that require it.',
      type: "readonly ('pre-release' | 'live')[]",
      allowed: 'an array of "pre-release" and "live"',
      unit: null,
      items: proving,
      defaultText: 'none',
    }),
    sample: count(200, 'Conversations of live that it must have, or all that there are.', { to: 1_000 }),
    days: count(14, 'Days for which it counts, from its start.', { to: 365 }),
    maxWorse: share(0, 'The largest share of turns that are `worse` or `errored`.'),
    maxChanged: share(0.05, 'The largest share of turns that are `changed` or `off_script`.'),
    maxNotReplayable: share(0.2, 'The largest share of turns that are `not_replayable`.'),
  },
)

const recorded = (environment: string) => oneOf(['full', 'outcome'], `Recording of turns in ${environment}.`)

const RECORDED = {
  sandbox: recorded('sandbox'),
  'pre-release': recorded('pre-release'),
  live: recorded('live'),
}

const turnRecording = group(
  {
    type: 'TurnRecordingSettings',
    doc: 'Recording of turns, by environment. `full`: with what each turn wrote, about 200 bytes and what its functions write, so that it can be replayed alone. `outcome`: without (TE68). A host may give one word for all environments.',
  },
  RECORDED,
  given =>
    typeof given === 'string'
      ? Object.fromEntries(Object.keys(RECORDED).map(environment => [environment, given]))
      : given,
)

const testRuns = group(
  {
    type: 'TestRunSettings',
    doc: "Runs of agents' test cases. Their leases and attempts are those of turns.",
  },
  {
    concurrency: count(4, 'Runs that a process has in progress at a time.'),
    casesAtOnce: count(4, 'Test cases of a run that are in progress at a time.'),
    kept: count(
      200,
      'Runs of an agent that are kept, the newest ones. Replays that stand in the way of a version are kept beside them, as many at most (TE96).',
    ),
    answerDeadline: time(
      60_000,
      'Time limit of a call to the visitor or the judge. After that the talk has errored (TE84).',
    ),
  },
)

const semanticSearch = group(
  {
    type: 'SemanticSearchSettings',
    doc: 'Use of `PlatformOptions.embedder` for searches by meaning (RC45).',
  },
  {
    minLikeness: number(
      0.5,
      { from: -1, to: 1, fractions: true },
      'Cosine, from -1 to 1, from which a turn means about the same as a query. Models differ in it: judge yours on queries of your own.',
    ),
    queryTimeout: time(5_000, 'Time limit of the vector of a query.'),
    batchTurns: count(16, 'Turns that are embedded at a time, two texts each.', { to: 10_000 }),
    batchTimeout: time(30_000, 'Time limit of a batch.'),
    retryAfter: timeOrNone(60_000, 'After which time turns that could not be embedded are tried again.'),
    textLength: number(
      2_000,
      { from: 1, to: 1_000_000 },
      'Length of a text that is embedded, from its beginning.',
      'characters',
    ),
  },
)

/** The default time limit of a function call, if turns may take at least twice as long. */
export const FUNCTION_TIMEOUT = 10_000

/**
 * All settings of a host: the types in settings.ts (`npm run document` writes them), the defaults, the checks and the
 * reference page come from here. Settings are in the order in which they are checked and documented.
 */
export const SETTINGS = {
  brand,
  hosts,
  deploymentPinning: oneOf(
    ['conversation', 'turn'],
    '`conversation`: the deployment that was active at its start, for its whole life. `turn`: the active one at every turn.',
  ),
  rateLimits,
  limits,
  sharedLimitsTimeout: time(
    250,
    'Time in which `sharedLimits` must answer. After that they count as away: this process counts for itself, and asks once a second whether they are back (LI12).',
  ),
  placeLease: time(
    60_000,
    "For how long a session's connection counts in `sharedLimits` after its process was killed. It is renewed three times as often (LI12).",
  ),
  sessionIdle: time(600_000, "A visitor's silence until the session ends."),
  idleWarning: timeOrNone(
    60_000,
    'Time before that end at which the visitor is warned, once a silence (`SESSION_IDLE_WARNING`, MS11). Sessions whose `sessionIdle` is not longer get no warning. 0: none at all.',
  ),
  debugChatIdle: time(1_800_000, "A debug chat's silence until it is gone."),
  phoneNumbers: count(1_000, 'Phone numbers of an agent.'),
  pooledNumbers: count(1_000, 'Phone numbers of the pool from which those of an agent are reserved (TP21).'),
  reservation: seconds(600, 'Time for which a number of a pool is reserved for a caller (TP21).'),
  savedViews: count(100, 'Saved views of an account (RC605).', { to: 1_000 }),
  deskQueues: count(100, 'Queues of an account that have hours (DK557).', { to: 1_000 }),
  messageWhenClosed: flag(
    'Whether the agent may take a message for the live agents if their queue is closed (DK559).',
  ),
  talksAtOnce: count(
    20,
    'Visitors whom a live agent may talk to at once at the built-in desk, unless their seat says another number (DK604).',
    { to: 1_000 },
  ),
  offerTime: time(
    30_000,
    'Time for which a visitor of an assigned queue is offered to one live agent, before the next one (DK611).',
  ),
  deskFigures: count(
    20_000,
    'Waits and talks that figures of the desk are made of; of more the newest ones, and the figures say from when (DK620).',
    { to: 100_000 },
  ),
  assistantTimeout: time(
    20_000,
    'Time in which the assistant of live agents must answer. After that it has failed (DK646, DK650).',
  ),
  visitorDetails: flag(
    'Whether a session keeps the page and the device that it began on, for live agents (DK640).',
    true,
  ),
  sharedReplies: count(200, 'Replies that the live agents of an account share (DK553).', { to: 1_000 }),
  voices: count(1_000, 'Voices that an account adds to its library.'),
  audioCacheBytes: count(
    268_435_456,
    'Bytes of sound that the audio cache keeps for an account; what was not used the longest goes first (VA5).',
  ),
  speechDeadline: time(
    30_000,
    'Time in which the speech provider must answer. After that it has failed (VL8).',
  ),
  chatIdle: time(3_600_000, 'Time without a call after which a turn-based chat is over.'),
  textIdle: time(
    86_400_000,
    "A user's silence, after a reply, until a text warns of the session's end (TX10).",
  ),
  textGrace: time(
    600_000,
    'Time in which a user who was warned must reply. After that the session ends (TX10).',
  ),
  textWarning,
  textDeadline: time(
    10_000,
    'Time in which a carrier must accept a text. After that it is asked again (TX21).',
  ),
  textAttempts: count(
    DEFAULT_RULES.textAttempts,
    'Number of times that a carrier is asked to accept a text (TX21).',
    {
      to: 1_000,
    },
  ),
  callDeadline: time(
    10_000,
    'Time in which a provider must accept a call. After that the call has failed (OC5).',
  ),
  callSilence: time(
    60_000,
    'Time without a report of a call after which its provider is asked for its status (OC16).',
  ),
  longestCall: time(
    86_400_000,
    'Time after its request at which a call without a reported end has failed (OC16).',
  ),
  turnDeadline: number(
    60_000,
    { ...TIME, from: 2 },
    'Time limit of a turn. After that it has failed.',
    'milliseconds',
  ),
  functionTimeout: about(numeric(TIME).optional(), {
    ...numberInfo(
      TIME,
      'Time limit of a function call, if the function sets none. Below `turnDeadline`.',
      'milliseconds',
    ),
    defaultText: `${FUNCTION_TIMEOUT}, or half of \`turnDeadline\` where that is less`,
  }),
  drainTimeout: timeOrNone(5_000, 'Time for which a closing process waits for its turns.'),
  turnLease: time(
    DEFAULT_RULES.turnLease,
    'Time for which a process owns a turn without renewing its lease.',
  ),
  turnAttempts: count(
    DEFAULT_RULES.turnAttempts,
    'Number of times that a turn which lost its lease is run again. After that it has failed.',
    { to: 1_000 },
  ),
  wakeInterval: time(
    10_000,
    'Interval at which a process looks into the store for due work that it was not told of, such as work of a process that was killed or shares no bus with it.',
  ),
  longestWakeRetry: time(
    600_000,
    'The longest pause before a conversation that cannot be woken is tried again; pauses grow up to it.',
  ),
  longestWorkerRetry: time(
    5_000,
    'The longest pause after which a background worker that fails, for example while the database is away, tries again; pauses double up to it.',
  ),
  resumeGrace: timeOrNone(
    2_000,
    'For how long no session or live agent counts as silent after this process stood still or its clock stepped: sockets are read first.',
  ),
  chunkFlush: timeOrNone(50, 'Longest wait before streamed text is sent on.'),
  chunkLength: number(
    160,
    { from: 1, to: 1_000_000 },
    'Streamed text that may wait for more: before it would be longer, it is sent on.',
    'characters',
  ),
  accessTokenSeconds: seconds(86_400, 'Lifetime of an access token.'),
  tokenSecret,
  secretsKey,
  tokenKeyRotation,
  tokenClockTolerance: timeOrNone(
    60_000,
    'Largest difference between the clocks of two processes: by default each may be 30 seconds off. An access token may have been issued that far in the future. It never lives longer for it.',
  ),
  credentialUseInterval: timeOrNone(
    60_000,
    'Shortest time between two notes of when a key or connector was last used.',
  ),
  handoffTimeoutSeconds: seconds(300, 'Time in a handoff queue, where a connector does not say.'),
  revocationCheck: time(
    15_000,
    'Time for which open sockets may go on after their connector or key has expired, or if the notice of its revocation got lost. Also the largest age of the token keys by which a process checks access tokens.',
  ),
  queueStatusInterval: time(
    15_000,
    "Longest time between two reports of a waiting visitor's position in the queue.",
  ),
  queueMessage,
  verifyNumber,
  liveAgentAbsence: time(
    DEFAULT_RULES.liveAgentAbsence,
    'Time after which a live agent counts as left who was seen through a socket of the desk, and since then was neither there nor acted.',
  ),
  fileRules,
  returnToAgent: flag(
    'Whether a live agent may give a visitor back to the AI agent, at the built-in desk and through `returned` of a live-agent system of your own (DK41).',
    DEFAULT_RULES.returnToAgent,
  ),
  redactionDeadline: time(
    2_000,
    'Time limit of a call to the redactor. After that the text is withheld (RD3). The conversation waits for it.',
  ),
  guardDeadline: time(5_000, 'Time limit of a call to the guard. After that it has failed (GU4).'),
  guardFailure: oneOf(
    ['refuse', 'allow'],
    'Result of a guard that throws, is late or gives no verdict: the turn fails, or the words pass as they are (GU4).',
  ),
  liveAgentDeadline: time(10_000, 'Time limit of a call to the live-agent system. After that it has failed.'),
  heartbeatSeconds: seconds(30, 'Heartbeat interval that clients are told.'),
  webhooks,
  alerts,
  requirePassingTests,
  requireReplay,
  turnRecording,
  turnRecordingRetention: setting(
    numeric(TIME).nullable(),
    null,
    orNull(
      numberInfo(
        TIME,
        'Time from the end of a conversation for which its turns keep what only replays need: what they and their functions wrote. After it they count as `not_replayable` (TE94). Null: as long as the conversation.',
        'milliseconds',
      ),
    ),
  ),
  listDebugChats: flag(
    'Whether debug chats that begin now stand in lists of conversations, with the channel `DEBUG`; never in figures (RC58).',
  ),
  requirePreRelease: flag('Whether a version can only be promoted to live from pre-release (AG40).'),
  testRuns,
  semanticSearch,
  onError: about(functionOf<(error: unknown, where: string) => void>().optional(), {
    doc: 'Called with every error that a client only sees as `INTERNAL`.',
    type: '(error: unknown, where: string) => void',
    allowed: 'a function',
    unit: null,
    defaultText: 'writes to the log',
  }),
}

/** The settings as a host gives them, which become all settings but those that are computed of others. */
export const SETTINGS_SCHEMA = z.strictObject(SETTINGS)
