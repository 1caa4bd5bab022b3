/** The project as a host has it by default, but for the limits on requests a second: SQLite, synchronous=FULL. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createRequestListener } from '@colloquy/http-express'
import { attachMessaging } from '@colloquy/ws-transport'
import { withFolder } from '../with-folder.ts'
import { serve } from './serve.ts'

/** Answers at once, as the other servers do. */
const echo: AgentRuntime = {
  async *respond({ input }) {
    yield { type: 'text', text: input.type === 'message' ? `You said: ${input.text}` : 'Welcome.' }
  },
}

await withFolder(async folder => {
  const store = createSqliteStore({ filename: join(folder, 'bench.db') })
  const platform = createPlatform({ store, runtime: echo, rateLimits: null })
  const { id: accountId } = await platform.access.createAccount({ slug: 'bench', name: 'Bench' })
  const { id: agentId } = await platform.agents.create({ accountId, name: 'Echo', greeting: 'Welcome.' })
  const environment = 'live'
  await platform.agents.publish(agentId, { environment })
  const host = 'localhost'
  const { token } = await platform.access.createConnector({ accountId, agentId, environment, hosts: [host] })
  const server = createServer(createRequestListener(platform))
  attachMessaging(server, platform)
  await serve(server, { token, host })
  // Not closed: a bench does not wait until thousands of conversations have come to rest.
})
process.exit(0)
