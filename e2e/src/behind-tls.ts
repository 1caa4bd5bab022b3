import { createServer } from 'node:http'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { createRequestListener } from '@colloquy/http-express'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { attachDesk, attachMessaging } from '@colloquy/ws-transport'

const { DATABASE = 'colloquy.db', HOST = '0.0.0.0', PORT = '3000', PROXIES = '0', DEVELOPMENT } = process.env

const platform = createPlatform({
  store: createSqliteStore({ filename: DATABASE }),
  runtime: createRetrievalRuntime(),
})
const way = { trustProxy: Number(PROXIES), allowInsecure: DEVELOPMENT === 'yes' }
const server = createServer(createRequestListener(platform, way))
const endpoints = [attachMessaging(server, platform, way), attachDesk(server, platform, way)]
server.listen(Number(PORT), HOST, () => console.log('Listening:', server.address()))

process.once('SIGTERM', async () => {
  server.close()
  await Promise.all([...endpoints.map(endpoint => endpoint.close()), platform.messaging.endStreams()])
  await platform.close()
})
