import type { Notice, NoticeTopic } from './notices.ts'

/** The longest message as JSON, in characters. A longer one is not from Colloquy. */
export const LONGEST_MESSAGE = 1_048_576

/**
 * A notice of one process to the others: plain data, the same after a way as JSON. A bus passes it on and never looks
 * inside. Receivers take no notice of one that is not signed with the deployment's key (NT37).
 */
export interface BusMessage {
  /** The process that publishes it. A process ignores its own messages. */
  readonly from: string
  /** Counts the messages of that process, on all topics. */
  readonly number: number
  /** Moment of publishing, milliseconds since the epoch. */
  readonly at: number
  readonly notice: Notice
  /** Signature of all that and of the topic. */
  readonly signature: string
}

/** Receives the messages of a topic. Neither method throws. */
export interface BusListener {
  message(message: BusMessage): void
  /**
   * Messages may have been lost: the bus was away and is back, or it has begun to listen only now. Every listener then
   * reads the store once. Said after the subscription works.
   */
  gap(): void
}

/**
 * Carries messages between processes that share a store. A message may be lost, doubled or late: receivers take the
 * store for truth. Messages of one publisher on one topic should keep their order. Within a process the platform needs
 * no bus.
 */
export interface Bus {
  /**
   * Does not wait for receivers. An error or rejection goes to the host's `onError`, and the message counts as lost
   * (BU7).
   */
  publish(topic: NoticeTopic, message: BusMessage): void
  /**
   * At most once for each topic at a time. If it takes a while until messages come, the listener is notified of a gap
   * once they do. The returned function ends the subscription; after it the listener is not called.
   */
  subscribe(topic: NoticeTopic, listener: BusListener): () => void
  /**
   * Hands over a secret that only processes over this store know. Called once, for a bus over a server where anybody
   * may listen to a channel whose name is known: it waits for the secret, and makes the name of it. A bus that has no
   * such channel leaves the method out.
   */
  nameChannels?(secret: string): void
}
