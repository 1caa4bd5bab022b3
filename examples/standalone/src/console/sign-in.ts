import { isPlatformError, type Person, type Platform, PlatformError } from '@colloquy/core'
import {
  authenticateSecret,
  type HttpRequest,
  type HttpResponse,
  isOwnOrigin,
  responseHeaders,
} from '@colloquy/core/transport'
import { createOneTimeLink } from './one-time-link.ts'
import { createSessions, SESSION } from './sessions.ts'
import { SIGN_IN_POLICY, signInPage } from './sign-in-page.ts'

export const SIGN_IN = '/sign-in'
export const SIGN_OUT = '/sign-out'

const COOKIE = 'colloquy_console'
const FORM_BYTES = 4_096

/** Who has the link that the server printed; whoever started it may do everything. */
const STARTER: Person = { id: 'server-start', name: 'Operator', roles: ['operator'] }

/** The sign-in of the server: who is signed in, and the pages over which people get in and out (SS33, SS34). */
export interface SignInPages {
  /** The path and query of the link that signs in once. */
  readonly link: string
  authorize(request: HttpRequest): Person | null
  matches(path: string): boolean
  handle(request: HttpRequest): Promise<HttpResponse>
  /** Signs everyone out. */
  close(): void
}

const cookieOf = ({ headers: { cookie = '' } }: HttpRequest): string =>
  cookie
    .split(';')
    .map(pair => pair.trim().split('='))
    .find(([name]) => name === COOKIE)?.[1] ?? ''

const setCookie = (value: string, seconds: number, { secure, headers }: HttpRequest): string => {
  // Over loopback a request counts as secure without TLS, where some browsers drop a cookie for TLS alone.
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(headers.host ?? '')
  const own = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict']
  return [`${COOKIE}=${value}`, ...own, ...(secure && !isLocal ? ['Secure'] : [])].join('; ')
}

const goTo = (location: string, cookie: string): HttpResponse => ({
  status: 303,
  headers: { Location: location, 'Set-Cookie': cookie },
  body: null,
  chunks: null,
})

function page(status: number, wrong: string | null, retryAfter?: number): HttpResponse {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': SIGN_IN_POLICY,
    // With no referrer at all a browser sends its form from the origin "null".
    'Referrer-Policy': 'same-origin',
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) }),
  }
  return { status, headers, body: signInPage(wrong), chunks: null }
}

/** The key of the form. @throws PlatformError for a body that is too large, comes too slowly or is no form */
async function keyOf(request: HttpRequest): Promise<string> {
  if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', 'Use the form of this page.')
  const body = new TextDecoder().decode(await request.body(FORM_BYTES))
  return (new URLSearchParams(body).get('key') ?? '').trim()
}

const WRONG_LINK =
  'The link was used before, or is older than 15 minutes. Use the operator key, or start the server again.'
const WRONG_KEY = 'That is no operator key in force. Look for COLLOQUY_OPERATOR_KEY.'
const OTHER_PAGE = 'The form came from a page of another site. Use the one of this page.'

/** What a person is told of a refusal, and with which status. */
function refused(error: unknown, onError: Platform['settings']['onError']): HttpResponse {
  if (!isPlatformError(error) || error.code === 'INTERNAL') {
    onError(error, 'sign-in')
    return page(500, 'Something went wrong on the server. Try again.')
  }
  const isWrongKey = error.code === 'AUTH_USER_UNAUTHORISED' || error.code === 'USER_ACCESS_FORBIDDEN'
  return page(error.status, isWrongKey ? WRONG_KEY : error.message, error.details.retryAfterSeconds)
}

/**
 * @param now milliseconds of a clock that never steps
 */
export function createSignIn(platform: Platform, now: () => number = () => performance.now()): SignInPages {
  const sessions = createSessions(now)
  const link = createOneTimeLink(now)
  const headersOf = responseHeaders()

  async function signInWithKey(request: HttpRequest): Promise<HttpResponse> {
    const key = await keyOf(request)
    if (key === '') return page(400, 'The key is missing. Fill it in.')
    const route = { credential: 'operator', family: 'operator' } as const
    const from = { region: null, remoteAddress: request.remoteAddress }
    const principal = await authenticateSecret(platform, route, key, from)
    if (principal.type !== 'api_key') return page(401, WRONG_KEY)
    const { id, name } = principal.key
    const person: Person = { id, name: name === '' ? 'Operator' : name, roles: ['operator'] }
    const token = sessions.open(person, end => platform.access.watchApiKey(id, end))
    return goTo('./', setCookie(token, SESSION / 1_000, request))
  }

  function signInWithLink(token: string, request: HttpRequest): HttpResponse {
    if (!link.take(token)) return page(403, WRONG_LINK)
    return goTo('./', setCookie(sessions.open(STARTER), SESSION / 1_000, request))
  }

  async function answer(request: HttpRequest): Promise<HttpResponse> {
    const { method, path, headers, query } = request
    const site = headers['sec-fetch-site']
    if (path === SIGN_OUT) {
      if (site !== undefined && site !== 'same-origin' && site !== 'none') return page(403, OTHER_PAGE)
      sessions.end(cookieOf(request))
      return goTo(`.${SIGN_IN}`, setCookie('', 0, request))
    }
    if (method === 'POST') {
      const isOwn = (site === undefined || site === 'same-origin') && isOwnOrigin(headers)
      return isOwn ? signInWithKey(request) : page(403, OTHER_PAGE)
    }
    if (method !== 'GET' && method !== 'HEAD') return page(405, 'Use the form of this page.')
    const token = new URLSearchParams(query).get('once')
    // What looks ahead for somebody does not use the link up.
    const isReal = method === 'GET' && headers['sec-purpose'] === undefined
    return token !== null && isReal ? signInWithLink(token, request) : page(200, null)
  }

  return {
    link: `${SIGN_IN}?once=${link.token}`,
    authorize: request => sessions.find(cookieOf(request)),
    matches: path => path === SIGN_IN || path === SIGN_OUT,
    async handle(request) {
      const { headers, body, ...rest } = await answer(request).catch((error: unknown) =>
        refused(error, platform.settings.onError),
      )
      return {
        ...rest,
        headers: { ...headersOf(request), ...headers },
        body: request.method === 'HEAD' ? null : body,
      }
    },
    close: () => sessions.close(),
  }
}
