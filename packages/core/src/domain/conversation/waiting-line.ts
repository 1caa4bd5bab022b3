import { millisecondsInHour } from 'date-fns/constants'

/** The period whose waits of other visitors count for an estimate, milliseconds: an hour. */
export const WAIT_WINDOW = millisecondsInHour

/** The most waits that an estimate reads, the newest; more would not make it better. */
export const WAIT_SAMPLES = 200

/** A handoff that a live agent has joined, and how long its visitor had waited, in milliseconds. */
export interface JoinedWait {
  readonly joinedAt: number
  readonly waited: number
}

/** Numbers the entries of an account's waiting line by queue, from 1. The entries are in the order of arrival. */
export function withPositions<Entry extends { readonly queueName: string }>(
  line: readonly Entry[],
): readonly (Entry & { readonly position: number })[] {
  const lengths = new Map<string, number>()
  return line.map(entry => {
    const position = (lengths.get(entry.queueName) ?? 0) + 1
    lengths.set(entry.queueName, position)
    return { ...entry, position }
  })
}

/** Returns the middle one of some values, or what lies between the two in the middle. 0 for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? 0
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? 0)) / 2 : upper
}

/**
 * Returns the estimated remaining wait of a visitor in a queue, in whole seconds. Returns null if no visitor of the
 * last hour was joined.
 *
 * A visitor who joins a queue that live agents empty at a rate λ, and waits W, finds λ·W others there (Little's law).
 * So one position takes `W / (λ·W + 1)`. W is the median of the waits, so one forgotten visitor does not count. λ is
 * the number of joined visitors over the time in which they were joined. So a busy queue moves at the pace at which
 * live agents join, and a quiet one takes a whole wait for each position. The estimate is at most an hour and at
 * least 0.
 *
 * @param position from 1
 * @param waits the newest of the last hour, at most `WAIT_SAMPLES`
 */
export function estimateWait(position: number, waits: readonly JoinedWait[], now: number): number | null {
  const recent = waits.filter(({ joinedAt }) => joinedAt > now - WAIT_WINDOW)
  if (recent.length === 0) return null
  const typical = median(recent.map(({ waited }) => Math.max(waited, 0)))
  const oldest = Math.min(...recent.map(({ joinedAt }) => joinedAt))
  // Fewer waits than the sample size are all of the hour; a full sample reaches back to its oldest wait.
  const span = recent.length < WAIT_SAMPLES ? WAIT_WINDOW : Math.max(now - oldest, 1)
  const pace = typical / ((recent.length / span) * typical + 1)
  return Math.ceil(Math.min(position * pace, WAIT_WINDOW) / 1000)
}
