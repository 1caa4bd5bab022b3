import type { AccountId } from '../ids.ts'

/** A time within which a queue is open on a day of each week, by the clocks of its time zone. */
export interface OpenTime {
  /** 1: Monday, 7: Sunday. */
  readonly day: number
  /** `HH:MM`, from `00:00`. */
  readonly from: string
  /** `HH:MM`, up to `24:00`: the first minute that is closed again. */
  readonly to: string
}

/** The hours of a queue (DK557). */
export interface QueueHours {
  /** A name of the IANA database, for example `Europe/Berlin`. */
  readonly timeZone: string
  /** Times may touch and overlap. Without any the queue is never open. */
  readonly weekly: readonly OpenTime[]
  /** Dates on which the queue is closed, `YYYY-MM-DD`. */
  readonly holidays: readonly string[]
}

/** The hours of a queue of an account. A queue without hours is always open. */
export interface DeskQueue extends QueueHours {
  readonly accountId: AccountId
  readonly queueName: string
  /** Counts its changes, from 1. */
  readonly version: number
}

/** A moment by the clocks of a time zone. */
interface LocalTime {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** 1: Monday, 7: Sunday. */
  readonly day: number
  /** Milliseconds since midnight, by the clock. */
  readonly time: number
  /** Local time minus UTC, milliseconds. */
  readonly offset: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Days that are looked at for the next opening: a year, whatever its holidays, and some more. */
const HORIZON = 400

/** Time zones whose formatters are kept. All names of the database fit. */
const KEPT = 1_000
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const part = '2-digit'
  const made = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: part, day: part, hour: part, minute: part, second: part },
  })
  if (formatters.size >= KEPT) formatters.clear()
  formatters.set(timeZone, made)
  return made
}

/** Whether the name is that of a time zone of the IANA database. An offset such as `+01:00` is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false
  try {
    formatterOf(name)
    return true
  } catch {
    return false
  }
}

/** Returns a moment by the clocks of a time zone. */
function localTime(timeZone: string, at: number): LocalTime {
  const whole = Math.floor(at / 1_000) * 1_000
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(whole)
      .map(({ type, value }) => [type, value]),
  )
  const numberOf = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type))
  const [year, month, day] = [numberOf('year'), numberOf('month'), numberOf('day')]
  const date = Date.UTC(year, month - 1, day)
  const time = numberOf('hour') * HOUR + numberOf('minute') * MINUTE + numberOf('second') * 1_000
  return {
    date: new Date(date).toISOString().slice(0, 10),
    day: new Date(date).getUTCDay() || 7,
    time: time + (at - whole),
    offset: date + time - whole,
  }
}

/** Returns a time of the day in milliseconds. */
const timeOf = (text: string): number => Number(text.slice(0, 2)) * HOUR + Number(text.slice(3)) * MINUTE

/** Whether a queue with these hours is open at a moment. */
export function isOpenAt({ holidays, timeZone, weekly }: QueueHours, at: number): boolean {
  const { date, day, time } = localTime(timeZone, at)
  if (holidays.includes(date)) return false
  return weekly.some(one => one.day === day && timeOf(one.from) <= time && time < timeOf(one.to))
}

/** Returns the moment between two at which the clocks are changed. `from` and `to` have different offsets. */
function changeBetween(timeZone: string, from: number, to: number): number {
  const after = localTime(timeZone, to).offset
  let [low, high] = [Math.floor(from / 1_000), Math.ceil(to / 1_000)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (localTime(timeZone, middle * 1_000).offset === after) high = middle
    else low = middle
  }
  return high * 1_000
}

/** Returns the moments of a day, 24 hours from `start`, at which a queue may open. */
function openings({ timeZone, weekly }: QueueHours, start: number): readonly number[] {
  const [first, last] = [localTime(timeZone, start), localTime(timeZone, start + DAY)]
  const midnight = Date.parse(first.date)
  // A clock that is put back may open a queue again, one that is put forward may jump over the moment of opening.
  const changes = first.offset === last.offset ? [] : [changeBetween(timeZone, start, start + DAY)]
  const offsets = new Set([first.offset, last.offset])
  const moments = weekly.flatMap(({ from }) =>
    [0, 1, 2].flatMap(days => [...offsets].map(offset => midnight + days * DAY + timeOf(from) - offset)),
  )
  return [...moments, ...changes].filter(at => at >= start && at < start + DAY)
}

/**
 * Returns the first moment from `at` on at which a queue with these hours is open. Null if that is more than 400 days
 * away. Clocks that are put forward or back count as they show (DK558).
 */
export function opensAt(hours: QueueHours, at: number): number | null {
  if (isOpenAt(hours, at)) return at
  if (hours.weekly.length === 0) return null
  for (let days = 0; days < HORIZON; days++) {
    const found = openings(hours, at + days * DAY).filter(moment => isOpenAt(hours, moment))
    if (found.length > 0) return Math.min(...found)
  }
  return null
}
