import { asEventId, pathSegments, step } from './path.ts'
import { findInXml } from './xml.ts'

/** Finds an event id in a body's text by a path; null when it is not there or the text is not of its type. */
type Finder = (text: string, path: string) => string | null

function findInJson(text: string, path: string): string | null {
  try {
    return asEventId(pathSegments(path).reduce<unknown>(step, JSON.parse(text)))
  } catch {
    return null
  }
}

/** The first value of a key; `a[b]` and `a.b` name the same key. */
function findInForm(text: string, path: string): string | null {
  const wanted = pathSegments(path).join('.')
  for (const [key, value] of new URLSearchParams(text)) {
    if (pathSegments(key).join('.') === wanted) return asEventId(value)
  }
  return null
}

/** The first value of a key in `key=value` pairs separated by newline, `&` or `;`. */
function findInPairs(text: string, path: string): string | null {
  for (const pair of text.split(/[\n\r&;]/)) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === path) return asEventId(pair.slice(equals + 1))
  }
  return null
}

const FINDERS = {
  'application/json': findInJson,
  'application/x-www-form-urlencoded': findInForm,
  'application/xml': findInXml,
  'text/plain': findInPairs,
} as const satisfies Readonly<Record<string, Finder>>

/** A content type that an external event's body may have (platform-api.md, External events webhook). */
export type PayloadType = keyof typeof FINDERS

/** Every {@link PayloadType}. */
export const PAYLOAD_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/xml',
  'text/plain',
] as const satisfies readonly PayloadType[]

/** The accepted type that a `Content-Type` header names, whatever its parameters; null for any other. */
export function payloadType(contentType: string | undefined): PayloadType | null {
  const [media = ''] = (contentType ?? '').split(';')
  const name = media.trim().toLowerCase()
  return PAYLOAD_TYPES.find(type => type === name) ?? null
}

function decode(contentType: string, body: Uint8Array): string {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}

/**
 * The event id at a path of a body, read as its content type says (decisions.md section 7). Null when it is not there,
 * when the body is not of its type, or when the type is not accepted.
 */
export function findInPayload(contentType: string, body: Uint8Array, path: string): string | null {
  const type = payloadType(contentType)
  return type === null ? null : FINDERS[type](decode(contentType, body), path)
}
