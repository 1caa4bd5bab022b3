const ISO_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+\- ])(\d{2})(?::?(\d{2}))?)?)?$/

const MINUTE = 60_000

/** ISO 8601 in UTC with milliseconds, of milliseconds since the epoch (contract/conversations.md). */
export const isoTime = (at: number): string => new Date(at).toISOString()

/**
 * Milliseconds since the epoch of an ISO 8601 date (`2026-03-01`) or date and time (`2026-03-01T09:30`, with or without
 * seconds and fractions). Without an offset it is UTC; digits below the millisecond are cut off. A space in the
 * offset's place is read as the plus that a query string lost. Null for anything else, also for a day that no calendar has.
 */
export function parseIsoTime(text: string): number | null {
  const match = ISO_TIME.exec(text)
  if (!match) return null
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(part => Number(part ?? 0))
  const [fraction = '', sign = '', offsetHours = '0', offsetMinutes = '0'] = match.slice(7)
  if (year === undefined || month === undefined || day === undefined) return null
  if (hour === undefined || minute === undefined || second === undefined) return null
  if (hour > 23 || minute > 59 || second > 59) return null
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, '0')))
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE
  return date.getTime() - (sign === '-' ? -offset : offset)
}
