import { createServer, type Server } from 'node:net'
import type { StandaloneSettings } from './settings.ts'
import { StartError } from './start-error.ts'

/**
 * Takes the port before anything else is done (SS24). Connections that come meanwhile are closed, as if no server
 * listened.
 *
 * @throws StartError for a port in use, and for a host that is not an address of this machine
 */
export function reservePort({ host, port }: Pick<StandaloneSettings, 'host' | 'port'>): Promise<Server> {
  return new Promise((resolve, reject) => {
    const reserved = createServer(socket => socket.destroy())
    const refused = (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `PORT ${port} on ${host} is in use: choose another, or 0 for any free one.`
          : `HOST ${host} cannot be listened on: ${error.message}. It must be a name or an address of this machine.`
      reject(new StartError(reason))
    }
    reserved.once('error', refused)
    reserved.listen(port, host, () => {
      reserved.off('error', refused)
      resolve(reserved)
    })
  })
}
