import { PlatformError } from '../errors.ts'
import type { HttpRequest } from './route.ts'

/** The limits of a JSON body. */
export interface JsonLimits {
  readonly bytes: number
  /** Arrays and objects within each other. */
  readonly depth: number
}

const invalid = (message: string) => new PlatformError('SCHEMA_VALIDATION_FAILED', message)
const tooDeep = (most: number) => invalid(`The body nests deeper than ${most} levels.`)

/** Reports whether a type is `application/json` or `…+json`, in UTF-8. */
function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  if (!/^application\/(?:json|[a-z0-9.!#$&^_-]+\+json)$/.test(type.trim())) return false
  const charset = parameters
    .map(parameter => parameter.trim())
    .find(parameter => parameter.startsWith('charset='))
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset)
}

/** Returns the refusal of a content type other than JSON, the same wherever it is noticed. */
export const contentTypeRefused = (): PlatformError =>
  new PlatformError(
    'UNSUPPORTED_CONTENT_TYPE',
    'The body must be JSON in UTF-8, with the content type application/json.',
  )

function checkContentType(headers: HttpRequest['headers']): void {
  const type = headers['content-type']
  if (type !== undefined && !isJson(type)) throw contentTypeRefused()
  refuseEncoding(headers)
}

/** Refuses a compressed body: the platform decompresses none. @throws UNSUPPORTED_CONTENT_TYPE */
export function refuseEncoding(headers: HttpRequest['headers']): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw new PlatformError('UNSUPPORTED_CONTENT_TYPE', 'The body must not have a Content-Encoding.')
}

/**
 * Checks the depth of JSON text. Code that walks parsed values recurses, so depth is bounded before there is a value.
 */
function checkDepth(text: string, most: number): void {
  if (text.length <= most) return
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (quoted) {
      if (character === 0x5c) index++
      else if (character === 0x22) quoted = false
    } else if (character === 0x22) quoted = true
    else if (character === 0x5b || character === 0x7b) {
      if (++depth > most) throw tooDeep(most)
    } else if (character === 0x5d || character === 0x7d) depth--
  }
}

/** `__proto__`, also written with escapes. */
const PROTO = /__proto__|\\u00(?:5f|6f|70|72|74)/i

/** Drops a key `__proto__`. Reading it back from a copy would reach the prototype. */
const dropProto = (key: string, value: unknown) => (key === '__proto__' ? undefined : value)

/** An escape of a surrogate, whether its other half follows or not. */
const SURROGATE = /\\u[dD][89a-fA-F]/

/** An escape: a whole surrogate pair, a half without its other half, or any other. */
const ESCAPE =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(\\u[dD][89a-fA-F][\da-fA-F]{2})|\\./g

/**
 * Replaces halves of surrogate pairs. No encoding can carry half a pair: a store would keep something other than the
 * response (HT15).
 */
const withoutHalves = (text: string): string =>
  SURROGATE.test(text)
    ? text.replace(ESCAPE, (whole: string, half?: string) => (half === undefined ? whole : '\\ufffd'))
    : text

function parseJson(bytes: Uint8Array, depth: number): unknown {
  const text = withoutHalves(decode(bytes))
  checkDepth(text, depth)
  try {
    return PROTO.test(text) ? JSON.parse(text, dropProto) : JSON.parse(text)
  } catch {
    throw invalid('The body is not valid JSON.')
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

/**
 * Reads a JSON body. An empty one is an empty object, whatever its content type (contract/errors.md, Requests).
 *
 * @throws BODY_TOO_LARGE, REQUEST_TIMEOUT, UNSUPPORTED_CONTENT_TYPE, SCHEMA_VALIDATION_FAILED
 */
export async function readJson(request: HttpRequest, limits: JsonLimits): Promise<unknown> {
  const bytes = await request.body(limits.bytes)
  if (bytes.length > limits.bytes) throw bodyTooLarge(limits.bytes)
  if (bytes.length === 0) return {}
  checkContentType(request.headers)
  return parseJson(bytes, limits.depth)
}

/** Returns the refusal of a body of more than `limit` bytes, the same wherever it is noticed. */
export const bodyTooLarge = (limit: number): PlatformError =>
  new PlatformError('BODY_TOO_LARGE', `The body is larger than ${limit} bytes, which is the limit.`)

/** Returns the refusal of a body that does not arrive within `timeout` milliseconds. */
export const bodyTooSlow = (timeout: number): PlatformError =>
  new PlatformError(
    'REQUEST_TIMEOUT',
    `The body did not arrive within ${timeout / 1000} s, which is the limit.`,
  )

/** Returns the refusal of a body that the host read before the router, and did not pass on (HT41). */
export const bodyReadBefore = (): PlatformError =>
  new PlatformError(
    'BODY_READ_BEFORE',
    'The server read the body before the router and did not pass it on. Mount the router before anything that reads bodies, or use a parser that sets request.body, such as express.json().',
  )

/** Returns the same refusal for a host that hands over a `Request` (HT41). */
export const bodyUsedBefore = (): PlatformError =>
  new PlatformError(
    'BODY_READ_BEFORE',
    'The server read the body of the request before the handler. Call the handler before anything that reads bodies, or read a clone: request.clone().',
  )

/**
 * Returns the refusal of a body that a host's parser has read and that cannot be written as JSON again, such as a
 * circular one.
 */
export const bodyUnwritable = (): PlatformError =>
  invalid('The body nests too deep, or holds values that JSON cannot hold.')
