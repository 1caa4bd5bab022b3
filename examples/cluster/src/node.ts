import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { RedisLimits } from '@colloquy/brokers/redis'
import { createPlatform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createRequestListener } from '@colloquy/http-express'
import { attachDesk, attachMessaging } from '@colloquy/ws-transport'
import type { OpenBus } from './bus.ts'
import { openStore } from './database.ts'

/** Pause of the agent in the middle of a slow reply, milliseconds. */
const SLOW = 5_000

/** Says in which process it answers, slowly if asked to; "person" hands over to the desk. */
const runtime: AgentRuntime = {
  async *respond({ input }, signal) {
    if (input.type !== 'message') yield { type: 'text', text: 'Welcome.' }
    else if (input.text === 'person')
      yield { type: 'handoff', destination: 'Front desk', reason: 'asked for' }
    else if (input.text.startsWith('slowly')) {
      yield { type: 'text', text: `Process ${process.pid} heard: ` }
      await setTimeout(SLOW, undefined, { signal })
      yield { type: 'text', text: input.text }
    } else yield { type: 'text', text: `Process ${process.pid} heard: ${input.text}` }
  },
}

/** Options of a node. */
interface NodeOptions {
  readonly database: string
  /** Bus to the other nodes; null if it checks the store itself. */
  readonly bus: OpenBus | null
  /** Limits shared by all nodes; null if each node counts alone. */
  readonly sharedLimits: RedisLimits | null
}

/** Serves what any other node serves, on a port of its own over the same store. Resolves when it may be asked to go. */
export async function startNode({ database, bus, sharedLimits }: NodeOptions) {
  const store = await openStore(database)
  const platform = createPlatform({
    ...{ store, runtime },
    ...(bus === null ? {} : { bus }),
    ...(sharedLimits === null ? {} : { sharedLimits }),
  })
  const server = createServer(createRequestListener(platform))
  const sockets = [attachMessaging(server, platform), attachDesk(server, platform)]
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** Clients are told to come again (1001); what was said is kept. */
    async close(): Promise<void> {
      server.close()
      await Promise.all(sockets.map(endpoint => endpoint.close()))
      server.closeAllConnections()
      await platform.close()
      await Promise.all([bus?.close(), sharedLimits?.close()])
    },
  }
}
