/** Numbers of calls and errors of a function. */
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

/** Figures of an agent over some conversations, as the server returns them. */
export interface Health {
  readonly conversations: number
  /** Turns in which a visitor said something. */
  readonly turns: number
  /** Response times, milliseconds; null if there was no answer. */
  readonly latency: { readonly median: number; readonly p95: number; readonly longest: number } | null
  readonly handoffs: number
  /** Destinations of handoffs with their counts, most first. */
  readonly destinations: readonly NamedCount[]
  /** Private parts of messages that a redactor took out, by sort, most first. */
  readonly redacted: readonly NamedCount[]
  /** Verdicts of a guard, such as `incoming:refuse`, most first. */
  readonly guarded: readonly NamedCount[]
  /** Turns that the agent had nothing for. */
  readonly unknown: number
  /** Functions that were called, those that failed most first. */
  readonly functions: readonly FunctionHealth[]
}

/** The sum of all counts. */
export const sumOf = (counts: readonly NamedCount[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0)

/** Calls of all functions, and how many failed. */
export const callsOf = (functions: readonly FunctionHealth[]) => ({
  calls: functions.reduce((sum, one) => sum + one.calls, 0),
  errors: functions.reduce((sum, one) => sum + one.errors, 0),
})
