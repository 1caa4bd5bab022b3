import document from '@colloquy/core/openapi.json' with { type: 'json' }
import { z } from 'zod'

/** Kind of a credential, by its name in the API document. */
export type KeyKind = 'workspaceKey' | 'projectKey' | 'operatorKey' | 'deskKey'

/** An operation of the route table as a tool. */
export interface AdminTool {
  /** The id of the operation. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
  readonly key: KeyKind
}

const jsonObject = z.record(z.string(), z.unknown())
const parameterSchema = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: jsonObject.default({}),
  example: z.unknown().optional(),
})
const contentSchema = z.looseObject({
  'application/json': z.looseObject({ schema: jsonObject, example: z.unknown().optional() }).optional(),
})
const operationSchema = z.looseObject({
  operationId: z.string(),
  summary: z.string().default(''),
  description: z.string().default(''),
  security: z.array(z.record(z.string(), z.unknown())).default([]),
  parameters: z.array(parameterSchema).default([]),
  requestBody: z.looseObject({ required: z.boolean().default(false), content: contentSchema }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), z.unknown()).optional() })),
})
type Operation = z.output<typeof operationSchema>

const KINDS: readonly KeyKind[] = ['workspaceKey', 'projectKey', 'operatorKey', 'deskKey']
const isKind = (name: string): name is KeyKind => KINDS.some(kind => kind === name)

/** Their answers hold secrets, which belong in no conversation with an assistant (CL30). */
const TELL_SECRETS = new Set([
  'createApiKey',
  'createConnector',
  'createTelephonyConnector',
  'updateTelephonyConnector',
  'rotateContextKeys',
  'createWebhookEndpoint',
  'rotateWebhookSecret',
])

/** POST operations that affect visitors at once, or cannot be undone. */
const REACH_VISITORS = new Set([
  'mergeBranch',
  'publishDeployment',
  'promoteDeployment',
  'rollbackDeployment',
  'startRollout',
  'updateRollout',
  'endRollout',
  'rotateTokenKeys',
])
const LEAVE_THE_PLATFORM = new Set(['testWebhookEndpoint', 'resendWebhookDelivery'])
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
type Method = (typeof METHODS)[number]

const REF = '#/components/schemas/'

/** Schemas that others name, and those that these name, as definitions of one schema. */
function definitions(schema: unknown, found: Map<string, unknown> = new Map()): Map<string, unknown> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue
    const named: unknown = Object.entries(document.components.schemas).find(([key]) => key === name)?.[1]
    found.set(name, named)
    definitions(named, found)
  }
  return found
}

function inputOf({ parameters, requestBody }: Operation): AdminTool['inputSchema'] {
  const content = requestBody?.content['application/json']
  const given = parameters.filter(parameter => parameter.in === 'path' || parameter.in === 'query')
  const properties = {
    ...Object.fromEntries(
      given.map(({ name, schema, description, example }) => [
        name,
        {
          ...schema,
          ...(description === undefined ? {} : { description }),
          ...(example === undefined ? {} : { examples: [example] }),
        },
      ]),
    ),
    ...(content === undefined
      ? {}
      : {
          body: {
            ...content.schema,
            ...(content.example === undefined ? {} : { examples: [content.example] }),
          },
        }),
  }
  const required = [
    ...given.filter(parameter => parameter.required).map(({ name }) => name),
    ...(content !== undefined && requestBody?.required === true ? ['body'] : []),
  ]
  const defs = Object.fromEntries(definitions(properties))
  const schema = {
    type: 'object' as const,
    properties,
    required,
    additionalProperties: false,
    ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }),
  }
  return {
    ...jsonObject.parse(JSON.parse(JSON.stringify(schema).replaceAll(REF, '#/$defs/'))),
    type: 'object',
  }
}

/** Reports whether it may lose something; a change of a branch may not, as a merge shows it before it takes effect. */
const mayLose = (method: Method, path: string, id: string): boolean =>
  method === 'delete' || method === 'put' || REACH_VISITORS.has(id)
    ? true
    : method === 'patch' && !path.includes('/branches/')

function toolOf(path: string, method: Method, given: unknown): AdminTool | null {
  const operation = operationSchema.parse(given)
  const { operationId: name, summary, description, security, responses } = operation
  const key = security.flatMap(Object.keys).find(isKind)
  const alone = security.every(kinds => Object.keys(kinds).length === 1)
  const json = Object.entries(responses).some(
    ([status, { content }]) =>
      status.startsWith('2') && (content === undefined || 'application/json' in content),
  )
  if (key === undefined || !alone || !json || TELL_SECRETS.has(name)) return null
  const reads = method === 'get'
  const warning = REACH_VISITORS.has(name) ? ' Visitors may notice it at once.' : ''
  return {
    name,
    title: summary,
    description: `${summary}.${description === '' ? '' : ` ${description}`}${warning} (${method.toUpperCase()} ${path})`,
    inputSchema: inputOf(operation),
    annotations: {
      readOnlyHint: reads,
      destructiveHint: !reads && mayLose(method, path, name),
      idempotentHint: reads || method !== 'post',
      openWorldHint: LEAVE_THE_PLATFORM.has(name),
    },
    key,
  }
}

/** Every operation that can be a tool, in the order of the document (CL30). */
export function adminTools(): readonly AdminTool[] {
  return Object.entries(document.paths).flatMap(([path, methods]) => {
    const given = new Map<string, unknown>(Object.entries(methods))
    return METHODS.flatMap(method => {
      const tool = given.has(method) ? toolOf(path, method, given.get(method)) : null
      return tool === null ? [] : [tool]
    })
  })
}
