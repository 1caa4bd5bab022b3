import { millisecondsInDay } from 'date-fns/constants'
import { PlatformError } from './errors.ts'

/** What a number may be, both ends included. */
export interface Range {
  readonly from: number
  readonly to: number
  /** Also null. @default false */
  readonly nullable?: boolean
  /** Also between whole numbers. @default false */
  readonly fractions?: boolean
}

/** A range for every number of a group of settings, and of the groups in it. */
export type RangesOf<Group> = {
  readonly [Name in keyof Group as Group[Name] extends number | null | object
    ? Group[Name] extends readonly unknown[] | string | ((...args: never) => unknown)
      ? never
      : Name
    : never]: Group[Name] extends number | null ? Range : RangesOf<Group[Name]>
}

/** Ten years. */
const LONGEST = 3650 * millisecondsInDay
const time: Range = { from: 1, to: LONGEST }
const timeOrNone: Range = { from: 0, to: LONGEST }
const seconds: Range = { from: 1, to: 1_000_000_000 }
/** No more than a text of the engine holds. */
const bytes: Range = { from: 1, to: 536_870_888 }
const count: Range = { from: 1, to: 1_000_000_000 }
const countOrNone: Range = { from: 0, to: 1_000_000_000 }

/** What each number in the settings may be (EM5): the check, and the page about settings, are made of it. */
export const SETTING_RANGES = {
  limits: {
    bodyBytes: {
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
    },
    jsonDepth: { from: 1, to: 1_000 },
    messageBytes: bytes,
    frameBytes: bytes,
    connectionsPerSession: count,
    eventsPerBatch: { from: 1, to: 100_000 },
    queuedMessages: countOrNone,
    cachedConversations: { from: 1, to: 10_000_000 },
    cachedFigures: { from: 1, to: 10_000_000 },
    conversationBytes: bytes,
    conversationEvents: count,
    replayPageBytes: bytes,
    awaitedEvents: count,
    sliceBytes: bytes,
    contentBytes: bytes,
    variableBytes: bytes,
    replyLength: bytes,
    functionBytes: bytes,
    functionErrorLength: bytes,
    recordingBytes: bytes,
    audioBytes: bytes,
    realTimeConfigBytes: bytes,
    conversationsPerPurge: { from: 1, to: 100_000 },
    auditEntriesPerPurge: { from: 1, to: 100_000 },
  },
  sessionIdle: time,
  idleWarning: timeOrNone,
  debugChatIdle: time,
  turnDeadline: { from: 2, to: LONGEST },
  functionTimeout: time,
  drainTimeout: timeOrNone,
  turnLease: time,
  resumeGrace: timeOrNone,
  turnAttempts: { from: 1, to: 1_000 },
  wakeInterval: time,
  longestWakeRetry: time,
  chunkFlush: timeOrNone,
  chunkLength: { from: 1, to: 1_000_000 },
  accessTokenSeconds: seconds,
  tokenKeyRotation: { ...time, nullable: true },
  tokenClockTolerance: timeOrNone,
  credentialUseInterval: timeOrNone,
  handoffTimeoutSeconds: seconds,
  revocationCheck: time,
  queueStatusInterval: time,
  liveAgentAbsence: time,
  liveAgentDeadline: time,
  heartbeatSeconds: seconds,
  webhooks: {
    endpoints: countOrNone,
    timeout: time,
    perEndpoint: count,
    concurrency: count,
    secretOverlap: timeOrNone,
    retention: timeOrNone,
  },
  testRuns: { concurrency: count, casesAtOnce: count, kept: count },
  semanticSearch: {
    minLikeness: { from: -1, to: 1, fractions: true },
    queryTimeout: time,
    batchTurns: { from: 1, to: 10_000 },
    batchTimeout: time,
    retryAfter: timeOrNone,
    textLength: { from: 1, to: 1_000_000 },
  },
} as const

const shown = (value: unknown): string => (typeof value === 'number' ? String(value) : typeof value)

/** Refuses a number that is out of its range (EM5). @throws SCHEMA_VALIDATION_FAILED naming it, and what is allowed */
export function refuseOutside(name: string, value: unknown, range: Range): void {
  const { from, to, nullable = false, fractions = false } = range
  if (value === null && nullable) return
  const kind = fractions ? Number.isFinite : Number.isInteger
  if (typeof value === 'number' && kind(value) && value >= from && value <= to) return
  const allowed = `a ${fractions ? '' : 'whole '}number from ${from} to ${to}${nullable ? ', or null' : ''}`
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', `${name} must be ${allowed}, not ${shown(value)}.`)
}

const isRange = (entry: object): entry is Range => 'from' in entry && 'to' in entry

/** Every range by the name of its setting, `limits.jsonDepth`. */
export function* rangesByName(group: object, prefix = ''): Generator<readonly [string, Range]> {
  for (const [field, entry] of Object.entries(group)) {
    if (isRange(entry)) yield [prefix + field, entry]
    else yield* rangesByName(entry, `${prefix}${field}.`)
  }
}

/** The value of `limits.jsonDepth`; undefined where there is none. */
export function settingAt(settings: object, name: string): unknown {
  let value: unknown = settings
  for (const field of name.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
  return value
}

/** Refuses settings with a number out of its range (EM5). @throws SCHEMA_VALIDATION_FAILED for the first of them */
export function refuseNumbers(settings: object, ranges: object): void {
  for (const [name, range] of rangesByName(ranges)) refuseOutside(name, settingAt(settings, name), range)
}
