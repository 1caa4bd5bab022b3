import type * as z from 'zod'
import type { Principal } from '../domain/access/principal.ts'
import type { AccountId, AgentId } from '../domain/ids.ts'
import { parse } from '../domain/parse.ts'
import { ERROR_STATUS, type ErrorCode, PlatformError } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { edgeOf } from '../platform-context.ts'
import { MESSAGING_TEXTS } from '../protocol/http-errors.ts'
import type { Settings } from '../settings/settings.ts'
import { resolveScope } from './authorize.ts'
import { correlationOf } from './correlation.ts'
import { admitPage, answerPreflight, mayConcernPage, variesByOrigin } from './cross-origin.ts'
import { createDocuments } from './documents.ts'
import { ERROR_BODY, errorHeaders, presentable } from './error-body.ts'
import { type Gate, keyGate } from './gate.ts'
import { platformClosed } from './platform-closed.ts'
import { parseQuery } from './query.ts'
import { readJson } from './read-json.ts'
import { type ResponseHeaderChanges, responseHeaders } from './response-headers.ts'
import type { Family, HttpRequest, HttpResponse, Route, RouteResult } from './route.ts'
import { createRouteTable, type RouteMatch } from './route-table.ts'
import { tracedRequest } from './traced-request.ts'

export interface DispatcherOptions {
  /** The families that are served; paths of the others count as unknown. @default all */
  readonly families?: readonly Family[]
  /**
   * Whether to tell browsers that pages on a connector's hosts may call messaging (HT29). Set false if the host, or a
   * proxy before it, does so. Pages on other hosts are refused in either case.
   * @default true
   */
  readonly crossOrigin?: boolean
  /** Serves the OpenAPI and AsyncAPI documents at `/openapi.json` and `/asyncapi.json` (HT61). @default true */
  readonly documents?: boolean
  /** Take visitors' tokens over plain text from anywhere (MS14): for development and closed networks. @default false */
  readonly allowInsecure?: boolean
  /** Other values for `RESPONSE_HEADERS`, or further headers; null leaves one to the host (HY10). @default none */
  readonly responseHeaders?: ResponseHeaderChanges
}

/** Options of dispatchers that admit others than the holders of keys. */
export interface GatedOptions extends DispatcherOptions {
  /** The check of who may call. @default holders of API keys, and visitors */
  readonly gate?: Gate
}

/**
 * Answers requests from a table of routes. Knows no framework: a binding describes the request and sends the response.
 */
export interface Dispatcher {
  /**
   * Reports whether a path is one of the platform's, unknown ones below its prefixes included. All others are the
   * host's.
   */
  matches(path: string): boolean
  /** Answers a request; never rejects. An unknown path is answered with 404. */
  handle(request: HttpRequest): Promise<HttpResponse>
  /** Returns the response to a request that the server itself refuses, in the words of its path's family (HY26). */
  refusal(request: RefusedRequest, error: unknown): HttpResponse
}

/** The known facts of a request that was never handled. Its path is `""` if none could be read. */
export type RefusedRequest = Pick<HttpRequest, 'method' | 'path' | 'headers' | 'remoteAddress' | 'secure'>

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' } as const

/** An unknown path has no family; it gets the error body that says most. */
const NO_FAMILY: Family = 'agents'

/** Refusals that no client can avoid: they go to the host's `onError`. */
const HOSTS_FAULT: ReadonlySet<ErrorCode> = new Set(['INTERNAL', 'BODY_READ_BEFORE'])

function findRoute(match: RouteMatch | null, method: string): Extract<RouteMatch, { type: 'route' }> {
  if (match?.type === 'route') return match
  if (match?.type !== 'wrong_method') throw new PlatformError('ROUTE_NOT_FOUND', 'There is no such path.')
  const message = `The path does not answer ${method}. Allowed: ${match.allow.join(', ')}.`
  throw new PlatformError('METHOD_NOT_ALLOWED', message, { allow: match.allow })
}

