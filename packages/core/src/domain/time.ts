import { parseISO } from 'date-fns/parseISO'

/** Day, hour and minute, seconds and their fraction; sign, hours and minutes of an offset. */
const ISO_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:T((?:[01]\d|2[0-3]):\d{2})(?:(:\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+\- ])([01]\d|2[0-3])(?::?(\d{2}))?)?)?$/

/**
 * ISO 8601 in UTC with milliseconds, of milliseconds since the epoch (contract/conversations.md). `formatISO` of
 * date-fns writes local time without milliseconds.
 */
export function isoTime(at: number): string {
  const time = Math.trunc(at)
  const minute = Math.floor(time / MINUTE)
  // Times that are written come in order: nearly all fall into the minute of the one before.
  if (minute !== latest.minute)
    latest = { minute, text: new Date(time).toISOString().slice(0, TO_THE_MINUTE) }
  const inMinute = time - minute * MINUTE
  const second = Math.floor(inMinute / SECOND)
  return `${latest.text}:${SECONDS[second]}.${THOUSANDTHS[inMinute - second * SECOND]}Z`
}

/** Returns the same text, or null for a moment that has not come. */
export const isoTimeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at))

/** Returns the first `count` numbers as padded texts: every event has a time, and padding costs more than a look-up. */
const padded = (count: number, digits: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0'))

const SECOND = 1_000
const SECONDS = padded(60, 2)
const THOUSANDTHS = padded(1_000, 3)

const MINUTE = 60_000

/** The part of the text before the seconds; of a year beyond 9999 it is longer. */
const TO_THE_MINUTE = -':00.000Z'.length

let latest = { minute: Number.NaN, text: '' }

/**
 * Milliseconds since the epoch of an ISO 8601 date (`2026-03-01`) or date and time (`2026-03-01T09:30`, with or without
 * seconds and fractions). Without an offset it is UTC; digits below the millisecond are cut off, or make it the next
 * one with `up`. A space in the offset's place is read as the plus that a query string lost. Null for anything else,
 * also for a day that no calendar has. date-fns knows the calendar and the offsets. It also takes weeks, centuries and
 * 24:00, which the pattern refuses; it takes local time if there is no offset, and makes a floating-point number of a
 * fraction: it is given neither.
 */
export function parseIsoTime(text: string, below: 'cut' | 'up' = 'cut'): number | null {
  const match = ISO_TIME.exec(text)
  if (!match) return null
  const [day, time = '00:00', seconds = ':00', fraction = '', sign, hours, minutes = '00'] = match.slice(1)
  const offset = sign === undefined ? 'Z' : `${sign === '-' ? '-' : '+'}${hours}:${minutes}`
  const at = parseISO(`${day}T${time}${seconds}${offset}`).getTime()
  const more = below === 'up' && /[1-9]/.test(fraction.slice(3)) ? 1 : 0
  return Number.isNaN(at) ? null : at + Number(fraction.slice(0, 3).padEnd(3, '0')) + more
}
