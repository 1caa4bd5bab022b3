import { canonicalJson } from '../canonical-json.ts'
import type { StoredTurn } from '../conversation/record.ts'
import { eventIdOf } from '../conversation/turn-recording.ts'
import type { Environment } from '../environment.ts'
import type { AgentId, BranchId, DeploymentId, TestRunId } from '../ids.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.ts'

/** The verdicts on a turn of a replay, the gravest first (TE41). */
export const REPLAY_VERDICTS = [
  'worse',
  'errored',
  'changed',
  'off_script',
  'not_replayable',
  'better',
  'reworded',
  'same',
] as const

/** The verdict on a turn of a replay. */
export type ReplayVerdict = (typeof REPLAY_VERDICTS)[number]

/** The reason why a turn cannot be replayed (TE45). */
const OBSTACLES = [
  'no_recording',
  'recorded_elsewhere',
  'no_variant',
  'external_event',
  'after_handoff',
  'after_error',
  'too_long',
  'erased',
] as const

/** The reason why a turn has its verdict (TE41, TE45). */
export const REPLAY_REASONS = [
  'same',
  'text',
  'function_lost',
  'no_answer',
  'handoff_lost',
  'handoff_new',
  'answered',
  'error_gone',
  'function_missing',
  'function_arguments',
  'topic',
  'handoff_destination',
  'end',
  'delayed',
  'agent_failed',
  'ended',
  'handed_off',
  'judged',
  ...OBSTACLES,
] as const

/** The reason why a turn has its verdict. */
export type ReplayReason = (typeof REPLAY_REASONS)[number]

/** The reason why a turn cannot be replayed. */
export type ReplayObstacle = (typeof OBSTACLES)[number]

/** A verdict with its reason. */
export interface ReplayJudgement {
  readonly verdict: ReplayVerdict
  readonly reason: ReplayReason
}

/** One turn of a replayed conversation. */
export interface ReplayedTurn extends ReplayJudgement {
  /** Its place among the turns of the record, from 0. */
  readonly turn: number
  /** The topic that the recorded reply rests on; empty for none. */
  readonly from: string
  /** The topic that the new reply rests on; empty for none. */
  readonly to: string
  /** The new text; empty if it is the recorded one, and if there is none. */
  readonly reply: string
  /**
   * The opinion of the host's judge, and the reason by rule. Null: it was asked and failed. Absent: it was not asked
   * (TE91).
   */
  readonly judged?: { readonly reason: string; readonly rule: ReplayReason } | null
}

/** Turns with the same result. */
export interface ReplayGroupKey extends ReplayJudgement {
  readonly from: string
  readonly to: string
}

