import { type ErrorCode, PlatformError } from '../errors.ts'
import { isJsonObject, type Json, type JsonObject } from './json.ts'

/** The limits of JSON at the edge of the platform. */
export interface PlainJsonRules {
  /** The name of the value in messages. */
  readonly noun: string
  readonly code: ErrorCode
  /** UTF-8 bytes of its JSON text. */
  readonly bytes: number
  /** Levels of arrays and objects. */
  readonly depth: number
  /**
   * As in `JSON.stringify`, properties that are undefined are left out, and what has `toJSON` stands for its result.
   * @default false
   */
  readonly asStringify?: boolean
}

/** Segments of a JSON pointer (RFC 6901) as its text. */
export const pointerOf = (segments: readonly string[]): string =>
  segments.map(segment => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/**
 * Returns a copy of a value that is nothing but JSON: own keys, finite numbers, no instance of any class, no key
 * `__proto__`. A value that contains itself is deeper than any limit.
 *
 * @throws the rules' code, naming the part of the value and what is allowed
 */
export function plainJson(value: unknown, rules: PlainJsonRules): Json {
  const plain = copyOf(value, rules)
  const bytes = new TextEncoder().encode(JSON.stringify(plain)).length
  if (bytes > rules.bytes) throw refusal(rules, [], `${atMost(rules)}, not ${bytes}`)
  return plain
}

/** Returns a copy of a plain object. @throws the rules' code */
export function plainJsonObject(value: unknown, rules: PlainJsonRules): JsonObject {
  const plain = plainJson(value, rules)
  if (isJsonObject(plain)) return plain
  throw refusal(rules, [], `must be an object, not ${kindOf(value)}`)
}

/** The excess over the limit at which the copy stops. Up to there the message gives the exact size. */
const SLACK = 16

function copyOf(value: unknown, rules: PlainJsonRules): Json {
  // A value that holds another one often is small in memory, and endless as text.
  let seen = 0
  const see = (characters: number): void => {
    seen += 1 + characters
    if (seen > rules.bytes * SLACK) throw refusal(rules, [], atMost(rules))
  }
  const copy = (given: unknown, path: readonly string[]): Json => {
    const part = rules.asStringify === true ? standIn(given, path) : given
    see(typeof part === 'string' ? part.length : 0)
    if (part === null || typeof part === 'boolean' || typeof part === 'string') return part
    if (typeof part === 'number' && Number.isFinite(part)) return part
    if (typeof part !== 'object' || !isPlain(part)) {
      throw refusal(rules, path, `must be JSON, not ${kindOf(part)}`)
    }
    if (path.length >= rules.depth) {
      throw refusal(rules, [], `must not nest deeper than ${rules.depth} levels`)
    }
    // Holes of an array are undefined, and are reported as that.
    if (Array.isArray(part)) return Array.from(part, (item, index) => copy(item, [...path, String(index)]))
    if (Object.hasOwn(part, '__proto__')) throw refusal(rules, path, 'must have no key "__proto__"')
    const copied: [string, Json][] = []
    for (const [key, item] of Object.entries(part)) {
      if (item === undefined && rules.asStringify === true) continue
      see(key.length)
      copied.push([key, copy(item, [...path, key])])
    }
    return Object.fromEntries(copied)
  }
  return copy(value, [])
}

/** Returns the replacement of a value with `toJSON`: its result. */
function standIn(value: unknown, path: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const toJSON: unknown = Reflect.get(value, 'toJSON')
  return typeof toJSON === 'function' ? Reflect.apply(toJSON, value, [path.at(-1) ?? '']) : value
}

const atMost = ({ bytes }: PlainJsonRules): string => `must be at most ${bytes} bytes of JSON`

function refusal({ noun, code }: PlainJsonRules, path: readonly string[], reason: string): PlatformError {
  const subject = path.length === 0 ? `The ${noun}` : `"${pointerOf(path)}" in the ${noun}`
  return new PlatformError(code, `${subject} ${reason}.`)
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
