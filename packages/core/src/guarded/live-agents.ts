import type { LiveAgents } from '../ports/live-agents.ts'

/** Returns the host's live-agent system: what it throws at once is a call that was rejected, like any other (EM1). */
export const guardLiveAgents = (liveAgents: LiveAgents): LiveAgents => ({
  request: async handoff => liveAgents.request(handoff),
  forward: async (handoff, message) => liveAgents.forward(handoff, message),
  visitorTyping: async (handoff, state) => liveAgents.visitorTyping(handoff, state),
  cancel: async (handoff, reason) => liveAgents.cancel(handoff, reason),
})
