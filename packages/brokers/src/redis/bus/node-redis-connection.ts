import { asError, type Connect } from '@colloquy/core/broker'
import { type NodeRedisClient, nodeRedisConnection } from '../client/node-redis.ts'

/** Connections with the options of a client of `redis`. */
export const connectNodeRedis =
  (template: NodeRedisClient, sharded: boolean): Connect =>
  ({ message, ended }) => {
    const { client, open, ping, destroy } = nodeRedisConnection(template, ended)
    const hear = (text: string, channel: string): void => message(channel, text)
    return {
      ...{ open, ping, destroy },
      async publish(parcels) {
        // The client writes the commands of one tick in one piece.
        const taken = await Promise.allSettled(
          parcels.map(([channel, text]) =>
            sharded ? client.sPublish(channel, text) : client.publish(channel, text),
          ),
        )
        const failure = taken.find(one => one.status === 'rejected')
        if (failure !== undefined) throw asError(failure.reason)
      },
      async subscribe(channels) {
        await (sharded ? client.sSubscribe([...channels], hear) : client.subscribe([...channels], hear))
      },
      async unsubscribe(channels) {
        await (sharded ? client.sUnsubscribe([...channels]) : client.unsubscribe([...channels]))
      },
    }
  }
