/** A node of two over PostgreSQL and a bus, with everything on that a host has by default but limits on requests. */
import { createServer } from 'node:http'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createPlatform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createRequestListener } from '@colloquy/http-express'
import { attachMessaging } from '@colloquy/ws-transport'
import * as z from 'zod'
import { serve } from '../messaging/serve.ts'
import { DATABASE } from '../servers.ts'
import { busSchema, openBus } from './kinds.ts'

/** Answers at once. */
const echo: AgentRuntime = {
  async *respond({ input }) {
    yield { type: 'text', text: input.type === 'message' ? `You said: ${input.text}` : 'Welcome.' }
  },
}

/** The first node makes what both need. */
const jobSchema = busSchema.extend({ schema: z.string(), first: z.boolean() })

const { schema, first, ...kind } = jobSchema.parse(JSON.parse(process.argv[2] ?? '{}'))
const store = await createPostgresStore({ url: DATABASE, schema })
const platform = createPlatform({ store, runtime: echo, rateLimits: null, bus: openBus(kind) })
const host = 'localhost'

async function makeConnector(): Promise<{ readonly token: string; readonly host: string }> {
  const { id: accountId } = await platform.access.createAccount({ slug: 'bench', name: 'Bench' })
  const { id: agentId } = await platform.agents.create({ accountId, name: 'Echo', greeting: 'Welcome.' })
  const environment = 'live'
  await platform.agents.publish(agentId, { environment })
  const { token } = await platform.access.createConnector({ accountId, agentId, environment, hosts: [host] })
  return { token, host }
}

const connector = first ? await makeConnector() : null
const server = createServer(createRequestListener(platform))
attachMessaging(server, platform)
await serve(server, connector)
process.exit(0)
