import type { Command } from './command.ts'
import { addDeliveries, leaveHandoff } from './deliveries.ts'
import type { DeskActor } from './desk-actor.ts'
import {
  beginDraft,
  type Decision,
  type Draft,
  decide,
  journal,
  type Moment,
  patch,
  refuse,
} from './draft.ts'
import { current, joinedPayload, mayEnd } from './from-live-agents.ts'
import { allows, move } from './move.ts'
import { nextHandoff } from './next-handoff.ts'
import type { ConversationState, Handoff } from './state.ts'

/** Reason that the visitor gets when a live agent gives them into another queue. */
const TRANSFERRED = 'transferred'

type Transfer = Extract<Command, { type: 'handoff_transferred' }>

/** Returns why an actor may not transfer the visitor of a handoff now; null: the actor may. */
export function whyNoTransfer(
  state: ConversationState,
  handoffId: string,
  by: DeskActor | undefined,
): 'handoff_over' | 'not_accepted_by' | null {
  const handoff = current(state, handoffId)
  if (handoff === null || !allows(state, 'live_agent_transfers')) return 'handoff_over'
  return mayEnd(handoff, by) ? null : 'not_accepted_by'
}

/** Transfers the visitor to a colleague, who has them from now on, or to a queue (CM20). */
export function transferred(state: ConversationState, command: Transfer, moment: Moment): Decision {
  const { by, handoffId, reason, to } = command
  const why = whyNoTransfer(state, handoffId, by)
  const { handoff } = state
  if (why !== null || handoff === null) return refuse(why ?? 'handoff_over')
  const transferred = {
    from: { id: handoff.liveAgent?.id ?? '', name: handoff.liveAgent?.name ?? '' },
    reason,
  }
  if ('queueName' in to)
    return decide(intoQueue(state, { ...handoff, transferred, queueName: to.queueName }, moment))
  const { acceptor: acceptedBy, liveAgent } = to
  if (liveAgent.id === handoff.liveAgent?.id) return refuse('transfer_to_self')
  // The colleague was at the desk just now, and is missed if no sign of them follows.
  const attendedUntil = moment.now + moment.rules.liveAgentAbsence
  const taken = { ...handoff, liveAgent, acceptedBy, attendedUntil, transferred, joinedAt: moment.now }
  const draft = patch(beginDraft(state), { handoff: taken })
  return decide(journal(draft, 'LIVE_AGENT_JOINED', joinedPayload(liveAgent)))
}

/** The handoff is over and the next one waits, with what is not known to have reached the live agent. */
function intoQueue(state: ConversationState, { transferred, ...wish }: Handoff, moment: Moment): Draft {
  const { deliveries, handoff } = state
  const forwards = deliveries.flatMap(({ handoffId, call }) =>
    handoffId === handoff?.id && call.type === 'forward' ? [call] : [],
  )
  const next = nextHandoff(state, wish, moment)
  const left = patch(leaveHandoff(beginDraft(state), null, moment), {
    ...next,
    handoff: { ...next.handoff, ...(transferred === undefined ? {} : { transferred }) },
  })
  const moved = move(left, 'live_agent_transfers', moment, {
    payloads: {
      LIVE_AGENT_LEFT: { reason: TRANSFERRED },
      HANDOFF_ACCEPTED: { queue_name: wish.queueName },
    },
  })
  return addDeliveries(moved, forwards, moment)
}
