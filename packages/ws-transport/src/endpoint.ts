import type { IncomingMessage, Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { CLOSE_CODES, CLOSE_TEXTS, type ConnectionPort } from '@colloquy/core/transport'
import { WebSocketServer } from 'ws'
import { readUrl } from './admission.ts'
import { createCork } from './cork.ts'
import { createFrameEncoder } from './frame.ts'
import type { EndpointOptions } from './options.ts'
import { Peer, type PeerConnection, PeerSocket } from './peer.ts'
import { serveAsPlain, wantsWebSocket } from './plain-request.ts'
import { type Correlation, messagingAnswer, refuseUpgrade, type UpgradeAnswer } from './refuse-upgrade.ts'

/** An endpoint on a host's server. */
export interface Endpoint {
  /**
   * Goes away: takes no more upgrades, closes every socket with 1001, and resolves when all that they had sent was
   * handled. The host's server stays open; a host that drains stops it from listening first.
   */
  close(): Promise<void>
}

/** A client that may open a socket. */
export interface Admitted {
  /** The socket is open. Called once at most. */
  open(port: ConnectionPort): PeerConnection
  /** It never opened. Does nothing after `open`. */
  abandon(): void
}

/** What one kind of endpoint decides. */
export interface EndpointRules {
  /** Checks a request; its answer is sent when it is no admission. Rejects with what cannot be answered. */
  admit(url: URL, request: IncomingMessage): Promise<Admitted | UpgradeAnswer>
  /** Checks that need no time, made first. */
  refuse(request: IncomingMessage): UpgradeAnswer | null
  /** The correlation id that every refusal tells. */
  correlate(request: IncomingMessage): Correlation
  /** For a request that comes while as many as may be are checked. */
  readonly busy: UpgradeAnswer
  /** For a request that is no WebSocket handshake. */
  readonly malformed: UpgradeAnswer
  /** For a request whose check failed with an error, which goes to `onError`. */
  broken(error: unknown): UpgradeAnswer
  /** The name under which `onError` hears of a failed check. */
  readonly where: string
  /** The largest frame that is read, bytes. */
  readonly maxPayload: number
  readonly onError: (error: unknown, where: string) => void
}

/** A timer that is later than this, milliseconds, says that the process stood still. */
const PAUSE = 1_000

const NOT_FOUND = messagingAnswer(404, 'not found')

/** The upgrade listeners of endpoints, with the path that each serves. */
const claimed = new WeakMap<object, string>()

/** The paths of a server's endpoints, for the first of them, where no other handler upgrades (MS24); null otherwise. */
function servedPaths(server: Server | SecureServer, self: object): readonly string[] | null {
  const listeners = server.listeners('upgrade')
  const paths = listeners.map(listener => claimed.get(listener)).filter(path => path !== undefined)
  return listeners[0] === self && paths.length === listeners.length ? paths : null
}

/** Two endpoints of a server see each request: one of them gives it back, the other leaves it alone. */
const isLeftAlone = (server: Server | SecureServer, request: IncomingMessage): boolean =>
  !wantsWebSocket(request) && server.listeners('upgrade').every(listener => claimed.has(listener))

/** The listener lives as long as the socket, and holds nothing: not the request, not its head. */
function destroyItself(this: Duplex): void {
  this.destroy()
}

/**
 * Until ws takes the socket, its errors have no listener, and one must not end the process. One listener per socket,
 * for all its requests.
 */
function destroyOnError(socket: Duplex): void {
  if (!socket.listeners('error').includes(destroyItself)) socket.on('error', destroyItself)
}

/** Two endpoints of one path would both answer each request of it. */
function requireFree(server: Server | SecureServer, path: string): void {
  const taken = server.listeners('upgrade').some(listener => claimed.get(listener) === path)
  if (taken)
    throw new Error(
      `Another endpoint serves ${path} on this server. Close it first, and wait until it is closed.`,
    )
}

/**
 * Serves sockets of one path on a host's HTTP server (MS20 to MS27). Other upgrade handlers of the server see only
 * theirs. It is long because upgrades, probes and the close share the sockets that are open.
 *
 * @throws Error when another endpoint serves the path
 */
export function attachEndpoint(
  server: Server | SecureServer,
  rules: EndpointRules,
  settings: Required<EndpointOptions>,
): Endpoint {
  requireFree(server, settings.path)
  const { onError } = rules
  const refuse = (request: IncomingMessage, socket: Duplex, answer: UpgradeAnswer): void =>
    refuseUpgrade(socket, answer, settings.handshakeTimeout, rules.correlate(request))
  const peers = new Set<Peer>()
  const opening = new Set<Duplex>()
  const parts = {
    cork: createCork(),
    encode: createFrameEncoder(),
    maxBufferedBytes: settings.maxBufferedBytes,
    onError,
    left: (peer: Peer) => void peers.delete(peer),
  }
  const socketOptions = {
    noServer: true,
    WebSocket: PeerSocket,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: rules.maxPayload,
    closeTimeout: settings.closeTimeout,
  }
  const sockets = new WebSocketServer(socketOptions)
  sockets.on('wsClientError', (_, socket, request) => refuse(request, socket, rules.malformed))
  let closing: Promise<void> | null = null

  let probeAt = performance.now() + settings.pingInterval
  const probing = setInterval(() => {
    // After a pause of the process the answers are there, and unread: they have until the next time (TM9).
    const late = performance.now() - probeAt > PAUSE
    probeAt = performance.now() + settings.pingInterval
    if (late) return
    for (const peer of peers) peer.probe()
  }, settings.pingInterval)
  probing.unref()

  const welcome = (request: IncomingMessage, socket: Duplex, head: Buffer, admitted: Admitted): void => {
    const abandon = (): void => admitted.abandon()
    socket.once('close', abandon)
    if (socket.destroyed || closing !== null) {
      admitted.abandon()
      socket.destroy()
      return
    }
    sockets.handleUpgrade(request, socket, head, ws => {
      peers.add(new Peer(parts, port => admitted.open(port), ws, socket))
      socket.off('close', abandon)
    })
  }

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Also where the path is not ours: a socket that no handler takes would end the process when its peer resets it.
    destroyOnError(socket)
    const served = servedPaths(server, upgrade)
    if (isLeftAlone(server, request)) {
      if (served !== null) serveAsPlain(server, request, socket, head)
      return
    }
    const url = readUrl(request)
    if (url?.pathname !== settings.path) {
      if (served?.includes(url?.pathname ?? '') === false) refuse(request, socket, NOT_FOUND)
      return
    }
    if (closing !== null) {
      socket.destroy()
      return
    }
    const refusal = opening.size < settings.maxHandshakes ? rules.refuse(request) : rules.busy
    if (refusal !== null) {
      refuse(request, socket, refusal)
      return
    }
    opening.add(socket)
    const deadline = setTimeout(() => socket.destroy(), settings.handshakeTimeout)
    rules
      .admit(url, request)
      .then(answer => {
        if ('status' in answer) refuse(request, socket, answer)
        else welcome(request, socket, head, answer)
      })
      .catch(error => {
        onError(error, rules.where)
        refuse(request, socket, rules.broken(error))
      })
      .finally(() => {
        clearTimeout(deadline)
        opening.delete(socket)
      })
  }

  const drain = async (): Promise<void> => {
    clearInterval(probing)
    for (const socket of opening) socket.destroy()
    for (const peer of peers) peer.close(CLOSE_CODES.going_away, CLOSE_TEXTS.going_away)
    const late = setTimeout(() => {
      for (const peer of peers) peer.terminate()
    }, settings.drainTimeout)
    await Promise.allSettled([...peers].map(peer => peer.gone()))
    clearTimeout(late)
    server.off('upgrade', upgrade)
  }

  claimed.set(upgrade, settings.path)
  server.on('upgrade', upgrade)
  return {
    close() {
      // Set before anything is awaited, so that no socket slips in.
      closing ??= Promise.resolve().then(drain)
      return closing
    },
  }
}
