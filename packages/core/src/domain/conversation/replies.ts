import { isJsonObject, type JsonObject } from '../json.ts'
import type { TurnReply } from './command.ts'
import { type Draft, patch, withTurns } from './draft.ts'
import { projectTurn } from './project-turn.ts'
import type { StoredTurn } from './record.ts'
import type { ActiveTurn } from './state.ts'

/** A reply of a turn-based chat. */
export interface ChatReply {
  /** Counted from 1, the greeting. */
  readonly index: number
  /** The agent's text. Empty if it said nothing. */
  readonly response: string
  /** True when the chat ended with it. */
  readonly ended: boolean
  readonly handoff: { readonly destination: string; readonly reason: string } | null
}

/** A reply, and the earlier replies that its call returned. */
export interface NumberedReply extends ChatReply {
  /** The call returned the replies after that one, this one included (TC20). */
  readonly toldAfter: number
}

/**
 * Adds the turn, with the number of its reply if the conversation counts them, and with the replies that its call
 * returns. Stored with the turn, so that a repeated call returns the same (TC30).
 */
export function numberReply(draft: Draft, active: ActiveTurn | null, { handoff, turn }: TurnReply): Draft {
  const { chat } = draft.state
  if (chat === null) return withTurns(draft, [turn])
  const index = chat.replies + 1
  // A late reply is returned with the next message, or by a request for it.
  const isAsked = active?.input.type !== 'external_event'
  const reply: JsonObject = {
    index,
    told_after: chat.told,
    handoff: handoff === null ? null : { ...handoff },
  }
  const numbered: StoredTurn = { ...turn, details: { ...turn.details, reply } }
  const counted = patch(draft, { chat: { ...chat, replies: index, told: isAsked ? index : chat.told } })
  return withTurns(counted, [numbered])
}

/** Returns the record of a failed turn of which nothing is known but that there is no answer. */
export const lostTurn = ({ id, input }: ActiveTurn, statedFailure: string, at: number): StoredTurn => {
  const userInputAt = input.type === 'greeting' ? at : input.receivedAt
  return {
    record: projectTurn({ userInput: '', userInputAt, agentResponse: '', agentResponseAt: at }),
    details: {
      turn_id: id,
      input_type: input.type,
      error: 'The turn was not finished.',
      stated_failure: statedFailure,
    },
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the reply that a turn was; null for one that failed. */
export function replyOf({ record, details }: StoredTurn): NumberedReply | null {
  const { reply, ends } = details
  if (!isJsonObject(reply) || typeof reply.index !== 'number' || typeof reply.told_after !== 'number')
    return null
  const handoff = isJsonObject(reply.handoff)
    ? { destination: textOf(reply.handoff.destination), reason: textOf(reply.handoff.reason) }
    : null
  return {
    index: reply.index,
    toldAfter: reply.told_after,
    response: textOf(record.agent_response),
    ended: ends === true || handoff !== null,
    handoff,
  }
}
