import type { SentFile } from '../../domain/conversation/event-payloads.ts'
import type { ConversationId, HandoffId } from '../../domain/ids.ts'
import type { DeskHandoff } from './desk-handoff.ts'
import type { DeskNote } from './desk-note.ts'
import type { DeskSummary } from './desk-summary.ts'

/** Something that live agents of an account want to know at once. Times are milliseconds since the epoch. */
export type DeskEvent =
  /** A visitor waits for a live agent. */
  | { readonly type: 'waiting'; readonly handoff: DeskHandoff }
  /** A waiting visitor is offered to a live agent, or is for anyone again (DK611). */
  | {
      readonly type: 'offered'
      readonly handoffId: HandoffId
      readonly sessionId: ConversationId
      readonly offered: DeskHandoff['offered']
    }
  /** A live agent has taken the visitor. */
  | { readonly type: 'accepted'; readonly handoff: DeskHandoff }
  | {
      readonly type: 'visitor_message'
      readonly handoffId: HandoffId
      readonly sessionId: ConversationId
      readonly message: {
        readonly messageId: string
        readonly text: string
        readonly sentAt: number
        /** @default none */
        readonly files?: readonly SentFile[]
      }
    }
  | {
      readonly type: 'visitor_typing'
      readonly handoffId: HandoffId
      readonly sessionId: ConversationId
      readonly state: 'started' | 'stopped'
    }
  /** The visitor's last connection has ended, or one is there again; nothing is said of one who is there. */
  | {
      readonly type: 'visitor_presence'
      readonly handoffId: HandoffId
      readonly sessionId: ConversationId
      readonly state: 'here' | 'gone'
    }
  /** A colleague has written a note about the conversation (DK549). */
  | {
      readonly type: 'note'
      readonly handoffId: HandoffId
      readonly sessionId: ConversationId
      readonly note: DeskNote
    }
  /** A live agent is away since then, or takes visitors again (DK600). */
  | { readonly type: 'away'; readonly liveAgentId: string; readonly since: number | null }
  /** The summary for live agents is asked for, done, or has failed (DK645). */
  | {
      readonly type: 'summary'
      readonly handoffId: HandoffId
      readonly sessionId: ConversationId
      readonly summary: DeskSummary
    }
  /**
   * The reason that was given, or in the words of `LiveAgents.cancel` why the platform ended it; null without a reason.
   */
  | {
      readonly type: 'ended'
      readonly handoffId: HandoffId
      readonly sessionId: ConversationId
      readonly reason: string | null
    }

/** Called with the desk's events, in order. Errors that it throws go to `Settings.onError`. */
export type DeskListener = (event: DeskEvent) => void
