/** A time of the week, as the server has it: 1 is Monday. */
export interface OpenTime {
  readonly day: number
  readonly from: string
  readonly to: string
}

/** The days of a week, from Monday. */
export const DAYS = [1, 2, 3, 4, 5, 6, 7] as const

const TIME = /^(\d{1,2})(?:[:.](\d{2}))?$/

/** Returns a time as `HH:MM`; null for what is no time. */
function clockOf(text: string): string | null {
  const [, hours = '', minutes = '00'] = TIME.exec(text.trim()) ?? []
  if (hours === '' || Number(hours) > 24 || Number(minutes) > 59) return null
  return `${hours.padStart(2, '0')}:${minutes}`
}

/** Parses the times of a day, such as `9-12, 13:00-17:30`. Null if one of them is invalid. */
export function timesOf(day: number, text: string): readonly OpenTime[] | null {
  const times: OpenTime[] = []
  for (const part of text.split(',')) {
    if (part.trim() === '') continue
    const [from = null, to = null, ...rest] = part.split(/[-–]/).map(clockOf)
    if (from === null || to === null || rest.length > 0 || from >= to || to > '24:00') return null
    times.push({ day, from, to })
  }
  return times
}

/** Returns the times of a day as they are written. */
export const timesText = (weekly: readonly OpenTime[], day: number): string =>
  weekly
    .filter(one => one.day === day)
    .map(({ from, to }) => `${from}-${to}`)
    .join(', ')

/** Parses dates, one a line. Null if one of them is none. */
export function datesOf(text: string): readonly string[] | null {
  const dates = text.split(/[\s,]+/).filter(one => one !== '')
  const isDate = (one: string): boolean =>
    /^\d{4}-\d{2}-\d{2}$/.test(one) && new Date(`${one}T00:00:00Z`).toJSON()?.startsWith(one) === true
  return dates.every(isDate) ? dates : null
}
