/** The most characters that an event id's path may have. */
export const LONGEST_PATH = 500

const INDEX = /^(?:0|[1-9]\d{0,8})$/

const ESCAPED = /\\([\s\S])/g

/** A part in brackets, an escaped character, a dot, or any other text; each begins with another character. */
const PART = /\[([^[\].\\]*)\]|\\([\s\S])|(\.)|([^[.\\]+|[[\\])/g

/**
 * Returns the segments of a dotted path; `items[0].id` is the same as `items.0.id`. After a backslash any character is
 * part of a name: `a\.b` is one segment. Brackets at the beginning are the first segment.
 */
export function pathSegments(path: string): readonly string[] {
  const segments: string[] = []
  let segment = ''
  let started = false
  for (const [whole, inner, escaped, dot, rest = ''] of path.matchAll(PART)) {
    if (inner !== undefined || dot !== undefined) {
      if (started || dot !== undefined) segments.push(segment)
      segment = inner ?? ''
    } else segment += escaped ?? (rest || whole)
    started = true
  }
  return [...segments, segment]
}

/** Returns the name that a path is without its escapes. */
export const unescaped = (path: string): string => path.replace(ESCAPED, '$1')

/** Returns the index that a segment names; null when it names none. */
export const indexOf = (segment: string): number | null => (INDEX.test(segment) ? Number(segment) : null)

/**
 * Takes one step into a parsed value: an element of an array by its index, an own property of an object by its name.
 * Undefined for everything else, so that inherited names lead nowhere.
 */
export function step(value: unknown, segment: string): unknown {
  if (Array.isArray(value)) {
    const index = indexOf(segment)
    return index === null ? undefined : value[index]
  }
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, segment)?.value
}

/** Returns an id as it may stand in a payload: text that is not empty, or a number. Null for anything else. */
export function asEventId(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return null
  const id = value.trim()
  return id === '' ? null : id
}

/** An event id, or that it is missing, with the error of a body that cannot be searched. */
export type Found = { readonly id: string } | { readonly problem: string | null }

/** No id is there, and nothing is wrong with where it was looked for. */
export const NOTHING = { problem: null } as const satisfies Found

/** Returns the result of {@link asEventId} as a finding. */
export function found(value: unknown): Found {
  const id = asEventId(value)
  return id === null ? NOTHING : { id }
}
