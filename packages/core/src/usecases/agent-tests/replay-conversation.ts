import type { Agent } from '../../domain/agent/agent.ts'
import {
  factsOf,
  obstacleOf,
  type ReplayedTurn,
  type ReplayReason,
  type ReplayVerdict,
} from '../../domain/agent/replay.ts'
import { erasedResult, replayResult } from '../../domain/agent/replay-report.ts'
import type { TestCaseResult, TestRun } from '../../domain/agent/test-run.ts'
import type { Pinning } from '../../domain/conversation/command.ts'
import type { EventJson } from '../../domain/conversation/event.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { eventIdOf, situationsOf } from '../../domain/conversation/turn-recording.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { isPlatformError } from '../../errors.ts'
import type { AgentContent } from '../../ports/agent-runtime.ts'
import { pinTo } from '../conversation/turn/pinning.ts'
import { askAgain } from './ask-again.ts'
import { judgedByRule } from './judge-by-rule.ts'
import { requireReplayJudge, withOpinion } from './judge-replayed.ts'
import { recordedTurns } from './recorded-turns.ts'
import { beginCourse, type Step } from './replay-course.ts'
import { contentUnderTest } from './run-branch-case.ts'
import type { TestDeps } from './run-test-case.ts'
import { type Recorded, readingOf } from './turn-again.ts'

/** One conversation of a replay that this process has. */
export interface ReplayingConversation {
  readonly run: TestRun
  readonly agent: Pick<Agent, 'id' | 'name'>
  readonly key: ConversationId
  /** Whether its turns are also asked with the content that they ran (TE70). */
  readonly measuresNoise: boolean
}

/** The reason why no further turn is replayed. */
interface Stop {
  readonly verdict: Extract<ReplayVerdict, 'not_replayable' | 'off_script'>
  readonly reason: ReplayReason
}

const stopped = (reason: ReplayReason): Stop => ({ verdict: 'not_replayable', reason })

const tooLong = (turn: number): ReplayedTurn => ({
  turn,
  ...stopped('too_long'),
  from: '',
  to: '',
  reply: '',
})

const unjudged = (turn: number, recorded: StoredTurn, stop: Stop): ReplayedTurn => ({
  ...{ turn, verdict: stop.verdict, reason: stop.reason },
  ...{ from: factsOf(recorded).citedTopic, to: '', reply: '' },
})

/** Returns the reason why nothing more can be asked after a turn. Null when the visitor may go on. */
function stopAfter(recorded: StoredTurn, { now, ended }: Step): Stop | null {
  if (now === null || factsOf(now).failed) return stopped('after_error')
  if (factsOf(recorded).handoff !== '') return stopped('after_handoff')
  if (!ended) return null
  const isHandoff = factsOf(now).handoff !== ''
  return { verdict: 'off_script', reason: isHandoff ? 'handed_off' : 'ended' }
}

/**
 * Returns the reason why a turn cannot be asked. Null when it can. A conversation is greeted once, at its beginning.
 */
function stopBefore(turn: number, recorded: StoredTurn): Stop | null {
  const isLate = turn > 0 && recorded.details.input_type === 'greeting'
  const obstacle = isLate ? 'no_recording' : obstacleOf(recorded)
  return obstacle === null ? null : stopped(obstacle)
}

/** Returns the reason why none of a conversation's turns can be replayed. Null when they can. */
function obstacleOfAll(state: ConversationState, pinning: Pinning): Stop | null {
  if (state.kind === 'recorded') return stopped('recorded_elsewhere')
  const { variantId } = state.record
  return variantId !== null && pinning.variantId !== variantId ? stopped('no_variant') : null
}

/** The content that a replay of a conversation runs. */
interface Target {
  readonly content: AgentContent
  readonly pinning: Pinning
}

/** A conversation to replay, as far as it is replayed, with the content that answers. */
interface Conversation extends Target {
  readonly state: ConversationState
  readonly turns: readonly StoredTurn[]
  /** It has further turns. */
  readonly more: boolean
}

/** Reads the log of a recorded conversation, as far as its replayed turns need it. */
async function readLog(
  { settings, store }: TestDeps['context'],
  { id, sequence }: ConversationState,
): Promise<Recorded['log']> {
  const log: EventJson[] = []
  for (let more = true; more; ) {
    const bounds = { count: sequence, bytes: settings.limits.sliceBytes }
    const page = await store.conversations.eventPage(id, log.length, bounds)
    log.push(...page.events)
    more = page.more && page.events.length > 0
  }
  return log
}

