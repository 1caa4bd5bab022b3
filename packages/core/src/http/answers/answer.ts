import * as z from 'zod'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import type { ErrorCode } from '../../errors.ts'

/** An answer that is not JSON: bytes of a type. */
export interface BytesAnswer {
  readonly contentType: string
}

/** The successful responses of a route by status: JSON of a shape, bytes, or null for no body. */
export type SuccessAnswers = Readonly<Record<number, z.ZodType | BytesAnswer | null>>

/** The responses of a route, except for those that every route of its kind may have. */
export interface Answers<Success extends SuccessAnswers = SuccessAnswers> {
  readonly success: Success
  /** Refusals of its own. */
  readonly errors: readonly ErrorCode[]
}

/** Declares what a route answers. */
export const answers = <const Success extends SuccessAnswers>(
  success: Success,
  ...errors: readonly ErrorCode[]
): Answers<Success> => ({ success, errors })

/** A list of them. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

/** Texts. */
export const texts = list(z.string())

/** An object whose fields are somebody else's. */
export const anyObject = z.record(z.string(), z.unknown())

/** ISO 8601 in UTC with milliseconds. */
export const time = z.iso.datetime()

/** A whole number from 0. */
export const count = z.int().min(0)

/** The name of an environment. */
export const environment = z.enum(ENVIRONMENTS)

/** `next_cursor` of a page; null on the last one. */
export const nextCursor = { next_cursor: z.string().nullable() }

/** The visitor's identity as the host gave it. Absent for a visitor without a name (MS45). */
export const namedVisitor = z
  .object({ id: z.string(), name: z.string().exactOptional(), language: z.string().exactOptional() })
  .meta({ id: 'Visitor' })
