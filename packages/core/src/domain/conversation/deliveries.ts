import { type Draft, effect, type Moment, patch } from './draft.ts'
import type { ConversationState, PendingDelivery } from './state.ts'

/** Calls to the live-agent system that may be made now, oldest first: forwards wait until a live agent has joined. */
export const dueDeliveries = (state: ConversationState): readonly PendingDelivery[] =>
  state.deliveries.filter(delivery => delivery.call.type !== 'forward' || state.handoff?.status === 'active')

/** Adds calls for the current handoff after the others. */
export function addDeliveries(
  draft: Draft,
  calls: readonly PendingDelivery['call'][],
  moment: Moment,
): Draft {
  const { handoff, deliveryNumber, deliveries } = draft.state
  if (handoff === null) return draft
  const added = calls.map((call, index) => ({
    number: deliveryNumber + index + 1,
    handoffId: handoff.id,
    call,
  }))
  const queued = patch(draft, {
    deliveryNumber: deliveryNumber + calls.length,
    deliveries: [...deliveries, ...added],
  })
  return makeDeliveries(queued, moment)
}

/**
 * Requests the due calls, unless a process is making calls already: that process makes the rest once it has confirmed
 * them. So no call is made by two processes at once, or before an earlier one. Calls that are not confirmed within a
 * lease are requested again.
 */
export function makeDeliveries(draft: Draft, moment: Moment): Draft {
  const { deliveryUntil } = draft.state
  if (dueDeliveries(draft.state).length === 0)
    return deliveryUntil === null ? draft : patch(draft, { deliveryUntil: null })
  if (deliveryUntil !== null && moment.now < deliveryUntil) return draft
  return effect(patch(draft, { deliveryUntil: moment.now + moment.rules.turnLease }), { type: 'deliver' })
}

/**
 * Drops the calls for the live agent of the handoff that has ended. Calls of earlier handoffs stay. A `cancelReason`
 * means that something other than the live-agent system ended it. Then the system is notified, after a request that may
 * be in progress.
 */
export function leaveHandoff(draft: Draft, cancelReason: string | null, moment: Moment): Draft {
  const { handoff, deliveries } = draft.state
  const left = patch(draft, {
    deliveries: deliveries.filter(
      ({ handoffId, call }) =>
        handoffId !== handoff?.id || (cancelReason !== null && call.type === 'request'),
    ),
  })
  if (cancelReason === null) return makeDeliveries(left, moment)
  return addDeliveries(left, [{ type: 'cancel', reason: cancelReason }], moment)
}
