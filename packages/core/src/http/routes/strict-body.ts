import * as z from 'zod'
import { shortened } from '../../domain/cut-text.ts'

/** Unknown fields that a refusal names, and characters of each: a body can be full of them. */
const NAMED = 5
const SHOWN = 80

function unknown(keys: readonly string[]): string {
  const named = keys.slice(0, NAMED).map(key => JSON.stringify(shortened(key, SHOWN)))
  const list = named.join(', ')
  return keys.length > NAMED
    ? `${list} and ${keys.length - NAMED} more are not its fields`
    : `${list} is not one of its fields`
}

/** Returns the schema of an object with these fields alone: a misspelt one would mean something else (HT14). */
export const strictBody = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? `${unknown(issue.keys)}; they are ${Object.keys(shape).join(', ')}`
        : undefined,
  })
