import { refuseUnknown } from '../shared/refuse-unknown.ts'
import type { PartCalls } from '../usecases/shared/acts.ts'
import type { Fields, PartFields } from './call-fields.ts'

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Refuses fields of an argument that nothing reads (EM8), and of the objects within it. Whether those are what they must be is for the
 * call to say.
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

/** The same, of all arguments of a call. One that is left out is no object. */
function refuseArguments(
  where: string,
  input: readonly unknown[],
  fields: readonly (Fields | null)[],
): unknown {
  try {
    fields.forEach((known, at) => {
      if (known !== null && input[at] !== undefined) refuseFields(where, input[at], known)
    })
    return null
  } catch (error) {
    return error
  }
}

/** What never gives a piece. */
const failing = (error: unknown): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
})

/** Calls that answer piece after piece, and reject with the first one. */
const IN_PIECES: ReadonlySet<string> = new Set(['slices', 'newest', 'sample'])

/**
 * Lets every call of a part refuse fields that nothing reads, before it does anything: the calls are replaced where they stand, so this is
 * for objects that were just made.
 *
 * @param where what the part is called in messages
 * @param first at which argument those that the table names begin
 */
export function guardCalls<Part extends object>(
  where: string,
  part: Part,
  fields: PartFields,
  first = 0,
): Part {
  for (const [name, known] of Object.entries(fields)) {
    const call: unknown = Reflect.get(part, name)
    if (!isCall(known)) {
      if (isObject(call)) guardCalls(`${where}.${name}`, call, known, first)
    } else if (typeof call === 'function' && known.some(one => one !== null)) {
      Reflect.set(part, name, (...input: readonly unknown[]): unknown => {
        const error = refuseArguments(`${where}.${name}`, input.slice(first), known)
        if (error === null) return Reflect.apply(call, part, input)
        return IN_PIECES.has(name) ? failing(error) : Promise.reject(error)
      })
    }
  }
  return part
}

/** The same, of a part before anybody calls it: acts take who calls first. */
export function guardPart<Part extends object, Act extends keyof Part>(
  where: string,
  calls: PartCalls<Part, Act>,
  fields: PartFields,
): PartCalls<Part, Act> {
  return {
    acts: guardCalls(where, calls.acts, fields, 1),
    common: guardCalls(where, calls.common, fields),
  }
}
