import { letAgentJoin } from './agent-joins.ts'
import { actedAtDesk, seenThroughSocket } from './attendance.ts'
import type { Command } from './command.ts'
import { makeDeliveries } from './deliveries.ts'
import { acceptorOf, type DeskActor, mayActIn, mayTakeOver } from './desk-actor.ts'
import { beginDraft, type Decision, decide, journal, type Moment, patch, refuse, tell } from './draft.ts'
import type { EventPayloads } from './event-payloads.ts'
import { allows, move } from './move.ts'
import { startNext } from './pending-inputs.ts'
import { filesBeside } from './sent-files.ts'
import { speakerOf } from './speaker.ts'
import type { ConversationState, Handoff, TurnInput } from './state.ts'

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>

/** The handoff a call is about, if that handoff is not over. */
export function current(state: ConversationState, handoffId: string): Handoff | null {
  const { handoff } = state
  if (state.endedAt !== null || handoff === null || handoff.id !== handoffId || handoff.status === 'over')
    return null
  return handoff
}

/** The live-agent system has put the visitor into its queue. */
export function accepted(
  state: ConversationState,
  command: Of<'handoff_accepted'>,
  moment: Moment,
): Decision {
  const handoff = current(state, command.handoffId)
  if (handoff === null || !allows(state, 'handoff_accepted')) return refuse('handoff_over')
  return decide(
    move(beginDraft(state), 'handoff_accepted', moment, {
      payloads: { HANDOFF_ACCEPTED: { queue_name: handoff.queueName } },
    }),
  )
}

/**
 * A live agent takes the conversation; the messages of the wait are handed over. The first to join wins, others are
 * refused, unless one says that it takes the conversation over (DK611).
 */
export function joined(state: ConversationState, command: Of<'live_agent_joined'>, moment: Moment): Decision {
  const handoff = current(state, command.handoffId)
  if (handoff?.status === 'active' && command.takeOver === true)
    return tookOver(state, handoff, command, moment)
  if (handoff === null || !allows(state, 'live_agent_joins')) return refuse('handoff_over')
  const { by, liveAgent } = command
  const talking = move(
    patch(beginDraft(state), {
      handoff: { ...handoff, liveAgent, acceptedBy: acceptorOf(by), joinedAt: moment.now },
    }),
    'live_agent_joins',
    moment,
    {
      payloads: {
        HANDOFF_ACCEPTED: { queue_name: handoff.queueName },
        LIVE_AGENT_JOINED: joinedPayload(liveAgent),
      },
    },
  )
  return decide(makeDeliveries(talking, moment))
}

export const joinedPayload = ({ id, name, avatarUrl }: NonNullable<Handoff['liveAgent']>) => ({
  agent: { id, name, avatar_url: avatarUrl },
})

/** Another live agent has the visitor from now on. The visitor is notified as when the first one joined. */
function tookOver(
  state: ConversationState,
  handoff: Handoff,
  { by, liveAgent }: Of<'live_agent_joined'>,
  { now: joinedAt }: Moment,
): Decision {
  if (!mayTakeOver(handoff, by)) return refuse('not_accepted_by')
  if (handoff.liveAgent?.id === liveAgent.id && mayActIn(handoff, by)) return refuse('handoff_over')
  const taken = { ...handoff, liveAgent, acceptedBy: acceptorOf(by), attendedUntil: null, joinedAt }
  const draft = patch(beginDraft(state), { handoff: taken })
  return decide(journal(draft, 'LIVE_AGENT_JOINED', joinedPayload(liveAgent)))
}

/** Returns why an actor may not write or type in a handoff now; null: the actor may. */
export function whyNotActive(
  state: ConversationState,
  handoffId: string,
  by: DeskActor | undefined,
): 'handoff_over' | 'not_accepted_by' | null {
  const handoff = current(state, handoffId)
  if (handoff === null || handoff.status !== 'active') return 'handoff_over'
  return mayActIn(handoff, by) ? null : 'not_accepted_by'
}

/** The client event id under which a live agent's message is in the log. */
export const liveMessageKey = (messageId: string): string => `live:${messageId}`

/** The live agent says something. A `messageId` that is in the log already takes effect once. */
export function said(state: ConversationState, command: Of<'live_agent_message'>, moment: Moment): Decision {
  const handoff = current(state, command.handoffId)
  const why = whyNotActive(state, command.handoffId, command.by)
  if (why !== null || handoff === null) return refuse(why ?? 'handoff_over')
  const { callActions = [], suggestions = [] } = command
  const { liveAgent } = handoff
  const payload = {
    message_id: command.messageId,
    text: command.text,
    attachments: command.attachments,
    response_suggestions: suggestions,
    ...(callActions.length === 0 ? {} : { chat_call_actions: callActions }),
    agent_id: liveAgent?.id ?? '',
    ...(liveAgent === null ? {} : speakerOf(liveAgent)),
    ...filesBeside(command),
  }
  return decide(
    journal(actedAtDesk(beginDraft(state), handoff, moment), 'LIVE_AGENT_MESSAGE', payload, {
      custom: null,
      clientEventId: liveMessageKey(command.messageId),
    }),
  )
}

export function typing(state: ConversationState, command: Of<'live_agent_typing'>, moment: Moment): Decision {
  const handoff = current(state, command.handoffId)
  const why = whyNotActive(state, command.handoffId, command.by)
  if (why !== null || handoff === null) return refuse(why ?? 'handoff_over')
  return decide(
    tell(actedAtDesk(beginDraft(state), handoff, moment), 'LIVE_AGENT_TYPING', {
      state: command.state === 'started' ? 'TYPING_STATE_STARTED' : 'TYPING_STATE_STOPPED',
      agent_id: handoff.liveAgent?.id ?? '',
    }),
  )
}

