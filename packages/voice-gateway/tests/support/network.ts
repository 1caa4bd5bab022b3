import { connect, createServer, type Socket } from 'node:net'
import { listenOn } from '@colloquy/test-support/messaging-host'
import { onTestFinished } from 'vitest'

/** A network before a server, which can lose the connections that go over it. */
export async function startNetwork(port: number) {
  const sockets = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('data', bytes => {
        if (sockets.has(one)) other.write(bytes)
        // A server closes with a frame of its own (RFC 6455, 5.5.1), to which nothing comes back.
        else if (one === far && (bytes[0] ?? 0) === 0x88) isQuit = true
      })
      one.on('close', () => void (sockets.delete(one) && other.destroy()))
      one.on('error', () => {})
    }
  })
  const networkPort = await listenOn(server)
  const lost = new Set<Socket>()
  let isQuit = false
  onTestFinished(() => {
    for (const one of [...sockets, ...lost]) one.destroy()
    server.close()
  })
  return {
    port: networkPort,
    /** The server has closed a socket over a connection that is cut. */
    isQuit: () => isQuit,
    /** From now on nothing passes over the open connections, and no end hears that the other one is gone. */
    cut() {
      for (const one of sockets) lost.add(one)
      sockets.clear()
    },
  }
}
