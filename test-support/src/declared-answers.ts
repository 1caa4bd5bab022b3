import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import { ERROR_STATUS } from '../../packages/core/src/errors.ts'
import { type DeclaredAnswer, declaredAnswers } from '../../packages/core/src/http/answers/declared.ts'
import { ERROR_SCHEMA } from '../../packages/core/src/http/answers/errors.ts'
import type { HttpResponse, Route } from '../../packages/core/src/http/route.ts'
import type { RouteMatch } from '../../packages/core/src/http/route-table.ts'
import { routes } from '../../packages/core/src/http/routes.ts'

/** An answer with its whole body. */
export type WholeAnswer = Pick<HttpResponse, 'status' | 'headers'> & {
  /** Null for no body, and for bytes. */
  readonly body: string | null
}

/** What the platform's own routes declare; those of tests declare nothing. */
const declared = new Map<Route, ReadonlyMap<number, DeclaredAnswer>>()

function declaredOf(route: Route): ReadonlyMap<number, DeclaredAnswer> | null {
  if (!routes.includes(route)) return null
  const known = declared.get(route) ?? declaredAnswers(route)
  declared.set(route, known)
  return known
}

const NO_TIME = new Date(0).toISOString()

/** What a turn has besides its two texts. */
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

/** What is wrong with a value; null when it is of the shape and has no field more than the shape. */
function shapeFault(schema: z.ZodType, value: unknown): string | null {
  const parsed = schema.safeParse(value)
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  // A schema drops the fields that it does not know.
  return isDeepStrictEqual(parsed.data, value) ? null : 'it has fields that are not declared'
}

function errorFault(family: keyof typeof ERROR_SCHEMA, { status, body }: WholeAnswer): string | null {
  const value = parsedJson(body ?? '')
  const fault = shapeFault(ERROR_SCHEMA[family], value)
  if (fault !== null) return fault
  const code: unknown = Reflect.get(Object(value), 'error_code')
  const known = Object.entries(ERROR_STATUS).find(([name]) => name === code)
  return code === undefined || known?.[1] === status ? null : `the code ${String(code)} has another status`
}

function declaredFault(declared: DeclaredAnswer, answer: WholeAnswer, isHead: boolean): string | null {
  const { contentType, schema, codes } = declared
  const type = answer.headers['Content-Type']?.split(';')[0] ?? null
  if (isHead) return null
  if (type !== contentType) return `its type is ${type} and not ${contentType}`
  if (schema === null) return answer.body === null ? null : 'it has a body'
  if (answer.body === null) return 'it has no body'
  const value = parsedJson(withWholeTurns(answer.body))
  const fault = shapeFault(schema, value)
  if (fault !== null || codes.length === 0) return fault
  const code: unknown = Reflect.get(Object(value), 'error_code')
  return code === undefined || codes.some(one => one === code) ? null : `${String(code)} is not declared`
}

/** Why an answer is not one that is declared of its route; null when it is. */
export function answerFault(match: RouteMatch, method: string, answer: WholeAnswer): string | null {
  const isHead = method === 'HEAD'
  if (match.type === 'route') {
    const declared = declaredOf(match.route)
    if (declared !== null) {
      const one = declared.get(answer.status)
      return one === undefined ? 'the status is not declared' : declaredFault(one, answer, isHead)
    }
  }
  return answer.status < 400 || isHead ? null : errorFault(match.family, answer)
}
