import { routes } from '@colloquy/core/transport'
import { bodyFault, documentFault } from '@colloquy/test-support/contract-document'
import { createRouteTable } from '../../packages/core/src/http/route-table.ts'
import type { World } from './child.ts'
import type { Plan, Route } from './plan.ts'
import type { Reply } from './send.ts'

const table = createRouteTable(routes)

/** Text that no answer may contain: frames of a stack, and paths of this server's files. */
const INTERNALS = /\bat [^\n"]{1,200}:\d+:\d+|node_modules|\.ts:\d+|SQLITE_|SqliteError|node:internal/

const ENVELOPE = ['data', 'error', 'error_code', 'error_id', 'error_message', 'success']

/** The fields of each family's error body, in order (SM20): the document has no refusal of what is no operation. */
const ERROR_FIELDS = {
  agents: ENVELOPE,
  'debug-chat': ENVELOPE,
  chat: ENVELOPE,
  'conversations-v1': ['error_message'],
  'conversations-v3': ENVELOPE,
  concurrency: ['error_message'],
  'external-events': ['error_message'],
  messaging: ['error', 'message'],
  operator: ENVELOPE,
  desk: ENVELOPE,
  webhooks: ENVELOPE,
  alerts: ENVELOPE,
  texts: ['detail'],
  calls: ['error', 'code'],
  'handoff-state': ['error_message'],
  'number-reservation': ['success', 'error', 'message'],
} as const

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON without what is named `__proto__`, which nobody reads. */
function parsed(text: string): { readonly json: unknown } | null {
  try {
    return { json: JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value)) }
  } catch {
    return null
  }
}

/** Returns the faults in the body of a refusal that is no operation's. */
function errorFaults(
  family: keyof typeof ERROR_FIELDS,
  json: unknown,
  correlationId: string,
): readonly string[] {
  if (!isObject(json)) return ['an error body that is no object']
  const fields = ERROR_FIELDS[family]
  const missing = fields.filter(name => !Object.hasOwn(json, name))
  const faults = missing.map(name => `an error body of ${family} without ${name}`)
  // An envelope may carry an error's further fields; the others are what they are.
  if (fields.length < ENVELOPE.length && Object.keys(json).length > fields.length)
    faults.push(`an error body of ${family} with further fields: ${Object.keys(json)}`)
  if (fields.length === ENVELOPE.length) {
    if (json.error_id !== correlationId) faults.push('an error_id that is not the correlation id')
    if (json.success !== false) faults.push('a refusal that says success')
  }
  for (const name of fields.filter(field => ['error_message', 'message', 'detail'].includes(field)))
    if (typeof json[name] !== 'string' || json[name] === '') faults.push(`an empty ${name}`)
  return faults
}

/** Secrets and texts of others in an answer to a request that did not name them. */
function leaks({ own, other, operatorKey }: World, sent: Plan, shown: string): readonly string[] {
  const asked = `${sent.target}\n${sent.headers.map(([, value]) => value).join('\n')}\n${sent.body ?? ''}`
  const isOperator = asked.includes(operatorKey)
  const foreign = isOperator ? [] : other.private.filter(one => shown.includes(one) && !asked.includes(one))
  const secrets = [...Object.values(own.keys), own.connectorToken, operatorKey].filter(
    one =>
      shown.includes(one) &&
      !sent.target.includes(encodeURIComponent(one)) &&
      !(sent.body ?? '').includes(one),
  )
  return [
    ...foreign.map(one => `a leak of what is another account's: ${one}`),
    ...secrets.map(() => 'a credential in an answer'),
  ]
}

/** Statuses of Node's own HTTP server for requests that it passes to no handler. */
const OF_THE_SERVER = [400, 408, 413, 417, 431]

const headerOf = ({ headers }: Reply, name: string): string => String(headers[name] ?? '')

/** The longest body of any family, bytes. */
const LONGEST_BODY = 1_048_576

/** True when the credential that was sent opens the route after all. */
function isOpened({ own }: World, { route, headers }: Plan): boolean {
  const brings = (name: string, ...secrets: readonly string[]): boolean =>
    headers.some(([given, value]) => given === name && secrets.includes(value))
  const { credential } = route
  if (credential === 'own' || credential === 'operator') return false
  if (credential === 'host_key') return brings('X-Api-Key', own.keys.project, own.keys.workspace)
  if (credential === 'line_key') return brings('X-AI-Auth-Token', own.keys.project, own.keys.workspace)
  if (credential === 'key_and_line')
    return brings('X-AI-Auth-Token', own.keys.project, own.keys.workspace) && brings('X-Token-Id', own.lineId)
  if (credential !== 'key_and_token') return brings('X-Api-Key', own.keys[credential])
  return brings('X-Api-Key', own.keys.project, own.keys.workspace) && brings('X-Token', own.connectorToken)
}

/** Why an answer of an operation is not as the OpenAPI document says (DO30). */
function contractFaults(operation: string, { method }: Plan, reply: Reply): readonly string[] {
  const { status, body } = reply
  const names = Object.keys(reply.headers)
  const headers = Object.fromEntries(names.map(name => [name, headerOf(reply, name)]))
  const type = headers['content-type'] ?? ''
  const isText = body.length > 0 && type.startsWith('application/json')
  const answer = { status, headers, body: isText ? body.toString() : null }
  const fault = documentFault(operation, answer, method === 'HEAD')
  const isIdOfAnother =
    isText &&
    status >= 400 &&
    !body.includes(headerOf(reply, 'x-correlation-id')) &&
    body.includes('error_id')
  return [
    ...(fault === null
      ? []
      : [`an answer of ${operation} (${status}) that the document does not know: ${fault}`]),
    ...(isIdOfAnother ? ['an error_id that is not the correlation id'] : []),
  ]
}

