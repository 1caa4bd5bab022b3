import type { EventPayloads } from '../../domain/conversation/event-payloads.ts'
import type { LiveAgentCallbacks } from '../../ports/live-agent-callbacks.ts'
import type { LiveAgents } from '../../ports/live-agents.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { TO_DESK } from './follow-handoff.ts'
import { closedQueue, closedUntil } from './queues.ts'
import { summarizeNew } from './summaries.ts'

/**
 * Returns the built-in desk as a live-agent system. It stores nothing of its own: the waiting conversations are the
 * desk's list, and their log is the transcript. So a request is accepted at once unless its queue is closed (DK559),
 * and a forward is there already.
 * Then the summary for live agents is asked for. Typing is sent as a notice to watchers of the desk.
 */
export const createDeskLiveAgents = (
  callbacks: LiveAgentCallbacks,
  context: Pick<Context, 'clock' | 'deskAssistant' | 'rooms' | 'scheduler' | 'settings' | 'store'>,
  engine: Pick<Engine, 'execute'>,
): LiveAgents => ({
  async request({ accountId, conversationId, handoffId, queueName }) {
    const closed = await closedQueue(context, accountId, queueName)
    if (closed === null) {
      await callbacks.accepted(handoffId)
      await summarizeNew(context, { id: handoffId, conversationId, accountId })
      return
    }
    const { opensAt, timeZone } = closed
    await engine.execute(conversationId, {
      ...{ type: 'handoff_failed', handoffId, reason: closedUntil(closed) },
      closed: { opensAt, timeZone, takesMessages: context.settings.messageWhenClosed },
      // A request that is made again does not take a visitor out of the queue.
      unlessAccepted: true,
    })
  },
  async forward() {},
  async visitorTyping({ conversationId }, state) {
    const payload: EventPayloads['USER_TYPING'] = {
      state: state === 'started' ? 'TYPING_STATE_STARTED' : 'TYPING_STATE_STOPPED',
    }
    const transients = [{ type: 'USER_TYPING', payload, custom: null, to: TO_DESK }] as const
    context.rooms.publish(conversationId, { sequence: 0, events: [], transients })
  },
  async cancel() {},
})
