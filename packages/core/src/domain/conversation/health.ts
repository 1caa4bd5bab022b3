import { GUARD_NODE } from '../guard/guard-verdict.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.ts'

/** A turn, as far as it shows the agent's health. */
export interface HealthTurn {
  readonly record: JsonObject
  /** Its details, as far as they are stored. */
  readonly details: JsonObject
}

/** The number of calls of a function, and of those that failed. */
export interface FunctionHealth {
  readonly name: string
  readonly calls: number
  readonly errors: number
}

/** Something by its name, and how often it happened. */
export interface NamedCount {
  readonly name: string
  readonly count: number
}

/** The figures of an agent over some conversations. */
export interface Health {
  readonly conversations: number
  /** Turns in which a visitor said something. */
  readonly turns: number
  /** The time of answers, milliseconds. Null without any. */
  readonly latency: { readonly median: number; readonly p95: number; readonly longest: number } | null
  /** Turns that the agent had nothing for. */
  readonly unknown: number
  readonly handoffs: number
  /** The destinations of handoffs with their counts, the most frequent first. */
  readonly destinations: readonly NamedCount[]
  /** Private parts of messages that a redactor took out, by sort, the most frequent first (RD2). */
  readonly redacted: readonly NamedCount[]
  /** Verdicts of a guard other than `allow`, such as `incoming:refuse`, the most frequent first (GU6). */
  readonly guarded: readonly NamedCount[]
  /** Functions that were called, those that failed most first. */
  readonly functions: readonly FunctionHealth[]
}

/** Returns the least value that so large a share of all does not exceed. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN

/** Counts of names. */
function createCounts() {
  const counts = new Map<string, number>()
  return {
    add: (name: string, count = 1) => void counts.set(name, (counts.get(name) ?? 0) + count),
    /** The most frequent first. */
    all: (): readonly NamedCount[] =>
      [...counts]
        .map(([name, count]) => ({ name, count }))
        .toSorted((one, other) => other.count - one.count || one.name.localeCompare(other.name)),
  }
}

const listed = (value: Json | undefined): readonly Json[] => (isJsonArray(value) ? value : [])

/** A running sum for the figures. No added turn or conversation has to be kept. */
export interface HealthSum {
  addTurns(turns: readonly HealthTurn[]): void
  /** Adds the summary of a record, without its turns. */
  addConversation(summary: JsonObject): void
  figures(): Health
}

/** Adds conversations up, one after the other. Its methods share the sums: hence one function. */
export function createHealth(): HealthSum {
  const times: number[] = []
  const [destinations, redacted, guarded] = [createCounts(), createCounts(), createCounts()]
  const functions = new Map<string, { calls: number; errors: number }>()
  let [conversations, handoffs, unknown] = [0, 0, 0]

  function addWords({ node_trace: nodes, redacted: parts }: JsonObject): void {
    for (const node of listed(nodes))
      if (typeof node === 'string' && node.startsWith(GUARD_NODE)) guarded.add(node.slice(GUARD_NODE.length))
    if (!isJsonObject(parts)) return
    for (const [sort, count] of Object.entries(parts))
      if (typeof count === 'number') redacted.add(sort, count)
  }

  function addTurn({ details, record }: HealthTurn): void {
    addWords(details)
    for (const event of listed(details.function_events)) {
      if (!isJsonObject(event)) continue
      const name = typeof event.name === 'string' ? event.name : ''
      const { calls, errors } = functions.get(name) ?? { calls: 0, errors: 0 }
      const failed = event.error === undefined || event.error === null || event.error === '' ? 0 : 1
      functions.set(name, { calls: calls + 1, errors: errors + failed })
    }
    if (record.user_input === '') return
    times.push(typeof record.latency === 'number' ? record.latency * 1_000 : 0)
    if (record.is_ood === true) unknown++
  }

  return {
    addTurns(turns) {
      for (const turn of turns) addTurn(turn)
    },
    addConversation({ handoff, handoff_destination: destination }) {
      conversations++
      if (handoff !== true) return
      handoffs++
      destinations.add(typeof destination === 'string' ? destination : '')
    },
    figures() {
      const sorted = times.toSorted((a, b) => a - b)
      const latency = {
        median: quantile(sorted, 0.5),
        p95: quantile(sorted, 0.95),
        longest: quantile(sorted, 1),
      }
      return {
        ...{ conversations, turns: sorted.length, unknown, handoffs },
        latency: sorted.length === 0 ? null : latency,
        destinations: destinations.all(),
        redacted: redacted.all(),
        guarded: guarded.all(),
        functions: [...functions]
          .map(([name, counts]) => ({ name, ...counts }))
          .toSorted(
            (one, other) =>
              other.errors - one.errors || other.calls - one.calls || one.name.localeCompare(other.name),
          ),
      }
    },
  }
}
