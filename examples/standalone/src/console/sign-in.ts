import { isPlatformError, nameSchema, type Person, type Platform } from '@colloquy/core'
import {
  authenticateSecret,
  type HttpRequest,
  type HttpResponse,
  isOwnOrigin,
  responseHeaders,
} from '@colloquy/core/transport'
import { createOneTimeLink } from './one-time-link.ts'
import type { SessionFile } from './session-file.ts'
import { createSessions } from './sessions.ts'
import { SIGN_IN_POLICY, type SignInForm, signInPage } from './sign-in-page.ts'
import { languageOf, type SignInText, say } from './sign-in-texts.ts'

export const SIGN_IN = '/sign-in'
export const SIGN_OUT = '/sign-out'

const COOKIE = 'colloquy_console'
const FORM_BYTES = 4_096
/** Time that a browser keeps the name for the next sign-in, seconds: a year. */
const NAME_KEPT = 365 * 24 * 60 * 60

/** The sign-in of the server: who is signed in, and the pages over which people get in and out (SS33, SS34). */
export interface SignInPages {
  /** The path and query of the link that signs in once. */
  readonly link: string
  authorize(request: HttpRequest): Person | null
  matches(path: string): boolean
  handle(request: HttpRequest): Promise<HttpResponse>
  /** Ends what watches keys; who is signed in stays so where sessions outlive the process. */
  close(): void
}

/**
 * Returns the contents of the cookie: the token of a session, and the name for the next one, which outlives it (SS34).
 */
function cookieOf({ headers: { cookie = '' } }: HttpRequest): {
  readonly token: string
  readonly name: string
} {
  const value = cookie
    .split(';')
    .map(pair => pair.trim().split('='))
    .find(([name]) => name === COOKIE)?.[1]
  const [token = '', name = ''] = (value ?? '').split('.', 2)
  return { token, name: nameOr(decoded(name), '') }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** The name as it is kept; the other where it is none. */
function nameOr<Other>(given: string, other: Other): string | Other {
  const { success, data } = nameSchema.safeParse(given.trim())
  return success ? data : other
}

const encoded = (name: string): string => encodeURIComponent(name).replaceAll('.', '%2E')

const setCookie = (token: string, name: string, { secure, headers }: HttpRequest): string => {
  // Over loopback a request counts as secure without TLS, where some browsers drop a cookie for TLS alone.
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(headers.host ?? '')
  const own = ['Path=/', `Max-Age=${NAME_KEPT}`, 'HttpOnly', 'SameSite=Strict']
  return [`${COOKIE}=${token}.${encoded(name)}`, ...own, ...(secure && !isLocal ? ['Secure'] : [])].join('; ')
}

const goTo = (location: string, cookie: string): HttpResponse => ({
  status: 303,
  headers: { Location: location, 'Set-Cookie': cookie },
  body: null,
  chunks: null,
})

/** Error of an attempt, in the words of the page. */
class Refused extends Error {
  readonly status: number
  readonly text: SignInText
  constructor(status: number, text: SignInText) {
    super(text)
    this.status = status
    this.text = text
  }
}

const page = (status: number, form: SignInForm, retryAfter?: number): HttpResponse => ({
  status,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': SIGN_IN_POLICY,
    // With no referrer at all a browser sends its form from the origin "null".
    'Referrer-Policy': 'same-origin',
    Vary: 'Accept-Language, Cookie',
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) }),
  },
  body: signInPage(form),
  chunks: null,
})

/** Returns the submitted form. @throws PlatformError, Refused if it is too large, comes too slowly, or is no form */
async function formOf(request: HttpRequest): Promise<URLSearchParams> {
  if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    throw new Refused(400, 'wrong.form')
  return new URLSearchParams(new TextDecoder().decode(await request.body(FORM_BYTES)))
}

const isWrongKey = (error: unknown): boolean =>
  isPlatformError(error) &&
  (error.code === 'AUTH_USER_UNAUTHORISED' || error.code === 'USER_ACCESS_FORBIDDEN')

