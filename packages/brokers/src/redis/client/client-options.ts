import { createRequire } from 'node:module'
import { PlatformError } from '@colloquy/core'
import type { IoRedisClient } from './ioredis.ts'
import type { NodeRedisClient } from './node-redis.ts'

/** The host's Redis. One of the two is required. */
export interface RedisClientOptions {
  /**
   * A client of `ioredis` or `redis`, connected or not. Connections are made with its options, and the client itself is
   * left alone.
   */
  readonly client?: IoRedisClient | NodeRedisClient
  /** `redis://…` or `rediss://…`: the client is made with the package `redis` or `ioredis`. */
  readonly url?: string
}

/** The host's client, by its package. */
export type GivenRedis = {
  /** The name of the server in messages. */
  readonly server: string
} & (
  | { readonly package: 'ioredis'; readonly client: IoRedisClient }
  | { readonly package: 'redis'; readonly client: NodeRedisClient }
)

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value)

const hasMethods = (value: object, ...names: readonly string[]): boolean =>
  names.every(name => typeof Reflect.get(value, name) === 'function')

/** A client of a cluster has the same methods, and other options. */
const isIoRedis = (client: object): client is IoRedisClient =>
  hasMethods(client, 'duplicate', 'call', 'pipeline', 'ssubscribe', 'disconnect') &&
  Reflect.get(client, 'isCluster') !== true

/** Only a client of one server has options that can be read. */
const isNodeRedis = (client: object): client is NodeRedisClient =>
  hasMethods(client, 'duplicate', 'sendCommand', 'sSubscribe', 'sPublish', 'destroy') &&
  typeof Reflect.get(client, 'options') === 'object'

/** Loads a package that the host may have installed; null if it has not. */
function load(name: string): object | null {
  try {
    const loaded: unknown = createRequire(import.meta.url)(name)
    return typeof loaded === 'object' ? loaded : null
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null
    throw error
  }
}

/** A client of whichever package is installed. It is not connected. */
function clientFor(where: string, url: string): unknown {
  const redis = load('redis')
  if (redis !== null) return Reflect.apply(Reflect.get(redis, 'createClient'), undefined, [{ url }])
  const ioredis = load('ioredis')
  if (ioredis !== null) return Reflect.construct(Reflect.get(ioredis, 'Redis'), [url, { lazyConnect: true }])
  throw refusal(`${where} makes a client of a url with the package redis or ioredis; install one of them.`)
}

function objectionTo(url: URL | null): string | null {
  if (url === null) return 'it is not a URL'
  if (!['redis:', 'rediss:'].includes(url.protocol)) return `it begins with "${url.protocol}"`
  if (url.hostname === '') return 'it names no host'
  return /^\/?\d*$/.test(url.pathname) ? null : 'its database is no number'
}

/** The password in the address must never be part of a message. */
function checkUrl(url: unknown): URL {
  if (typeof url !== 'string') throw refusal(`url must be a text, not ${kindOf(url)}.`)
  const parsed = URL.canParse(url) ? new URL(url) : null
  const objection = objectionTo(parsed)
  if (parsed !== null && objection === null) return parsed
  throw refusal(
    `url must be the address of a Redis server, but ${objection}. For example redis://user:password@host:6379 or rediss://host.`,
  )
}

/**
 * Returns the client that the options hold or name.
 *
 * @param where whose options they are, for example `createRedisBus`
 * @throws SCHEMA_VALIDATION_FAILED naming the option, and what is allowed (EM4)
 */
export function redisClient(where: string, { client, url }: RedisClientOptions): GivenRedis {
  if ((client === undefined) === (url === undefined))
    throw refusal(`${where} takes a client or a url, and not both.`)
  const server = url === undefined ? 'Redis' : `Redis at ${checkUrl(url).host}`
  const given: unknown = url === undefined ? client : clientFor(where, url)
  if (typeof given === 'object' && given !== null) {
    if (isIoRedis(given)) return { server, package: 'ioredis', client: given }
    if (isNodeRedis(given)) return { server, package: 'redis', client: given }
  }
  throw refusal('client must be a client of one server, of the package redis or ioredis.')
}
