import * as z from 'zod'

/** Bounds of the headers that an endpoint adds to its requests (WH31). */
const ENDPOINT_HEADER_LIMITS = {
  headers: 50,
  nameLength: 100,
  /** Names and values together, characters. */
  length: 8_192,
} as const

/** A token of RFC 9110. */
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
/** Visible ASCII, with spaces and tabs between. */
const VALUE = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/

/** The headers that belong to one connection, the framing or the target of a request, or the sender. */
const OURS = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings', 'expect', 'host', 'user-agent'],
])
const OUR_PREFIXES = ['content-', 'webhook-', ':']

/**
 * Reports whether a header of that name is the platform's to set, so that no endpoint may. The branded ones are checked
 * where the brand is known.
 */
const isOurHeader = (name: string): boolean => {
  const lower = name.toLowerCase()
  return OURS.has(lower) || OUR_PREFIXES.some(prefix => lower.startsWith(prefix))
}

function objection([name, value]: readonly [string, string]): string | null {
  if (name.length > ENDPOINT_HEADER_LIMITS.nameLength || !NAME.test(name))
    return `expected names of 1 to ${ENDPOINT_HEADER_LIMITS.nameLength} letters, digits and -, _ and the like`
  if (isOurHeader(name)) return `the header "${name}" cannot be set: it belongs to the request itself`
  if (!VALUE.test(value)) return `expected visible ASCII characters as the value of "${name}"`
  return null
}

function objectionToAll(headers: Readonly<Record<string, string>>): string | null {
  const entries = Object.entries(headers)
  if (entries.length > ENDPOINT_HEADER_LIMITS.headers)
    return `expected at most ${ENDPOINT_HEADER_LIMITS.headers} headers`
  const length = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (length > ENDPOINT_HEADER_LIMITS.length)
    return `expected at most ${ENDPOINT_HEADER_LIMITS.length} characters of names and values`
  if (new Set(entries.map(([name]) => name.toLowerCase())).size < entries.length)
    return 'expected each name once, in any case'
  return entries.map(objection).find(message => message !== null) ?? null
}

/** Headers that an endpoint wants its requests to carry, a text for each name. */
export const endpointHeadersSchema = z.record(z.string(), z.string()).superRefine((headers, context) => {
  const message = objectionToAll(headers)
  if (message !== null) context.addIssue({ code: 'custom', message })
})
