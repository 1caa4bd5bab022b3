import type { Server } from 'node:http'

/**
 * Listens on this machine alone. Resolves with the origin, without a slash at the end. @param port 0 for any free one
 */
export function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`)
    })
  })
}

/** Stops listening, and closes unused connections. */
export function stop(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
