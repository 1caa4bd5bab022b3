/** Numbers of calls and errors of a function. */
export interface FunctionHealth {
  readonly name: string
  readonly calls: number
  readonly errors: number
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
  readonly destinations: readonly { readonly name: string; readonly count: number }[]
  /** Turns that the agent had nothing for. */
  readonly unknown: number
  /** Functions that were called, those that failed most first. */
  readonly functions: readonly FunctionHealth[]
}

/** Calls of all functions, and how many failed. */
export const callsOf = (functions: readonly FunctionHealth[]) => ({
  calls: functions.reduce((sum, one) => sum + one.calls, 0),
  errors: functions.reduce((sum, one) => sum + one.errors, 0),
})