/** The live agent watches the desk, or has just stopped: such a live agent can be missed (DK15). */
export function watched(
  state: ConversationState,
  command: Of<'live_agent_watched'>,
  moment: Moment,
): Decision {
  const handoff = current(state, command.handoffId)
  if (handoff?.status !== 'active' || handoff.liveAgent?.id !== command.liveAgentId)
    return refuse('handoff_over')
  return decide(seenThroughSocket(beginDraft(state), handoff, command.socket, moment))
}

/** The visitor's position in the queue. */
export function queueStatus(state: ConversationState, command: Of<'queue_status'>): Decision {
  const handoff = current(state, command.handoffId)
  if (handoff === null || state.owner !== 'queue') return refuse('handoff_over')
  return decide(tell(beginDraft(state), 'HANDOFF_QUEUE_STATUS', queueStatusPayload(handoff, command)))
}

/** Returns the visitor's notification of the position. Unknown values are left out. */
export const queueStatusPayload = (
  { queueName }: Pick<Handoff, 'queueName'>,
  {
    position,
    estimatedWaitSeconds,
    displayMessage = null,
  }: Pick<Of<'queue_status'>, 'position' | 'estimatedWaitSeconds' | 'displayMessage'>,
): EventPayloads['HANDOFF_QUEUE_STATUS'] => ({
  queue_name: queueName,
  ...(position === null ? {} : { position_in_queue: position }),
  ...(estimatedWaitSeconds === null ? {} : { estimated_wait_seconds: estimatedWaitSeconds }),
  ...(displayMessage === null ? {} : { display_message: displayMessage }),
})

/** Reports whether the actor may end the talk of a live agent with the visitor (DK41). */
export const mayEnd = (handoff: Handoff, by: DeskActor | undefined): boolean =>
  mayActIn(handoff, by) || (by?.isOperator === true && mayTakeOver(handoff, by))

/** Ends the session when a live agent leaves. */
export function left(state: ConversationState, command: Of<'live_agent_left'>, moment: Moment): Decision {
  const handoff = current(state, command.handoffId)
  if (handoff === null || !allows(state, 'live_agent_leaves')) return refuse('handoff_over')
  if (!mayEnd(handoff, command.by)) return refuse('not_accepted_by')
  const reason = command.reason === null ? {} : { reason: command.reason }
  return decide(
    move(beginDraft(state), 'live_agent_leaves', moment, {
      payloads: { LIVE_AGENT_LEFT: reason },
    }),
  )
}

/** Reason that the visitor gets if the live agent gives none. */
const RETURNED = 'returned'

/**
 * The live agent gives the visitor back to the AI agent, which answers what no live-agent system is known to have
 * (CM22).
 */
export function returned(
  state: ConversationState,
  command: Of<'live_agent_returned'>,
  moment: Moment,
): Decision {
  const handoff = current(state, command.handoffId)
  if (handoff === null || !allows(state, 'live_agent_returns')) return refuse('handoff_over')
  if (!mayEnd(handoff, command.by)) return refuse('not_accepted_by')
  if (!moment.rules.returnToAgent) return refuse('return_not_allowed')
  const unanswered = undelivered(state, handoff, moment)
  const back = letAgentJoin(beginDraft(state), 'live_agent_returns', moment, {
    reason: command.reason ?? RETURNED,
  })
  const waiting = patch(back, { pending: [...state.pending, ...unanswered], failure: null })
  return decide(startNext(waiting, moment))
}

/** The visitor's messages that were to be forwarded and are not known to have arrived, as inputs of the AI agent. */
const undelivered = (
  { deliveries }: ConversationState,
  { id }: Handoff,
  { at: receivedAt }: Moment,
): readonly TurnInput[] =>
  deliveries.flatMap(({ handoffId, call }): readonly TurnInput[] => {
    if (handoffId !== id || call.type !== 'forward') return []
    const { messageId, sequence, sender } = call
    return [{ type: 'message', turnId: messageId, messageId, sequence, sender, receivedAt }]
  })

/** The live-agent system could not take the handoff: the owner is `nobody` until the visitor returns. */
export function failed(state: ConversationState, command: Of<'handoff_failed'>, moment: Moment): Decision {
  const handoff = current(state, command.handoffId)
  if (handoff === null || !allows(state, 'handoff_failed')) return refuse('handoff_over')
  if (command.unlessAccepted === true && handoff.status !== 'requested') return refuse('handoff_over')
  const reason = command.reason === null ? {} : { reason: command.reason }
  const { closed } = command
  const draft = beginDraft(state)
  return decide(
    move(
      closed === undefined ? draft : patch(draft, { handoff: { ...handoff, closed } }),
      'handoff_failed',
      moment,
      {
        payloads: { HANDOFF_FAILED: reason },
      },
    ),
  )
}

/** Calls to the live-agent system were made; the senders of messages that did not arrive are notified. */
export function deliveriesDone(
  state: ConversationState,
  command: Of<'deliveries_done'>,
  moment: Moment,
): Decision {
  const made = state.deliveries.filter(({ number }) => number <= command.through)
  if (made.length === 0) return decide(beginDraft(state))
  let draft = patch(beginDraft(state), {
    deliveries: state.deliveries.filter(({ number }) => number > command.through),
    deliveryUntil: null,
  })
  for (const { number, call } of made) {
    if (call.type !== 'forward' || !command.failed.includes(number)) continue
    const message = 'Failed to forward message to live agent'
    draft = tell(
      draft,
      'SYSTEM_MESSAGE',
      { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message },
      { to: call.sender, orSince: call.sequence, custom: null },
    )
  }
  return decide(makeDeliveries(draft, moment))
}
