import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as z from 'zod'

/** The OpenAPI document as clients read it, and what is wrong with an answer that is not as it says. */

const FILE = new URL('../../packages/core/openapi.json', import.meta.url)

const reference = z.object({ $ref: z.string() })

const headerSchema = z.object({ required: z.boolean().default(false), schema: z.unknown() })

const responseSchema = z.object({
  headers: z.record(z.string(), z.union([reference, headerSchema])).default({}),
  content: z.record(z.string(), z.object({ schema: z.unknown() })).default({}),
  'x-error-codes': z.array(z.string()).default([]),
})

const mediaSchema = z.object({ example: z.unknown().optional() })

const operationSchema = z.object({
  operationId: z.string(),
  requestBody: z.object({ content: z.record(z.string(), mediaSchema) }).optional(),
  responses: z.record(z.string(), z.union([reference, responseSchema])),
})

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

const documentSchema = z.object({
  paths: z.record(z.string(), z.partialRecord(z.enum(METHODS), operationSchema)),
  components: z.object({
    headers: z.record(z.string(), headerSchema),
    responses: z.record(z.string(), responseSchema),
  }),
})

/** An answer with its whole body. */
export interface WholeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null for no body, and for bytes. */
  readonly body: string | null
}

/** One answer of an operation, ready to be compared with. */
interface Declared {
  readonly codes: readonly string[]
  /** By name, in lower case. */
  readonly headers: ReadonlyMap<
    string,
    { readonly required: boolean; readonly check: () => ValidateFunction }
  >
  /** By type; null for bytes. */
  readonly content: ReadonlyMap<string, (() => ValidateFunction) | null>
}

/** The same compiled when it is first needed. */
function once(make: () => ValidateFunction): () => ValidateFunction {
  let made: ValidateFunction | null = null
  return () => {
    made ??= make()
    return made
  }
}

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

type Response = z.output<typeof responseSchema>

/** Checks of the schemas that are somewhere in a document of JSON, by the way there; compiled when first needed. */
export function schemasIn(document: unknown): (...pointer: readonly string[]) => () => ValidateFunction {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(Object(document), 'document')
  return (...pointer) =>
    once(() => ajv.compile({ $ref: `document#/${pointer.map(escaped).map(encodeURIComponent).join('/')}` }))
}

interface Operation {
  readonly example: unknown
  /** Null where it takes no JSON. */
  readonly body: (() => ValidateFunction) | null
  /** By status. */
  readonly answers: ReadonlyMap<number, Declared>
}

/** Every operation, by its name. */
function readDocument(): ReadonlyMap<string, Operation> {
  const raw: unknown = JSON.parse(readFileSync(FILE, 'utf8'))
  const { paths, components } = documentSchema.parse(raw)
  const compiled = schemasIn(raw)

  function declared(response: Response, pointer: readonly string[]): Declared {
    const headers = Object.entries(response.headers).map(([name, given]) => {
      const [own, at] =
        '$ref' in given
          ? [components.headers[lastOf(given.$ref)], ['components', 'headers', lastOf(given.$ref)]]
          : [given, [...pointer, 'headers', name]]
      return [
        name.toLowerCase(),
        { required: own?.required === true, check: compiled(...at, 'schema') },
      ] as const
    })
    const content = Object.keys(response.content).map(type => {
      const isJson = type === 'application/json'
      return [type, isJson ? compiled(...pointer, 'content', type, 'schema') : null] as const
    })
    return { codes: response['x-error-codes'], headers: new Map(headers), content: new Map(content) }
  }

  const shared = new Map(
    Object.entries(components.responses).map(([name, response]) => [
      name,
      declared(response, ['components', 'responses', name]),
    ]),
  )
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap(method => {
      const operation = item[method]
      if (operation === undefined) return []
      const responses = Object.entries(operation.responses).flatMap(([status, response]) => {
        const own =
          '$ref' in response
            ? shared.get(lastOf(response.$ref))
            : declared(response, ['paths', path, method, 'responses', status])
        return own === undefined ? [] : [[Number(status), own] as const]
      })
      const json = ['requestBody', 'content', 'application/json'] as const
      const takesJson = operation.requestBody?.content['application/json'] !== undefined
      const body = takesJson ? compiled('paths', path, method, ...json, 'schema') : null
      const { example } = operation.requestBody?.content['application/json'] ?? {}
      return [[operation.operationId, { body, example, answers: new Map(responses) }] as const]
    }),
  )
  return new Map(operations)
}

const lastOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

let read: ReturnType<typeof readDocument> | null = null

function operationOf(name: string): Operation {
  read ??= readDocument()
  return read.get(name) ?? { body: null, example: undefined, answers: new Map() }
}

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the first objection of a check, with the path to the field; null if there is none. */
export function objection(check: ValidateFunction, value: unknown, what: string): string | null {
  if (check(value)) return null
  const [error] = check.errors ?? []
  return `${what}${error?.instancePath.replaceAll('/', '.')}: ${error?.message}`
}

function headerFault({ headers }: Declared, given: ReadonlyMap<string, string>): string | null {
  for (const [name, { required, check }] of headers) {
    const value = given.get(name)
    if (value === undefined) {
      if (required) return `it has no header ${name}`
      continue
    }
    // A header is text; one that is a number is compared as such.
    const fault = check()(value) ? null : objection(check(), Number(value), name)
    if (fault !== null) return `header ${fault}`
  }
  return null
}

/** The body of the request that the document shows of an operation; undefined without one of JSON. */
export const exampleBody = (operation: string): unknown => operationOf(operation).example

/** Returns why the body of a request is not as the document says, null when it is, or when it is no JSON (FZ1). */
export function bodyFault(operation: string, body: unknown): string | null {
  const { body: check } = operationOf(operation)
  return check === null ? null : objection(check(), body, 'body')
}

/** Why an answer of an operation is not as the document says; null when it is (DO30). */
export function documentFault(operation: string, answer: WholeAnswer, isHead: boolean): string | null {
  const declared = operationOf(operation).answers.get(answer.status)
  if (declared === undefined) return 'the status is not declared'
  const given = new Map(
    Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value] as const),
  )
  const fault = headerFault(declared, given)
  if (fault !== null || isHead) return fault
  const type = given.get('content-type')?.split(';')[0] ?? null
  if (declared.content.size === 0) {
    if (type !== null) return `its type is ${type} and not null`
    return answer.body === null ? null : 'it has a body'
  }
  const check = type === null ? undefined : declared.content.get(declared.content.has('*/*') ? '*/*' : type)
  if (check === undefined) return `its type is ${type} and not ${[...declared.content.keys()].join(' or ')}`
  if (check === null) return null
  if (answer.body === null) return 'it has no body'
  const value = parsedJson(answer.body)
  if (value === undefined) return 'it is no JSON'
  const misfit = objection(check(), value, 'body')
  if (misfit !== null || declared.codes.length === 0) return misfit
  const code: unknown = Reflect.get(Object(value), 'error_code')
  return code === undefined || declared.codes.some(one => one === code)
    ? null
    : `${String(code)} is not declared`
}
