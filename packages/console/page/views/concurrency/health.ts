/** How often a function was called, and how often that failed. */
export interface FunctionHealth {
  readonly name: string
  readonly calls: number
  readonly errors: number
}

/** How an agent did in some conversations, as the server tells it. */
export interface Health {
  readonly conversations: number
  /** Turns in which a visitor said something. */
  readonly turns: number
  /** How long answers took, milliseconds; null where there was none. */
  readonly latency: { readonly median: number; readonly p95: number; readonly longest: number } | null
  readonly handoffs: number
  /** Where conversations were handed to, and how many, most first. */
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
