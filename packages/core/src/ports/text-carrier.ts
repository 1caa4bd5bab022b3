/** A text as a carrier is asked to send it. */
export interface TextToSend {
  /** Ours, of the text: the same each time that it is asked for. 1 to 220 characters of `[\w.-]`. */
  readonly id: string
  /** The agent's number, E.164; null if `service` defines the sender. */
  readonly from: string | null
  /** The user's number, E.164. */
  readonly to: string
  /** 1 to 1,600 characters. */
  readonly text: string
  readonly channel: 'SMS' | 'RCS'
  /** The carrier's own id of the sender; null for none. */
  readonly service: string | null
  /** The number of this attempt, from 1. With a later one, an earlier one may have gone through without an answer. */
  readonly attempt: number
  /** The time of the first attempt, milliseconds since the epoch. */
  readonly firstAttemptAt: number
  /** The carrier's ids of the newest texts that it is known to have taken in this session, oldest first. */
  readonly sent: readonly string[]
  /** Aborts after `textDeadline`. */
  readonly signal: AbortSignal
}

/**
 * The answer of a carrier. It has the text, refuses it for good, or asks to retry, not before `retryAfter`
 * milliseconds. `optedOut`: the user has told the carrier to send no texts from this sender.
 */
export type TextAnswer =
  | { readonly carrierId: string }
  | { readonly refused: string; readonly optedOut?: boolean }
  | { readonly retryAfter: number }

/**
 * Sends texts. Texts of a session are sent one at a time and in order; those of different sessions in parallel.
 * Implementations confirm a text only once the carrier has it. They never send one of the same `id` twice, as far as
 * their carrier allows: with an `attempt` above 1 they first check whether it has the text.
 */
export interface TextCarrier {
  /**
   * Rejects when it is not known whether the text was taken: it is asked for again, with the next `attempt` (TX21). So
   * it is when the answer takes longer than the signal allows.
   */
  send(text: TextToSend): Promise<TextAnswer>
}
