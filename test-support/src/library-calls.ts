import * as z from 'zod'
import { type AnyCall, type CallTable, isCall } from '../../packages/core/src/calls/call.ts'
import { fieldsOf, itemsOf } from '../../packages/core/src/calls/strict.ts'
import { LIBRARY_CALLS, partsBehind } from '../../packages/core/src/library-calls.ts'
import type { Platform } from '../../packages/core/src/platform.ts'

/** The names of an argument's fields, and of fields within them; `[fields]` is a list of such objects. */
export interface Fields {
  readonly [name: string]: true | Fields | readonly [Fields]
}

/** An argument as a call of the library reads it: an object of these fields, or anything of that name. */
export type ArgumentRead = Fields | string

/** A call of the library by its path, with its arguments in order. */
export type CallRead = readonly [path: string, input: readonly ArgumentRead[]]

function readOf(schema: z.core.$ZodType): Fields | null {
  const fields = fieldsOf(schema)
  if (fields === null) return null
  const read: Record<string, Fields[string]> = {}
  for (const [name, inner] of Object.entries(fields)) {
    const items = itemsOf(inner)
    const listed = items === null ? null : readOf(items)
    read[name] = listed === null ? (readOf(inner) ?? true) : [listed]
  }
  return read
}

/** Dependencies of inputs that the settings limit. */
const DEPS = { settings: { limits: { replyLength: 1_000 } } }

function argumentsOf({ input }: AnyCall): readonly ArgumentRead[] {
  const made: unknown = Reflect.apply(input, undefined, [DEPS])
  return z
    .array(z.unknown())
    .parse(made)
    .map(argument => {
      const [name, schema] = Array.isArray(argument) ? argument : ['', argument]
      return readOf(schema) ?? String(name)
    })
}

const callsIn = (table: CallTable, path = ''): readonly CallRead[] =>
  Object.entries(table).flatMap(([name, entry]) =>
    isCall(entry) ? [[`${path}${name}`, argumentsOf(entry)] as const] : callsIn(entry, `${path}${name}.`),
  )

/** Every call of the library, part by part. */
export const libraryCalls = (): readonly CallRead[] => callsIn(LIBRARY_CALLS)

/** Makes parts that are always open, as `createPlatform` makes its own. */
export const part = partsBehind<Platform>({ isClosed: () => false, before: null })
