import type * as z from 'zod'
import { ERROR_STATUS, type ErrorCode } from '../../errors.ts'
import type { Route } from '../route.ts'
import type { Answers } from './answer.ts'
import { commonErrors, errorSchema } from './errors.ts'
import { ANSWERS } from './index.ts'

/** The response of a route with one status. */
export interface DeclaredAnswer {
  /** Null for an answer without a body. */
  readonly contentType: string | null
  /** Null for bytes, and for no body. */
  readonly schema: z.ZodType | null
  /** The refusals that have this status; empty when the route did what it was asked. */
  readonly codes: readonly ErrorCode[]
}

const JSON_TYPE = 'application/json'

const all: Readonly<Record<string, Answers>> = ANSWERS

function successOf(declared: Answers['success'][number]): DeclaredAnswer {
  if (declared === null) return { contentType: null, schema: null, codes: [] }
  if ('contentType' in declared) return { contentType: declared.contentType, schema: null, codes: [] }
  return { contentType: JSON_TYPE, schema: declared, codes: [] }
}

/** Returns all responses of a route, by status. @throws Error for a route without declared responses */
export function declaredAnswers(route: Route): ReadonlyMap<number, DeclaredAnswer> {
  const declared = all[route.operation]
  if (declared === undefined) throw new Error(`Nothing is declared of the operation ${route.operation}.`)
  const answers = new Map<number, DeclaredAnswer>(
    Object.entries(declared.success).map(([status, success]) => [Number(status), successOf(success)]),
  )
  for (const code of new Set([...commonErrors(route), ...declared.errors])) {
    const status = ERROR_STATUS[code]
    const codes = [...(answers.get(status)?.codes ?? []), code]
    answers.set(status, { contentType: JSON_TYPE, schema: errorSchema(route.family, code), codes })
  }
  return answers
}
