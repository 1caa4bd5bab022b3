import type * as z from 'zod'
import type { Family } from '../../../packages/core/src/domain/family.ts'
import { type DeclaredAnswer, declaredAnswers } from '../../../packages/core/src/http/answers/declared.ts'
import { PERMISSION } from '../../../packages/core/src/http/authorize.ts'
import type { Route } from '../../../packages/core/src/http/route.ts'
import { ratingBodySchema, sessionBodySchema } from '../../../packages/core/src/http/routes/messaging.ts'
import { eventsBodySchema } from '../../../packages/core/src/http/routes/messaging-stream.ts'
import * as value from '../../../packages/core/src/http/routes/query-values.ts'
import { routes } from '../../../packages/core/src/http/routes.ts'
import { silentLog } from '../../../packages/core/src/ports/log.ts'
import { resolveSettings } from '../../../packages/core/src/settings/resolve-settings.ts'
import { FAMILIES } from '../families.ts'
import { exampleExchanges } from './examples.ts'
import type { Exchange } from './exchange.ts'
import { Components, type JsonObject, type Overrides } from './json-schemas.ts'

/** Schemas of query values, for clients that write them as more than text. */
const QUERY_VALUES: Overrides = new Map<unknown, JsonObject>([
  [value.boolean, { type: 'boolean' }],
  [value.time, { type: 'string', format: 'date-time' }],
  [value.phoneNumber, { type: 'string', minLength: 1, maxLength: 1000 }],
  [
    value.repeatable,
    { type: 'array', items: { type: 'string', minLength: 1, maxLength: 1000 }, maxItems: 100 },
  ],
])

const apiKey = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description })

const SECURITY_SCHEMES = {
  workspaceKey: apiKey('x-api-key', 'An API key of kind `workspace`.'),
  projectKey: apiKey('x-api-key', 'An API key of kind `project`.'),
  externalEventsKey: apiKey('x-api-key', 'An API key of kind `external_events`.'),
  deskKey: apiKey('x-api-key', 'An API key of kind `desk`.'),
  operatorKey: { type: 'http', scheme: 'bearer', description: 'An API key of kind `operator`.' },
  connectorToken: apiKey(
    'x-token',
    "A messaging connector's token. The header `x-host` names a host of the connector.",
  ),
  authToken: apiKey(
    'x-ai-auth-token',
    'An API key of kind `project` or `workspace`. The word `ai` is the brand of the server.',
  ),
  connectorId: apiKey('x-token-id', "A telephony connector's id."),
  accessToken: { type: 'http', scheme: 'bearer', description: 'What `issueAccessToken` answers.' },
} as const

const KEY_SCHEMES = {
  workspace: 'workspaceKey',
  project: 'projectKey',
  external_events: 'externalEventsKey',
  desk: 'deskKey',
  operator: 'operatorKey',
} as const

type Scheme = keyof typeof SECURITY_SCHEMES

/** Returns the alternative credentials of a route. Each alternative lists everything that it needs. */
function schemesOf({ credential, operation }: Route): readonly (readonly Scheme[])[] {
  if (credential === 'own') return [[operation === 'issueAccessToken' ? 'connectorToken' : 'accessToken']]
  if (credential === 'host_key') return [['projectKey'], ['workspaceKey']]
  if (credential === 'key_and_line') return [['authToken', 'connectorId']]
  if (credential === 'line_key') return [['authToken', 'connectorId'], ['authToken']]
  if (credential !== 'key_and_token') return [[KEY_SCHEMES[credential]]]
  return [
    ['projectKey', 'connectorToken'],
    ['workspaceKey', 'connectorToken'],
  ]
}

/** Statuses that say when to try again. */
const RETRIED: ReadonlySet<number> = new Set([429, 503])

const STATUS_TEXT: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Taken, and done later.',
  204: 'Done; there is nothing to say.',
  206: 'The range that was asked for.',
}

const requiredOf = (schema: JsonObject): readonly unknown[] =>
  Array.isArray(schema.required) ? schema.required : []

const propertiesOf = (schema: JsonObject): readonly (readonly [string, unknown])[] =>
  typeof schema.properties === 'object' && schema.properties !== null ? Object.entries(schema.properties) : []

/** An example of a parameter, which goes over the wire as text. */
function exampleOf(schema: unknown, text: string | undefined): { readonly example?: unknown } {
  if (text === undefined) return {}
  const type: unknown = Reflect.get(Object(schema), 'type')
  if (type === 'boolean') return { example: text === 'true' }
  return { example: type === 'integer' ? Number(text) : text }
}

