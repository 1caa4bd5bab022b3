import { createServer, type Server } from 'node:http'
import { RESPONSE_HEADERS } from '@colloquy/core/transport'
import type { Listener } from './hosts.ts'
import type { StandaloneSettings } from './settings.ts'
import { StartError } from './start-error.ts'

/** Time limit for receiving the head of a request, milliseconds (SS37). */
const HEAD = 15_000

/**
 * Interval at which connections are checked for that, milliseconds. With Node's default of 30 s, the 15 s could become
 * 45.
 */
const CHECK = 1_000

/**
 * Time for which an idle connection is kept, milliseconds (SS37). Proxies send the next request over one for a minute:
 * with Node's default of 5 s it may be closed by then, and a POST that meets its end cannot be sent again.
 */
const KEEP_ALIVE = 75_000

/** A server that has its port, and answers for itself while the rest is made ready. */
export interface ReservedPort {
  readonly server: Server
  /** Hands all further requests to the listener. */
  serve(listener: Listener): void
}

const BODY = JSON.stringify({ error: 'The server is starting. Try again in a moment.' })

const STARTING = {
  ...RESPONSE_HEADERS,
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(BODY),
  'Retry-After': '1',
  Connection: 'close',
}

/** Answers every request, and each upgrade as well, which Node hands over as a request while nothing upgrades. */
const answerStarting: Listener = ({ method }, response) => {
  response.writeHead(503, STARTING).end(method === 'HEAD' ? undefined : BODY)
}

/**
 * Takes the port before anything else is done (SS24). Requests that come meanwhile are answered 503.
 *
 * @throws StartError for a port in use, and for a host that is not an address of this machine
 */
export function reservePort({
  host,
  port,
  maxConnections,
  requestTimeoutSeconds,
}: Pick<
  StandaloneSettings,
  'host' | 'port' | 'maxConnections' | 'requestTimeoutSeconds'
>): Promise<ReservedPort> {
  const requestTimeout = requestTimeoutSeconds * 1_000
  const timeouts = {
    headersTimeout: Math.min(HEAD, requestTimeout),
    requestTimeout,
    keepAliveTimeout: KEEP_ALIVE,
    connectionsCheckingInterval: Math.min(CHECK, requestTimeout),
  }
  let answer = answerStarting
  // A request without a host is ours to refuse, in the words of its family.
  const server = createServer({ ...timeouts, requireHostHeader: false }, (request, response) =>
    answer(request, response),
  )
  server.maxConnections = maxConnections
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `PORT ${port} on ${host} is in use: choose another, or 0 for any free one.`
          : `HOST ${host} cannot be listened on: ${error.message}. It must be a name or an address of this machine.`
      reject(new StartError(reason))
    }
    server.once('error', refused)
    server.listen(port, host, () => {
      server.off('error', refused)
      resolve({
        server,
        serve(listener) {
          answer = listener
        },
      })
    })
  })
}
