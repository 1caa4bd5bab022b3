import type { TimeRange } from './window.ts'

/**
 * Conversations that began within 49 days of a moment and lasted 49 days at most, in columns of equal length, in any
 * order: whole milliseconds from that moment, in half the bytes of {@link ActivityColumns}.
 */
export interface ActivityBlock {
  /** Milliseconds since the epoch, whole. */
  readonly base: number
  /** Milliseconds from the base. */
  readonly starts: Uint32Array
  /** Milliseconds; nought for a conversation that was active at one instant. */
  readonly durations: Uint32Array
  /** Index into the `variants` of {@link ActivityColumns}. */
  readonly variant: Uint32Array
}

/** The source of the figures: columns of equal length, in any order, as `IntervalStore.list` gives them. */
export interface ActivityColumns {
  readonly starts: Float64Array
  /** `Infinity` for a conversation in progress. */
  readonly ends: Float64Array
  /** Index into `variants`. */
  readonly variant: Uint32Array
  readonly variants: readonly { readonly id: string | null; readonly name: string | null }[]
  /** More conversations, in fewer bytes. Not all of them need be active in the range. */
  readonly blocks: readonly ActivityBlock[]
}

/** Returns all columns; of the blocks, those that were active in the range. */
export function unpackActivity(activity: ActivityColumns, { from, to }: TimeRange): ActivityColumns {
  const { blocks, variants } = activity
  const room = blocks.reduce((sum, { starts }) => sum + starts.length, activity.starts.length)
  const [starts, ends, variant] = [new Float64Array(room), new Float64Array(room), new Uint32Array(room)]
  starts.set(activity.starts)
  ends.set(activity.ends)
  variant.set(activity.variant)
  let length = activity.starts.length
  for (const block of blocks) {
    // A counted loop: a week is a million of them.
    for (let row = 0; row < block.starts.length; row += 1) {
      const start = block.base + (block.starts[row] ?? 0)
      const duration = block.durations[row] ?? 0
      if (start >= to || start + Math.max(duration, 1) <= from) continue
      starts[length] = start
      ends[length] = start + duration
      variant[length] = block.variant[row] ?? 0
      length += 1
    }
  }
  return {
    starts: starts.subarray(0, length),
    ends: ends.subarray(0, length),
    variant: variant.subarray(0, length),
    variants,
    blocks: [],
  }
}
