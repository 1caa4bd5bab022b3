import { asError, type Connect } from '@colloquy/bus-broker'

/** What the bus uses of a client of `ioredis`. */
export interface IoRedisClient {
  duplicate(override?: object): IoRedisClient
  connect(): Promise<unknown>
  disconnect(): void
  ping(): Promise<unknown>
  pipeline(commands: unknown[][]): { exec(): Promise<unknown> }
  subscribe(...channels: string[]): Promise<unknown>
  unsubscribe(...channels: string[]): Promise<unknown>
  ssubscribe(...channels: string[]): Promise<unknown>
  sunsubscribe(...channels: string[]): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'close', listener: () => void): unknown
  on(event: string, listener: (channel: string, text: string) => void): unknown
}

/** The owner of a connection decides when there is another one; names of channels are the bus's own. */
const OVERRIDE = {
  lazyConnect: true,
  retryStrategy: null,
  sentinelRetryStrategy: null,
  reconnectOnError: null,
  enableOfflineQueue: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  keyPrefix: '',
}

/** The first error of a pipeline, whose answers are pairs of an error and a result. */
const failureOf = (answers: unknown): unknown =>
  Array.isArray(answers)
    ? answers.flatMap((answer: unknown) => (Array.isArray(answer) && answer[0] ? [answer[0]] : []))[0]
    : undefined

/** Connections with the options of a client of `ioredis`. */
export const connectIoRedis =
  (template: IoRedisClient, sharded: boolean): Connect =>
  ({ message, ended }) => {
    const client = template.duplicate(OVERRIDE)
    const [said, publish] = sharded ? ['smessage', 'spublish'] : ['message', 'publish']
    // The reason is told by an event; what rejects then only says that the connection is closed.
    let reason: Error | null = null
    client.on('error', (error: Error) => {
      reason ??= error
    })
    client.on('close', () => ended(reason ?? new Error('The connection was closed.')))
    client.on(said, message)
    return {
      async open() {
        try {
          await client.connect()
        } catch (error) {
          throw reason ?? asError(error)
        }
      },
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
      async ping() {
        await client.ping()
      },
      destroy: () => client.disconnect(),
    }
  }
