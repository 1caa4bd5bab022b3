/** The end of a key or a connector, in milliseconds since the epoch. */
interface Ending {
  readonly revokedAt: number | null
  readonly expiresAt: number | null
}

/** Reports whether a key or a connector works at that moment: it is not revoked and has not expired (CR5 and CR1). */
export const isInForce = ({ revokedAt, expiresAt }: Ending, now: number): boolean =>
  revokedAt === null && (expiresAt === null || now < expiresAt)