function decodeParams(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const decoded: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    try {
      decoded[name] = decodeURIComponent(value)
    } catch {
      const message = `The path parameter "${name}" is not valid: expected well-formed percent-encoding.`
      throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
    }
  }
  return decoded
}

/** Answers from here on are the server's fault, and counted as such (AL25). */
const SERVER_ERROR = 500

/** The account and agent of a request, as far as they are known. */
interface RequestSubject {
  accountId: AccountId | null
  agentId: AgentId | null
}

/** One request, and the facts that its response needs. */
interface Asked<Request extends RefusedRequest = HttpRequest> {
  readonly request: Request
  readonly match: RouteMatch | null
  readonly correlation: ReturnType<typeof correlationOf>
  readonly whose: RequestSubject
}

function ownedBy(whose: RequestSubject, principal: Principal): void {
  if (principal.type === 'api_key')
    Object.assign(whose, {
      accountId: principal.key.accountId,
      agentId: principal.line?.agentId ?? principal.key.agentId,
    })
  if (principal.type === 'person') whose.accountId = principal.account?.id ?? null
}

const UNPROCESSABLE = 422

/** Returns the code of an invalid field, if it has one of its own. */
const codeOfField = ({ invalidFields = {} }: Route, { problems = [] }: PlatformError['details']) =>
  problems
    .map(({ path: [field = ''] }) => (Object.hasOwn(invalidFields, field) ? invalidFields[field] : undefined))
    .find(code => code !== undefined)

/**
 * Returns a refusal of invalid input, under the route's own code. What could not even be read is not unprocessable
 * content: it stays as it is.
 */
function named(error: PlatformError, match: RouteMatch | null): PlatformError {
  const route = match?.type === 'route' ? match.route : null
  const code = route === null ? undefined : (codeOfField(route, error.details) ?? route.invalid)
  if (code === undefined || error.code !== 'SCHEMA_VALIDATION_FAILED') return error
  if (ERROR_STATUS[code] === UNPROCESSABLE && error.details.problems === undefined) return error
  return new PlatformError(code, error.message, error.details)
}

/**
 * Returns the platform as the principal's: what a request changes is the act of its key or its person. Reading
 * leaves no trace, unless the route says so.
 */
function actingFor(
  platform: Platform,
  { isNoted = false, method }: Pick<Route, 'isNoted' | 'method'>,
  principal: Principal,
  correlationId: string,
): Platform {
  if (principal.type === 'anyone' || (method === 'GET' && !isNoted)) return platform
  const { id, name } = principal.type === 'person' ? principal.person : principal.key
  return platform.as({ type: principal.type, id, name, correlationId })
}

async function readBody(
  { body, family }: Route,
  request: HttpRequest,
  { bodyBytes, jsonDepth }: Settings['limits'],
): Promise<unknown> {
  if (body === null || body === 'raw') return undefined
  const schema: z.ZodType = body
  return parse(schema, await readJson(request, { bytes: bodyBytes[family], depth: jsonDepth }), 'body field')
}

/** Tokens must not travel in plain text (contract/messaging.md, Over HTTP; MS14). */
function requireSecure({ refusesPlainText = false }: Route, { secure }: HttpRequest): void {
  if (refusesPlainText && !secure) throw new PlatformError('MESSAGING_INSECURE', MESSAGING_TEXTS.insecure)
}

function bodyText(result: RouteResult): string | null {
  if ('text' in result) return result.text
  return 'json' in result ? JSON.stringify(result.json) : null
}

/** A misspelt family would be ignored silently (EM4). @throws SCHEMA_VALIDATION_FAILED */
function refuseFamilies(families: unknown): void {
  if (families === undefined) return
  const known = Object.keys(ERROR_BODY)
  const refusal = (what: string): PlatformError =>
    new PlatformError('SCHEMA_VALIDATION_FAILED', `families ${what}. Allowed: ${known.join(', ')}.`)
  if (!Array.isArray(families)) throw refusal('must be a list')
  const wrong: unknown = families.find(family => !known.includes(family))
  if (wrong !== undefined) throw refusal(`has no family ${JSON.stringify(wrong)}`)
}

