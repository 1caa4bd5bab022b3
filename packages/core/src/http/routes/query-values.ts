import * as z from 'zod'
import { parseIsoTime } from '../../domain/time.ts'
import { environmentSchema } from '../../usecases/shared/environment.ts'
import { PAGE_LIMITS } from '../../usecases/shared/page.ts'

/** One value of a query parameter: given once, not empty, and of a length that anything here has (RC13). */
export const text = z
  .string('must be given once, as text')
  .min(1, 'must not be empty')
  .max(1000, 'must have at most 1000 characters')

/** A name, in the form in which names are kept. */
export const name = text.normalize('NFC')

/**
 * Returns the schema of a whole number in plain digits, within bounds. A text that merely converts to a number is not
 * valid.
 */
export const integer = (min: number, max: number) => {
  const message = `must be an integer from ${min} to ${max}`
  return z
    .string(message)
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .pipe(z.int(message).min(min, message).max(max, message))
}

/**
 * An ISO 8601 date or time, to milliseconds since the epoch. Conditions are `from <= at` and `at < until`: a fraction
 * of a millisecond makes either the next one, since all times here are whole (RC8).
 */
export const time = z.string('must be an ISO 8601 date or time, given once').transform((value, context) => {
  const at = parseIsoTime(value, 'up')
  if (at !== null) return at
  context.addIssue({
    code: 'custom',
    message: 'must be an ISO 8601 date or time, for example 2026-03-01T09:30:00Z',
  })
  return z.NEVER
})

/** `true` or `false`, in any case. */
export const boolean = z
  .string('must be true or false')
  .regex(/^(true|false)$/i, 'must be true or false')
  .transform(value => value.toLowerCase() === 'true')

/** An environment's name; `live` when the parameter is missing. */
export const environment = environmentSchema.default('live')

/** A phone number; the plus that a query string turned into a space is put back. */
export const phoneNumber = text.transform(value => value.replace(/^ /, '+'))

/** A parameter that may be repeated: all of its values. */
export const repeatable = z
  .union([text, z.array(text).max(100, 'must be given at most 100 times')])
  .transform(value => (typeof value === 'string' ? [value] : value))

/** The parameters of a page of a list. */
export const page = {
  limit: integer(1, PAGE_LIMITS.maximum).exactOptional(),
  cursor: text.exactOptional(),
}
