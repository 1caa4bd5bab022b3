import { asError, type Connect } from '@colloquy/core/broker'
import {
  type Msg,
  type NatsConnection,
  PermissionViolationError,
  type Subscription,
} from '@nats-io/nats-core'
import { connect, type NodeConnectionOptions } from '@nats-io/transport-node'

/** Until a connection is open there is nothing that could be sent on it. */
const NOT_OPEN = 'The connection is not open.'

/**
 * Reports publications that the server refuses. They arrive outside the connection's messages, and before the response
 * to a ping.
 */
async function watchRefusals(connection: NatsConnection, refused: (error: Error) => void): Promise<void> {
  for await (const status of connection.status())
    if (
      status.type === 'error' &&
      status.error instanceof PermissionViolationError &&
      status.error.operation === 'publish'
    )
      refused(status.error)
}

/**
 * Connections to a NATS server. They do not reconnect: that is their owner's task. The server carries out everything in
 * order, so a round trip shows that it has received all earlier messages. Long, because all share one connection.
 */
export const connectNats =
  (options: NodeConnectionOptions, timeout: number): Connect =>
  ({ message, ended }) => {
    const subscriptions = new Map<string, Subscription>()
    let connection: NatsConnection | null = null
    let destroyed = false
    let refusal: Error | null = null

    const working = (): NatsConnection => {
      if (connection === null) throw new Error(NOT_OPEN)
      return connection
    }

    /** A round trip. @throws what the server has refused before */
    async function settle(): Promise<void> {
      await working().flush()
      // Refusals arrive through a queue of their own.
      await new Promise<void>(resolve => setImmediate(resolve))
      const refused = refusal
      refusal = null
      if (refused !== null) throw refused
    }

    const hear =
      (channel: string) =>
      (error: Error | null, said: Msg): void => {
        if (error !== null) refusal = error
        else message(channel, said.string())
      }

    return {
      get longestText() {
        return connection?.info?.max_payload ?? Number.POSITIVE_INFINITY
      },
      async open() {
        const made = await connect({ ...options, timeout, reconnect: false, noEcho: true })
        if (destroyed) {
          await made.close()
          throw new Error(NOT_OPEN)
        }
        connection = made
        void made.closed().then(error => ended(asError(error ?? 'The connection was closed.')))
        void watchRefusals(made, error => {
          refusal = error
        })
      },
      async publish(parcels) {
        for (const [channel, text] of parcels) working().publish(channel, text)
        await settle()
      },
      async subscribe(channels) {
        for (const channel of channels)
          subscriptions.set(channel, working().subscribe(channel, { callback: hear(channel) }))
        await settle()
      },
      async unsubscribe(channels) {
        for (const channel of channels) {
          subscriptions.get(channel)?.unsubscribe()
          subscriptions.delete(channel)
        }
        await settle()
      },
      async ping() {
        await working().flush()
      },
      destroy() {
        destroyed = true
        // It resolves when all was sent, which a dead connection never does.
        void connection?.close()
      },
    }
  }
