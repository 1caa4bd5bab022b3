/** Turns of a conversation of which the last ones are measured. */
export const HISTORY = [10, 1_000, 10_000] as const

/** Sessions that talk at once. */
export const ACTIVE = [10, 100, 1_000, 10_000] as const

const many = (count: number): string => count.toLocaleString('en-GB')

/** The row of turns behind so many others. */
export const historyRow = (turns: number): string => `growth, turn ${many(turns)} of a conversation`

/** The row of so many sessions that talk at once. */
export const sessionsRow = (sessions: number): string => `growth, ${many(sessions)} active sessions`

/** The row of long histories. */
export const REPLAYS = 'growth, 100 sessions replay 1,000 events each'

/** The unit of the goal of long histories. */
export const MOMENT = 'ms, event-loop delay p99'
