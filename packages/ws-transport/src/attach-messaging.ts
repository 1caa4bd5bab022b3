import type { IncomingMessage, Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
import {
  CLOSE_CODES,
  CLOSE_TEXTS,
  type Handshake,
  MESSAGING_TEXTS,
  type Messaging,
  type Settings,
} from '@colloquy/core'
import { WebSocketServer } from 'ws'
import { readUrl, refuseRequest } from './admission.ts'
import { createCork } from './cork.ts'
import { createFrameEncoder } from './frame.ts'
import { type MessagingOptions, withDefaults } from './options.ts'
import { createPeer, type Peer } from './peer.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'

/** What the endpoint needs of a platform. */
export interface MessagingPlatform {
  readonly messaging: Messaging
  readonly context: { readonly settings: Settings }
}

/** The endpoint on a host's server. */
export interface MessagingEndpoint {
  /**
   * Goes away: takes no more upgrades, closes every socket with 1001, and resolves when all that visitors had sent was
   * handled. The host's server stays open; a host that drains stops it from listening first.
   */
  close(): Promise<void>
}

/**
 * Serves visitors' sockets on a host's HTTP server (platform-api.md, Messaging; MS20 to MS27). Claims upgrades of its path
 * alone: other upgrade handlers of the server see only theirs.
 */
export function attachMessaging(
  server: Server | SecureServer,
  platform: MessagingPlatform,
  options: MessagingOptions = {},
): MessagingEndpoint {
  const settings = withDefaults(options)
  const { limits, onError } = platform.context.settings
  const peers = new Set<Peer>()
  const opening = new Set<Duplex>()
  const parts = {
    cork: createCork(),
    encode: createFrameEncoder(),
    maxBufferedBytes: settings.maxBufferedBytes,
    onError,
  }
  const socketOptions = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.frameBytes,
    closeTimeout: settings.closeTimeout,
  }
  const sockets = new WebSocketServer(socketOptions)
  sockets.on('wsClientError', (_, socket) => refuseUpgrade(socket, 400, MESSAGING_TEXTS.handshakeParameters))
  let closing: Promise<void> | null = null

  const probing = setInterval(() => {
    for (const peer of peers) peer.probe()
  }, settings.pingInterval)
  probing.unref()

  const welcome = (request: IncomingMessage, socket: Duplex, head: Buffer, handshake: Handshake): void => {
    socket.once('close', () => handshake.abandon())
    if (socket.destroyed || closing !== null) {
      handshake.abandon()
      socket.destroy()
      return
    }
    sockets.handleUpgrade(request, socket, head, ws => {
      const peer = createPeer(parts, handshake, ws, socket)
      peers.add(peer)
      const gone = (): boolean => peers.delete(peer)
      peer.gone.then(gone, gone)
    })
  }

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const url = readUrl(request)
    if (url?.pathname !== settings.path) {
      if (server.listenerCount('upgrade') === 1) refuseUpgrade(socket, 404, 'not found')
      return
    }
    // The socket is nobody's until ws takes it: an error of it must not end the process.
    socket.on('error', () => socket.destroy())
    if (closing !== null) {
      socket.destroy()
      return
    }
    const refusal = refuseRequest(request, platform.context.settings.hosts, settings)
    if (refusal !== null) {
      refuseUpgrade(socket, refusal.status, refusal.message)
      return
    }
    opening.add(socket)
    const deadline = setTimeout(() => socket.destroy(), settings.handshakeTimeout)
    platform.messaging
      .handshake({
        sessionId: url.searchParams.get('session_id'),
        accessToken: url.searchParams.get('access_token'),
        cursor: url.searchParams.get('cursor'),
      })
      .then(answer => {
        if ('status' in answer) refuseUpgrade(socket, answer.status, answer.message)
        else welcome(request, socket, head, answer)
      })
      .catch(error => {
        onError(error, 'messaging handshake')
        refuseUpgrade(socket, 500, 'internal error')
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
    await Promise.allSettled([...peers].map(peer => peer.gone))
    clearTimeout(late)
    server.off('upgrade', upgrade)
  }

  server.on('upgrade', upgrade)
  return {
    close() {
      // Set before anything is awaited, so that no socket slips in.
      closing ??= Promise.resolve().then(drain)
      return closing
    },
  }
}
