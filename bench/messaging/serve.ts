import { once } from 'node:events'
import type { Server } from 'node:http'
import { answerParent } from '../child.ts'

/** Listens, and tells the CPU of this process when it is asked, until it is to stop. */
export async function serve(
  server: Server,
  connector: { readonly token: string; readonly host: string } | null,
): Promise<void> {
  server.listen(0, '127.0.0.1', 4_096)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  await answerParent({ port, connector }, () => {
    const { user, system } = process.cpuUsage()
    return user + system
  })
}