/** @param file where sessions outlive the process */
export function createSignIn(platform: Platform, file: SessionFile): SignInPages {
  const sessions = createSessions({
    now: Date.now,
    watchKey: (id, end) => platform.access.watchApiKey(id, end),
    file,
  })
  const link = createOneTimeLink(() => performance.now())
  const headersOf = responseHeaders()

  /** Lets somebody in under a name of their own. */
  const letIn = (name: string, keyId: string | null, request: HttpRequest): HttpResponse =>
    goTo('./', setCookie(sessions.open(name, keyId), name, request))

  /** The id of the operator key. @throws PlatformError, Refused */
  async function keyOf(secret: string, { remoteAddress }: HttpRequest): Promise<string> {
    if (secret === '') throw new Refused(400, 'no-key')
    const route = { credential: 'operator', family: 'operator' } as const
    const principal = await authenticateSecret(platform, route, secret, { region: null, remoteAddress })
    if (principal.type !== 'api_key') throw new Refused(401, 'wrong.key')
    return principal.key.id
  }

  async function signIn(form: URLSearchParams, request: HttpRequest): Promise<HttpResponse> {
    const once = form.get('once')
    const keyId = once === null ? await keyOf((form.get('key') ?? '').trim(), request) : null
    if (once !== null && !link.opens(once)) throw new Refused(403, 'wrong.link')
    const name = nameOr(form.get('name') ?? '', null)
    if (name === null) throw new Refused(400, 'wrong.name')
    if (once !== null && !link.take(once)) throw new Refused(403, 'wrong.link')
    return letIn(name, keyId, request)
  }

  async function take(request: HttpRequest): Promise<HttpResponse> {
    const { headers } = request
    const site = headers['sec-fetch-site']
    const isOwn = (site === undefined || site === 'same-origin') && isOwnOrigin(headers)
    if (!isOwn) return refused(new Refused(403, 'wrong.page'), request)
    const form = await formOf(request).catch((error: unknown) => refused(error, request))
    if (!(form instanceof URLSearchParams)) return form
    return signIn(form, request).catch((error: unknown) => refused(error, request, form))
  }

  /** The form again, with what was wrong; it keeps the name, and a link that still opens. */
  function refused(error: unknown, request: HttpRequest, given = new URLSearchParams()): HttpResponse {
    const language = languageOf(request.headers['accept-language'])
    const once = given.get('once') ?? ''
    const form = {
      language,
      name: given.get('name') ?? cookieOf(request).name,
      once: link.opens(once) ? once : null,
    }
    const saying = (text: SignInText): SignInForm => ({ ...form, wrong: say(language, text) })
    if (error instanceof Refused) return page(error.status, saying(error.text))
    if (!isPlatformError(error) || error.code === 'INTERNAL') {
      platform.settings.onError(error, 'sign-in')
      return page(500, saying('wrong.server'))
    }
    const { status, message, details } = error
    const shown = isWrongKey(error) ? saying('wrong.key') : { ...form, wrong: message }
    return page(status, shown, details.retryAfterSeconds)
  }

  function show(request: HttpRequest): HttpResponse {
    const once = new URLSearchParams(request.query).get('once')
    const language = languageOf(request.headers['accept-language'])
    if (once !== null && !link.opens(once)) return refused(new Refused(403, 'wrong.link'), request)
    return page(200, { language, wrong: null, name: cookieOf(request).name, once })
  }

  function signOut(request: HttpRequest): HttpResponse {
    const site = request.headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      return refused(new Refused(403, 'wrong.page'), request)
    const { token, name } = cookieOf(request)
    sessions.end(token)
    return goTo(`.${SIGN_IN}`, setCookie('', name, request))
  }

  async function answer(request: HttpRequest): Promise<HttpResponse> {
    const { method, path } = request
    if (path === SIGN_OUT) return signOut(request)
    if (method === 'POST') return take(request)
    const isReading = method === 'GET' || method === 'HEAD'
    return isReading ? show(request) : refused(new Refused(405, 'wrong.form'), request)
  }

  return {
    link: `${SIGN_IN}?once=${link.token}`,
    authorize: request => sessions.find(cookieOf(request).token),
    matches: path => path === SIGN_IN || path === SIGN_OUT,
    async handle(request) {
      const { headers, body, ...rest } = await answer(request)
      return {
        ...rest,
        headers: { ...headersOf(request), ...headers },
        body: request.method === 'HEAD' ? null : body,
      }
    },
    close: () => sessions.close(),
  }
}
