import { createServer } from 'node:http'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { createRouter } from '@colloquy/http-express'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { attachMessaging } from '@colloquy/ws-transport'
import express from 'express'

const { DATABASE = 'colloquy.db', PORT = '3000' } = process.env

const platform = createPlatform({
  store: createSqliteStore({ filename: DATABASE }),
  runtime: createRetrievalRuntime(),
})

// The first time: an account, an agent that is live, and a token for the web page that talks to it.
if ((await platform.access.account('hotel')) === null) {
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const agent = await platform.agents.create({ accountId, name: 'Front desk', greeting: 'Welcome!' })
  const { agentId, environment } = await platform.agents.publish(agent.id, { environment: 'live' })
  const connector = { accountId, agentId, environment, hosts: ['localhost'] }
  console.log('Connector token:', (await platform.access.createConnector(connector)).token)
}

const app = express()
app.use(createRouter(platform))
const server = createServer(app)
attachMessaging(server, platform)
server.listen(Number(PORT), () => console.log('Listening:', server.address()))
