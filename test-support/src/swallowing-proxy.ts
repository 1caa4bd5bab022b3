import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { portOf } from './own-server.ts'

/** A way to a server that can go silent without closing a connection, as a network does that is cut. */
export interface SwallowingProxy {
  readonly port: number
  /** From now on nothing passes, in either direction; connections stay open, and new ones get no answer. */
  swallow(): void
  /** New connections pass again. Those that were swallowed stay silent. */
  heal(): void
  /** From now on another port of the same host is behind it. What is open ends. */
  moveTo(port: number): void
}

/** Hosts of the proxy and of the server. */
interface ProxyHosts {
  readonly from?: string
  readonly to?: string
}

/** Stands between a test and a port of this machine, or of the given one. It ends with the test. */
export async function swallowingProxy(
  first: number,
  { from: listening = '127.0.0.1', to: host = '127.0.0.1' }: ProxyHosts = {},
): Promise<SwallowingProxy> {
  const open = new Set<Socket>()
  /** The ends of connections that pass. */
  let passing = new Set<Socket>()
  let swallows = false
  let target = first

  const forward = (from: Socket, to: Socket): void => {
    from.on('data', data => {
      if (passing.has(from)) to.write(data)
    })
    from.on('close', () => {
      open.delete(from)
      if (passing.delete(from)) to.destroy()
    })
    from.on('error', () => undefined)
  }
  const server = createServer(near => {
    open.add(near)
    if (swallows) {
      near.resume().on('error', () => undefined)
      return
    }
    const far = connect({ host, port: target })
    open.add(far)
    passing.add(near).add(far)
    forward(near, far)
    forward(far, near)
  }).listen(0, listening)
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return {
    port: portOf(server),
    swallow() {
      swallows = true
      passing = new Set()
    },
    heal() {
      swallows = false
    },
    moveTo(port) {
      target = port
      for (const socket of open) socket.destroy()
    },
  }
}
