import { createServer } from 'node:http'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createRequestListener } from '@colloquy/http-express'
import { attachMessaging } from '@colloquy/ws-transport'
import { createRedisLimits } from '../../../src/redis/index.ts'

// One of several processes over one file that share limits, to be killed.

const { DATABASE = '', REDIS = '', PREFIX = '', LEASE = '' } = process.env
const STILL = 0.000_01

const runtime: AgentRuntime = {
  async *respond() {
    yield { type: 'text', text: 'Welcome.' }
  },
}

const platform = createPlatform({
  store: createSqliteStore({ filename: DATABASE }),
  runtime,
  sharedLimits: createRedisLimits({ url: REDIS, prefix: PREFIX }),
  sharedLimitsTimeout: 10_000,
  placeLease: Number(LEASE),
  limits: { connectionsPerSession: 4 },
  rateLimits: {
    key: { perSecond: STILL, burst: 20 },
    failedAuthentication: { perSecond: STILL, burst: 6 },
  },
})
const { access, agents } = platform
if ((await access.account('hotel')) === null) {
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const agent = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  const { agentId, environment } = await agents.publish(agent.id, { environment: 'live' })
  const connector = { accountId, agentId, environment, hosts: ['localhost'] }
  console.log(`Connector token: ${(await access.createConnector(connector)).token}`)
  console.log(`Key: ${(await access.createApiKey({ kind: 'workspace', accountId })).secret}`)
}
const server = createServer(createRequestListener(platform))
attachMessaging(server, platform)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`Port: ${typeof address === 'object' ? address?.port : ''}`)
})
