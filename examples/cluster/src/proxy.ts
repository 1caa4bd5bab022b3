import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Passes the connections of one port on, to each of its targets in turn. */
export interface Proxy {
  readonly port: number
  /** New connections may go to this port of this machine. */
  add(target: number): void
  /** No new ones go there. */
  remove(target: number): void
  /** Takes no connections any more; those that are open go on. */
  close(): void
}

/**
 * A plain round-robin proxy: it knows nothing of sessions, so that a visitor's next connection goes to another node.
 * A target that takes no connection is passed over. Without any that does, the client's connection is closed.
 */
export async function startProxy(port: number): Promise<Proxy> {
  const targets: number[] = []
  let turn = 0

  function pass(client: Socket, attempts: number): void {
    const target = targets[turn++ % targets.length]
    if (target === undefined || attempts === 0) {
      client.destroy()
      return
    }
    const node = connect({ host: '127.0.0.1', port: target, noDelay: true })
    node.once('connect', () => {
      node.off('error', next)
      client.pipe(node).pipe(client)
      const end = (): void => {
        client.destroy()
        node.destroy()
      }
      for (const socket of [client, node]) socket.on('error', end).on('close', end)
    })
    const next = (): void => pass(client, attempts - 1)
    node.once('error', next)
  }

  const server = createServer({ noDelay: true }, client => {
    client.on('error', () => client.destroy())
    pass(client, targets.length)
  })
  server.listen(port)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    add: target => void targets.push(target),
    remove(target) {
      const index = targets.indexOf(target)
      if (index !== -1) targets.splice(index, 1)
    },
    close: () => void server.close(),
  }
}
