import { asError, type Connect } from '@colloquy/bus-broker'

/** What the bus uses of a client of `redis`. */
export interface NodeRedisClient {
  readonly options: { readonly socket?: object | undefined }
  readonly isOpen: boolean
  duplicate(overrides?: object): NodeRedisClient
  connect(): Promise<unknown>
  destroy(): void
  ping(): Promise<unknown>
  publish(channel: string, message: string): Promise<unknown>
  sPublish(channel: string, message: string): Promise<unknown>
  subscribe(channels: string[], listener: (message: string, channel: string) => void): Promise<unknown>
  unsubscribe(channels: string[]): Promise<unknown>
  sSubscribe(channels: string[], listener: (message: string, channel: string) => void): Promise<unknown>
  sUnsubscribe(channels: string[]): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** Connections with the options of a client of `redis`. */
export const connectNodeRedis =
  (template: NodeRedisClient, sharded: boolean): Connect =>
  ({ message, ended }) => {
    // The owner of a connection decides when there is another one.
    const socket = { ...template.options.socket, reconnectStrategy: false }
    const client = template.duplicate({
      socket,
      disableOfflineQueue: true,
      pingInterval: undefined,
      // A timer for each command is dear, and a ping finds out what it would.
      commandOptions: { timeout: undefined },
    })
    client.on('error', (error: Error) => {
      if (!client.isOpen) ended(error)
    })
    const hear = (text: string, channel: string): void => message(channel, text)
    return {
      async open() {
        await client.connect()
      },
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
      async ping() {
        await client.ping()
      },
      destroy() {
        try {
          client.destroy()
        } catch {
          // Before its version 6 a client that has ended already throws.
        }
      },
    }
  }
