import { type BrokerBus, type BrokerBusSettings, createBrokerBus } from '@colloquy/core/broker'
import type { IoRedisClient } from '../client/ioredis.ts'
import { distinctName } from '../client/names.ts'
import type { NodeRedisClient } from '../client/node-redis.ts'
import { checkOptions } from './check-options.ts'

/** A client of the package `ioredis`, or of `redis`. */
export type RedisClient = IoRedisClient | NodeRedisClient

/** Options of a bus over Redis; see the README. One of `client` and `url` is required. */
export interface RedisBusOptions extends BrokerBusSettings {
  /**
   * A client of `ioredis` or `redis`, connected or not. The bus makes two connections of its own with its options, and
   * leaves the client itself alone.
   */
  readonly client?: RedisClient
  /** `redis://…` or `rediss://…`: the bus makes the client, with the package `redis` or `ioredis`. */
  readonly url?: string
  /**
   * The prefix of every channel. Platforms that must not receive each other's notices need different ones.
   *
   * @default colloquy:
   */
  readonly prefix?: string
  /**
   * Uses sharded publish and subscribe (`SSUBSCRIBE`, Redis 7). All processes must use the same, because the two kinds
   * do not reach each other.
   *
   * @default false
   */
  readonly sharded?: boolean
}

/**
 * Returns a bus between processes over the channels of Redis (BR2, BR3, BN4, BK1 to BK6). It connects in the
 * background, and again whenever the server was away; every listener is then notified of a gap.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an invalid option (EM4)
 */
export function createRedisBus(options: RedisBusOptions): BrokerBus {
  const { connect, broker, prefix, settings } = checkOptions(options)
  return createBrokerBus({
    broker,
    connect,
    settings,
    // A connection that listens takes no other commands where the server speaks the older protocol.
    separate: true,
    channelOf: topic => prefix + distinctName(topic),
  })
}
