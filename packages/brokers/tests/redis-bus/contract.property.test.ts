import { silentLog } from '@colloquy/core'
import { testBus } from '@colloquy/core/testing/contracts'
import { beside, CLIENTS, ownPrefix, ownRedis } from '@colloquy/test-support/redis'
import { runs } from '@colloquy/test-support/runs'
import { requireProgram, useServer } from '@colloquy/test-support/servers'
import { describe, onTestFinished } from 'vitest'
import { distinctName } from '../../src/redis/client/names.ts'
import { createRedisBus } from '../../src/redis/index.ts'

// Slow: ten thousand topics are listened to at once, and a server is killed, over several kinds of connections.

const url = await useServer('redis')
const program = requireProgram('redis-server', 'redis-server')

// All clients with the campaigns.
describe.each(CLIENTS.slice(0, runs(1, CLIENTS.length)))('over %s', (name, clientOf) => {
  describe.each([false, true])('sharded: %s', sharded => {
    let prefix = ''
    testBus(`the bus over Redis, ${name}`, {
      async connect() {
        // One prefix for the buses of a test.
        if (prefix === '') {
          prefix = ownPrefix()
          onTestFinished(() => {
            prefix = ''
          })
        }
        const bus = createRedisBus({ client: clientOf(url), prefix, sharded, log: silentLog })
        return { bus, close: () => bus.close() }
      },
      async intrude(topic, text) {
        const redis = await beside(url)
        const channel = prefix + distinctName(topic)
        await (sharded ? redis.spublish(channel, text) : redis.publish(channel, text))
      },
    })
  })

  let server: Awaited<ReturnType<typeof ownRedis>> | null = null
  testBus(`the bus over Redis, ${name}, over a server that is killed`, {
    async connect() {
      if (server === null) {
        server = await ownRedis(program)
        await server.start()
        onTestFinished(() => {
          server = null
        })
      }
      const bus = createRedisBus({ client: clientOf(`redis://127.0.0.1:${server.port}`), log: silentLog })
      return { bus, close: () => bus.close() }
    },
    async interrupt() {
      await server?.kill()
      await server?.start()
    },
  })
})
