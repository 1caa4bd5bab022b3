/**
 * The project as a host has it by default, but for the limits on requests a second: SQLite, synchronous=FULL; or a node
 * of several over PostgreSQL and Redis.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createRedisBus } from '@colloquy/brokers/redis'
import { createPlatform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createRequestListener } from '@colloquy/http-express'
import { attachMessaging } from '@colloquy/ws-transport'
import * as z from 'zod'
import { withFolder } from '../with-folder.ts'
import { serve } from './serve.ts'

/** Answers at once, as the other servers do. */
const echo: AgentRuntime = {
  async *respond({ input }) {
    yield { type: 'text', text: input.type === 'message' ? `You said: ${input.text}` : 'Welcome.' }
  },
}

/** A node over PostgreSQL; null for a store of its own in a file. */
const nodeSchema = z
  .object({ url: z.string(), schema: z.string(), writesPerStatement: z.number(), busUrl: z.string() })
  .nullable()

const node = nodeSchema.parse(JSON.parse(process.argv[2] ?? 'null'))

await withFolder(async folder => {
  const store =
    node === null
      ? createSqliteStore({ filename: join(folder, 'bench.db') })
      : await createPostgresStore({
          url: node.url,
          schema: node.schema,
          writesPerStatement: node.writesPerStatement,
        })
  const bus = node === null ? {} : { bus: createRedisBus({ url: node.busUrl, prefix: node.schema }) }
  const platform = createPlatform({ store, runtime: echo, rateLimits: null, ...bus })
  const slug = `bench-${process.pid}`
  const { id: accountId } = await platform.access.createAccount({ slug, name: 'Bench' })
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
