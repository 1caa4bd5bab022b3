import { decodeBody } from './decode.ts'
import { type Found, found, NOTHING, pathSegments, step, unescaped } from './path.ts'
import { findInXml } from './xml.ts'

/** Finds an event id in a body's text by a path. */
type Finder = (text: string, path: string) => Found

function findInJson(text: string, path: string): Found {
  const value = parseJson(text)
  if (value === undefined) return { problem: 'it is not valid JSON' }
  return found(pathSegments(path).reduce<unknown>(step, value))
}

/** Undefined for a text that is not JSON, or that nests too deep to be read. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the first value of a key; `a[b]` and `a.b` name the same key. */
function findInForm(text: string, path: string): Found {
  const wanted = pathSegments(path).join('.')
  for (const [key, value] of new URLSearchParams(text)) {
    // In a key a backslash is itself.
    if (pathSegments(key.replaceAll('\\', '\\\\')).join('.') === wanted) return found(value)
  }
  return NOTHING
}

/** Returns the first value of a key in `key=value` pairs separated by newline, `&` or `;`. */
function findInPairs(text: string, path: string): Found {
  for (const pair of text.split(/[\n\r&;]/)) {
    const equals = pair.indexOf('=')
    const key = pair.slice(0, Math.max(equals, 0)).trim()
    if (equals > 0 && (key === path || key === unescaped(path))) return found(pair.slice(equals + 1))
  }
  return NOTHING
}

const FINDERS = {
  'application/json': findInJson,
  'application/x-www-form-urlencoded': findInForm,
  'application/xml': findInXml,
  'text/plain': findInPairs,
} as const satisfies Readonly<Record<string, Finder>>

/** A content type that an external event's body may have (contract/external-events.md). */
export type PayloadType = keyof typeof FINDERS

/** Every {@link PayloadType}. */
export const PAYLOAD_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/xml',
  'text/plain',
] as const satisfies readonly PayloadType[]

/** Returns the accepted type that a `Content-Type` header names, with any parameters; null for any other. */
export function payloadType(contentType: string | undefined): PayloadType | null {
  const [media = ''] = (contentType ?? '').split(';')
  const name = media.trim().toLowerCase()
  return PAYLOAD_TYPES.find(type => type === name) ?? null
}

/**
 * Returns the event id at a path of a body, read as its content type says (contract/external-events.md). A body that is
 * not of its type is a problem (EX10).
 */
export function findInPayload(contentType: string, body: Uint8Array, path: string): Found {
  const type = payloadType(contentType)
  return type === null ? NOTHING : FINDERS[type](decodeBody(contentType, body), path)
}
