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
