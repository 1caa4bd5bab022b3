/** The reasons for closing a socket, with their codes (contract/messaging.md, Time). */
export const CLOSE_CODES = {
  ended: 1000,
  going_away: 1001,
  key_revoked: 1008,
  flooding: 1008,
  too_large: 1009,
  internal: 1011,
  too_slow: 1013,
  session_unknown: 4001,
} as const

export type CloseReason = keyof typeof CLOSE_CODES

/** The words that go with each code. */
export const CLOSE_TEXTS: Readonly<Record<CloseReason, string>> = {
  ended: 'session ended',
  going_away: 'server going away',
  key_revoked: 'api key revoked',
  flooding: 'too many frames',
  too_large: 'frame too large',
  internal: 'internal error',
  too_slow: 'client too slow',
  session_unknown: 'session not found',
}