/** A group that somebody has accepted. */
export interface AcceptedGroup extends ReplayGroupKey {
  /** The reason why it is as it should be. */
  readonly why: string
  readonly by: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The ways to replay a conversation. */
export const REPLAY_MODES = ['recorded_history', 'live_history'] as const

/**
 * The way to replay a conversation. `recorded_history`: each turn alone, with the recorded history and state before
 * it. `live_history`: turn after turn, with the replies of the replay as history.
 */
export type ReplayMode = (typeof REPLAY_MODES)[number]

/** The selection of finished conversations to replay. */
export interface ReplaySelection {
  /** The most conversations. */
  readonly last: number
  readonly environment: Environment
  /** Those that began in so many days, drawn at random. Null: the newest ones. */
  readonly days: number | null
}

/**
 * The numbers of turns of a replay. They grow with its results, in the same write, and stay when conversations are
 * erased: nobody's words are in them, and the verdict on a content does not change (TE98).
 */
export interface ReplayTally {
  /** The conversations that were replayed. */
  readonly replayed: number
  readonly noise: ReplayNoise
  readonly judge: ReplayJudgings
  /** In no particular order. */
  readonly groups: readonly (ReplayGroupKey & { readonly turns: number })[]
}

/** The terms of a replay, its numbers, and the groups of turns that people have accepted. */
export interface ReplayPlan {
  readonly selection: ReplaySelection
  readonly mode: ReplayMode
  readonly accepted: readonly AcceptedGroup[]
  readonly tally: ReplayTally
  /** The version of the host's judge. Absent, as null: without one. It never changes in a replay (TE91). */
  readonly judge?: string | null
}

/** A replay of recorded conversations with a deployment or a branch. Times are milliseconds since the epoch. */
export interface Replay {
  readonly id: TestRunId
  readonly agentId: AgentId
  /** Null for a branch. */
  readonly deploymentId: DeploymentId | null
  /** Null for a deployment. */
  readonly branchId: BranchId | null
  /** The deployment's; `sandbox` for a branch, where a merge brings it. */
  readonly environment: Environment
  /** The deployment's; for a branch the one that its changes are based on. */
  readonly revision: number
  /** The hash of the replayed content (TE60). */
  readonly version: string
  readonly mode: ReplayMode
  /** `errored`: the replay was abandoned. The results so far remain. */
  readonly status: 'running' | 'finished' | 'errored'
  /** The reason why it was abandoned. */
  readonly error: string | null
  readonly selection: ReplaySelection
  /** The number of conversations to replay. */
  readonly conversations: number
  readonly startedAt: number
  readonly finishedAt: number | null
}

/** Turns with the same result, and whether somebody has accepted that. */
export interface ReplayGroup extends ReplayGroupKey {
  readonly turns: number
  readonly accepted: Pick<AcceptedGroup, 'why' | 'by' | 'at'> | null
}

/**
 * The difference of an agent from itself: turns of a sample that were asked again with the content that they ran, and
 * those of them whose reply was not the same. A model differs from itself, other runtimes do not (TE70).
 */
export interface ReplayNoise {
  readonly turns: number
  readonly different: number
}

/** Turns that the host's judge has judged, and those for which it failed (TE91). */
export interface ReplayJudgings {
  readonly judged: number
  readonly failed: number
}

/** A replay with its results so far. */
export interface ReplayReport extends Replay {
  /** The number of conversations replayed so far. */
  readonly replayed: number
  /** Those of them that were erased since. Their turns stay counted, and are shown no more (TE98). */
  readonly erased: number
  readonly verdicts: Readonly<Record<ReplayVerdict, number>>
  readonly noise: ReplayNoise
  readonly judge: ReplayJudgings
  /** All groups but the same turns, the gravest verdict first, then the largest group (TE48). */
  readonly groups: readonly ReplayGroup[]
}

/** The facts of a turn that a replay compares. */
export interface TurnFacts {
  readonly reply: string
  /** Empty for none. */
  readonly citedTopic: string
  readonly calls: readonly { readonly name: string; readonly arguments: Json }[]
  /** The destination of the handoff. Empty without one. */
  readonly handoff: string
  /** The reply is to come after an external event. */
  readonly delayed: boolean
  readonly ended: boolean
  readonly failed: boolean
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** Returns the calls of functions in a turn's record. */
export const callsOf = ({ details }: StoredTurn): readonly JsonObject[] =>
  isJsonArray(details.function_events) ? details.function_events.filter(isJsonObject) : []

/** Returns the facts to compare from the record of a turn. */
export const factsOf = (turn: StoredTurn): TurnFacts => ({
  reply: textOf(turn.record.agent_response),
  citedTopic: textOf(turn.details.cited_topic),
  calls: callsOf(turn).map(call => ({ name: textOf(call.name), arguments: call.arguments ?? {} })),
  handoff: textOf(turn.details.handoff_destination),
  delayed: turn.details.delayed === true,
  ended: turn.details.ends === true,
  failed: turn.details.error !== undefined,
})

/** Returns the reason why a recorded turn cannot be replayed. Null when it can (TE45). */
export function obstacleOf(turn: StoredTurn): ReplayObstacle | null {
  const { input_type: input, function_effects: effects } = turn.details
  if (input === 'external_event' && eventIdOf(turn) === null) return 'external_event'
  if (input !== 'greeting' && input !== 'message' && input !== 'external_event') return 'no_recording'
  return callsOf(turn).length > 0 && effects === undefined ? 'no_recording' : null
}

/** Returns the text as it is compared: composed characters, and white space as one space. */
const normal = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim()

const callKeys = ({ calls }: TurnFacts): readonly string[] =>
  calls.map(call => canonicalJson([call.name, call.arguments])).sort()

const isAmong =
  ({ calls }: TurnFacts) =>
  ({ name }: TurnFacts['calls'][number]): boolean =>
    calls.some(call => call.name === name)

/** Returns the reason why the turn is worse than before. Returns null if it is not. */
function worsening(before: TurnFacts, now: TurnFacts): ReplayReason | null {
  if (!before.calls.every(isAmong(now))) return 'function_lost'
  if (before.citedTopic !== '' && now.citedTopic === '') return 'no_answer'
  if (before.handoff !== '' && now.handoff === '') return 'handoff_lost'
  if (before.handoff === '' && now.handoff !== '') return 'handoff_new'
  return null
}

/** Returns the difference that no rule calls better or worse. Returns null if only the text differs. */
function difference(before: TurnFacts, now: TurnFacts): ReplayReason | null {
  if (!now.calls.every(isAmong(before))) return 'function_missing'
  if (canonicalJson(callKeys(before)) !== canonicalJson(callKeys(now))) return 'function_arguments'
  if (before.citedTopic !== now.citedTopic) return 'topic'
  if (before.handoff !== now.handoff) return 'handoff_destination'
  if (before.delayed !== now.delayed) return 'delayed'
  return before.ended === now.ended ? null : 'end'
}

/** Compares a turn with the recorded one. The first rule that holds decides (TE41). */
export function judgeReplay(before: TurnFacts, now: TurnFacts): ReplayJudgement {
  if (now.failed) return { verdict: 'errored', reason: 'agent_failed' }
  if (before.failed) return { verdict: 'better', reason: 'error_gone' }
  const worse = worsening(before, now)
  if (worse !== null) return { verdict: 'worse', reason: worse }
  if (before.citedTopic === '' && now.citedTopic !== '') return { verdict: 'better', reason: 'answered' }
  const other = difference(before, now)
  if (other !== null) return { verdict: 'changed', reason: other }
  return normal(before.reply) === normal(now.reply)
    ? { verdict: 'same', reason: 'same' }
    : { verdict: 'reworded', reason: 'text' }
}
