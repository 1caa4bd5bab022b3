import type { ConversationEvent, CustomMetadata } from '../../domain/conversation/event.ts'
import type { ClientEvent } from '../../protocol/client-frame.ts'
import type { CloseReason } from '../../protocol/close-codes.ts'
import type { SystemMessageLevel } from '../../protocol/system-messages.ts'
import type { FeedReader } from '../feed/feed.ts'
import type { OpenSession } from './open-session.ts'

/**
 * One visitor's connection, as used by its replay and the handling of its frames. Does not send once the socket is
 * closed.
 */
export interface VisitorConnection extends FeedReader {
  readonly id: string
  readonly session: OpenSession
  readonly open: boolean
  /** Newest event of the log that was sent. */
  readonly sent: number
  /** Sends a frame of the replay. */
  send(text: string): void
  /** Resolves when everything sent has left, or the connection is closed. */
  drained(): Promise<void>
  /** The replay has reached that event. */
  reached(sequence: number): void
  /** Asks other processes for chunks of a streaming reply that this connection may have missed; throttled. */
  ask(): void
  close(reason: CloseReason): void
  /** Sends an event of the log again, to this connection only. */
  resend(event: ConversationEvent): void
  heartbeat(event: Extract<ClientEvent, { type: 'HEARTBEAT' }>): void
  systemMessage(level: SystemMessageLevel, message: string, custom: CustomMetadata | null): void
}
