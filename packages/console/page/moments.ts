/** Returns a time of the person's own clock, as fields give it, as the server takes it; undefined for what is none. */
export function instantOf(local: string | undefined): string | undefined {
  const time = local === undefined ? Number.NaN : Date.parse(local)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

/** Returns a time of the server as fields take it, in the person's own clock; `""` for none. */
export function localOf(at: string | null): string {
  if (at === null) return ''
  const time = new Date(at)
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** Returns whole seconds in digits: `0:05`, `12:30`, `1:02:03`. */
export function digits(seconds: number): string {
  const two = (count: number): string => String(count).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** Returns a waiting time in digits. */
export const waited = (since: string, now: number): string =>
  digits(Math.max(0, Math.floor((now - Date.parse(since)) / 1_000)))
