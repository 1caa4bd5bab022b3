import type { Notice, NoticeTopic } from './notices.ts'

/**
 * What one process tells the others: plain data, the same after a way as JSON. A bus passes it on and never looks
 * inside.
 */
export interface BusMessage {
  /** The process that says it: one that gets its own message back leaves it out. */
  readonly from: string
  readonly notice: Notice
}

/** Takes what comes on a topic. Neither method throws. */
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
   * Waits for no receiver. What it throws, or rejects with, is told to the host's `onError`, and the message counts as
   * lost (EN14).
   */
  publish(topic: NoticeTopic, message: BusMessage): void
  /**
   * At most once for each topic at a time. Where it takes a while until messages come, the listener is told of a gap
   * once they do. The returned function ends the subscription; after it the listener is not
   * called.
   */
  subscribe(topic: NoticeTopic, listener: BusListener): () => void
}
