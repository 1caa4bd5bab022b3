import type { Command, Refusal } from '../../../packages/core/src/domain/conversation/command.ts'
import type { ConversationState } from '../../../packages/core/src/domain/conversation/state.ts'
import { claim } from './invariants.ts'
import { EXPLORED_RULES } from './settings.ts'

/**
 * Why a command must be refused in a state; empty when it must be taken. Written from the specification, not from the
 * code.
 */
function reasonsAgainst(state: ConversationState, command: Command): readonly Refusal[] {
  const ended: readonly Refusal[] = state.endedAt === null ? [] : ['ended']
  switch (command.type) {
    case 'join':
      return [...ended, ...withoutDeployment(state, command)]
    case 'message':
      return [
        ...ended,
        ...(state.owner === 'unassigned' ? (['not_joined'] as const) : []),
        ...(hasRoom(state) ? [] : (['overloaded'] as const)),
        ...withoutDeployment(state, command),
      ]
    case 'typing':
    case 'end':
    case 'seen':
    case 'close':
    case 'set_context':
      return ended
    case 'turn_completed':
    case 'turn_failed':
    case 'turn_alive': {
      const { turn } = state
      return turn?.id === command.turnId && turn.generation === command.generation ? [] : ['fenced']
    }
    case 'external_event':
      if (state.endedAt !== null) return ended
      return state.owner === 'ai_agent' && state.awaiting.includes(command.eventId) ? [] : ['not_awaited']
    case 'record_turns':
    case 'finish_recording':
      // Only conversations that write their records themselves are explored.
      return ['not_recorded']
    case 'open_text':
    case 'text_done':
    case 'text_status':
      // No text session is explored.
      return [command.type === 'open_text' ? 'ended' : 'fenced']
    case 'rate':
    case 'call_progress':
    case 'deliveries_done':
    case 'replies_asked':
    case 'wake':
    case 'clock_stepped':
      return []
    case 'handoff_transferred':
      if (!isAbout(state, command)) return ['handoff_over']
      return 'liveAgent' in command.to && command.to.liveAgent.id === state.handoff?.liveAgent?.id
        ? ['transfer_to_self']
        : []
    default:
      return isAbout(state, command) ? [] : ['handoff_over']
  }
}

function withoutDeployment(
  { deploymentId, owner }: ConversationState,
  { pinning }: Extract<Command, { type: 'join' | 'message' }>,
): readonly Refusal[] {
  const brings = ['unassigned', 'client', 'nobody'].includes(owner)
  return brings && deploymentId === null && pinning === null ? ['no_deployment'] : []
}

const hasRoom = ({ pending, deliveries }: ConversationState): boolean =>
  [...pending.map(({ type }) => type), ...deliveries.map(({ call }) => call.type)].filter(
    type => type === 'message' || type === 'forward',
  ).length < EXPLORED_RULES.queuedMessages

/** A live agent's report is about the newest handoff, and that handoff stands as the report says. */
function isAbout(
  { endedAt, handoff, owner }: ConversationState,
  command: Extract<Command, { readonly handoffId: string }>,
): boolean {
  if (endedAt !== null || handoff?.id !== command.handoffId) return false
  switch (command.type) {
    case 'handoff_accepted':
      return owner === 'queue' && handoff.status === 'requested'
    case 'live_agent_joined':
    case 'handoff_failed':
    case 'queue_status':
      return owner === 'queue'
    case 'live_agent_watched':
      return owner === 'live_agent' && handoff.liveAgent?.id === command.liveAgentId
    case 'live_agent_message':
    case 'live_agent_typing':
    case 'live_agent_left':
    case 'live_agent_returned':
    case 'handoff_transferred':
      return owner === 'live_agent'
  }
}

/** A command is refused exactly when the specification says so, and then for a reason that is true. */
export function checkRefusal(state: ConversationState, command: Command, refusal: Refusal | null): void {
  const reasons = reasonsAgainst(state, command)
  if (refusal === null) claim(reasons.length === 0, `it is taken although it is ${reasons}`)
  else claim(reasons.includes(refusal), `it is refused as ${refusal} and is ${reasons.join() || 'in order'}`)
}
