import type { ConversationEvent, CustomMetadata } from '../../domain/conversation/event.ts'
import type { SystemMessageLevel } from '../../domain/conversation/event-payloads.ts'
import type { ClientEvent } from '../../protocol/client-frame.ts'
import type { CloseReason } from '../../protocol/close-codes.ts'
import type { FeedReader } from '../room/feed.ts'
import type { OpenSession } from './open-session.ts'

/** The sender of an event, as used by the code that carries it out. */
export interface EventSender {
  readonly id: string
  readonly session: OpenSession
  close(reason: CloseReason): void
  /** Sends an event of the log again, to the sender only. */
  resend(event: ConversationEvent): void
  heartbeat(event: Extract<ClientEvent, { type: 'HEARTBEAT' }>): void
  systemMessage(level: SystemMessageLevel, message: string, custom: CustomMetadata | null): void
}

/**
 * One visitor's connection, as used by its replay and the handling of its frames. Does not send once the socket is
 * closed.
 */
export interface VisitorConnection extends FeedReader, EventSender {
  readonly open: boolean
  /** Newest event of the log that was sent. */
  readonly sent: number
  /** Sends a frame of the replay, with the newest event of the log that the client has then. */
  send(text: string, cursor: number): void
  /** Resolves when everything sent has left, or the connection is closed. */
  drained(): Promise<void>
  /** Notes that the replay has reached that event. */
  reached(sequence: number): void
  /** Notes that the replay has sent the first chunks of a reply in progress. */
  hadChunks(messageId: string, count: number): void
  /** Resolves after that many milliseconds, or once the connection is closed or woken. */
  pause(milliseconds: number): Promise<void>
  /** Calls it at that time, or as soon as the connection is closed or woken. One call waits at a time. */
  after(milliseconds: number, act: () => void): void
  /** Ends a pause. */
  wake(): void
  /** Asks other processes for chunks of a streaming reply that this connection may have missed; throttled. */
  ask(): void
}
