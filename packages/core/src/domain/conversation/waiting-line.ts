import { millisecondsInHour } from 'date-fns/constants'

/** How far back the waits of other visitors say something about the next one's, milliseconds: an hour. */
export const WAIT_WINDOW = millisecondsInHour

/** Waits that an estimate reads at most, the newest; more would not make it better. */
export const WAIT_SAMPLES = 200

/** A handoff that a live agent has joined, and how long its visitor had waited, in milliseconds. */
export interface JoinedWait {
  readonly joinedAt: number
  readonly waited: number
}

/**
 * Gives everybody in an account's line a place, from 1: counted for each queue by itself, in the given order, which is
 * that of arrival.
 */
export function inLine<Entry extends { readonly queueName: string }>(
  line: readonly Entry[],
): readonly (Entry & { readonly position: number })[] {
  const lengths = new Map<string, number>()
  return line.map(entry => {
    const position = (lengths.get(entry.queueName) ?? 0) + 1
    lengths.set(entry.queueName, position)
    return { ...entry, position }
  })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? 0
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? 0)) / 2 : upper
}

/**
 * How long a visitor in a queue will probably still wait, in whole seconds; null without a wait of the last hour to go by.
 *
 * Who joins a queue that live agents empty at a rate λ and waits W finds λ·W others there (Little's law), so a place takes
 * `W / (λ·W + 1)`. W is the median of the waits: one forgotten visitor does not count. λ is how many were joined over the
 * time in which they were; so a busy queue moves at the pace at which live agents join, and a quiet one takes a whole
 * wait for each place. Said once for each place, at most an hour, never less than 0.
 *
 * @param position from 1
 * @param waits the newest of the last hour, at most `WAIT_SAMPLES`
 */
export function estimateWait(position: number, waits: readonly JoinedWait[], now: number): number | null {
  const recent = waits.filter(({ joinedAt }) => joinedAt > now - WAIT_WINDOW)
  if (recent.length === 0) return null
  const typical = median(recent.map(({ waited }) => Math.max(waited, 0)))
  const oldest = Math.min(...recent.map(({ joinedAt }) => joinedAt))
  // Fewer than were asked for are all there were in the hour; as many as were asked for reach back to the oldest.
  const span = recent.length < WAIT_SAMPLES ? WAIT_WINDOW : Math.max(now - oldest, 1)
  const pace = typical / ((recent.length / span) * typical + 1)
  return Math.ceil(Math.min(position * pace, WAIT_WINDOW) / 1000)
}
