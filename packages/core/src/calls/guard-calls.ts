import { isPlatformError, PlatformError } from '../errors.ts'
import { refuseUnknown } from '../shared/refuse-unknown.ts'
import type { PartCalls } from '../usecases/shared/acts.ts'
import { type Argument, CALL_FIELDS, type Fields, isCall, isFields, type PartFields } from './call-fields.ts'

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (fields: Fields[string]): fields is readonly [Fields] => Array.isArray(fields)

/**
 * Refuses unknown fields of an argument (EM8), and of the objects within it. The call itself checks their values.
 *
 * @throws SCHEMA_VALIDATION_FAILED naming the field, and what is allowed
 */
export function refuseFields(where: string, given: unknown, fields: Fields): void {
  refuseUnknown(where, given, Object.keys(fields), 'field')
  for (const [name, inner] of Object.entries(fields)) {
    if (inner === true || typeof inner === 'function' || !isObject(given)) continue
    const value: unknown = Reflect.get(given, name)
    const list = isList(inner)
    const values = list && Array.isArray(value) ? value : [value]
    for (const one of values)
      if (isObject(one)) refuseFields(`${name} of ${where}`, one, list ? inner[0] : inner)
  }
}

const refused = (name: string, where: string, allowed: string) =>
  new PlatformError('SCHEMA_VALIDATION_FAILED', `The ${name} of ${where} must be ${allowed}.`)

/** Refuses values that are not what the table says (EM82): of an argument, or of the fields that it has. */
function refuseValues(where: string, given: unknown, known: Argument): void {
  if (known === null) return
  if (!isFields(known)) {
    const [name, check] = known
    const allowed = check(given)
    if (allowed !== null) throw refused(name, where, allowed)
    return
  }
  for (const [name, inner] of Object.entries(known)) {
    if (typeof inner === 'function')
      refuseValues(where, isObject(given) ? Reflect.get(given, name) : undefined, [name, inner])
  }
}

/** What is wrong with the arguments of a call; null for nothing. Names that nothing reads come first. */
function problemOf(where: string, input: readonly unknown[], fields: readonly Argument[]): unknown {
  try {
    fields.forEach((known, at) => {
      if (isFields(known)) refuseFields(where, input[at], known)
    })
    for (const [at, known] of fields.entries()) refuseValues(where, input[at], known)
    return null
  } catch (error) {
    return error
  }
}

/** An object of named fields that is left out has none, so that the call names the first that it lacks. */
const completed = (
  input: readonly unknown[],
  fields: readonly Argument[],
  first: number,
): readonly unknown[] =>
  Array.from({ length: Math.max(input.length, first + fields.length) }, (_, at) =>
    input[at] === undefined && isFields(fields[at - first]) ? {} : input[at],
  )

/** An iterable without values. */
const failing = (error: unknown): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
})

/** Calls that answer with an iterable, and reject when its first value is asked for. */
const ITERABLES: ReadonlySet<string> = new Set(
  ['slices', 'newest', 'sample', 'turns'].map(name => `reading.${name}`),
)

/** Calls that answer at once, and throw. */
const SYNCHRONOUS: ReadonlySet<string> = new Set(['access.watchApiKey'])

/** True for calls that do not answer with a promise. */
const answersOtherwise = (path: string): boolean => SYNCHRONOUS.has(path) || ITERABLES.has(path)

/** Calls that transports make while the platform goes away. */
const OUTLASTING: ReadonlySet<string> = new Set(['messaging.endStreams'])

/** Answers a call with an error, in the way in which it answers. */
function failed(path: string, error: unknown): unknown {
  if (SYNCHRONOUS.has(path)) throw error
  return ITERABLES.has(path) ? failing(error) : Promise.reject(error)
}

const closedError = (cause?: unknown) =>
  new PlatformError(
    'PLATFORM_CLOSED',
    'The platform is closed. Make another one with createPlatform.',
    cause === undefined ? {} : { cause },
  )

/** What stands before every call. */
interface Gate {
  /** True once the platform has closed its store. */
  readonly isClosed: () => boolean
  /** Calls wait for it, and are refused with what it rejects with; null: there is nothing to wait for. */
  readonly before: Promise<void> | null
}

/** An answer that a store which has closed meanwhile does not end with words of its own. */
const unlessClosed = (answer: unknown, { isClosed }: Gate): unknown =>
  answer instanceof Promise
    ? answer.catch(error => {
        throw isClosed() && !isPlatformError(error) ? closedError(error) : error
      })
    : answer

/**
 * Replaces the calls where they stand, so this is for objects that were just made. `first` is the first argument that
 * the table names.
 */
function guard<Part extends object>(
  where: string,
  part: Part,
  fields: PartFields,
  { first, gate }: { readonly first: number; readonly gate: Gate },
): Part {
  for (const [name, known] of Object.entries(fields)) {
    const call: unknown = Reflect.get(part, name)
    const path = `${where}.${name}`
    if (!isCall(known)) {
      if (isObject(call)) guard(path, call, known, { first, gate })
    } else if (typeof call === 'function') {
      Reflect.set(part, name, (...given: readonly unknown[]): unknown => {
        if (gate.isClosed() && !OUTLASTING.has(path)) return failed(path, closedError())
        const input = completed(given, known, first)
        const problem = problemOf(path, input.slice(first), known)
        if (problem !== null) return failed(path, problem)
        const answer = (): unknown => Reflect.apply(call, part, input)
        if (gate.before === null || answersOtherwise(path)) return unlessClosed(answer(), gate)
        return unlessClosed(gate.before.then(answer), gate)
      })
    }
  }
  return part
}

/** A part of the platform, as messages and the table of fields name it. */
type PartName = keyof typeof CALL_FIELDS

/**
 * Lets every call of a part refuse what the platform cannot read, before it does anything, and everything once the
 * platform is closed.
 */
export const createCallGuards = (gate: Gate) => ({
  /** @param part just made: its calls are replaced */
  guardCalls: <Part extends object>(name: PartName, part: Part): Part =>
    guard(name, part, CALL_FIELDS[name], { first: 0, gate }),
  /** The same, of a part before it is bound to a caller: acts take the caller as their first argument. */
  guardPart: <Part extends object, Act extends keyof Part>(
    name: PartName,
    { acts, common }: PartCalls<Part, Act>,
  ): PartCalls<Part, Act> => ({
    acts: guard(name, acts, CALL_FIELDS[name], { first: 1, gate }),
    common: guard(name, common, CALL_FIELDS[name], { first: 0, gate }),
  }),
})
