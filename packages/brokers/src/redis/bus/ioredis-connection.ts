import { asError, type Connect } from '@colloquy/core/broker'
import { type IoRedisClient, ioRedisConnection } from '../client/ioredis.ts'

/** Returns the first error of a pipeline, whose answers are pairs of an error and a result. */
const failureOf = (answers: unknown): unknown =>
  Array.isArray(answers)
    ? answers.flatMap((answer: unknown) => (Array.isArray(answer) && answer[0] ? [answer[0]] : []))[0]
    : undefined

/** Connections with the options of a client of `ioredis`. */
export const connectIoRedis =
  (template: IoRedisClient, sharded: boolean): Connect =>
  ({ message, ended }) => {
    const { client, open, ping, destroy } = ioRedisConnection(template, ended)
    const [said, publish] = sharded ? ['smessage', 'spublish'] : ['message', 'publish']
    client.on(said, message)
    return {
      ...{ open, ping, destroy },
      async publish(parcels) {
        const failure = failureOf(await client.pipeline(parcels.map(parcel => [publish, ...parcel])).exec())
        if (failure !== undefined) throw asError(failure)
      },
      async subscribe(channels) {
        await (sharded ? client.ssubscribe(...channels) : client.subscribe(...channels))
      },
      async unsubscribe(channels) {
        await (sharded ? client.sunsubscribe(...channels) : client.unsubscribe(...channels))
      },
    }
  }
