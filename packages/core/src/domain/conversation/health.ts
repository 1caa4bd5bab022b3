import { isJsonObject, type Json, type JsonObject } from '../json.ts'

/** A turn, as far as it shows the agent's health. */
export interface HealthTurn {
  readonly record: JsonObject
  /** The calls of functions, as a record has them. */
  readonly functionEvents: readonly Json[]
}

/** The number of calls of a function, and of those that failed. */
export interface FunctionHealth {
  readonly name: string
  readonly calls: number
  readonly errors: number
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
  readonly destinations: readonly { readonly name: string; readonly count: number }[]
  /** Functions that were called, those that failed most first. */
  readonly functions: readonly FunctionHealth[]
}

/** Returns the least value that so large a share of all does not exceed. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN

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
  const destinations = new Map<string, number>()
  const functions = new Map<string, { calls: number; errors: number }>()
  let [conversations, handoffs, unknown] = [0, 0, 0]

  function addTurn({ record, functionEvents }: HealthTurn): void {
    for (const event of functionEvents) {
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
      const name = typeof destination === 'string' ? destination : ''
      destinations.set(name, (destinations.get(name) ?? 0) + 1)
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
        destinations: [...destinations]
          .map(([name, count]) => ({ name, count }))
          .toSorted((one, other) => other.count - one.count || one.name.localeCompare(other.name)),
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
