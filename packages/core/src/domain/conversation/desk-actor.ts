import type { ActorType } from '../audit/audit.ts'

/** The actor on the built-in desk, and the live agents that it acts as (DK40). */
export interface DeskActor {
  readonly type: ActorType
  readonly id: string | null
  /** The ids of live agents as whom it may act; null: any. */
  readonly liveAgentIds: readonly string[] | null
  /** Ends what others have accepted. */
  readonly isOperator: boolean
}

/** The one who accepted a handoff: an actor of the desk, or the host's live-agent system. */
export interface Acceptor {
  readonly type: ActorType | 'live_agents'
  readonly id: string | null
}

/** The acceptance of a handoff: its actor, and the live agent that it acts as. */
interface Accepted {
  readonly acceptedBy: Acceptor | null
  readonly liveAgent: { readonly id: string } | null
}

/** Returns the acceptor that a caller is; the host's live-agent system names no actor. */
export const acceptorOf = (by: Pick<DeskActor, 'type' | 'id'> | undefined): Acceptor =>
  by === undefined ? { type: 'live_agents', id: null } : { type: by.type, id: by.id }

/**
 * Reports whether the host itself acts: its library, or its live-agent system, which says itself who its live agents
 * are.
 */
const isHost = (by: DeskActor | undefined): by is undefined | (DeskActor & { readonly type: 'library' }) =>
  by === undefined || by.type === 'library'

/**
 * Reports whether the actor may write, type and leave as the live agent of an active handoff (DK41). What a person has
 * accepted no key continues, and what the host's live-agent system has accepted is that system's alone.
 */
export function mayActIn({ acceptedBy, liveAgent }: Accepted, by: DeskActor | undefined): boolean {
  const isListed = by?.liveAgentIds == null || by.liveAgentIds.includes(liveAgent?.id ?? '')
  if (isHost(by)) return isListed
  if (acceptedBy?.type === 'live_agents') return false
  return isListed && !(acceptedBy?.type === 'person' && by.type === 'api_key')
}

/** Reports whether the actor may take an active handoff over from the live agent who has it. */
export const mayTakeOver = (
  { acceptedBy }: Pick<Accepted, 'acceptedBy'>,
  by: DeskActor | undefined,
): boolean => isHost(by) || acceptedBy?.type !== 'live_agents'