/** Prepares what all requests to a platform share. */
function prepare(platform: Platform, routes: readonly Route[], options: GatedOptions) {
  const { crossOrigin = true, allowInsecure = false, families, gate = keyGate(platform) } = options
  const { settings } = platform
  refuseFamilies(families)
  const isServed = (route: Route): boolean => (families?.includes(route.family) ?? true) && gate.opens(route)
  return {
    ...{ platform, settings, crossOrigin, allowInsecure, gate, edge: edgeOf(platform) },
    documents: options.documents === false ? null : createDocuments(families, crossOrigin, settings.brand),
    headersOf: responseHeaders(options.responseHeaders),
    table: createRouteTable(routes.filter(isServed)),
  }
}
type Prepared = ReturnType<typeof prepare>

async function run(prepared: Prepared, { correlation, match, request, whose }: Asked) {
  const { allowInsecure, gate, platform, settings } = prepared
  const { id: correlationId } = correlation
  const region = match === null ? null : gate.regionOf(match, request)
  const { route, params: encoded } = findRoute(match, request.method)
  const principal = await gate.authenticate(route, request, region)
  ownedBy(whose, principal)
  const params = parse(route.params, decodeParams(encoded), 'path parameter')
  // Read once, whether the scope needs it or not.
  let known: z.output<typeof route.query> | undefined
  const readQuery = () => {
    known ??= parse(route.query, parseQuery(request.query), 'query parameter')
    return known
  }
  const scope = route.scope?.({ params, readQuery }) ?? {}
  const { account, agent, agentId, record } = await resolveScope(platform, principal, scope)
  if (account !== null) Object.assign(whose, { accountId: account.id, agentId })
  const query = readQuery()
  route.precondition?.({ method: route.method, params })
  if (!allowInsecure) requireSecure(route, request)
  const body = await readBody(route, request, settings.limits)
  const acting = actingFor(platform, route, principal, correlationId)
  const result = await route.handle({
    ...{ platform: acting, params, query, body, principal },
    ...{ account, agent, record, agentId, correlationId, request },
  })
  const headers = 'headers' in result ? result.headers : {}
  const { status } = result
  // A wrapper would not notice `return` while it waits.
  if ('chunks' in result && result.cutOff !== undefined)
    return { status, headers, body: null, chunks: result.chunks, cutOff: result.cutOff }
  const failed = (error: unknown) => report(prepared, error, `${request.method} ${route.path}`, correlationId)
  const chunks = 'chunks' in result ? told(result.chunks, failed) : null
  return { status, headers, body: bodyText(result), chunks }
}

/** Returns the chunks; an error between two of them can no longer have a status, but goes to `onError`. */
async function* told(
  chunks: AsyncIterable<string | Uint8Array>,
  failed: (error: unknown) => void,
): AsyncGenerator<string | Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    failed(error)
    throw error
  }
}

function report({ edge, settings }: Prepared, error: unknown, where: string, correlationId: string): void {
  edge.log.error('request failed', { where, correlationId })
  settings.onError(error, where)
}

function refuse(prepared: Prepared, { correlation, match, request }: Asked<RefusedRequest>, error: unknown) {
  const { id } = correlation
  const shown = named(presentable(error), match)
  const path = match?.type === 'route' ? match.route.path : (match?.family ?? 'beside the routes')
  if (HOSTS_FAULT.has(shown.code)) report(prepared, error, `${request.method} ${path}`, id)
  prepared.edge.telemetry?.measure('colloquy.errors', 1, { code: shown.code, where: 'request' })
  const body = JSON.stringify(ERROR_BODY[match?.family ?? NO_FAMILY](shown, id))
  return { status: ERROR_STATUS[shown.code], headers: errorHeaders(shown), body, chunks: null }
}