const IDEMPOTENCY_KEY = {
  name: 'idempotency-key',
  description: 'A key of your own: the same key has the same answer for 24 hours, and nothing is done again.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
}

interface Header {
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonObject
}

/** Headers of a request that are no credentials, by operation. */
const HEADERS: Readonly<Record<string, readonly Header[]>> = {
  issueAccessToken: [{ name: 'x-host', required: true, schema: { type: 'string' } }],
  streamEvents: [
    {
      name: 'last-event-id',
      description: 'The sequence of the newest event that the client has. It counts before `cursor`.',
      schema: { type: 'string' },
    },
  ],
  createChat: [IDEMPOTENCY_KEY],
  respondToChat: [IDEMPOTENCY_KEY],
  updateCachedAudioFile: [
    {
      name: 'x-filename',
      description: 'What the file is called.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ],
}

function parametersOf(
  { params, query, operation }: Route,
  exchange: Exchange,
  components: Components,
): readonly JsonObject[] {
  const inPath = propertiesOf(components.schema(params)).map(([name, schema]) => ({
    ...{ name, in: 'path', required: true, schema, ...exampleOf(schema, exchange.params[name]) },
  }))
  const required = requiredOf(components.schema(query))
  const inQuery = propertiesOf(components.schema(query, 'output', QUERY_VALUES)).map(([name, schema]) => ({
    ...{ name, in: 'query', required: required.includes(name), schema },
    ...exampleOf(schema, exchange.query[name]),
  }))
  const inHeader = (HEADERS[operation] ?? []).map(header => ({
    ...{ in: 'header', required: false, ...header },
    ...exampleOf(header.schema, exchange.headers[header.name]),
  }))
  return [...inPath, ...inQuery, ...inHeader]
}

/** Stands for bytes, of which JSON has none. */
const WAV_EXAMPLE = 'the bytes of welcome.wav'

/** Bodies that are no JSON. */
const FILES: Readonly<Record<string, JsonObject>> = {
  updateCachedAudioFile: {
    'audio/wav': { schema: { type: 'string', contentMediaType: 'audio/wav' }, example: WAV_EXAMPLE },
  },
  replaceCachedAudioDetails: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file', 'settings'],
        properties: {
          file: { type: 'string', contentMediaType: 'audio/wav' },
          settings: {
            type: 'object',
            required: ['text', 'config'],
            properties: {
              text: { type: 'string', minLength: 1, maxLength: 10_000 },
              config: { type: 'object', additionalProperties: {} },
            },
          },
        },
      },
      example: {
        file: WAV_EXAMPLE,
        settings: { text: 'Welcome to the harbour.', config: { speed: 1 } },
      },
    },
  },
}

/** Schemas of bodies that handlers read themselves. */
const RAW_BODIES: Readonly<Record<string, z.ZodType>> = {
  createSession: sessionBodySchema,
  postEvents: eventsBodySchema,
  rateSession: ratingBodySchema,
}

function bodyOf(
  { body, operation }: Route,
  { request }: Exchange,
  components: Components,
): JsonObject | null {
  if (body === null) return null
  const file = FILES[operation]
  if (file !== undefined) return { required: true, content: file }
  const schema = body === 'raw' ? RAW_BODIES[operation] : body
  const example = request === undefined ? {} : { example: request }
  if (schema === undefined) return { required: false, content: { '*/*': { schema: {}, ...example } } }
  const required = !schema.safeParse({}).success
  return { required, content: { 'application/json': { schema: components.schema(schema), ...example } } }
}

const CORRELATION = { 'X-Correlation-Id': { $ref: '#/components/headers/CorrelationId' } }

const RETRY = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

/** Refusals, each once among the components: most routes share them. */
type Refusals = Map<string, JsonObject>

function refusalOf(
  status: number,
  { codes, contentType, schema }: DeclaredAnswer,
  components: Components,
  refusals: Refusals,
): JsonObject {
  const shape = schema === null ? {} : components.schema(schema)
  const name = [String(shape.$ref).split('/').at(-1), ...codes].join('.')
  refusals.set(name, {
    description: codes.map(code => `\`${code}\``).join(', '),
    headers: RETRIED.has(status) ? { ...CORRELATION, ...RETRY } : CORRELATION,
    content: { [contentType ?? '']: { schema: shape } },
    'x-error-codes': codes,
  })
  return { $ref: `#/components/responses/${name}` }
}