/** Words of refusals of requests that fit: no schema can say so. */
const BEYOND = [
  // It depends on the data, and on the time.
  /CHAT_ENVIRONMENT_MISMATCH|CHAT_DRAFT_NOT_EXIST|External event id|there is no attribute|Nothing is deployed in/,
  /_ALREADY_|MERGE_|REAL_TIME_CONFIG_INVALID|REMOVE_DEFAULT|promoted no further|can be promoted only|a moment after now|WITHOUT_TEST_CASES/,
  // Addresses, hosts and names of headers have grammars of their own.
  /expected an? (domain|absolute https|address)|expected names of|expected visible|belongs to the request|1 to 40 letters/,
  // The provider knows its voices.
  /voiceName is not valid/,
  // Each country has numbers of its own.
  /it must be in E\.164/,
  /is one of ISO 3166-1/,
  // So has each time zone.
  /expected an IANA time zone/,
  // Fields that depend on each other.
  /start_time|end_time|since|until|combined|only one of|query_type|variant(_id|_name|Id)|speaker|permissions|must be left out/,
  /Neither id nor shared_id|agent_number is (not for RCS|no number of)|messaging_service_sid is missing/,
  /expected a text, attachments|a result and an error|either a live agent or a queue/,
  /either it or (branchId|visitor)|none beside a visitor|at most the number of talks|messages together/,
  /each message once|before \\?"to|note's field \\?"(text|noteId)/,
  // It depends on the host, and on the key.
  /region is not allowed without hosts|agent\\?" is required/,
  // Names that nobody could read.
  /must hold a character that can be seen/,
]

/** Requests that were taken although the document says that they do not fit, or refused although they do (FZ1). */
function misfits({ operation, body: taken }: Route, { body, fault, headers }: Plan, reply: Reply) {
  const isJson = headers.some(([name, type]) => name === 'Content-Type' && type === 'application/json')
  if (taken === null || taken === 'raw' || !isJson) return []
  const text = reply.body.toString()
  const isTaken = reply.status < 300
  const isRefused = fault === 'none' && reply.status === 400 && !BEYOND.some(words => words.test(text))
  if (!isTaken && !isRefused) return []
  const sent = parsed(body === null || body.length === 0 ? '{}' : body.toString())
  const misfit = sent === null ? null : bodyFault(operation, sent.json)
  if (isTaken) return misfit === null ? [] : [`a body was taken although ${misfit}`]
  return misfit === null ? [`a request that fits was refused: ${text.slice(0, 300)}`] : []
}

/** Returns the requests that got through but must not. */
function passages(world: World, plan: Plan, status: number): readonly string[] {
  const { body, fault, route } = plan
  const isLong = fault === 'bytes' && route.body !== null && (body?.length ?? 0) > LONGEST_BODY
  if (isLong && (status < 300 || status === 400)) return [`a body over the limit was read: ${status}`]
  if (status >= 300) return []
  if (fault === 'foreign') return ['another account was let in']
  if (fault === 'credential' && !isOpened(world, plan)) return ['a wrong credential was let in']
  return []
}

/** The world as the sender of the request sees it. */
const worldOf = (world: World, { fault }: Plan): World =>
  fault === 'neighbour' ? { ...world, own: world.other, other: world.own } : world

/** Everything that is wrong with an answer, whatever was asked. Empty when it is as it should be. */
export function faultsOf(of: World, sent: Plan, reply: Reply): readonly string[] {
  const world = worldOf(of, sent)
  const path = sent.target.split('?')[0] ?? ''
  const match = table.match(sent.method, path)
  const text = reply.body.toString()
  const faults = [...leaks(world, sent, `${text}\n${JSON.stringify(reply.headers)}`)]
  if (INTERNALS.test(text)) faults.push('internals in an answer')
  if (reply.status >= 500 && reply.status !== 501) faults.push(`status ${reply.status}`)
  const bare = reply.body.length === 0 && reply.headers['x-correlation-id'] === undefined
  if (bare && OF_THE_SERVER.includes(reply.status)) return faults
  if (match === null) {
    if (headerOf(reply, 'x-host-page') !== '1') faults.push("a path of the host's that the router answered")
    return faults
  }
  if (headerOf(reply, 'x-host-page') === '1') return [...faults, 'a path of ours that the host was given']
  const correlationId = headerOf(reply, 'x-correlation-id')
  if (correlationId === '' || correlationId !== headerOf(reply, 'x-ai-correlation-id'))
    faults.push(`correlation ids "${correlationId}" and "${headerOf(reply, 'x-ai-correlation-id')}"`)
  faults.push(...passages(world, sent, reply.status))
  if (match.type === 'route')
    return [
      ...[...faults, ...contractFaults(match.route.operation, sent, reply)],
      ...misfits(match.route, sent, reply),
    ]
  if (reply.status === 204 || sent.method === 'HEAD')
    return text === '' ? faults : [...faults, 'a body where none may be']
  const body = parsed(text)
  if (body === null || !headerOf(reply, 'content-type').startsWith('application/json'))
    return [...faults, `an answer that is no JSON: ${text.slice(0, 100)}`]
  return reply.status < 400 ? faults : [...faults, ...errorFaults(match.family, body.json, correlationId)]
}
