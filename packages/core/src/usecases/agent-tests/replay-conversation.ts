import type { Agent } from '../../domain/agent/agent.ts'
import {
  factsOf,
  judgeReplay,
  obstacleOf,
  type ReplayedTurn,
  type ReplayReason,
  type ReplayVerdict,
} from '../../domain/agent/replay.ts'
import { ERASED_TURN, replayResult } from '../../domain/agent/replay-report.ts'
import type { TestCaseResult, TestRun } from '../../domain/agent/test-run.ts'
import type { Pinning } from '../../domain/conversation/command.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { REPLAY_CHANNEL } from '../conversation/functions/call-in-replay.ts'
import { pinTo } from '../conversation/turn/pinning.ts'
import { say } from '../debug-chat/say.ts'
import { recordedTurns } from './recorded-turns.ts'
import { contentOfRun, reasonOf, type TestDeps, withConversation } from './run-test-case.ts'

/** One conversation of a replay that this process has. */
export interface ReplayingConversation {
  readonly run: TestRun
  readonly agent: Pick<Agent, 'id' | 'name'>
  readonly key: ConversationId
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
function stopBefore(turn: number, recorded: StoredTurn): Stop | null {
  const isLate = turn > 0 && recorded.details.input_type === 'greeting'
  const obstacle = isLate ? 'no_recording' : obstacleOf(recorded)
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
}

/** Repeats the visitor's messages, turn by turn, and compares the replies with those of the record (TE41, TE45). */
async function converse(
  { context, engine }: TestDeps,
  key: ConversationId,
  id: ConversationId,
  { turns, pinning }: Script,
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
      stop ??= stopBefore(turn, recorded)
      if (stop === null) {
        const isGreeting = recorded.details.input_type === 'greeting'
        const outcome = isGreeting ? greeting : await asking(recorded)
        replayed.push(judged(turn, recorded, outcome.turn))
        stop = stopAfter(recorded, outcome.turn, outcome.ended)
      } else replayed.push(unjudged(turn, recorded, stop))
    }
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

/**
 * Replays one conversation's visitor messages with the deployment of a replay. An erased conversation counts as one
 * turn that cannot be replayed (TE45).
 *
 * @throws the signal's reason when the replay is cancelled
 */
export async function replayConversation(
  deps: TestDeps,
  { run, agent, key }: ReplayingConversation,
  signal: AbortSignal,
): Promise<TestCaseResult> {
  const { settings, store } = deps.context
  const state = await deps.engine.load(key)
  const { turns, more } = await recordedTurns(store, settings, key)
  if (state === null) return erased(key)
  const deployment = { id: run.deploymentId, revision: run.revision }
  const content = await contentOfRun(deps, run)
  const pinning = pinTo(content, agent, deployment, state.record.variantId)
  const rest = more ? [tooLong(turns.length)] : []
  const all = obstacleOfAll(state, pinning)
  if (all !== null) return replayResult(key, [...turns.map((turn, at) => unjudged(at, turn, all)), ...rest])
  const { integrationAttributes, visitor, asrLanguage, ttsLanguage } = state
  const language = visitor?.language ?? ttsLanguage ?? asrLanguage ?? pinning.languageCode
  const beginning = {
    ...{ channel: REPLAY_CHANNEL, pinning, language },
    ...{ integrationAttributes, visitor, asrLanguage, ttsLanguage },
  }
  const act = (id: ConversationId) => converse(deps, key, id, { turns, pinning })
  const result = await withConversation(deps, { run, caseId: key }, { beginning, signal, act })
  return rest.length === 0 ? result : replayResult(key, [...(result.replayed ?? []), ...rest], result.error)
}

/** Returns the result for a conversation that is gone: without its text, and without the agent's replies (TE43). */
export const erased = (key: ConversationId): TestCaseResult => replayResult(key, [ERASED_TURN])
