import { type ErrorCode, PlatformError } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'

/** What a JSON object at the edge of the platform is, and how large it may be. */
export interface PlainJsonRules {
  /** What messages call it. */
  readonly noun: string
  readonly code: ErrorCode
  /** UTF-8 bytes of its JSON text. */
  readonly bytes: number
  /** Levels of arrays and objects. */
  readonly depth: number
}

/** Segments of a JSON pointer (RFC 6901) as its text. */
export const pointerOf = (segments: readonly string[]): string =>
  segments.map(segment => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/**
 * A copy of a value that is nothing but JSON: own keys, finite numbers, no instance of any class, no key `__proto__`. A value
 * that contains itself is deeper than any limit.
 *
 * @throws the rules' code, naming the place and what is allowed
 */
export function plainJsonObject(value: unknown, rules: PlainJsonRules): JsonObject {
  const refuse = (path: readonly string[], reason: string): PlatformError => {
    const place = path.length === 0 ? `The ${rules.noun}` : `"${pointerOf(path)}" in the ${rules.noun}`
    return new PlatformError(rules.code, `${place} ${reason}.`)
  }
  const copy = (part: unknown, path: readonly string[]): Json => {
    if (part === null || typeof part === 'boolean' || typeof part === 'string') return part
    if (typeof part === 'number' && Number.isFinite(part)) return part
    if (typeof part !== 'object' || !isPlain(part)) throw refuse(path, `must be JSON, not ${kindOf(part)}`)
    if (path.length >= rules.depth) throw refuse([], `must not nest deeper than ${rules.depth} levels`)
    if (Array.isArray(part)) return part.map((item, index) => copy(item, [...path, String(index)]))
    if (Object.hasOwn(part, '__proto__')) throw refuse(path, 'must have no key "__proto__"')
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, copy(item, [...path, key])]))
  }
  const plain = copy(value, [])
  if (!isJsonObject(plain)) throw refuse([], `must be an object, not ${kindOf(value)}`)
  const bytes = new TextEncoder().encode(JSON.stringify(plain)).length
  if (bytes > rules.bytes) throw refuse([], `must be at most ${rules.bytes} bytes of JSON, not ${bytes}`)
  return plain
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (value === null || value === undefined || typeof value === 'number') return String(value)
  return typeof value === 'object'
    ? `an instance of ${value.constructor?.name ?? 'a class'}`
    : `a ${typeof value}`
}
