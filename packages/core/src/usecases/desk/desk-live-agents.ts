import type { LiveAgents } from '../../ports/live-agents.ts'
import type { LiveAgentCallbacks } from './live-agent-callbacks.ts'

/**
 * The built-in desk as a live-agent system. It keeps nothing of its own: a conversation in the queue is the desk's list,
 * its log is the transcript; so a request is accepted at once and a forward is there already.
 */
export const createDeskLiveAgents = (callbacks: LiveAgentCallbacks): LiveAgents => ({
  async request(handoff) {
    await callbacks.accepted(handoff.handoffId)
  },
  async forward() {},
  async visitorTyping() {},
  async cancel() {},
})