function responseOf(
  status: number,
  answer: DeclaredAnswer,
  exchange: Exchange,
  { components, refusals }: Pick<Parts, 'components' | 'refusals'>,
): JsonObject {
  const { codes, contentType, schema } = answer
  if (codes.length > 0) return refusalOf(status, answer, components, refusals)
  if (contentType === null) return { description: STATUS_TEXT[status], headers: CORRELATION }
  const shape =
    schema === null ? { type: 'string', contentMediaType: contentType } : components.schema(schema)
  const isKept = status === exchange.status && exchange.response !== undefined
  const example = isKept ? { example: exchange.response } : {}
  return {
    description: STATUS_TEXT[status],
    headers: CORRELATION,
    content: { [contentType]: { schema: shape, ...example } },
  }
}

/** Parts that all operations share. */
interface Parts {
  readonly components: Components
  readonly refusals: Refusals
  readonly limits: Readonly<Record<Family, number>>
  readonly exchanges: ReadonlyMap<string, Exchange>
}

function operationOf(route: Route, { components, refusals, limits, exchanges }: Parts): JsonObject {
  const { operation, summary, family, body } = route
  const exchange = exchanges.get(operation)
  if (exchange === undefined) throw new Error(`The examples have none of ${operation}.`)
  const parameters = parametersOf(route, exchange, components)
  const requestBody = bodyOf(route, exchange, components)
  const permission = PERMISSION[family]
  const answers = [...declaredAnswers(route)].sort(([one], [other]) => one - other)
  return {
    operationId: operation,
    summary,
    tags: [family],
    security: schemesOf(route).map(schemes => Object.fromEntries(schemes.map(scheme => [scheme, []]))),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === null ? {} : { requestBody }),
    responses: Object.fromEntries(
      answers.map(([status, answer]) => [
        String(status),
        responseOf(status, answer, exchange, { components, refusals }),
      ]),
    ),
    ...(permission === null ? {} : { 'x-permission': permission }),
    ...(body === null ? {} : { 'x-body-limit': limits[family] }),
    ...(route.refusesPlainText === true ? { 'x-refuses-plain-text': true } : {}),
  }
}

/** The path in the words of OpenAPI. */
const pathOf = (path: string): string => path.replace(/:([^/]+)/g, '{$1}')

/** The OpenAPI document of every route, as data. */
function openApi(exchanges: ReadonlyMap<string, Exchange>): JsonObject {
  const { bodyBytes } = resolveSettings({}, silentLog).limits
  const parts: Parts = { components: new Components(), refusals: new Map(), limits: bodyBytes, exchanges }
  const paths = new Map<string, Record<string, unknown>>()
  for (const route of routes) {
    const path = pathOf(route.path)
    const operations = paths.get(path) ?? {}
    operations[route.method.toLowerCase()] = operationOf(route, parts)
    paths.set(path, operations)
  }
  const families = [...new Set(routes.map(({ family }) => family))]
  return {
    openapi: '3.1.1',
    info: {
      title: 'Colloquy',
      version: '1.0.0',
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Everything that a Colloquy server answers over HTTP. Paths begin where the host mounts the router. ' +
        'Fields may be added to answers, so clients ignore those that they do not know. ' +
        '`x-error-codes` are the codes of a status, `x-body-limit` the most bytes of a body unless the host sets another limit, ' +
        'and `x-permission` what a limited key needs.',
    },
    servers: [{ url: '/', description: 'Where the host mounts the router' }],
    tags: families.map(family => ({ name: family, description: FAMILIES[family][0] })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: {
        CorrelationId: {
          description: 'The correlation id of the request: its own, or a new one.',
          required: true,
          schema: { type: 'string', minLength: 1, maxLength: 128 },
        },
        RetryAfter: {
          description: 'Whole seconds after which to try again.',
          required: true,
          schema: { type: 'integer', minimum: 1 },
        },
      },
      responses: Object.fromEntries([...parts.refusals].sort(([one], [other]) => (one < other ? -1 : 1))),
      schemas: parts.components.named(),
    },
  }
}

/** The document as the package ships it: each example is an exchange that a platform had while it was made. */
export const openApiFile = async (): Promise<string> =>
  `${JSON.stringify(openApi(await exampleExchanges()), null, 1)}\n`
