import { PlatformError } from '../errors.ts'
import type { HttpRequest } from './route.ts'

/** How deep arrays and objects of a body may nest. */
const MAX_DEPTH = 100

const invalid = (message: string) => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

/** `application/json` or `…+json`, in UTF-8. */
function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  if (!/^application\/(?:json|[a-z0-9.!#$&^_-]+\+json)$/.test(type.trim())) return false
  const charset = parameters
    .map(parameter => parameter.trim())
    .find(parameter => parameter.startsWith('charset='))
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset)
}

function checkContentType(headers: HttpRequest['headers']): void {
  const type = headers['content-type']
  if (type !== undefined && !isJson(type))
    throw new PlatformError(
      'UNSUPPORTED_CONTENT_TYPE',
      'The body must be JSON in UTF-8, with the content type application/json',
    )
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw new PlatformError('UNSUPPORTED_CONTENT_TYPE', 'The body must not have a Content-Encoding')
}

/** Depth of JSON text. Code that walks parsed values recurses, so depth is bounded before there is a value. */
function checkDepth(text: string): void {
  if (text.length <= MAX_DEPTH) return
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (quoted) {
      if (character === 0x5c) index++
      else if (character === 0x22) quoted = false
    } else if (character === 0x22) quoted = true
    else if (character === 0x5b || character === 0x7b) {
      if (++depth > MAX_DEPTH) throw invalid(`The body nests deeper than ${MAX_DEPTH} levels`)
    } else if (character === 0x5d || character === 0x7d) depth--
  }
}

/** `__proto__`, also written with escapes. */
const PROTO = /__proto__|\\u00(?:5f|6f|70|72|74)/i

/** Reading such a key back from a copy would reach the prototype, so it never gets past here. */
const dropProto = (key: string, value: unknown) => (key === '__proto__' ? undefined : value)

function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  checkDepth(text)
  try {
    return PROTO.test(text) ? JSON.parse(text, dropProto) : JSON.parse(text)
  } catch {
    throw invalid('The body is not valid JSON')
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8')
  }
}

/**
 * Reads a JSON body. An empty one is an empty object, whatever its content type (decisions.md section 3).
 *
 * @param limit bytes
 * @throws BODY_TOO_LARGE, UNSUPPORTED_CONTENT_TYPE, SCHEMA_VALIDATION_FAILED
 */
export async function readJson(request: HttpRequest, limit: number): Promise<unknown> {
  const bytes = await request.body(limit)
  if (bytes.length > limit) throw bodyTooLarge(limit)
  if (bytes.length === 0) return {}
  checkContentType(request.headers)
  return parseJson(bytes)
}

/** The refusal of a body of more than `limit` bytes, the same wherever it is noticed. */
export const bodyTooLarge = (limit: number): PlatformError =>
  new PlatformError('BODY_TOO_LARGE', `The body is larger than ${limit} bytes, which is the limit`)
