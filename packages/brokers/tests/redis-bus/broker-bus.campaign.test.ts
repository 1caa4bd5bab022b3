import { testBrokerBus } from '@colloquy/test-support/broker-bus'
import { beside, CLIENTS, ownRedis } from '@colloquy/test-support/redis'
import { requireProgram } from '@colloquy/test-support/servers'
import type { Redis } from 'ioredis'
import { describe } from 'vitest'
import { createRedisBus } from '../../src/redis/index.ts'

const program = requireProgram('redis-server', 'redis-server')

const urlOf = (port: number): string => `redis://127.0.0.1:${port}`

/** Asks on a connection of its own. */
async function asking<T>(port: number, ask: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = await beside(urlOf(port))
  const answer = await ask(redis)
  redis.disconnect()
  return answer
}

describe.each(CLIENTS)('over %s', (client, clientOf) => {
  describe.each([false, true])('sharded: %s', sharded => {
    testBrokerBus(`the bus over Redis, ${client}`, {
      server: () => ownRedis(program),
      connect: (port, settings) => createRedisBus({ client: clientOf(urlOf(port)), sharded, ...settings }),
      listeners: ({ port }, topic) =>
        asking(port, async redis => {
          const counts = await (sharded
            ? redis.pubsub('SHARDNUMSUB', `colloquy:${topic}`)
            : redis.pubsub('NUMSUB', `colloquy:${topic}`))
          return Number(counts[1])
        }),
      clients: ({ port }) =>
        asking(
          port,
          async redis => Number(/connected_clients:(\d+)/.exec(await redis.info('clients'))?.[1]) - 1,
        ),
      say: ({ port }, topic, text) =>
        asking(port, async redis => {
          const said = typeof text === 'string' ? text : Buffer.from(text)
          await (sharded
            ? redis.spublish(`colloquy:${topic}`, said)
            : redis.publish(`colloquy:${topic}`, said))
        }),
    })
  })
})
