import { refuseUnknown } from '../shared/refuse-unknown.ts'
import type { PartCalls } from '../usecases/shared/acts.ts'
import { CALL_FIELDS, type Fields, type PartFields } from './call-fields.ts'

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Refuses unknown fields of an argument (EM8), and of the objects within it. The call itself checks their values.
 *
 * @throws SCHEMA_VALIDATION_FAILED naming the field, and what is allowed
 */
export function refuseFields(where: string, given: unknown, fields: Fields): void {
  refuseUnknown(where, given, Object.keys(fields), 'field')
  for (const [name, inner] of Object.entries(fields)) {
    if (inner === true || !isObject(given)) continue
    const value: unknown = Reflect.get(given, name)
    const list = isList(inner)
    const values = list && Array.isArray(value) ? value : [value]
    for (const one of values)
      if (isObject(one)) refuseFields(`${name} of ${where}`, one, list ? inner[0] : inner)
  }
}

const isList = (fields: Fields | readonly [Fields]): fields is readonly [Fields] => Array.isArray(fields)

const isCall = (fields: PartFields[string]): fields is readonly (Fields | null)[] => Array.isArray(fields)

/** The same, of all arguments of a call. */
function refuseArguments(
  where: string,
  input: readonly unknown[],
  fields: readonly (Fields | null)[],
): unknown {
  try {
    fields.forEach((known, at) => {
      if (known !== null) refuseFields(where, input[at], known)
    })
    return null
  } catch (error) {
    return error
  }
}

/** An object of named fields that is left out has none, so that the call names the first that it lacks. */
const completed = (
  input: readonly unknown[],
  fields: readonly (Fields | null)[],
  first: number,
): readonly unknown[] =>
  Array.from({ length: Math.max(input.length, first + fields.length) }, (_, at) =>
    input[at] === undefined && fields[at - first] ? {} : input[at],
  )

/** An iterable without values. */
const failing = (error: unknown): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
})

/** Calls that answer with an iterable, and reject when its first value is asked for. */
const ITERABLES: ReadonlySet<string> = new Set(['slices', 'newest', 'sample'])

/**
 * Replaces the calls where they stand, so this is for objects that were just made. `first` is the first argument that
 * the table names.
 */
function guard<Part extends object>(where: string, part: Part, fields: PartFields, first: number): Part {
  for (const [name, known] of Object.entries(fields)) {
    const call: unknown = Reflect.get(part, name)
    if (!isCall(known)) {
      if (isObject(call)) guard(`${where}.${name}`, call, known, first)
    } else if (typeof call === 'function' && known.some(one => one !== null)) {
      Reflect.set(part, name, (...given: readonly unknown[]): unknown => {
        const input = completed(given, known, first)
        const error = refuseArguments(`${where}.${name}`, input.slice(first), known)
        if (error === null) return Reflect.apply(call, part, input)
        return ITERABLES.has(name) ? failing(error) : Promise.reject(error)
      })
    }
  }
  return part
}

/** A part of the platform, as messages and the table of fields name it. */
type PartName = keyof typeof CALL_FIELDS

/**
 * Lets every call of a part refuse fields that nothing reads, before it does anything.
 *
 * @param part just made: its calls are replaced
 */
export const guardCalls = <Part extends object>(name: PartName, part: Part): Part =>
  guard(name, part, CALL_FIELDS[name], 0)

/** The same, of a part before it is bound to a caller: acts take the caller as their first argument. */
export const guardPart = <Part extends object, Act extends keyof Part>(
  name: PartName,
  { acts, common }: PartCalls<Part, Act>,
): PartCalls<Part, Act> => ({
  acts: guard(name, acts, CALL_FIELDS[name], 1),
  common: guard(name, common, CALL_FIELDS[name], 0),
})
