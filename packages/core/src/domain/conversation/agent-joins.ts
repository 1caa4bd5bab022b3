import { type Draft, type Moment, patch } from './draft.ts'
import type { LoggedPayloads } from './event-payloads.ts'
import { move } from './move.ts'

/**
 * Lets the AI agent join, by the signal that brings it in. Looks for external events that arrived in the meantime.
 *
 * @param left for a live agent who returns the visitor: the message about it to the visitor
 */
export function letAgentJoin(
  draft: Draft,
  signal: 'agent_joins' | 'live_agent_returns',
  moment: Moment,
  left: LoggedPayloads['LIVE_AGENT_LEFT'] = {},
): Draft {
  const { agentName, agentAvatarUrl: picture, awaiting } = draft.state
  const joined = move(draft, signal, moment, {
    payloads: {
      LIVE_AGENT_LEFT: left,
      AI_AGENT_JOINED: { agent_name: agentName, agent_avatar_url: picture, avatar: picture },
    },
  })
  return awaiting.length === 0 ? joined : patch(joined, { externalCheckAt: moment.now })
}
