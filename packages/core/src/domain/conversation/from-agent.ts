import { chunkId } from './chunk-id.ts'
import { withCitedTopic } from './cited-topics.ts'
import type { Command, TurnReply } from './command.ts'
import { addDeliveries } from './deliveries.ts'
import {
  beginDraft,
  type Decision,
  type Draft,
  decide,
  journal,
  type Moment,
  patch,
  refuse,
  withTurns,
} from './draft.ts'
import { withGuardedLine } from './guarded-lines.ts'
import { handedOffNow } from './handed-off.ts'
import { move } from './move.ts'
import { nextHandoff } from './next-handoff.ts'
import { FAILURE_TEXT, startNext, stateFailure } from './pending-inputs.ts'
import { keepingRating } from './rating.ts'
import { lostTurn, numberReply } from './replies.ts'
import { speakerOf } from './speaker.ts'
import type { ActiveTurn, ConversationState, TurnInput } from './state.ts'

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>

/** The running turn, if the caller holds its newest generation. */
function held(
  state: ConversationState,
  command: Pick<Of<'turn_alive'>, 'turnId' | 'generation'>,
): ActiveTurn | null {
  const { turn } = state
  return turn?.id === command.turnId && turn.generation === command.generation ? turn : null
}

/** The reply is taken: once, from the generation that holds the lease. */
export function completed(state: ConversationState, command: Of<'turn_completed'>, moment: Moment): Decision {
  if (held(state, command) === null) return refuse('fenced')
  const { reply } = command
  const judged = keepRead(beginDraft(state), command.read)
  const settled = numberReply(settle(judged, reply, moment), state.turn, reply)
  const spoken = speak(settled, reply)
  if (reply.end) return decide(move(spoken, 'agent_ends', moment))
  if (reply.handoff !== null) {
    const handedOff = handedOffNow(spoken.state, reply.handoff, moment.at)
    return decide(handOff(patch(spoken, { handedOff }), reply.handoff, moment))
  }
  return decide(startNext(spoken, moment))
}

/** Keeps the text that the agent reads in place of the visitor's message, for later turns (GU5). */
function keepRead(draft: Draft, text: string | undefined): Draft {
  const { guarded, turn } = draft.state
  if (text === undefined || turn?.input.type !== 'message') return draft
  return patch(draft, { guarded: withGuardedLine(guarded, { sequence: turn.input.sequence, text }) })
}

/** The turn is over; what it has written besides its text. */
function settle(draft: Draft, reply: TurnReply, moment: Moment): Draft {
  const { state } = draft
  const { expectedEvents } = reply
  return patch(draft, {
    turn: null,
    failure: null,
    variables: reply.variables,
    metrics: keepingRating(reply.metrics, state.metrics),
    integrationAttributes: reply.integrationAttributes,
    setAttributes: reply.setAttributes,
    awaiting:
      expectedEvents.length === 0
        ? state.awaiting
        : newest([...state.awaiting, ...expectedEvents], moment.rules.awaitedEvents),
    externalCheckAt: expectedEvents.length === 0 ? state.externalCheckAt : moment.now,
    record: {
      turns: state.record.turns + 1,
      silences: state.record.silences + (reply.silence ? 1 : 0),
      outOfDomain: state.record.outOfDomain + (reply.outOfDomain ? 1 : 0),
      topics: withCitedTopic(state.record.topics, reply.turn),
    },
  })
}

const newest = (ids: readonly string[], most: number): readonly string[] =>
  ids.slice(Math.max(ids.length - most, 0))

/** The reply's events: one message, or the last chunk of a stream with those before it. */
function speak(draft: Draft, reply: TurnReply): Draft {
  const { language, messageId, text, attachments, suggestions, callActions, chunks } = reply
  const spoken =
    language === null || language === draft.state.record.language
      ? draft
      : patch(journal(draft, 'LANGUAGE_CHANGED', { language_code: language }), {
          record: { language },
        })
  if (text === '' && attachments.length + suggestions.length + callActions.length === 0) return spoken
  const beside = {
    ...(callActions.length > 0 ? { chat_call_actions: callActions } : {}),
    ...(reply.end ? { end_conversation: true as const } : {}),
  }
  // Both payloads are written out: to add fields behind a spread takes V8 eighty times as long.
  if (chunks === null) {
    const { agentName: name, agentAvatarUrl: avatarUrl } = spoken.state
    return journal(spoken, 'AI_AGENT_MESSAGE', {
      message_id: messageId,
      attachments,
      response_suggestions: suggestions,
      text,
      ...speakerOf({ name, avatarUrl }),
      ...beside,
    })
  }
  const index = Math.max(chunks.length, 1)
  const payload = {
    message_id: messageId,
    attachments,
    response_suggestions: suggestions,
    text: chunks.at(-1) ?? '',
    chunks: chunks.slice(0, -1),
    chunk_index: index,
    is_complete: true,
    ...beside,
  }
  return journal(spoken, 'AI_AGENT_MESSAGE_CHUNK', payload, { id: chunkId(messageId, index) })
}

/** Returns the queue of handoffs to a destination: that of the connector, or else the destination's own. */
export const queueFor = (
  { handoffSettings: { queueName } }: Pick<ConversationState, 'handoffSettings'>,
  destination: string,
): string => (queueName === '' ? destination : queueName)

