import { dueDeliveries } from '../../../domain/conversation/deliveries.ts'
import type { ConversationEvent } from '../../../domain/conversation/event.ts'
import { filesBeside, filesOfEvent } from '../../../domain/conversation/sent-files.ts'
import type { ConversationState, Handoff, PendingDelivery } from '../../../domain/conversation/state.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import type { HandoffContext, LiveAgents } from '../../../ports/live-agents.ts'
import { within } from '../../../shared/deadline.ts'
import type { Context } from '../../context.ts'
import { whileBusyFor } from '../../shared/while-busy.ts'
import { eventAt } from '../turn/read-log.ts'
import type { Engine } from './engine.ts'

/** Returns the handoff as it is sent to a live-agent system. */
export function handoffContext(state: ConversationState, handoffId: Handoff['id']): HandoffContext {
  const { id, accountId, agentId, handoff, visitor } = state
  return {
    handoffId,
    conversationId: id,
    accountId,
    agentId,
    queueName: handoff?.queueName ?? '',
    reason: handoff?.reason ?? '',
    destination: handoff?.destination ?? '',
    visitor,
  }
}

/**
 * Makes the due calls to the live-agent system, in order, and confirms them. Retries a request only while the store is
 * busy, for as long as it may take (EN32). A call that fails otherwise or times out is not retried: a failed request
 * fails the handoff, and the sender of a failed forward is notified. `wake` repeats a call that a crash leaves
 * unconfirmed. It also repeats all of them if the store, which is no live-agent system, fails to return the data to
 * forward.
 */
export async function deliver(
  context: Context,
  engine: Pick<Engine, 'execute' | 'load'>,
  liveAgents: LiveAgents,
  id: ConversationId,
): Promise<void> {
  const state = await engine.load(id)
  const due = state === null ? [] : dueDeliveries(state)
  const last = due.at(-1)
  if (state === null || last === undefined) return
  const failed: PendingDelivery[] = []
  const limit = context.settings.liveAgentDeadline
  const forwarded = await messagesOf(context, state, due)
  for (const delivery of due) {
    try {
      const deadline = { limit, late: new Error(`The live-agent system did not answer within ${limit} ms.`) }
      // A system that hangs must not block later calls.
      await within(context.clock, deadline, () => call(context, liveAgents, state, { delivery, forwarded }))
    } catch (error) {
      context.settings.onError(error, 'live agents')
      failed.push(delivery)
    }
  }
  // Fail the handoff before its call is confirmed: a crash in between repeats the call instead of leaving the visitor
  // waiting.
  for (const { call, handoffId } of failed) {
    if (call.type !== 'request') continue
    await engine.execute(id, { type: 'handoff_failed', handoffId, reason: null, unlessAccepted: true })
  }
  await engine.execute(id, {
    type: 'deliveries_done',
    through: last.number,
    failed: failed.map(({ number }) => number),
  })
}

/** Returns the events to forward, by their sequence. */
async function messagesOf(
  { clock, settings, store }: Context,
  { id }: ConversationState,
  due: readonly PendingDelivery[],
): Promise<ReadonlyMap<number, ConversationEvent | null>> {
  const messages = new Map<number, ConversationEvent | null>()
  for (const { call } of due) {
    if (call.type !== 'forward') continue
    const { sequence } = call
    const read = () => eventAt(store.conversations, id, sequence)
    messages.set(sequence, await whileBusyFor(clock, settings.liveAgentDeadline, read))
  }
  return messages
}

interface Due {
  readonly delivery: PendingDelivery
  readonly forwarded: Awaited<ReturnType<typeof messagesOf>>
}

async function call(
  { clock, settings }: Context,
  liveAgents: LiveAgents,
  state: ConversationState,
  { delivery, forwarded }: Due,
): Promise<void> {
  const handoff = handoffContext(state, delivery.handoffId)
  switch (delivery.call.type) {
    case 'request':
      return whileBusyFor(clock, settings.liveAgentDeadline, () => liveAgents.request(handoff))
    case 'cancel':
      return liveAgents.cancel(handoff, delivery.call.reason)
    case 'forward': {
      const { messageId, sequence } = delivery.call
      const event = forwarded.get(sequence)
      const text = typeof event?.payload.text === 'string' ? event.payload.text : ''
      const files = event == null ? {} : filesBeside({ files: filesOfEvent(event) })
      return liveAgents.forward(handoff, { messageId, text, at: event?.at ?? 0, ...files })
    }
  }
}
