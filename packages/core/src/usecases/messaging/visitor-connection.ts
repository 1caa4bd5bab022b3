import type { ConversationEvent, CustomMetadata } from '../../domain/conversation/event.ts'
import type { ClientEvent } from '../../protocol/client-frame.ts'
import type { CloseReason } from '../../protocol/close-codes.ts'
import type { SystemMessageLevel } from '../../protocol/system-messages.ts'
import type { FeedReader } from '../feed/feed.ts'
import type { OpenSession } from './open-session.ts'

/**
 * One visitor's connection, as its replay and its frames' handling see it. What is sent once the socket is closed is
 * dropped.
 */
export interface VisitorConnection extends FeedReader {
  readonly id: string
  readonly session: OpenSession
  readonly open: boolean
  /** Newest event of the log that was sent. */
  readonly sent: number
  /** Sends a frame of the replay. */
  send(text: string): void
  /** Resolves when what was sent has left, or the connection is gone. */
  drained(): Promise<void>
  /** The replay has come to that event. */
  reached(sequence: number): void
  /** Asks for what this connection may have missed of a reply that streams; not at every chunk. */
  ask(): void
  close(reason: CloseReason): void
  /** An event of the log once more, to this connection alone. */
  resend(event: ConversationEvent): void
  heartbeat(event: Extract<ClientEvent, { type: 'HEARTBEAT' }>): void
  systemMessage(level: SystemMessageLevel, message: string, custom: CustomMetadata | null): void
}
