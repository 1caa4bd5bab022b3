const many = (count: number): string => count.toLocaleString('en-GB')

/** The row of so many of something. */
export const consoleRow = (count: number, of: string): string => `console, ${many(count)} ${of}`

const row = (count: number, of: string) => ({ count, of, row: consoleRow(count, of) })

/** Amounts of data under the console, and their rows. */
export const CONSOLE_ROWS = {
  topics: row(10_000, 'topics on a branch'),
  conversations: row(100_000, 'conversations'),
  waiting: row(500, 'visitors who wait'),
} as const

/** The unit of all of them. */
export const INTERACTION = 'ms, longest interaction to the next paint'
