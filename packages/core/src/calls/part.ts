import type * as z from 'zod'
import { type Caller, LIBRARY } from '../domain/audit/audit.ts'
import { onFirstUse } from '../domain/on-first-use.ts'
import { parse } from '../domain/parse.ts'
import { findTooLong } from '../domain/too-long.ts'
import { isPlatformError, PlatformError } from '../errors.ts'
import { noSuchName } from '../shared/refuse-unknown.ts'
import { type AnyCall, type Argument, type CallTable, isCall } from './call.ts'
import { fieldsOf, isBottomless, schemaAt, strictly } from './strict.ts'

/** The check before every call. */
export interface Gate {
  /** True once the platform has closed its store. */
  readonly isClosed: () => boolean
  /** Calls wait for it, and are refused with what it rejects with; null: there is nothing to wait for. */
  readonly before: Promise<void> | null
}

/** Returns a function of a definition, whose types have met where it was defined. */
const apply = <Output>(call: (...input: never[]) => Output, input: readonly unknown[]): Output =>
  Reflect.apply(call, undefined, input)

const isNamed = (argument: Argument): argument is readonly [string, z.ZodType] => Array.isArray(argument)

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a field that is undefined is left out, and so are all of an object that is. */
function fieldsGiven(given: unknown): unknown {
  if (given === undefined) return {}
  if (!isObject(given) || !Object.values(given).includes(undefined)) return given
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** False for what JSON cannot carry, such as a circular value. */
function isWritable(given: unknown): boolean {
  try {
    JSON.stringify(given)
    return true
  } catch {
    return false
  }
}

/** Returns the path of an unknown field (EM8); null if all are known. */
function unknownField(
  where: string,
  schema: z.core.$ZodType,
  issues: readonly z.core.$ZodIssue[],
): PlatformError | null {
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const place = [...issue.path.filter(key => typeof key === 'string').reverse(), where].join(' of ')
    const known = Object.keys(fieldsOf(schemaAt(schema, issue.path) ?? schema) ?? {})
    return noSuchName(place, issue.keys[0] ?? '', known, 'field')
  }
  return null
}

/** Reads one argument. */
interface Reader {
  /** @throws SCHEMA_VALIDATION_FAILED */
  readonly read: (given: unknown) => unknown
  /** The error for an unknown field; null if there is none. */
  readonly unread: (given: unknown) => PlatformError | null
}

function readerOf(where: string, argument: Argument, isExact: boolean): Reader {
  const [noun, loose] = isNamed(argument) ? argument : ['field', argument]
  const schema = strictly(loose)
  const isObject = fieldsOf(schema) !== null
  const isReadable = isBottomless(schema) ? isWritable : () => true
  const fields = (given: unknown) => {
    if (!isObject) return given
    return isExact ? (given ?? {}) : fieldsGiven(given)
  }
  return {
    read(given) {
      if (isReadable(given)) return parse(schema, fields(given), noun)
      const what = noun.replace(/(?:'s)? ?field$/, '') || 'input'
      throw new PlatformError('SCHEMA_VALIDATION_FAILED', `The ${what} is not valid: expected JSON.`)
    },
    unread(given) {
      if (!isObject || !isReadable(given) || findTooLong(schema, given) !== null) return null
      const { error } = schema.safeParse(fields(given))
      return error === undefined ? null : unknownField(where, schema, error.issues)
    },
  }
}

/** Returns the arguments as the call gets them. Unknown names are reported first. */
function readAll(readers: readonly Reader[], given: readonly unknown[]): readonly unknown[] {
  try {
    return readers.map(({ read }, at) => read(given[at]))
  } catch (error) {
    for (const [at, { unread }] of readers.entries()) {
      const refusal = unread(given[at])
      if (refusal !== null) throw refusal
    }
    throw error
  }
}

/** Returns an iterable without values. */
const failing = (error: unknown): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
})

/** Answers a call with an error, in the way in which it answers. */
function failed({ answers }: AnyCall, error: unknown): unknown {
  if (answers === 'now') throw error
  return answers === 'iterable' ? failing(error) : Promise.reject(error)
}

const closedError = (cause?: unknown) =>
  new PlatformError(
    'PLATFORM_CLOSED',
    'The platform is closed. Make another one with createPlatform.',
    cause === undefined ? {} : { cause },
  )

/** Returns an answer that a store which has closed meanwhile does not end with words of its own. */
const unlessClosed = (answer: unknown, { isClosed }: Gate): unknown =>
  answer instanceof Promise
    ? answer.catch(error => {
        throw isClosed() && !isPlatformError(error) ? closedError(error) : error
      })
    : answer

/** Makes a call with these arguments, over what `own` gives it. */
type Carry = (own: () => object, given: readonly unknown[]) => unknown

function carry(path: string, call: AnyCall, deps: object, gate: Gate): Carry {
  const readers = onFirstUse(() =>
    apply<readonly Argument[]>(call.input, [deps]).map(argument =>
      readerOf(path, argument, call.exact === true),
    ),
  )
  return (own, given) => {
    if (gate.isClosed() && call.outlasts !== true) return failed(call, closedError())
    let input: readonly unknown[]
    try {
      input = readAll(readers(), given)
    } catch (error) {
      return failed(call, error)
    }
    const answer = (): unknown => apply(call.handle, [own(), ...input])
    const waits = gate.before !== null && call.answers === undefined
    return unlessClosed(waits ? gate.before.then(answer) : answer(), gate)
  }
}

/** The gate and the actor of the calls of a part. */
export interface Around {
  readonly gate: Gate
  /** Returns the dependencies of calls that note their caller. @default the dependencies, and `caller` */
  readonly actingAs?: (deps: object, caller: Caller) => object
}

/** Whether a call of a part, or of a part in it, notes its caller. */
const hasActs = (table: CallTable): boolean =>
  Object.values(table).some(entry => (isCall(entry) ? entry.acts : hasActs(entry)))

/**
 * Makes a part of a platform of its definitions, once for all callers: a plain object, which can be taken apart, spread
 * and listed (AU3). For a caller it is the same, with the calls that note who made them.
 *
 * @param where what messages call the part
 */
export function partOf(
  where: string,
  table: CallTable,
  deps: object,
  around: Around,
): (caller: Caller) => object {
  const { gate, actingAs = (own, caller) => ({ ...own, caller }) } = around
  const common: Record<string, unknown> = {}
  const acts: (readonly [name: string, act: Carry])[] = []
  const inner: (readonly [name: string, part: (caller: Caller) => object])[] = []
  for (const [name, entry] of Object.entries(table)) {
    const path = `${where}.${name}`
    if (!isCall(entry)) {
      const part = partOf(path, entry, deps, around)
      if (hasActs(entry)) inner.push([name, part])
      else common[name] = part(LIBRARY)
    } else if (entry.acts) acts.push([name, carry(path, entry, deps, gate)])
    else {
      const made = carry(path, entry, deps, gate)
      const own = () => deps
      common[name] = (...given: readonly unknown[]) => made(own, given)
    }
  }
  if (acts.length + inner.length === 0) return () => common
  // To copy what has all the names already is cheaper than to add them one by one, for each request that writes.
  const shape = { ...common, ...Object.fromEntries([...acts, ...inner]) }
  return caller => {
    const own = () => actingAs(deps, caller)
    const part: Record<string, unknown> = { ...shape }
    for (const [name, act] of acts) part[name] = (...given: readonly unknown[]) => act(own, given)
    for (const [name, partFor] of inner) part[name] = partFor(caller)
    return part
  }
}
