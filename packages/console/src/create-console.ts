import { type Platform, PlatformError, refuseNumbers, refuseUnknown } from '@colloquy/core'
import {
  createPeopleDispatcher,
  type Dispatcher,
  type HttpRequest,
  type HttpResponse,
  responseHeaders,
  type SignIn,
} from '@colloquy/core/transport'
import manifest from '../package.json' with { type: 'json' }
import { createPageAnswers } from './page-answers.ts'
import { type PageFiles, readPageFiles } from './page-files.ts'

/** Sign-in to the console, and sign-out. */
export interface ConsoleOptions extends SignIn {
  /**
   * Returns the user who makes the request, by the host's own login; null if nobody is signed in. Called for every
   * request of the page. `request.original` is the host's own request.
   */
  readonly authorize: SignIn['authorize']
  /** The URL of the sign-in page. May be relative to the console's URL. @default none */
  readonly signInUrl?: string
  /** The URL to sign out. May be relative to the console's URL. @default none */
  readonly signOutUrl?: string
  /**
   * The URL of the widget's script for pages of visitors. May be relative to the console's URL. The page of a connector
   * shows it in the tag to copy.
   *
   * @default the tag has a place to fill in
   */
  readonly widgetUrl?: string
  /** The most conversations in one exported file, which the browser holds. @default 100,000 */
  readonly mostExported?: number
  /** Returns the files of the page. @default those of the package */
  readonly pageFiles?: () => Promise<PageFiles>
}

/** Every option: another one is refused (EM4). */
const OPTIONS: Readonly<Record<keyof ConsoleOptions, true>> = {
  authorize: true,
  signInUrl: true,
  signOutUrl: true,
  widgetUrl: true,
  mostExported: true,
  pageFiles: true,
}

/** The greatest `mostExported`: a browser holds about 1 kB for each conversation. */
const MOST_EXPORTED = 1_000_000

const API = '/api'
const ASSETS = '/assets/'
const READING = ['GET', 'HEAD']

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

/** True for what a browser can go to. */
function isAddress(given: unknown): boolean {
  if (typeof given !== 'string' || given === '' || !URL.canParse(given, 'http://host')) return false
  return ['http:', 'https:'].includes(new URL(given, 'http://host').protocol)
}

/** @throws SCHEMA_VALIDATION_FAILED */
function checkGiven(platform: unknown, options: ConsoleOptions): void {
  if (typeof platform !== 'object' || platform === null || !('closing' in platform))
    throw refusal('createConsole takes the platform first, as createPlatform returns it.')
  refuseUnknown('createConsole', options, Object.keys(OPTIONS))
  if (typeof options.authorize !== 'function')
    throw refusal(
      'createConsole needs the option authorize. Give it a function that returns who is signed in, or null.',
    )
  for (const name of ['signInUrl', 'signOutUrl', 'widgetUrl'] as const)
    if (options[name] !== undefined && !isAddress(options[name]))
      throw refusal(`The option ${name} is not valid: expected an http or https address, or a path.`)
  refuseNumbers(options, { mostExported: { least: 1, most: MOST_EXPORTED } })
}

/** To the same place with a slash, from which the page's relative addresses lead below the console (CO1). */
function toSlash({ basePath = '', query }: HttpRequest): HttpResponse {
  const last = basePath.slice(basePath.lastIndexOf('/') + 1)
  const location = `./${last}/${query === '' ? '' : `?${query}`}`
  return { status: 307, headers: { Location: location }, body: null, chunks: null }
}

/**
 * Returns the console of a platform: its page, and the platform's routes for those who may use it, below one path. A
 * binding mounts it: `app.use('/console', createRouter(createConsole(platform, { authorize })))`, and likewise the
 * plugin for Fastify, `createRequestListener` and `createFetchHandler` (CO1).
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4), without `authorize`, and for addresses that are none
 */
export function createConsole(platform: Platform, options: ConsoleOptions): Dispatcher {
  checkGiven(platform, options)
  const { pageFiles = readPageFiles, ...signing } = options
  const api = createPeopleDispatcher(platform, { ...signing, version: manifest.version })
  const page = createPageAnswers(pageFiles)
  const headersOf = responseHeaders()
  const isPage = (path: string): boolean => path === '' || path === '/' || path.startsWith(ASSETS)
  const belowApi = (path: string): string | null =>
    path.startsWith(`${API}/`) ? path.slice(API.length) : null

  async function pageAt(request: HttpRequest): Promise<HttpResponse> {
    const { method, path } = request
    if (!READING.includes(method)) {
      const message = `The path does not answer ${method}. Allowed: ${READING.join(', ')}.`
      return api.refusal(request, new PlatformError('METHOD_NOT_ALLOWED', message, { allow: READING }))
    }
    if (path === '') return toSlash(request)
    const file = await page.answer(path === '/' ? 'index.html' : path.slice(1), request)
    return file ?? api.refusal(request, new PlatformError('ROUTE_NOT_FOUND', 'There is no such path.'))
  }

  async function answerPage(request: HttpRequest): Promise<HttpResponse> {
    try {
      const { headers, chunks, ...answer } = await pageAt(request)
      const isHead = request.method === 'HEAD'
      return { ...answer, headers: { ...headersOf(request), ...headers }, chunks: isHead ? null : chunks }
    } catch (error) {
      return api.refusal(request, error)
    }
  }

  /** Returns the request that the API gets, with the path below the console's own. */
  const handedOn = (request: HttpRequest, path: string): HttpRequest => ({
    ...request,
    path,
    basePath: `${request.basePath ?? ''}${API}`,
  })

  return {
    matches(path) {
      const below = belowApi(path)
      return below === null ? isPage(path) : api.matches(below)
    },
    async handle(request) {
      const below = belowApi(request.path)
      if (below !== null) return api.handle(handedOn(request, below))
      return isPage(request.path) ? answerPage(request) : api.handle({ ...request, path: '' })
    },
    refusal: (request, error) => api.refusal({ ...request, path: belowApi(request.path) ?? '' }, error),
  }
}
