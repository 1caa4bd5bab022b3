/**
 * Reads the `cursor` of a reconnect: `n` or `seq:n` asks for the events after sequence n. Anything else asks for all of
 * them, which is 0 (contract/messaging.md, Connect; MS6).
 */
export function parseCursor(cursor: string | null): number {
  const digits = /^(?:seq:)?(\d{1,15})$/.exec(cursor ?? '')?.[1]
  return digits === undefined ? 0 : Number(digits)
}
