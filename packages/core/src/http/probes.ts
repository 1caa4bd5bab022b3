import { ERROR_STATUS, PlatformError } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { refuseUnknown } from '../shared/refuse-unknown.ts'
import { authenticateSecret } from './authorize.ts'
import type { Dispatcher } from './dispatcher.ts'
import { presentable } from './error-body.ts'
import type { HttpRequest, HttpResponse } from './route.ts'

/** Figures as a text, for example those of `@colloquy/integrations/prometheus`. */
export interface MetricsText {
  readonly contentType: string
  text(): Promise<string>
}

/** Options of the routes beside the families of the platform. */
export interface ProbeOptions {
  /** The text that `/metrics` returns. @default there is no `/metrics` */
  readonly metrics?: MetricsText
  /**
   * The readers of `/metrics`. Use `anyone` if only your own network reaches it.
   * @default `operators`: requests with an operator key, as `Authorization: Bearer <key>`
   */
  readonly metricsFor?: 'operators' | 'anyone'
}

const OPTIONS: Readonly<Record<keyof ProbeOptions, true>> = { metrics: true, metricsFor: true }

const JSON_TYPE = 'application/json; charset=utf-8'

const answer = (status: number, type: string, body: string): HttpResponse => ({
  status,
  headers: { 'Content-Type': type, 'Cache-Control': 'no-store' },
  body,
  chunks: null,
})

const BEARER = /^Bearer +(\S+) *$/i

/**
 * Returns a dispatcher for `/healthz`, `/readyz` and, if there are figures, `/metrics`. Every binding mounts it (OB20
 * to OB21). `/healthz` is 200 while the process answers at all. `/readyz` is 503 while it should get no requests: the
 * store is unavailable, or the platform closes.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option
 */
export function createProbes(platform: Platform, options: ProbeOptions = {}): Dispatcher {
  refuseUnknown('createProbes', options, Object.keys(OPTIONS))
  const { metrics, metricsFor = 'operators' } = options

  async function readiness(): Promise<HttpResponse> {
    const { ready, store, closing, secrets } = await platform.readiness()
    return answer(
      ready ? 200 : 503,
      JSON_TYPE,
      JSON.stringify({ ready, store, closing, ...(secrets === null ? {} : { secrets: 'wrong' }) }),
    )
  }

  async function figures(
    source: MetricsText,
    { headers, remoteAddress }: HttpRequest,
  ): Promise<HttpResponse> {
    if (metricsFor === 'operators') {
      const secret = BEARER.exec(headers.authorization ?? '')?.[1] ?? ''
      const route = { credential: 'operator', family: 'operator' } as const
      await authenticateSecret(platform, route, secret, { region: null, remoteAddress })
    }
    return answer(200, source.contentType, await source.text())
  }

  const ANSWERS: Readonly<Record<string, (request: HttpRequest) => Promise<HttpResponse>>> = {
    '/healthz': async () => answer(200, JSON_TYPE, '{"live":true}'),
    '/readyz': readiness,
    ...(metrics === undefined ? {} : { '/metrics': request => figures(metrics, request) }),
  }

  const refusal: Dispatcher['refusal'] = (_, error) => {
    const { code, message } = presentable(error)
    return answer(ERROR_STATUS[code], JSON_TYPE, JSON.stringify({ error: message, code }))
  }

  return {
    matches: path => Object.hasOwn(ANSWERS, path),
    async handle(request) {
      try {
        const found = Object.hasOwn(ANSWERS, request.path) ? ANSWERS[request.path] : undefined
        if (found === undefined) throw new PlatformError('ROUTE_NOT_FOUND', 'There is no such path.')
        if (request.method !== 'GET' && request.method !== 'HEAD')
          throw new PlatformError(
            'METHOD_NOT_ALLOWED',
            `The path does not answer ${request.method}. Allowed: GET, HEAD.`,
          )
        const response = await found(request)
        return request.method === 'HEAD' ? { ...response, body: null } : response
      } catch (error) {
        return refusal(request, error)
      }
    },
    refusal,
  }
}
