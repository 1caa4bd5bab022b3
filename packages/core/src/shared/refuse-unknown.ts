import { PlatformError } from '../errors.ts'

/** Letters that have to be put in, left out, changed, or swapped with the next one, to make one word of the other. */
function distance(one: string, other: string): number {
  let before: readonly number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      const swapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const ways = [
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        ...(swapped ? [(before[column - 2] ?? 0) + 1] : []),
      ]
      next.push(Math.min(...ways))
    }
    before = last
    last = next
  }
  return last[other.length] ?? 0
}

/** More names than this are too many to read in a message. */
const READABLE = 12

/** Returns the known name that is the nearest: one that begins alike, else the one with the fewest other letters. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase()
  const beginsAlike = known.filter(
    other => lower.startsWith(other.toLowerCase()) || other.toLowerCase().startsWith(lower),
  )
  const among = beginsAlike.length === 0 ? known : beginsAlike
  return among
    .map(other => ({ other, far: distance(lower, other.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)[0]?.other
}

/** Returns the known name that was probably meant; null if none is near. */
export function meant(name: string, known: readonly string[]): string | null {
  const lower = name.toLowerCase()
  const near = known
    .map(other => ({ other, far: distance(lower, other.toLowerCase()) }))
    .filter(({ far }) => far <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.far - b.far)
  return near[0]?.other ?? null
}

/** Returns the error for an unknown name, with the one that was probably meant, or all known ones. */
export function noSuchName(
  where: string,
  name: string,
  known: readonly string[],
  noun: 'option' | 'field',
): PlatformError {
  const near = meant(name, known)
  const all =
    known.length <= READABLE
      ? `It knows ${known.join(', ')}.`
      : `The nearest of the ${known.length} that it knows is ${nearest(name, known)}.`
  const hint = near === null ? all : `Did you mean ${near}?`
  const message = `${where} has no ${noun} ${JSON.stringify(name)}. ${hint}`
  return new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}

/**
 * Refuses options that are not an object, and unknown ones (EM4): a misspelt option would be ignored silently.
 *
 * @param where the function whose options they are, for example `createRouter`
 * @param known all known names
 * @param noun the word for one of them
 * @throws SCHEMA_VALIDATION_FAILED naming the option, the one that was probably meant, and all known ones
 */
export function refuseUnknown(
  where: string,
  options: unknown,
  known: readonly string[],
  noun: 'option' | 'field' = 'option',
): void {
  const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw refusal(`${where} takes an object of ${noun}s, not ${options === null ? 'null' : typeof options}.`)
  const unread = Object.keys(options).find(name => !known.includes(name))
  if (unread !== undefined) throw noSuchName(where, unread, known, noun)
}