/** Replays a conversation turn after turn, with the replies of the replay as its history (TE41, TE45). */
async function withLiveHistory(
  deps: TestDeps,
  { run, key }: ReplayingConversation,
  { state, turns, content, pinning }: Conversation,
  signal: AbortSignal,
): Promise<TestCaseResult> {
  const { context, turnsAgain } = deps
  const recorded: Recorded = { state, turns, log: await readLog(context, state) }
  const course = beginCourse(context, turnsAgain, recorded, { run, content, pinning, signal })
  const replayed: ReplayedTurn[] = []
  let stop: Stop | null = null
  for (const [at, turn] of turns.entries()) {
    await context.breather.rest()
    stop ??= stopBefore(at, turn)
    const step = stop === null ? await course.ask(turn, at) : null
    if (step === null) {
      stop ??= { verdict: 'off_script', reason: eventIdOf(turn) === null ? 'ended' : 'external_event' }
      replayed.push(unjudged(at, turn, stop))
      continue
    }
    const sides = { recorded: turn, now: step.now }
    const byRule = await judgedByRule(context, state, at, sides)
    replayed.push(await withOpinion(context, byRule, sides, signal))
    stop = stopAfter(turn, step)
  }
  return replayResult(key, replayed)
}

/** Replays each turn alone, with the recorded history and state before it (TE67). */
async function withRecordedHistory(
  deps: TestDeps,
  { run, key, measuresNoise }: ReplayingConversation,
  { state, turns, more, content, pinning }: Conversation,
  signal: AbortSignal,
): Promise<TestCaseResult> {
  const { context, turnsAgain } = deps
  const recorded: Recorded = { state, turns, log: await readLog(context, state) }
  const reading = readingOf(context, recorded, run, { log: recorded.log, expects() {} })
  const situations = situationsOf(turns, more ? null : state.integrationAttributes)
  const replayed: ReplayedTurn[] = []
  const noise = { turns: 0, different: 0 }
  let handedOff = false
  for (const [at, turn] of turns.entries()) {
    const situation = situations[at] ?? null
    const stop = handedOff ? stopped('after_handoff') : stopBefore(at, turn)
    handedOff ||= factsOf(turn).handoff !== ''
    if (stop !== null || situation === null) {
      replayed.push(unjudged(at, turn, stop ?? stopped('no_recording')))
      continue
    }
    const one = { at, turn, situation }
    await context.breather.rest()
    const asking = { reading, recorded, one, answering: { run, content, pinning, signal } }
    const now = await askAgain(turnsAgain, asking)
    const sides = { recorded: turn, now }
    const byRule = await judgedByRule(context, state, at, sides)
    replayed.push(await withOpinion(context, byRule, sides, signal))
    const own = measuresNoise ? await recordedTarget(deps, state, turn) : null
    if (own === null) continue
    const again = await askAgain(turnsAgain, { ...asking, answering: { run, ...own, signal } })
    noise.turns++
    const { verdict } = await judgedByRule(context, state, at, { recorded: turn, now: again })
    if (verdict !== 'same') noise.different++
  }
  const result = replayResult(key, replayed)
  return noise.turns === 0 ? result : { ...result, noise }
}

/** Returns the content that a turn ran when it was recorded. Null if it is gone (TE70). */
async function recordedTarget(
  { agents }: TestDeps,
  { agentId, agentName, record, revision }: ConversationState,
  { details }: StoredTurn,
): Promise<Target | null> {
  const { deployment_id: id } = details
  if (typeof id !== 'string') return null
  try {
    const content = await agents.deploymentContent(agentId, id)
    const deployment = { id, revision: revision ?? 0 }
    return { content, pinning: pinTo(content, { name: agentName }, deployment, record.variantId) }
  } catch (error) {
    if (isPlatformError(error) && error.code === 'DEPLOYMENT_NOT_FOUND') return null
    throw error
  }
}

/** Reports whether a conversation of a replay was erased. */
export const isGone = async (
  { store }: Pick<TestDeps['context'], 'store'>,
  key: ConversationId,
): Promise<boolean> => (await store.conversations.version(key)) === null

/**
 * Replays one conversation's visitor messages with the deployment or branch of a replay. An erased conversation counts
 * as one turn that cannot be replayed (TE45).
 *
 * @throws CHANGED, OTHER_TESTERS, the signal's reason when the replay is cancelled
 */
export async function replayConversation(
  deps: TestDeps,
  one: ReplayingConversation,
  signal: AbortSignal,
): Promise<TestCaseResult> {
  const { run, agent, key } = one
  const { settings, store } = deps.context
  requireReplayJudge(deps.context, run.replay ?? {})
  await deps.context.breather.rest()
  const state = await deps.engine.load(key)
  const { turns, more } = await recordedTurns(store, settings, key)
  if (state === null) return erasedResult(key)
  const content = await contentUnderTest(deps, run)
  const deployment = { id: run.deploymentId, revision: run.revision }
  const pinning = pinTo(content, agent, deployment, state.record.variantId)
  const rest = more ? [tooLong(turns.length)] : []
  const all = obstacleOfAll(state, pinning)
  if (all !== null) return replayResult(key, [...turns.map((turn, at) => unjudged(at, turn, all)), ...rest])
  const replaying = run.replay?.mode === 'live_history' ? withLiveHistory : withRecordedHistory
  const result = await replaying(deps, one, { state, turns, more, content, pinning }, signal)
  // Parts of its history may have been gone already.
  if (await isGone(deps.context, key)) return erasedResult(key)
  if (run.branch !== undefined) await contentUnderTest(deps, run)
  return rest.length === 0
    ? result
    : { ...result, ...replayResult(key, [...(result.replayed ?? []), ...rest], result.error) }
}