/** The agent hands off: to the queue, to the client, or, where a channel has neither, to the end. */
function handOff(draft: Draft, wish: NonNullable<TurnReply['handoff']>, moment: Moment): Draft {
  const { state } = draft
  const queueName = queueFor(state, wish.destination)
  const noted = patch(draft, {
    record: { handoff: true, handoffReason: wish.reason, handoffDestination: wish.destination },
  })
  if (state.kind !== 'messaging') return move(noted, 'hands_off_nowhere', moment)
  if (state.handoffSettings.mode === 'server') return requestHandoff(noted, { ...wish, queueName }, moment)
  const moved = move(noted, 'hands_off_to_client', moment, {
    payloads: {
      CLIENT_HANDOFF_REQUIRED: {
        reason: 'AGENT_DECISION',
        queue_name: queueName,
        ...(wish.destination === '' ? {} : { route: wish.destination }),
      },
    },
  })
  return failWaiting(moved)
}

/** Into the queue: the live-agent system is asked; messages that waited for the AI agent wait for the live agent. */
function requestHandoff(
  draft: Draft,
  wish: NonNullable<TurnReply['handoff']> & { readonly queueName: string },
  moment: Moment,
): Draft {
  const { state } = draft
  const [messages, pending] = partition(state.pending)
  const moved = move(
    patch(draft, { ...nextHandoff(state, wish, moment), pending }),
    'hands_off_to_queue',
    moment,
  )
  const forwards = messages.map(({ messageId, sequence, sender }) => {
    return { type: 'forward', messageId, sequence, sender } as const
  })
  return addDeliveries(moved, [{ type: 'request' }, ...forwards], moment)
}

/** Notifies the senders of messages that will not be answered. */
function failWaiting(draft: Draft): Draft {
  const [messages, others] = partition(draft.state.pending)
  const cleared = patch(draft, { pending: others })
  return messages.reduce(
    (next, input) => stateFailure(next, FAILURE_TEXT.reply, { ...senderOf(input), custom: null }),
    cleared,
  )
}

/** The connection that a message came over, or those that replaced it. */
const senderOf = ({ sender, sequence }: Extract<TurnInput, { type: 'message' }>) => ({
  to: sender,
  orSince: sequence,
})

function partition(inputs: readonly TurnInput[]) {
  const messages = inputs.filter(input => input.type === 'message')
  return [messages, inputs.filter(input => input.type !== 'message')] as const
}

/** The turn failed: only the record keeps its result, the sender is notified, and the next input starts. */
export function failed(state: ConversationState, command: Of<'turn_failed'>, moment: Moment): Decision {
  const turn = held(state, command)
  if (turn === null) return refuse('fenced')
  const recorded = recordFailed(keepRead(beginDraft(state), command.read), command.turn)
  return decide(
    giveUp(recorded, turn, { text: FAILURE_TEXT[command.failure], custom: command.custom }, moment),
  )
}

function recordFailed(draft: Draft, turn: Of<'turn_failed'>['turn']): Draft {
  if (turn === null) return draft
  const { record } = draft.state
  return withTurns(patch(draft, { record: { turns: record.turns + 1 } }), [turn])
}

/**
 * Returns the draft after a failed turn. A failed greeting also removes the agent, so that a join or message starts
 * again.
 */
export function giveUp(
  draft: Draft,
  turn: ActiveTurn,
  { text, custom }: NonNullable<ConversationState['failure']>,
  moment: Moment,
): Draft {
  const target = turn.input.type === 'message' ? senderOf(turn.input) : { to: null }
  // A caller of a chat gets the same when it asks again, so each of its turns needs a record (TC30).
  const isLost = draft.state.chat !== null && draft.turns.length === 0
  const kept = isLost ? recordFailed(draft, lostTurn(turn, text, moment.at)) : draft
  const said = patch(stateFailure(kept, text, { ...target, custom }), { turn: null })
  if (turn.input.type !== 'greeting') return startNext(said, moment)
  return failWaiting(patch(move(said, 'agent_start_fails', moment), { greeted: false }))
}

/** The holder of a long turn extends its lease. */
export function alive(state: ConversationState, command: Of<'turn_alive'>, moment: Moment): Decision {
  const turn = held(state, command)
  if (turn === null) return refuse('fenced')
  return decide(
    patch(beginDraft(state), { turn: { ...turn, leaseUntil: moment.now + moment.rules.turnLease } }),
  )
}

/**
 * Reports whether the agent can take the external event of a reserved id. A finished turn awaits it, or no turn is in
 * progress that might. A turn that failed or was never finished may have given the id away all the same (EX21).
 */
export const takesExternalEvent = (
  { awaiting, owner, turn }: ConversationState,
  eventId: string,
  pending: boolean,
): boolean => owner === 'ai_agent' && (awaiting.includes(eventId) || (pending && turn === null))

/** Starts a turn of the agent for an event from an external system. */
export function externalEvent(
  state: ConversationState,
  command: Of<'external_event'>,
  moment: Moment,
): Decision {
  if (state.endedAt !== null) return refuse('ended')
  if (!takesExternalEvent(state, command.eventId, command.pending ?? false)) return refuse('not_awaited')
  const taken: Draft = {
    ...patch(beginDraft(state), {
      awaiting: state.awaiting.filter(eventId => eventId !== command.eventId),
      pending: [
        ...state.pending,
        { type: 'external_event', turnId: moment.id, eventId: command.eventId, receivedAt: moment.at },
      ],
    }),
    deliveredExternalEvents: [command.eventId],
  }
  return decide(startNext(taken, moment))
}
