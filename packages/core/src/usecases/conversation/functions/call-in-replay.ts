import { callsOf } from '../../../domain/agent/replay.ts'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { effectsOf, type FunctionEffect } from '../../../domain/conversation/function-effect.ts'
import type { ConversationState } from '../../../domain/conversation/state.ts'
import { isJsonArray, type Json, type JsonObject } from '../../../domain/json.ts'
import { PlatformError } from '../../../errors.ts'
import type { FunctionConversation, PreparedCall } from '../../../ports/agent-function.ts'
import type { RuntimePart } from '../../../ports/agent-runtime.ts'
import { recordedTurns } from '../../agent-tests/recorded-turns.ts'
import type { Context } from '../../context.ts'
import { beginRedacting } from '../engine/redacting.ts'
import type { StandIn } from './call-in-test.ts'

/** The channel of a conversation that replays another one, whose key is in the place of its test case. */
export const REPLAY_CHANNEL = 'REPLAY'

/** Reports whether a conversation replays another one. */
export const isReplayed = ({ kind, record }: ConversationState): boolean =>
  kind === 'test' && record.channel === REPLAY_CHANNEL

interface RecordedCall {
  readonly call: JsonObject
  readonly effects: readonly FunctionEffect[]
}

/** Returns the calls of the recorded turn that this turn replays. */
async function recordedCalls(
  { settings, store }: Context,
  { record, testCaseId }: ConversationState,
): Promise<readonly RecordedCall[]> {
  const { turns } = await recordedTurns(store, settings, testCaseId ?? '')
  // A replay is always greeted, also where the recorded conversation began with its visitor.
  const greeted = turns[0]?.details.input_type === 'greeting' ? 0 : 1
  const turn = turns[record.turns - greeted]
  if (turn === undefined) return []
  const effects = isJsonArray(turn.details.function_effects) ? turn.details.function_effects : []
  return callsOf(turn).map((call, at) => ({ call, effects: effectsOf(effects[at]) }))
}

/**
 * Answers calls from the recording: the same function with the same arguments has in the same turn what it had then,
 * and the second such call what the second had. A call that was not recorded is made where the host has said that the
 * function changes nothing outside, and fails otherwise (TE44).
 */
export function callInReplay(context: Context, state: ConversationState): StandIn {
  const counts = new Map<string, number>()
  const { redactor } = context
  return async ({ name, args, called, prepared }) => {
    const recorded = await recordedCalls(context, state)
    const again = (given: Json): RecordedCall | undefined => {
      const key = canonicalJson([name, given])
      const same = recorded.filter(
        ({ call }) => canonicalJson([call.name ?? '', call.arguments ?? {}]) === key,
      )
      if (same.length === 0) return
      const at = counts.get(key) ?? 0
      counts.set(key, at + 1)
      return same[Math.min(at, same.length - 1)]
    }
    const call =
      again(args) ??
      // A redactor has read the arguments of a recorded call (RD5).
      (redactor === null ? undefined : again(await beginRedacting(context, redactor, state).texts(args)))
    if (call !== undefined) return asRecorded(call)
    if (called.callInTests) return prepared
    const message = `${name} was not called in a replay: the recorded turn has no call of it with these arguments.`
    throw new PlatformError('AGENT_FAILED', message)
  }
}

const asRecorded =
  ({ call, effects }: RecordedCall): PreparedCall =>
  async conversation => {
    for (const part of effects) {
      const isDelayed = part.type === 'delayed'
      if (isDelayed || part.type === 'expects')
        await conversation.expectExternalEvent({ delayResponse: isDelayed })
      else again(conversation, part)
    }
    if (typeof call.error === 'string') throw new Error(call.error)
    return call.result ?? null
  }

/** Does what a function did. Long because every kind of part is a case. */
function again(conversation: FunctionConversation, part: RuntimePart): void {
  switch (part.type) {
    case 'text':
      conversation.say(part.text)
      return
    case 'suggestion':
      conversation.suggest(part.text, part.payload)
      return
    case 'attachment':
      conversation.attach(part.attachment)
      return
    case 'call_action':
      conversation.offerCall(part.action.title, part.action.contactNumber)
      return
    case 'variable':
      conversation.setVariable(part.key, part.value)
      return
    case 'metric':
      conversation.setMetric(part.name, part.value)
      return
    case 'integration_attribute':
      conversation.setIntegrationAttribute(part.key, part.value)
      return
    case 'variant_attribute':
      conversation.setVariantAttribute(part.name, part.value)
      return
    case 'handoff':
      conversation.handOff(part.destination, part.reason)
      return
    case 'end':
      conversation.end()
      return
    default:
  }
}
