import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CLOSE_CODES, CLOSE_TEXTS } from '@colloquy/core/transport'
import { WebSocketServer } from 'ws'
import { readUrl } from './admission.ts'
import { createCork, Line } from './cork.ts'
import { createFrameEncoder } from './frame.ts'
import { wantsWebSocket } from './offers.ts'
import type { EndpointOptions } from './options.ts'
import { Peer, type PeerConnection, type PeerPort, PeerSocket, type SilentClose } from './peer.ts'
import { type Correlation, refuseUpgrade, type UpgradeAnswer } from './refuse-upgrade.ts'

/** An endpoint on a host's server. */
export interface Endpoint {
  /**
   * Shuts down: takes no more upgrades, closes every socket with 1001, and resolves when everything that they had sent
   * was handled. The host's server stays open; a host that drains stops it from listening first.
   */
  close(): Promise<void>
}

/** An endpoint without a server: its host hands it the upgrades that it wants it to answer. */
export interface UpgradeEndpoint extends Endpoint {
  /**
   * Answers an upgrade with a socket, or with a refusal. Takes the arguments of the server's `upgrade` event.
   *
   * @returns false for what is not the endpoint's: another path, or another protocol than WebSocket. Nothing was done
   *   with the socket then, which stays the host's
   */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
}

/** A client that may open a socket. */
export interface Admitted {
  /** The socket is open. Called once at most. */
  open(port: PeerPort): PeerConnection
  /** It never opened. Called once at most, and not after `open`. */
  abandon(): void
}

/** Decisions that differ between kinds of endpoints. */
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
  /** The close of a peer that has not answered a ping. @default the connection is dropped without one */
  readonly silent?: SilentClose
}

/** A timer that is later than this, milliseconds, says that the process stood still. */
const PAUSE = 1_000

/** The listener lives as long as the socket, and holds nothing: not the request, not its head. */
function destroyItself(this: Duplex): void {
  this.destroy()
}

/**
 * Until ws takes the socket, its errors have no listener, and one must not end the process. One listener per socket,
 * for all its requests.
 */
export function destroyOnError(socket: Duplex): void {
  if (socket.listenerCount('error', destroyItself) === 0) socket.on('error', destroyItself)
}

/** Serves sockets of one path, whoever passes it the requests. */
export interface OpenEndpoint extends Endpoint {
  /** Answers a request of its path. */
  take(url: URL, request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** Pings each peer at every interval. */
function startProbing(peers: ReadonlySet<Peer>, interval: number) {
  let probeAt = performance.now() + interval
  const probing = setInterval(() => {
    // After a pause of the process the answers are there, and unread: they have until the next time (TM6).
    const late = performance.now() - probeAt > Math.min(PAUSE, interval)
    probeAt = performance.now() + interval
    if (late) return
    for (const peer of peers) peer.probe()
  }, interval)
  return probing.unref()
}

/** Closes all peers because the server goes away, and terminates those that are not gone after the time-out. */
async function drain(peers: ReadonlySet<Peer>, timeout: number): Promise<void> {
  for (const peer of peers) peer.close(CLOSE_CODES.going_away, CLOSE_TEXTS.going_away)
  const late = setTimeout(() => {
    for (const peer of peers) peer.terminate()
  }, timeout)
  await Promise.allSettled([...peers].map(peer => peer.gone()))
  clearTimeout(late)
}

const socketOptions = (maxPayload: number, closeTimeout: number) => ({
  noServer: true,
  WebSocket: PeerSocket,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload,
  closeTimeout,
})

/** Serves sockets of one path. */
export function openEndpoint(rules: EndpointRules, settings: Required<EndpointOptions>): OpenEndpoint {
  const { onError } = rules
  const refuse = (request: IncomingMessage, socket: Duplex, answer: UpgradeAnswer): void =>
    refuseUpgrade(socket, answer, settings.handshakeTimeout, rules.correlate(request))
  const peers = new Set<Peer>()
  const opening = new Set<Duplex>()
  const parts = {
    cork: createCork(),
    encode: createFrameEncoder(),
    maxBufferedBytes: settings.maxBufferedBytes,
    silent: rules.silent ?? null,
    onError,
    left: (peer: Peer) => void peers.delete(peer),
  }
  const sockets = new WebSocketServer(socketOptions(rules.maxPayload, settings.closeTimeout))
  sockets.on('wsClientError', (_, socket, request) => refuse(request, socket, rules.malformed))
  let closing: Promise<void> | null = null

  const probing = startProbing(peers, settings.pingInterval)

  const welcome = (request: IncomingMessage, socket: Duplex, head: Buffer, admitted: Admitted): void => {
    const abandon = (): void => admitted.abandon()
    if (socket.destroyed || closing !== null) {
      abandon()
      socket.destroy()
      return
    }
    socket.once('close', abandon)
    // So that the answer to the handshake leaves together with the replay.
    const line = new Line(socket)
    parts.cork.hold(line, true)
    sockets.handleUpgrade(request, socket, head, ws => {
      peers.add(new Peer(parts, port => admitted.open(port), ws, line))
      socket.off('close', abandon)
    })
  }

  const take = (url: URL, request: IncomingMessage, socket: Duplex, head: Buffer): void => {
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

  return {
    take,
    close() {
      // Set before anything is awaited, so that no socket slips in.
      closing ??= Promise.resolve().then(() => {
        clearInterval(probing)
        for (const socket of opening) socket.destroy()
        return drain(peers, settings.drainTimeout)
      })
      return closing
    },
  }
}

/** Returns an endpoint for a host that owns the upgrades of its server (MS24). */
export function createEndpoint(rules: EndpointRules, settings: Required<EndpointOptions>): UpgradeEndpoint {
  const { take, close } = openEndpoint(rules, settings)
  return {
    handleUpgrade(request, socket, head) {
      const url = readUrl(request)
      if (url?.pathname !== settings.path || !wantsWebSocket(request)) return false
      destroyOnError(socket)
      take(url, request, socket, head)
      return true
    },
    close,
  }
}
