import { createDispatcher } from '../../../packages/core/src/http/dispatcher.ts'
import type { HttpRequest, Operation, Route } from '../../../packages/core/src/http/route.ts'
import { routes } from '../../../packages/core/src/http/routes.ts'
import type { Platform } from '../../../packages/core/src/platform.ts'

type Values = Readonly<Record<string, string>>

/** Contents of a request. */
export interface Asked {
  /** Values of the path's parameters. */
  readonly params?: Values
  readonly query?: Values
  readonly headers?: Values
  readonly body?: unknown
}

/** A request that was answered with what the operation is for. */
export interface Exchange {
  readonly params: Values
  readonly query: Values
  readonly headers: Values
  /** Undefined without one. */
  readonly request: unknown
  readonly status: number
  /** Undefined for an answer without JSON. */
  readonly response: unknown
}

/** Asks a platform as a client does, and keeps one exchange of each operation. */
export interface Client {
  /** @throws Error when the answer is a refusal */
  ask(operation: Operation, asked?: Asked): Promise<unknown>
  /** Sends that credential from now on, with all requests of its kind. */
  authorize(kind: Route['credential'] | 'connector', secret: string): void
  readonly exchanges: ReadonlyMap<string, Exchange>
}

function headersOf({ credential, operation }: Route, secrets: ReadonlyMap<string, string>): Values {
  if (operation === 'issueAccessToken') return { 'x-token': secrets.get('connector') ?? '' }
  if (credential === 'key_and_token')
    return { 'x-api-key': secrets.get('project') ?? '', 'x-token': secrets.get('connector') ?? '' }
  if (credential === 'host_key') return { 'x-api-key': secrets.get('project') ?? '' }
  if (credential === 'key_and_line' || credential === 'line_key')
    return {
      'x-ai-auth-token': secrets.get('project') ?? '',
      'x-token-id': secrets.get('key_and_line') ?? '',
    }
  const secret = secrets.get(credential) ?? ''
  if (credential === 'operator' || credential === 'own') return { authorization: `Bearer ${secret}` }
  return { 'x-api-key': secret }
}

const pathOf = ({ path }: Route, params: Values): string =>
  path.replace(/:([^/]+)/g, (_, name) => encodeURIComponent(params[name] ?? ''))

const bytesOf = (body: unknown): Uint8Array =>
  body instanceof Uint8Array ? body : new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body))

const routeOf = (operation: string): Route => {
  const route = routes.find(one => one.operation === operation)
  if (route === undefined) throw new Error(`There is no operation ${operation}.`)
  return route
}

/** A client without credentials. */
export function createClient(platform: Platform): Client {
  const dispatcher = createDispatcher(platform, routes)
  const secrets = new Map<string, string>()
  const exchanges = new Map<string, Exchange>()
  return {
    exchanges,
    authorize: (kind, secret) => void secrets.set(kind, secret),
    async ask(operation, { params = {}, query = {}, headers = {}, body } = {}) {
      const route = routeOf(operation)
      const request: HttpRequest = {
        method: route.method,
        path: pathOf(route, params),
        query: String(new URLSearchParams(query)),
        headers: { ...headersOf(route, secrets), 'content-type': 'application/json', ...headers },
        body: async () => bytesOf(body),
        remoteAddress: '127.0.0.1',
        secure: true,
      }
      const answer = await dispatcher.handle(request)
      let text = answer.body ?? ''
      const isJson = answer.headers['Content-Type']?.startsWith('application/json') === true
      // A stream that comes about while it is read has no end to wait for.
      if (answer.cutOff !== undefined) await answer.chunks?.[Symbol.asyncIterator]().return?.()
      else if (answer.chunks !== null) for await (const chunk of answer.chunks) text += isJson ? chunk : ''
      if (answer.status >= 300) throw new Error(`${operation} was answered with ${answer.status}: ${text}`)
      const response: unknown = text === '' ? undefined : JSON.parse(text)
      if (!exchanges.has(operation))
        exchanges.set(operation, {
          params,
          query,
          headers,
          request: body instanceof Uint8Array ? undefined : body,
          status: answer.status,
          response,
        })
      return response
    },
  }
}
