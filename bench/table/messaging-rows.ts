/** The servers of the messaging rows, in the order of the table. */
export const SERVERS = {
  project: 'Colloquy, SQLite FULL',
  limit: 'limit: memory, corked per tick',
  log: 'minimal, SQLite FULL, chained log, group commit',
  socketIo: 'Socket.IO with recovery, in memory',
} as const
export type ServerName = keyof typeof SERVERS

/** The figures of a round, by their units. */
export const UNITS = {
  perSecond: 'turns/s',
  cpu: 'CPU µs/turn',
  p99: 'ms, turn p99',
  setUps: 'set-ups/s',
  replay: 'replay CPU µs/event',
  violations: 'violations',
} as const
export type Figure = keyof typeof UNITS

/** Visitors who talk at once. */
export const SESSIONS = 1_000

/** The row of them. */
export const MESSAGING_ROW = `messaging, ${SESSIONS.toLocaleString('en-GB')} sessions`

/** Returns the name of a ratio of the project to another server. */
export const against = (server: ServerName): string => `Colloquy against ${SERVERS[server]}`

/** The unit of a ratio. */
export const ratioOf = (figure: Figure): string => `× ${UNITS[figure]}`
