import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createRequestListener } from '@colloquy/http-express'
import { attachMessaging } from '@colloquy/ws-transport'

// A host with an agent that speaks slowly, to be killed in the middle of a reply.

const { DATABASE = '', PORT = '0', PAUSE = '30' } = process.env

const runtime: AgentRuntime = {
  async *respond({ input }) {
    const words = input.type === 'message' ? `You said ${input.text}, and dogs are welcome.` : 'Welcome.'
    for (const word of words.split(/(?<= )/)) {
      yield { type: 'text', text: word }
      await pause(Number(PAUSE))
    }
  },
}

const platform = createPlatform({
  store: createSqliteStore({ filename: DATABASE }),
  runtime,
  chunkFlush: 0,
  turnLease: 5_000,
})
if ((await platform.access.account('hotel')) === null) {
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const agent = await platform.agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  const { agentId, environment } = await platform.agents.publish(agent.id, { environment: 'live' })
  const connector = { accountId, agentId, environment, hosts: ['localhost'] }
  console.log(`Connector token: ${(await platform.access.createConnector(connector)).token}`)
}
const server = createServer(createRequestListener(platform))
attachMessaging(server, platform)
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address()
  console.log(`Port: ${typeof address === 'object' ? address?.port : ''}`)
})
