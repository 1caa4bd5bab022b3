import type { Agent } from '../../domain/agent/agent.ts'
import {
  factsOf,
  judgeReplay,
  obstacleOf,
  type ReplayedTurn,
  type ReplayMode,
  type ReplayReason,
  type ReplayVerdict,
} from '../../domain/agent/replay.ts'
import { erasedResult, replayResult } from '../../domain/agent/replay-report.ts'
import type { TestCaseResult, TestRun } from '../../domain/agent/test-run.ts'
import type { Pinning } from '../../domain/conversation/command.ts'
import type { EventJson } from '../../domain/conversation/event.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { situationsOf } from '../../domain/conversation/turn-recording.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { isPlatformError } from '../../errors.ts'
import type { AgentContent } from '../../ports/agent-runtime.ts'
import { REPLAY_CHANNEL } from '../conversation/functions/call-in-replay.ts'
import { pinTo } from '../conversation/turn/pinning.ts'
import { say } from '../debug-chat/say.ts'
import type { Answering, RecordedTurn as AskedTurn, Recorded } from './ask-again.ts'
import { requireReplayJudge, withOpinion } from './judge-replayed.ts'
import { recordedTurns } from './recorded-turns.ts'
import { contentUnderTest } from './run-branch-case.ts'
import { reasonOf, type TestDeps, withConversation } from './run-test-case.ts'

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
function stopAfter(recorded: StoredTurn, now: StoredTurn, ended: boolean): Stop | null {
  if (factsOf(recorded).handoff !== '') return stopped('after_handoff')
  if (!ended) return null
  const isHandoff = factsOf(now).handoff !== ''
  return { verdict: 'off_script', reason: isHandoff ? 'handed_off' : 'ended' }
}

/**
 * Returns the reason why a turn cannot be asked. Null when it can. A conversation is greeted once, at its beginning.
 */
function stopBefore(turn: number, recorded: StoredTurn, mode: ReplayMode): Stop | null {
  const isLate = turn > 0 && recorded.details.input_type === 'greeting'
  const obstacle = isLate ? 'no_recording' : obstacleOf(recorded, mode)
  return obstacle === null ? null : stopped(obstacle)
}

/** Returns the turn at which the agent failed, and those after it. */
const failedFrom = (turns: readonly StoredTurn[], from: number): readonly ReplayedTurn[] =>
  turns.slice(from).map((recorded, at) => ({
    ...unjudged(from + at, recorded, stopped('after_error')),
    ...(at === 0 ? { verdict: 'errored', reason: 'agent_failed' } : {}),
  }))

function judged(turn: number, recorded: StoredTurn, now: StoredTurn): ReplayedTurn {
  const [before, after] = [factsOf(recorded), factsOf(now)]
  const judgement = judgeReplay(before, after)
  const reply = judgement.verdict === 'same' ? '' : after.reply
  return { turn, ...judgement, from: before.citedTopic, to: after.citedTopic, reply }
}

interface Script {
  readonly turns: readonly StoredTurn[]
  readonly pinning: Pinning
  readonly signal: AbortSignal
}

