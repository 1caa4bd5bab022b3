import type { Environment } from '../environment.ts'
import type { AccountId, AgentId, ConversationId, DeploymentId, HandoffId, TurnId } from '../ids.ts'
import type { OutgoingDraft } from '../webhook/outgoing.ts'
import type { TurnFailure } from './command.ts'
import { publicId } from './conversation-key.ts'
import { channelOf } from './project-record.ts'
import type { SpokenTurn } from './spoken.ts'
import { type ConversationKind, type ConversationState, type EndReason, isGenuine } from './state.ts'

/** The conversation that an event is about. */
export interface ConversationFacts {
  readonly conversationId: ConversationId
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  readonly kind: ConversationKind
  readonly channel: string
}

/** A handoff, in the words of the conversation's record. */
export interface HandoffFacts extends ConversationFacts {
  /** Null if the visitor's own client takes the handoff, or no one does. */
  readonly handoffId: HandoffId | null
  readonly queueName: string | null
  readonly reason: string
  readonly destination: string
}

/** The events that a process reports to its host, by name (OB2). */
export interface PlatformEvents {
  'conversation.started': ConversationFacts
  'conversation.completed': ConversationFacts & {
    readonly endReason: EndReason | null
    /** Turns of the agent. */
    readonly turns: number
    /** Milliseconds from its start to its end. */
    readonly duration: number
  }
  'handoff.requested': HandoffFacts
  'handoff.accepted': HandoffFacts & { readonly liveAgent: { readonly id: string; readonly name: string } }
  'handoff.failed': HandoffFacts
  /** The live agent has given the visitor back to the AI agent. */
  'handoff.returned': HandoffFacts & { readonly liveAgent: { readonly id: string; readonly name: string } }
  /** The handoff as it is then: with a colleague, or in a queue as another handoff. */
  'handoff.transferred': HandoffFacts & {
    readonly from: { readonly id: string; readonly name: string }
    /** Null: in a queue. */
    readonly liveAgent: { readonly id: string; readonly name: string } | null
  }
  'turn.completed': ConversationFacts & {
    readonly turnId: TurnId
    /** Milliseconds from the input to the reply. */
    readonly duration: number
    /** Milliseconds from the start of the turn to the agent's first text; null for a silent reply. */
    readonly firstText: number | null
  }
  'turn.failed': ConversationFacts & {
    readonly turnId: TurnId
    readonly failure: TurnFailure
    readonly duration: number
  }
  /** The first audio of a reply has left in a call. */
  'turn.spoken': ConversationFacts & SpokenTurn
  /** Private parts were taken out of a visitor's words (RD2). */
  'words.redacted': ConversationFacts & {
    /** The number of parts by sort; `withheld` counts whole texts. */
    readonly found: Readonly<Record<string, number>>
  }
  /** A guard has judged a message or a reply (GU6). The event never holds the words. */
  'words.guarded': ConversationFacts & {
    readonly direction: 'incoming' | 'outgoing'
    /** `failed`: the guard threw, was late or gave no verdict. */
    readonly verdict: 'allow' | 'change' | 'refuse' | 'hand_over' | 'failed'
    /** Milliseconds. */
    readonly duration: number
  }
  'deployment.created': {
    readonly accountId: AccountId
    readonly agentId: AgentId
    readonly environment: Environment
    readonly deploymentId: DeploymentId
    readonly revision: number
    readonly type: 'merge' | 'publish' | 'promotion' | 'rollback'
  }
}

export type PlatformEventType = keyof PlatformEvents

/** Adds a listener for an event, and returns a function that removes it. */
export type OnPlatformEvent = <Type extends PlatformEventType>(
  type: Type,
  listener: (event: PlatformEvents[Type]) => void,
) => () => void

/** One event, with its name: what a decision about a conversation has made true. */
export type PlatformEvent<Types extends PlatformEventType = PlatformEventType> = {
  [Type in Types]: { readonly type: Type; readonly event: PlatformEvents[Type] }
}[Types]

/** Returns the facts that identify a conversation. */
export const conversationFacts = (state: ConversationState): ConversationFacts => ({
  conversationId: publicId(state.id),
  accountId: state.accountId,
  agentId: state.agentId,
  environment: state.environment,
  kind: state.kind,
  channel: channelOf(state),
})

function handoffFacts(state: ConversationState): HandoffFacts {
  const { handoff, record } = state
  return {
    ...conversationFacts(state),
    handoffId: handoff?.id ?? null,
    queueName: handoff?.queueName ?? null,
    reason: record.handoffReason,
    destination: record.handoffDestination,
  }
}

/** Returns the host's events of a decision, made from those of webhooks. So one place defines what has happened. */
export function eventsOfDecision(
  state: ConversationState,
  outgoing: readonly OutgoingDraft[],
): readonly PlatformEvent[] {
  return outgoing.flatMap(({ type }): readonly PlatformEvent[] => {
    switch (type) {
      case 'conversation.completed': {
        const { endReason, record } = state
        const duration = Math.max((state.endedAt ?? state.startedAt) - state.startedAt, 0)
        return [{ type, event: { ...conversationFacts(state), endReason, turns: record.turns, duration } }]
      }
      case 'handoff.requested':
      case 'handoff.failed':
        return [{ type, event: handoffFacts(state) }]
      case 'handoff.accepted':
      case 'handoff.returned': {
        const { id = '', name = '' } = state.handoff?.liveAgent ?? {}
        return [{ type, event: { ...handoffFacts(state), liveAgent: { id, name } } }]
      }
      case 'handoff.transferred': {
        const { liveAgent = null, transferred } = state.handoff ?? {}
        const { from = { id: '', name: '' } } = transferred ?? {}
        const to = liveAgent === null ? null : { id: liveAgent.id, name: liveAgent.name }
        return [{ type, event: { ...handoffFacts(state), from, liveAgent: to } }]
      }
      default:
        return []
    }
  })
}

/** Returns the event of a new conversation; null for debug chats and tests. */
export const eventOfStart = (state: ConversationState): PlatformEvent | null =>
  isGenuine(state.kind) ? { type: 'conversation.started', event: conversationFacts(state) } : null
