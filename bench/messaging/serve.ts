import { once } from 'node:events'
import type { Server } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answerParent } from '../child.ts'

/**
 * Listens, and answers what `pair.ts` asks of a server until it is to stop: the CPU of this process, and how long its
 * event loop was held up.
 */
export async function serve(
  server: Server,
  connector: { readonly token: string; readonly host: string } | null,
): Promise<void> {
  server.listen(0, '127.0.0.1', 4_096)
  await once(server, 'listening')
  const address = server.address()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const port = typeof address === 'object' ? address?.port : 0
  await answerParent({ port, connector }, async question => {
    if (question === 'cpu') {
      const { user, system } = process.cpuUsage()
      return user + system
    }
    if (question === 'watch delay') {
      delay.reset()
      return void delay.enable()
    }
    delay.disable()
    return { p99: delay.percentile(99) / 1e6, longest: delay.max / 1e6 }
  })
}
