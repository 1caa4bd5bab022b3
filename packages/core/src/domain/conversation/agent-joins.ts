import { type Draft, type Moment, patch } from './draft.ts'
import type { LoggedPayloads } from './event-payloads.ts'
import { move } from './move.ts'

/**
 * Lets the AI agent join, by the signal that brings it in. External events that came meanwhile are looked for.
 *
 * @param left of a live agent who gives the visitor back: what the visitor is told of it
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
