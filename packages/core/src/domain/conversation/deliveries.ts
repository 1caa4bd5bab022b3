import { type Draft, effect, type Moment, patch } from './draft.ts'
import type { ConversationState, Handoff, PendingDelivery } from './state.ts'

/** Calls to the live-agent system that may be made now, oldest first: forwards wait until a live agent has joined. */
export const dueDeliveries = (state: ConversationState): readonly PendingDelivery[] =>
  state.deliveries.filter(
    delivery =>
      delivery.call.type !== 'forward' || state.handoff?.status === 'active' || state.endedAt !== null,
  )

/** Puts a call for the current handoff behind the others. */
export function queueDelivery(draft: Draft, call: PendingDelivery['call'], moment: Moment): Draft {
  const { handoff, deliveryNumber, deliveries } = draft.state
  if (handoff === null) return draft
  const delivery = { number: deliveryNumber + 1, handoffId: handoff.id, call }
  return makeDeliveries(
    patch(draft, { deliveryNumber: delivery.number, deliveries: [...deliveries, delivery] }),
    moment,
  )
}

/** Asks for the due calls to be made, and to be looked after if nobody confirms them within a lease. */
export function makeDeliveries(draft: Draft, moment: Moment): Draft {
  if (dueDeliveries(draft.state).length === 0) return patch(draft, { deliveryUntil: null })
  return effect(patch(draft, { deliveryUntil: moment.now + moment.rules.turnLease }), { type: 'deliver' })
}

/** Calls off the handoff that waits or runs, if any: its undelivered forwards go, its live agent is told. */
export function cancelHandoff(draft: Draft, reason: string, moment: Moment): Draft {
  const { handoff, owner } = draft.state
  if (handoff === null || (owner !== 'queue' && owner !== 'live_agent')) return draft
  const requestUnmade = draft.state.deliveries.some(
    delivery => delivery.handoffId === handoff.id && delivery.call.type === 'request',
  )
  const cleared = closeHandoff(draft, handoff)
  // A request that is under way may have arrived: the cancel goes out behind it all the same.
  const kept = requestUnmade
    ? patch(cleared, {
        deliveries: draft.state.deliveries.filter(delivery => delivery.call.type === 'request'),
      })
    : cleared
  return queueDelivery(kept, { type: 'cancel', reason }, moment)
}

/** Marks a handoff as over; what was meant for its live agent is dropped. */
export const closeHandoff = (draft: Draft, handoff: Handoff): Draft =>
  effect(
    patch(draft, {
      handoff: { ...handoff, status: 'over' },
      deliveries: draft.state.deliveries.filter(delivery => delivery.handoffId !== handoff.id),
      deliveryUntil: null,
    }),
    { type: 'queue_changed' },
  )
