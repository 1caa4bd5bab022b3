import { type BrokerBus, type BrokerBusSettings, createBrokerBus } from '@colloquy/core/broker'
import { namedLater } from './channel-name.ts'
import { checkBusOptions } from './check-bus-options.ts'
import { connectPostgres, type PostgresConnectionOptions } from './postgres-connection.ts'

/** Options of a bus over PostgreSQL; see the README. One of `url` and `connection` is required. */
export interface PostgresBusOptions extends BrokerBusSettings {
  /**
   * `postgres://user:password@host:port/database` of the server itself: LISTEN does not work behind a pooler in
   * transaction mode.
   */
  readonly url?: string
  /** Options for `new Client` of `pg`, such as credentials that change, or TLS. The bus connects with them. */
  readonly connection?: PostgresConnectionOptions
  /**
   * Names the channel of LISTEN and NOTIFY, together with a secret from the store; 1 to 63 bytes. Platforms that share
   * a store, but not their notices, need different names.
   *
   * @default colloquy
   */
  readonly channel?: string
  /** Notices that come within so many milliseconds go with one statement. @default 10 */
  readonly batchInterval?: number
  /**
   * Bytes of UTF-8 of a notice. One that is longer is lost: its listeners are notified of a gap, and read the log.
   *
   * @default 262144
   */
  readonly maxNotice?: number
}

/**
 * Returns a bus between processes over LISTEN and NOTIFY of a PostgreSQL server (PG71 to PG76, BN4, BK1 to BK6), for
 * a few hundred notices a second: every process reads all of them. It has a connection of its own, connects in the
 * background, and again whenever the server was away; every listener is then notified of a gap. No notice is part of a
 * transaction that writes.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an invalid option (EM4)
 */
export function createPostgresBus(options: PostgresBusOptions): BrokerBus {
  const { connection, broker, settings, channel, ...notify } = checkBusOptions(options)
  const { name, nameChannels } = namedLater(channel)
  const bus = createBrokerBus({
    broker,
    connect: connectPostgres(connection, { ...notify, channel: name }),
    settings,
    channelOf: topic => topic,
  })
  return { ...bus, nameChannels }
}
