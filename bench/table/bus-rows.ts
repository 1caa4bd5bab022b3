/** The row of notices between two processes. */
export const NOTICES_ROW = 'buses, notices between two processes'

/** The row of what a visitor says on one node until it is on the socket of another. */
export const NODES_ROW = 'buses, from one node to a socket of another'

/** The units of what is measured between two processes. */
export const NOTICE_UNITS = {
  perSecond: 'notices/s',
  cpu: 'CPU µs/notice, both processes',
  server: 'CPU µs/notice, server of the bus',
  p50: 'ms, p50 at 200 notices/s',
  p99: 'ms, p99 at 200 notices/s',
  lost: 'notices lost',
} as const

/** The units of what is measured between two nodes. */
export const NODE_UNITS = {
  sendP50: 'ms from the send, p50',
  sendP99: 'ms from the send, p99',
  echoP50: 'ms from the echo, p50',
  echoP99: 'ms from the echo, p99',
  ownP50: 'ms from the send to the echo, p50',
  lost: 'events that did not come',
} as const
