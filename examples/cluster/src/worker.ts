import { once } from 'node:events'
import { createServer } from 'node:http'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createRequestListener } from '@colloquy/http-express'
import { attachDesk, attachMessaging } from '@colloquy/ws-transport'
import type { OpenBus } from './bus.ts'

/** Says in which process it answers; "person" hands over to the desk. */
const runtime: AgentRuntime = {
  async *respond({ input }) {
    if (input.type !== 'message') yield { type: 'text', text: 'Welcome.' }
    else if (input.text === 'person')
      yield { type: 'handoff', destination: 'Front desk', reason: 'asked for' }
    else yield { type: 'text', text: `Process ${process.pid} heard: ${input.text}` }
  },
}

/** What a worker is given. */
interface WorkerOptions {
  readonly database: string
  readonly port: number
  /** How it hears of the others; null where it looks into the file by itself. */
  readonly bus: OpenBus | null
}

/** Serves what any other worker serves, on the same port over the same file. Resolves when it may be asked to go. */
export async function startWorker({ database, port, bus }: WorkerOptions) {
  const store = createSqliteStore({ filename: database })
  const platform = createPlatform({ store, runtime, ...(bus === null ? {} : { bus }) })
  const server = createServer(createRequestListener(platform))
  const sockets = [attachMessaging(server, platform), attachDesk(server, platform)]
  server.listen(port)
  await once(server, 'listening')
  return {
    /** Clients are told to come again (1001); what was said is kept. */
    async close(): Promise<void> {
      server.close()
      await Promise.all(sockets.map(endpoint => endpoint.close()))
      server.closeAllConnections()
      await platform.close()
      await bus?.close()
    },
  }
}
