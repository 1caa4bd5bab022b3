/** A turn of a record: what of it tells how the agent does. */
interface HealthTurn {
  readonly user_input: string
  /** Seconds. */
  readonly latency: number
  readonly is_ood: boolean
}

/** A conversation's record: what of it tells how the agent does. */
export interface HealthRecord {
  readonly handoff: boolean
  readonly handoff_destination: string
  readonly turns: readonly HealthTurn[]
}

/** How an agent did in some conversations. */
export interface Health {
  readonly conversations: number
  /** Turns in which a visitor said something. */
  readonly turns: number
  /** How long answers took, milliseconds; null where there was none. */
  readonly latency: { readonly median: number; readonly p95: number; readonly longest: number } | null
  readonly handoffs: number
  /** Where conversations were handed to, and how many, most first. */
  readonly destinations: readonly (readonly [name: string, count: number])[]
  /** Turns that the agent had nothing for. */
  readonly unknown: number
}

/** The least value that so large a share of all does not exceed. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN

const ascending = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b)

/** What records tell of how the agent did. */
export function healthOf(records: readonly HealthRecord[]): Health {
  const turns = records.flatMap(record => record.turns.filter(({ user_input }) => user_input !== ''))
  const times = ascending(turns.map(({ latency }) => latency * 1_000))
  const destinations = new Map<string, number>()
  for (const { handoff, handoff_destination: name } of records)
    if (handoff) destinations.set(name, (destinations.get(name) ?? 0) + 1)
  return {
    conversations: records.length,
    turns: turns.length,
    latency:
      times.length === 0
        ? null
        : { median: quantile(times, 0.5), p95: quantile(times, 0.95), longest: quantile(times, 1) },
    handoffs: records.filter(({ handoff }) => handoff).length,
    destinations: [...destinations].toSorted(
      ([one, count], [other, others]) => others - count || one.localeCompare(other),
    ),
    unknown: turns.filter(({ is_ood }) => is_ood).length,
  }
}
