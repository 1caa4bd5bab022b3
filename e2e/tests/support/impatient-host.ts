/** A host that gives visitors and live agents six seconds. Says its connector token, its desk key and its port. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createPlatform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createRequestListener } from '@colloquy/http-express'
import { attachDesk, attachMessaging } from '@colloquy/ws-transport'

const PATIENCE = 6_000

const runtime: AgentRuntime = {
  async *respond({ input }) {
    if (input.type === 'message' && input.text === 'person')
      yield { type: 'handoff', destination: 'Front desk', reason: 'asked for' }
    else yield { type: 'text', text: input.type === 'message' ? `Heard: ${input.text}` : 'Welcome.' }
  },
}

// In memory, where nothing that the store does lets sockets be read in between.
const store = createMemoryStore()
const platform = createPlatform({ store, runtime, sessionIdle: PATIENCE, liveAgentAbsence: PATIENCE })
const { access, agents } = platform
const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
await agents.publish(agentId, { environment: 'live' })
const connector = { accountId, agentId, environment: 'live', hosts: ['localhost'] } as const
const { token: connectorToken } = await access.createConnector({ ...connector, handoff: { mode: 'server' } })
const { secret: deskKey } = await access.createApiKey({ kind: 'desk', accountId })
const server = createServer(createRequestListener(platform))
attachMessaging(server, platform)
attachDesk(server, platform)
server.listen(0)
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' ? address?.port : null
console.log(JSON.stringify({ connectorToken, deskKey, port }))
