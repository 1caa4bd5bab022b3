import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import type { Family } from '../../packages/core/src/domain/family.ts'
import { ERROR_STATUS } from '../../packages/core/src/errors.ts'
import { type DeclaredAnswer, declaredAnswers } from '../../packages/core/src/http/answers/declared.ts'
import { errorSchema } from '../../packages/core/src/http/answers/errors.ts'
import type { Route } from '../../packages/core/src/http/route.ts'
import type { RouteMatch } from '../../packages/core/src/http/route-table.ts'
import { routes } from '../../packages/core/src/http/routes.ts'
import { documentFault, type WholeAnswer } from './contract-document.ts'

/** Declarations of the platform's own routes. Those of tests declare nothing. */
const declared = new Map<Route, ReadonlyMap<number, DeclaredAnswer>>()

function declaredOf(route: Route): ReadonlyMap<number, DeclaredAnswer> | null {
  if (!routes.includes(route)) return null
  const known = declared.get(route) ?? declaredAnswers(route)
  declared.set(route, known)
  return known
}

const NO_TIME = new Date(0).toISOString()

/** Fields of a turn besides its two texts. */
const REST = JSON.stringify({
  ...{ user_input_dtmf: '', user_input_datetime: NO_TIME, agent_response_datetime: NO_TIME, latency: 0 },
  ...{ translated_user_input: '', english_agent_response: '', intents: [], entities: [] },
  ...{ is_ood: false, is_silence: false },
}).slice(1)

/** The turns of `aTurn`, which tests put into stores by hand, hold two texts alone. */
const SHORT_TURN = /(\{"user_input":"(?:[^"\\]|\\.)*","agent_response":"(?:[^"\\]|\\.)*")\}/g

const withWholeTurns = (text: string): string => text.replace(SHORT_TURN, `$1,${REST}`)

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the fault of a value; null if it has the shape, and no field beyond it. */
function shapeFault(schema: z.ZodType, value: unknown): string | null {
  const parsed = schema.safeParse(value)
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  // A schema drops the fields that it does not know.
  return isDeepStrictEqual(parsed.data, value) ? null : 'it has fields that are not declared'
}

function errorFault(family: Family, { status, headers, body }: WholeAnswer): string | null {
  const names = new Set(Object.keys(headers).map(name => name.toLowerCase()))
  const missing = ['content-type', 'x-correlation-id'].find(name => !names.has(name))
  if (missing !== undefined) return `it has no header ${missing}`
  const value = parsedJson(body ?? '')
  const fault = shapeFault(errorSchema(family, 'ROUTE_NOT_FOUND'), value)
  if (fault !== null) return fault
  const code: unknown = Reflect.get(Object(value), 'error_code')
  const known = Object.entries(ERROR_STATUS).find(([name]) => name === code)
  return code === undefined || known?.[1] === status ? null : `the code ${String(code)} has another status`
}

/**
 * Returns the fields of an answer that its route does not declare. Clients ignore them, so the document cannot object.
 */
function excess(declared: DeclaredAnswer | undefined, body: string | null): string | null {
  if (declared === undefined || declared.schema === null || body === null) return null
  return shapeFault(declared.schema, parsedJson(body))
}

/** Why an answer is not one that is declared of its route; null when it is. */
export function answerFault(match: RouteMatch, method: string, given: WholeAnswer): string | null {
  const isHead = method === 'HEAD'
  if (match.type === 'route') {
    const declared = declaredOf(match.route)
    if (declared !== null) {
      const { operation } = match.route
      const answer = given.body === null ? given : { ...given, body: withWholeTurns(given.body) }
      const fault = documentFault(operation, answer, isHead)
      return fault === null
        ? excess(declared.get(answer.status), answer.body)
        : `${operation} is not as in openapi.json: ${fault}`
    }
  }
  return given.status < 400 || isHead ? null : errorFault(match.family, given)
}
