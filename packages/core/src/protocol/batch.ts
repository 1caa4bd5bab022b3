import { utf8Bytes } from '../domain/utf8-bytes.ts'
import type { ServerEvent } from './envelope.ts'

/** An event with its text. */
export interface EventText {
  readonly event: Pick<ServerEvent, 'sequence'>
  readonly text: string
}

/** How much one batch may hold. */
export interface BatchBounds {
  readonly count: number
  /** Of the events' texts as UTF-8; one event may be longer. */
  readonly bytes: number
  /** The sequence up to which the first batch goes in any case; 0 where it need not. */
  readonly firstReaches: number
}

/** The events of one batch. */
export interface Batch {
  readonly texts: readonly string[]
  /** The newest sequence among them; 0 without any. */
  readonly newest: number
}

/**
 * Cuts a stretch of a replay into batches, one at least, as they are asked for: each of at most `count` events and
 * `bytes` bytes, however many chunks the events expand to (contract/messaging.md, Connect; MS5).
 */
export function* cutBatches(
  events: Iterable<EventText>,
  { count, bytes, firstReaches }: BatchBounds,
): Generator<Batch> {
  let batch: string[] = []
  let newest = 0
  let length = 0
  let reached = firstReaches === 0
  for (const { event, text } of events) {
    const more = utf8Bytes(text)
    if (reached && (batch.length >= count || (batch.length > 0 && length + more > bytes))) {
      yield { texts: batch, newest }
      batch = []
      length = 0
    }
    batch.push(text)
    length += more
    newest = Math.max(newest, event.sequence ?? 0)
    reached ||= event.sequence !== null && event.sequence >= firstReaches
  }
  yield { texts: batch, newest }
}
