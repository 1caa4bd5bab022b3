/** Idle sockets of a run. */
export const IDLE_COUNT = 10_000

/** The row of idle sockets. */
export const IDLE_ROW = `idle connections, ${IDLE_COUNT.toLocaleString('en-GB')}`

/** The unit that the goal speaks of. */
export const IDLE_BYTES = 'bytes of heap each'
