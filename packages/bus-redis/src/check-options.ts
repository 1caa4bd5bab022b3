import { createRequire } from 'node:module'
import { BROKER_BUS_SETTINGS, type Connect, checkSettings } from '@colloquy/bus-broker'
import { PlatformError, refuseUnknown } from '@colloquy/core'
import { connectIoRedis, type IoRedisClient } from './ioredis-connection.ts'
import { connectNodeRedis, type NodeRedisClient } from './node-redis-connection.ts'
import type { RedisBusOptions } from './redis-bus.ts'

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value)

const hasMethods = (value: object, ...names: readonly string[]): boolean =>
  names.every(name => typeof Reflect.get(value, name) === 'function')

/** A client of a cluster has the same methods, and other options. */
const isIoRedis = (client: object): client is IoRedisClient =>
  hasMethods(client, 'duplicate', 'pipeline', 'ssubscribe', 'disconnect') &&
  Reflect.get(client, 'isCluster') !== true

/** Only a client of one server has options that can be read. */
const isNodeRedis = (client: object): client is NodeRedisClient =>
  hasMethods(client, 'duplicate', 'sSubscribe', 'sPublish', 'destroy') &&
  typeof Reflect.get(client, 'options') === 'object'

/** Loads a package that the host may have installed; null where it has not. */
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
function clientFor(url: string): unknown {
  const redis = load('redis')
  if (redis !== null) return Reflect.apply(Reflect.get(redis, 'createClient'), undefined, [{ url }])
  const ioredis = load('ioredis')
  if (ioredis !== null) return Reflect.construct(Reflect.get(ioredis, 'Redis'), [url, { lazyConnect: true }])
  throw refusal(
    'createRedisBus makes a client of a url with the package redis or ioredis; install one of them.',
  )
}

function objectionTo(url: URL | null): string | null {
  if (url === null) return 'it is not a URL'
  if (!['redis:', 'rediss:'].includes(url.protocol)) return `it begins with "${url.protocol}"`
  if (url.hostname === '') return 'it names no host'
  return /^\/?\d*$/.test(url.pathname) ? null : 'its database is no number'
}

/** The password of an address is for nobody's eyes: it is never part of a message. */
function checkUrl(url: unknown): URL {
  if (typeof url !== 'string') throw refusal(`url must be a text, not ${kindOf(url)}.`)
  const parsed = URL.canParse(url) ? new URL(url) : null
  const objection = objectionTo(parsed)
  if (parsed !== null && objection === null) return parsed
  throw refusal(
    `url must be the address of a Redis server, but ${objection}. For example redis://user:password@host:6379 or rediss://host.`,
  )
}

/** How to connect, by the client that the options hold or name. */
function connectBy(client: unknown, sharded: boolean): Connect {
  if (typeof client === 'object' && client !== null) {
    if (isIoRedis(client)) return connectIoRedis(client, sharded)
    if (isNodeRedis(client)) return connectNodeRedis(client, sharded)
  }
  throw refusal('client must be a client of one server, of the package redis or ioredis.')
}

/** A bus's options, checked and with their defaults. @throws SCHEMA_VALIDATION_FAILED naming the option (EM4) */
export function checkOptions(options: RedisBusOptions) {
  const known = ['client', 'url', 'prefix', 'sharded', ...BROKER_BUS_SETTINGS]
  refuseUnknown('createRedisBus', options, known)
  const { client, url, prefix = 'colloquy:', sharded = false } = options
  if ((client === undefined) === (url === undefined))
    throw refusal('createRedisBus takes a client or a url, and not both.')
  if (typeof prefix !== 'string') throw refusal(`prefix must be a text, not ${kindOf(prefix)}.`)
  if (typeof sharded !== 'boolean') throw refusal(`sharded must be true or false, not ${kindOf(sharded)}.`)
  const settings = checkSettings(options)
  const address = url === undefined ? null : checkUrl(url)
  return {
    connect: connectBy(url === undefined ? client : clientFor(url), sharded),
    broker: address === null ? 'Redis' : `Redis at ${address.host}`,
    prefix,
    settings,
  }
}
