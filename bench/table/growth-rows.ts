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

/** Operations over many conversations in PostgreSQL, and what they are called. */
export const OPERATIONS = {
  append: 'append to any conversation',
  list: 'the newest page of 20',
  listDay: 'the first page of a day',
  claim: 'claim of 100 due timers',
} as const

/** An operation over many conversations. */
export type Operation = keyof typeof OPERATIONS

/** The row of an operation over many conversations. */
export const growthRow = (operation: Operation): string => `growth in PostgreSQL, ${OPERATIONS[operation]}`

/** The row of the peaks of a week. */
export const CONCURRENCY = 'growth in PostgreSQL, concurrency over a week'

/** The variant that is measured. */
export const POSTGRES = 'PostgreSQL'

/** The variant of the goal for the peaks of a week. */
export const OVER_SQLITE = 'PostgreSQL over SQLite'
