import { PlatformError } from '../errors.ts'
import type { Dispatcher, DispatcherOptions } from '../http/dispatcher.ts'
import { dispatcherOf, type Mountable } from '../http/dispatcher-of.ts'
import type { TrustProxy } from '../http/forwarded.ts'
import { handleOneHost } from '../http/one-host.ts'
import type { HttpResponse } from '../http/route.ts'
import { describeFetched, headOf, targetOf } from './describe.ts'
import { streamOf } from './stream.ts'

/** The options of a fetch handler. `Info` is the host's knowledge beside the request, such as its connection. */
export interface FetchHandlerOptions<Info = void> extends DispatcherOptions {
  /** The path at which the handler is mounted, for example `/colloquy`. @default "", which is the root */
  readonly basePath?: string
  /**
   * The address of the other side of the connection, which a `Request` does not have. Limits per address use it. It is
   * required unless `trustProxy` is set.
   */
  readonly address?: (request: Request, info: Info) => string | null | undefined
  /**
   * The number of proxies in front of the host whose `X-Forwarded-For`, `-Proto` and `-Host` are trusted; `true` is
   * one. Set it only with such a proxy: otherwise any client can write these headers.
   * @default false
   */
  readonly trustProxy?: TrustProxy
  /**
   * The time that the body of a request may take to arrive, milliseconds. After that the answer is 408.
   * @default 30000
   */
  readonly requestTimeout?: number
  /**
   * The time that a client may take to read an answer that comes in chunks, milliseconds, from its first one. After
   * that it ends with an error.
   * @default 120000
   */
  readonly answerTimeout?: number
}

/** Every option of its own: another one is refused (EM4). */
const OPTIONS: Readonly<Record<Exclude<keyof FetchHandlerOptions, keyof DispatcherOptions>, true>> = {
  basePath: true,
  address: true,
  trustProxy: true,
  requestTimeout: true,
  answerTimeout: true,
}

/**
 * Returns the platform's own paths; null for all others, which are the host's. Never rejects. What a host knows beside
 * the request comes second: `address` is given it.
 */
export type FetchHandler<Info = void> = (request: Request, info: Info) => Promise<Response | null>

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

/** Returns the base path without a final slash. @throws SCHEMA_VALIDATION_FAILED where no request could ever have it */
function checkedBase(given: unknown): string {
  const base = typeof given === 'string' ? given.replace(/\/$/, '') : null
  if (base === '') return base
  if (base !== null && !base.endsWith('/') && URL.canParse(base, 'http://host')) {
    if (new URL(base, 'http://host').pathname === base) return base
  }
  throw refusal(
    'basePath must begin with a slash, and be encoded as in an address, without a query. Allowed: for example "/colloquy".',
  )
}

/** @throws SCHEMA_VALIDATION_FAILED */
function checkAddress({ address, trustProxy = false }: FetchHandlerOptions<never>): void {
  if (typeof address === 'function' || (address === undefined && Number(trustProxy) > 0)) return
  throw refusal(
    'createFetchHandler needs the option address, because limits go by addresses and a Request has none. ' +
      'Give it a function that returns the address of the connection, or set trustProxy where a proxy tells it.',
  )
}

/** Returns the answer as the host is given it. */
function responseOf(
  { status, headers, body, chunks, cutOff }: HttpResponse,
  request: Request,
  timeout: number,
): Response {
  const init = { status, headers: { ...headers } }
  if (chunks === null) return new Response(body, init)
  return new Response(streamOf(chunks, { signal: request.signal, timeout, cutOff }), init)
}

const noAddress = (): PlatformError =>
  new PlatformError(
    'INTERNAL',
    'The option address returned no address. It must return one for every request.',
  )

/** Returns a fetch handler over any dispatcher. Omitted options have their defaults. */
export function fetchHandlerOf<Info>(
  dispatcher: Dispatcher,
  options: Omit<FetchHandlerOptions<Info>, keyof DispatcherOptions>,
): FetchHandler<Info> {
  const { address, trustProxy = false, requestTimeout = 30_000, answerTimeout = 120_000 } = options
  const base = checkedBase(options.basePath ?? '')

  function addressOf(request: Request, info: Info): string {
    if (address === undefined) return ''
    const found = address(request, info)
    if (typeof found === 'string' && found !== '') return found
    throw noAddress()
  }

  return async (request, info) => {
    const target = targetOf(request.url)
    // The base path itself is a path of what is mounted: the empty one.
    if (target === null || !(target.path === base || target.path.startsWith(`${base}/`))) return null
    const below = { ...target, path: target.path.slice(base.length) }
    if (!dispatcher.matches(below.path)) return null
    const answered = async (): Promise<HttpResponse> => {
      try {
        const head = headOf(request, below, { trustProxy, address: addressOf(request, info) })
        const described = describeFetched(request, head, requestTimeout)
        return await handleOneHost(dispatcher, { ...described, basePath: base })
      } catch (error) {
        const unknown = { trustProxy: false, address: '' }
        return dispatcher.refusal(headOf(request, below, unknown), error)
      }
    }
    return responseOf(await answered(), request, answerTimeout)
  }
}

/**
 * Returns the HTTP families of a platform, or a ready dispatcher, for every host that speaks `Request` and `Response`
 * (FE1): Hono, Next.js, SvelteKit, Remix, Bun, Deno and the like. Uses nothing of Node's.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option or family (EM4), for a base path that no request can have, and
 * where neither `address` nor `trustProxy` is given
 */
export function createFetchHandler<Info = void>(
  mounted: Mountable,
  options: FetchHandlerOptions<Info>,
): FetchHandler<Info> {
  const dispatcher = dispatcherOf('createFetchHandler', mounted, options, Object.keys(OPTIONS))
  checkAddress(options)
  return fetchHandlerOf(dispatcher, options)
}