/** Returns an answer to the request; it tells browsers which pages may read it. */
async function answer(prepared: Prepared, asked: Asked) {
  const { crossOrigin, documents, platform, settings, table } = prepared
  const { correlation, match, request } = asked
  const refused = (error: unknown) => refuse(prepared, asked, error)
  if (request.ambiguity !== undefined)
    return refused(new PlatformError('SCHEMA_VALIDATION_FAILED', request.ambiguity))
  try {
    const isDocument = match === null && documents?.has(request.path) === true
    if ((match !== null || isDocument) && platform.closing.aborted) throw platformClosed()
    const document = isDocument ? await documents.answer(request) : null
    if (document !== null) return document
    const names = Object.keys(correlation.headers)
    const preflight = crossOrigin
      ? answerPreflight(table, request, { brand: settings.brand, correlation: names })
      : null
    if (preflight !== null) return preflight
    if (!mayConcernPage(match, request)) return await run(prepared, asked)
    const page = await admitPage(platform, match, request, names)
    const told = page.refusal === null ? await run(prepared, asked).catch(refused) : refused(page.refusal)
    return crossOrigin && page.headers !== null
      ? { ...told, headers: { ...page.headers, ...told.headers } }
      : told
  } catch (error) {
    return refused(error)
  }
}

/** Reads the route and the correlation id of a request. */
const askedBy = <Request extends RefusedRequest>(
  { platform, table }: Prepared,
  request: Request,
): Asked<Request> => ({
  request,
  match: table.match(request.method, request.path),
  correlation: correlationOf(platform, request.headers),
  whose: { accountId: null, agentId: null },
})

/** Returns an answer with the headers that all answers have. */
function complete(
  { crossOrigin, headersOf }: Prepared,
  { correlation, match, request }: Asked<RefusedRequest>,
  { status, headers, body, chunks, cutOff }: HttpResponse,
): HttpResponse {
  const isHead = request.method === 'HEAD'
  return {
    status,
    // V8 takes ten times as long for a literal that spreads several objects.
    headers: Object.assign(
      {},
      headersOf(request),
      body === null && chunks === null ? null : JSON_TYPE,
      crossOrigin ? variesByOrigin(match) : null,
      headers,
      correlation.headers,
    ),
    body: isHead ? null : body,
    chunks: isHead ? null : chunks,
    ...(cutOff === undefined ? {} : { cutOff }),
  }
}

/**
 * Builds the dispatcher of a platform over a table of routes. In this order: a page's origin (403), host (404, 400),
 * path and method (404, 405), rate (429), key or person (401), its kind and permissions, or roles (403), parameters of
 * the path (400), account and agent (404, 403), query (400; before account and agent where it names them), the route's
 * precondition, body (413, 415, 400), handler. A route that refuses plain text does so (403) before the body.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown family (EM4)
 */
export function createDispatcher(
  platform: Platform,
  routes: readonly Route[],
  options: GatedOptions = {},
): Dispatcher {
  const prepared = prepare(platform, routes, options)
  const { documents, edge, table } = prepared
  const { clock, counting, telemetry } = edge
  return {
    matches: path => table.claims(path) || documents?.has(path) === true,
    async handle(request) {
      const asked = askedBy(prepared, request)
      const work = () => answer(prepared, asked)
      const answered =
        telemetry === null
          ? await work()
          : await tracedRequest({ telemetry, clock }, asked.match, request, work)
      const { accountId, agentId } = asked.whose
      if (answered.status >= SERVER_ERROR && accountId !== null) counting.apiError(accountId, agentId)
      return complete(prepared, asked, answered)
    },
    refusal(request, error) {
      const asked = askedBy(prepared, request)
      return complete(prepared, asked, refuse(prepared, asked, error))
    },
  }
}
