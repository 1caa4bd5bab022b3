import { type BrokerBus, type BrokerBusSettings, createBrokerBus } from '@colloquy/core/broker'
import type { NodeConnectionOptions } from '@nats-io/transport-node'
import { checkOptions } from './check-options.ts'
import { connectNats } from './nats-connection.ts'
import { subjectOf } from './subject.ts'

/** Options of a bus over NATS; see the README. One of `url` and `connection` is required. */
export interface NatsBusOptions extends BrokerBusSettings {
  /** `nats://…`, or `tls://…`; with a user and a password, or a token alone, before the host. */
  readonly url?: string
  /** Options for `connect` of `@nats-io/transport-node`: servers, credentials, TLS. The bus connects with them. */
  readonly connection?: NodeConnectionOptions
  /**
   * The prefix of every subject. Platforms that must not receive each other's notices need different ones.
   *
   * @default colloquy
   */
  readonly prefix?: string
}

/**
 * Returns a bus between processes over the subjects of NATS (BN2 to BN4, BR3, BK1 to BK6). It connects in the
 * background, and again whenever the server was away; every listener is then notified of a gap.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an invalid option (EM4)
 */
export function createNatsBus(options: NatsBusOptions): BrokerBus {
  const { connection, broker, prefix, settings } = checkOptions(options)
  return createBrokerBus({
    broker,
    connect: connectNats(connection, settings.timing.connectTimeout),
    settings,
    channelOf: topic => subjectOf(prefix, topic),
  })
}
