import * as z from 'zod'

/** A text, such as an id. */
export const text = z.string()

/**
 * Returns a schema for a value that no schema describes, such as a function. Without a check, the call itself says why
 * a value is invalid.
 */
export const own = <Value>(check?: (given: unknown) => boolean, allowed?: string) =>
  z.custom<Value>(check, allowed)

/** Returns the schema of an object that the platform has made, known by its ids. The object keeps all its fields. */
export const made = <Value>(allowed: string, ...ids: readonly string[]) =>
  own<Value>(
    given => ids.every(name => typeof Reflect.get(Object(given), name) === 'string'),
    `expected ${allowed}`,
  )

/** Returns a schema that reads more narrowly than its type says to callers. */
export const loosely = <Schema extends z.ZodType>(schema: Schema) => z.unknown().pipe(schema)

/**
 * Returns a schema that takes any values for its fields. The call checks them once it has put them together with
 * others.
 */
export const anyOf = <More extends z.ZodRawShape>(
  { shape }: z.ZodObject,
  more: More,
  without: readonly string[] = [],
) => {
  const names = Object.keys(shape).filter(name => !without.includes(name))
  const unread = names.map(name => [name, z.unknown().optional()])
  return z.object<More>({ ...Object.fromEntries(unread), ...more })
}

/** Returns a schema that knows only the names of an argument's fields. */
export const naming = <Value>(schema: z.ZodType) => z.unknown().pipe(schema).pipe(z.custom<Value>())

/** The signal that stops long work between two steps. */
export const stopSignal = own<AbortSignal>(
  given => typeof Reflect.get(Object(given), 'throwIfAborted') === 'function',
  'expected an AbortSignal',
)

export const isFunction = (given: unknown): boolean => typeof given === 'function'

/** Returns an id argument with its name in messages. */
const idNamed = <const Name extends string>(name: Name) => [name, text] as const

export const id = idNamed('id')
export const accountId = idNamed('accountId')
export const agentId = idNamed('agentId')
export const branchId = idNamed('branchId')
export const conversationId = idNamed('conversationId')
export const handoffId = idNamed('handoffId')
