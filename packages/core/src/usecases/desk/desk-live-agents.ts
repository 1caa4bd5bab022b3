import type { EventPayloads } from '../../domain/conversation/event-payloads.ts'
import type { LiveAgentCallbacks } from '../../ports/live-agent-callbacks.ts'
import type { LiveAgents } from '../../ports/live-agents.ts'
import type { Rooms } from '../room/rooms.ts'
import { TO_DESK } from './follow-handoff.ts'

/**
 * Returns the built-in desk as a live-agent system. It stores nothing of its own: the waiting conversations are the
 * desk's list, and their log is the transcript. So a request is accepted at once, and a forward is there already.
 * Typing is sent as a notice to watchers of the desk.
 */
export const createDeskLiveAgents = (
  callbacks: LiveAgentCallbacks,
  rooms: Pick<Rooms, 'publish'>,
): LiveAgents => ({
  async request(handoff) {
    await callbacks.accepted(handoff.handoffId)
  },
  async forward() {},
  async visitorTyping({ conversationId }, state) {
    const payload: EventPayloads['USER_TYPING'] = {
      state: state === 'started' ? 'TYPING_STATE_STARTED' : 'TYPING_STATE_STOPPED',
    }
    const transients = [{ type: 'USER_TYPING', payload, custom: null, to: TO_DESK }] as const
    rooms.publish(conversationId, { sequence: 0, events: [], transients })
  },
  async cancel() {},
})
