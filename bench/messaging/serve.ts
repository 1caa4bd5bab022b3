import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answerParent } from '../child.ts'

/** Microseconds between two looks of the profiler. */
const PROFILE_INTERVAL = 200

/**
 * Listens, and answers what `pair.ts` asks of a server until it is to stop: the CPU of this process, how long its event
 * loop was held up, and where its time went.
 */
export async function serve(
  server: Server,
  connector: { readonly token: string; readonly host: string } | null,
): Promise<void> {
  server.listen(0, '127.0.0.1', 4_096)
  await once(server, 'listening')
  const address = server.address()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const inspector = new Session()
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
    if (question === 'delay') {
      delay.disable()
      return { p99: delay.percentile(99) / 1e6, longest: delay.max / 1e6 }
    }
    if (question === 'profile') {
      inspector.connect()
      await inspector.post('Profiler.enable')
      await inspector.post('Profiler.setSamplingInterval', { interval: PROFILE_INTERVAL })
      return inspector.post('Profiler.start')
    }
    const { profile } = await inspector.post('Profiler.stop')
    inspector.disconnect()
    return writeFile(String(question), JSON.stringify(profile))
  })
}
