import type { Clock } from '@colloquy/core'
import { type NextFunction, type Request, type Response, Router, raw } from 'express'
import { createVerifier } from './signature.ts'

/** An answer: JSON. */
export interface Reply {
  readonly status: number
  readonly body: object
}

/** Secret of the senders, and limits of their requests. */
export interface SignedRouterOptions {
  readonly secret: string
  readonly clock: Clock
  /** The largest body, bytes. */
  readonly bodyBytes: number
  /** Told of what is answered with 500. */
  readonly onError: (error: unknown) => void
}

const refuse = (status: number, error: string): Reply => ({ status, body: { error } })

/**
 * A router that takes signed JSON with POST where it is mounted (WL2 to WL4). It has to stand before body parsers: the
 * signature is over the bytes.
 *
 * @throws Error for an invalid secret
 */
export function createSignedRouter(
  options: SignedRouterOptions,
  handle: (json: unknown) => Promise<Reply>,
): Router {
  const { secret, clock, bodyBytes, onError } = options
  const verify = createVerifier(secret)

  async function answer(request: Request): Promise<Reply> {
    const body: unknown = request.body ?? new Uint8Array()
    if (!(body instanceof Uint8Array))
      throw new Error('Mount signed routes before body parsers: a signature is over the bytes that came.')
    const fault = verify(name => request.get(name), body, clock.now())
    if (fault !== null) return refuse(401, fault)
    const json = parseJson(body)
    return json === undefined ? refuse(400, 'The body is not JSON.') : handle(json)
  }

  const router = Router()
  router
    .route('/')
    .post(raw({ type: () => true, limit: bodyBytes, inflate: false }), async (request, response) => {
      send(response, await answer(request))
    })
    .all((_, response) => {
      response.set('allow', 'POST')
      send(response, refuse(405, 'Only POST is allowed here.'))
    })
  // Express tells an error handler by its four parameters.
  router.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const status = statusOf(error)
    if (status === 500) onError(error)
    const message = status === 413 ? `A body has at most ${bodyBytes} bytes.` : 'The body cannot be read.'
    send(response, refuse(status, status === 500 ? 'Internal error. Send it again.' : message))
  })
  return router
}

const send = (response: Response, { status, body }: Reply): void => {
  response.status(status).json(body)
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

/** Returns the status that the body parser gives to a body it could not read; 500 for everything else. */
function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : 500
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500
}
