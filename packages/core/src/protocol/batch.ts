import { utf8Bytes } from '../domain/utf8-bytes.ts'
import type { ServerEvent } from './envelope.ts'

/** An event with its text. */
export interface EventText {
  readonly event: Pick<ServerEvent, 'sequence'>
  readonly text: string
}

/** The bounds of one batch. */
export interface BatchBounds {
  readonly count: number
  /** The size of the events' texts as UTF-8. One event may be longer. */
  readonly bytes: number
  /** The sequence up to which the first batch goes in any case; 0 if it need not. */
  readonly firstReaches: number
}

/** The events of one batch. */
export interface Batch {
  readonly texts: readonly string[]
  /** The newest sequence among them; 0 without any. */
  readonly newest: number
}

/** The most bytes that a character of a string, which is a unit of UTF-16, has as UTF-8. */
const MOST_BYTES = 3

/**
 * Cuts a stretch of a replay into batches, one at least, as they are asked for: each of at most `count` events and
 * `bytes` bytes, however many chunks the events expand to (contract/messaging.md, Connect; MS6).
 */
export function* cutBatches(
  events: Iterable<EventText>,
  { count, bytes, firstReaches }: BatchBounds,
): Generator<Batch> {
  let batch: string[] = []
  let newest = 0
  let characters = 0
  let reached = firstReaches === 0
  /** Bytes of the first texts of the batch, which are counted only when there may be too many. */
  let [length, counted] = [0, 0]
  const isFull = (text: string): boolean => {
    if (batch.length >= count) return true
    if ((characters + text.length) * MOST_BYTES <= bytes) return false
    for (const one of batch.slice(counted)) length += utf8Bytes(one)
    counted = batch.length
    return counted > 0 && length + utf8Bytes(text) > bytes
  }
  for (const { event, text } of events) {
    if (reached && isFull(text)) {
      yield { texts: batch, newest }
      batch = []
      characters = 0
      length = 0
      counted = 0
    }
    batch.push(text)
    characters += text.length
    newest = Math.max(newest, event.sequence ?? 0)
    reached ||= event.sequence !== null && event.sequence >= firstReaches
  }
  yield { texts: batch, newest }
}

/** Returns a batch with more events behind its own, and further batches for what it has no room for. */
export function extended(batch: Batch, more: readonly EventText[], bounds: BatchBounds): readonly Batch[] {
  if (more.length === 0) return [batch]
  const [first, ...others] = cutBatches(more, bounds)
  if (first === undefined) return [batch]
  const texts = [...batch.texts, ...first.texts]
  const length = texts.reduce((sum, text) => sum + utf8Bytes(text), 0)
  const fits = texts.length <= bounds.count && length <= bounds.bytes
  return fits || batch.texts.length === 0 ? [{ ...batch, texts }, ...others] : [batch, first, ...others]
}