/** Repeats the visitor's messages, turn by turn, and compares the replies with those of the record (TE41, TE45). */
async function converse(
  { context, engine }: TestDeps,
  key: ConversationId,
  id: ConversationId,
  { turns, pinning, signal }: Script,
): Promise<TestCaseResult> {
  const replayed: ReplayedTurn[] = []
  const asking = (recorded: StoredTurn) => {
    const { user_input: said } = recorded.record
    const text = typeof said === 'string' ? said : ''
    return say(context, engine, id, { type: 'message', text, pinning })
  }
  let stop: Stop | null = null
  try {
    const greeting = await say(context, engine, id, { type: 'join', pinning })
    for (const [turn, recorded] of turns.entries()) {
      await context.breather.rest()
      stop ??= stopBefore(turn, recorded, 'live_history')
      if (stop === null) {
        const isGreeting = recorded.details.input_type === 'greeting'
        const outcome = isGreeting ? greeting : await asking(recorded)
        const byRule = judged(turn, recorded, outcome.turn)
        replayed.push(await withOpinion(context, byRule, { recorded, now: outcome.turn }, signal))
        stop = stopAfter(recorded, outcome.turn, outcome.ended)
      } else replayed.push(unjudged(turn, recorded, stop))
    }
    await context.breather.rest()
    return replayResult(key, replayed)
  } catch (thrown) {
    const error = reasonOf(thrown)
    if (error === null) throw thrown
    return replayResult(key, [...replayed, ...failedFrom(turns, replayed.length)], error)
  }
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

/** Replays a conversation turn after turn, with the replies of the replay as its history. */
async function withLiveHistory(
  deps: TestDeps,
  { run, key }: ReplayingConversation,
  { state, turns, pinning }: Conversation,
  signal: AbortSignal,
): Promise<TestCaseResult> {
  const { integrationAttributes, visitor, asrLanguage, ttsLanguage } = state
  const language = visitor?.language ?? ttsLanguage ?? asrLanguage ?? pinning.languageCode
  const beginning = {
    ...{ channel: REPLAY_CHANNEL, pinning, language },
    ...{ integrationAttributes, visitor, asrLanguage, ttsLanguage },
  }
  await deps.context.breather.rest()
  const act = (id: ConversationId) => converse(deps, key, id, { turns, pinning, signal })
  return withConversation(deps, { run, caseId: key }, { beginning, signal, act })
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

/** Asks a turn again, and judges the new reply by rule. */
async function askedAgain(
  deps: TestDeps,
  recorded: Recorded,
  one: AskedTurn,
  answering: Answering,
): Promise<{ readonly byRule: ReplayedTurn; readonly now: StoredTurn | null }> {
  const now = await deps.asker.ask(recorded, one, answering)
  if (now !== null) return { byRule: judged(one.at, one.turn, now), now }
  const unasked = unjudged(one.at, one.turn, stopped('no_recording'))
  return { byRule: { ...unasked, verdict: 'errored', reason: 'agent_failed' }, now }
}

/** Replays each turn alone, with the recorded history and state before it (TE67). */
async function withRecordedHistory(
  deps: TestDeps,
  { run, key, measuresNoise }: ReplayingConversation,
  { state, turns, more, content, pinning }: Conversation,
  signal: AbortSignal,
): Promise<TestCaseResult> {
  const recorded: Recorded = { state, turns, log: await readLog(deps.context, state) }
  const situations = situationsOf(turns, more ? null : state.integrationAttributes)
  const replayed: ReplayedTurn[] = []
  const noise = { turns: 0, different: 0 }
  let handedOff = false
  for (const [at, turn] of turns.entries()) {
    const situation = situations[at] ?? null
    const stop = handedOff ? stopped('after_handoff') : stopBefore(at, turn, 'recorded_history')
    handedOff ||= factsOf(turn).handoff !== ''
    if (stop !== null || situation === null) {
      replayed.push(unjudged(at, turn, stop ?? stopped('no_recording')))
      continue
    }
    const one = { at, turn, situation }
    await deps.context.breather.rest()
    const { byRule, now } = await askedAgain(deps, recorded, one, { run, content, pinning, signal })
    const sides = { recorded: turn, now }
    replayed.push(await withOpinion(deps.context, byRule, sides, signal))
    const own = measuresNoise ? await recordedTarget(deps, state, turn) : null
    if (own === null) continue
    const { byRule: again } = await askedAgain(deps, recorded, one, { run, ...own, signal })
    noise.turns++
    if (again.verdict !== 'same') noise.different++
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
  { accountId, agentId }: Pick<TestRun, 'accountId' | 'agentId'>,
  key: ConversationId,
): Promise<boolean> => (await store.conversations.records.find(accountId, agentId, key, 0)) === null

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
  if (await isGone(deps.context, run, key)) return erasedResult(key)
  if (run.replay?.mode === 'live_history') await contentUnderTest(deps, run)
  return rest.length === 0
    ? result
    : { ...result, ...replayResult(key, [...(result.replayed ?? []), ...rest], result.error) }
}
