import { factsOf, judgeReplay, type ReplayedTurn, type TurnFacts } from '../../domain/agent/replay.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { isJsonArray } from '../../domain/json.ts'
import type { Context } from '../context.ts'
import { beginRedacting } from '../conversation/engine/redacting.ts'
import type { Sides } from './judge-replayed.ts'

/** Returns the facts of two turns, read by the redactor. Null without one, and where it has not read them all. */
async function withoutPrivateParts(
  context: Pick<Context, 'clock' | 'redactor' | 'settings'>,
  state: ConversationState,
  both: readonly [TurnFacts, TurnFacts],
): Promise<readonly [TurnFacts, TurnFacts] | null> {
  if (context.redactor === null) return null
  const redacting = beginRedacting(context, context.redactor, state)
  const read = async (facts: TurnFacts): Promise<TurnFacts> => {
    const texts = await redacting.texts(facts.calls.map(call => call.arguments))
    const given = isJsonArray(texts) ? texts : []
    const calls = facts.calls.map((call, at) => ({ ...call, arguments: given[at] ?? {} }))
    return { ...facts, calls, reply: await redacting.words(facts.reply) }
  }
  const [before, after] = [await read(both[0]), await read(both[1])]
  return redacting.counts.withheld === undefined ? [before, after] : null
}

/**
 * Judges a new turn by rule. Where it differs, both turns are compared without private parts: a recording has none of
 * those that functions gave (RD5).
 */
export async function judgedByRule(
  context: Pick<Context, 'clock' | 'redactor' | 'settings'>,
  state: ConversationState,
  turn: number,
  { recorded, now }: Sides,
): Promise<ReplayedTurn> {
  const before = factsOf(recorded)
  const from = before.citedTopic
  if (now === null) return { turn, verdict: 'errored', reason: 'agent_failed', from, to: '', reply: '' }
  const after = factsOf(now)
  let judgement = judgeReplay(before, after)
  if (judgement.verdict !== 'same') {
    const facts = await withoutPrivateParts(context, state, [before, after])
    if (facts !== null) judgement = judgeReplay(...facts)
  }
  const reply = judgement.verdict === 'same' ? '' : after.reply
  return { turn, ...judgement, from, to: after.citedTopic, reply }
}
