/** The row of how long the event loop stands still. */
export const STALLS_ROW = '256 chats at once, a runtime that answers in microtasks'

/** Stores, and how many parts a reply has. */
export const STALLS = {
  memory: 'memory, replies of 1 part',
  parts: 'memory, replies of 200 parts',
  sqlite: 'SQLite, synchronous=FULL, replies of 1 part',
} as const

export const STALL_UNIT = 'ms'
