import { createRequire } from 'node:module'
import { PlatformError, refuseUnknown } from '@colloquy/core'
import type { Connect } from './connection.ts'
import { connectIoRedis, type IoRedisClient } from './ioredis-connection.ts'
import { connectNodeRedis, type NodeRedisClient } from './node-redis-connection.ts'
import type { RedisBusOptions, RedisClient } from './redis-bus.ts'

/** Every option: another one is refused (EM4). */
const OPTIONS: Readonly<Record<keyof RedisBusOptions, true>> = {
  client: true,
  url: true,
  prefix: true,
  sharded: true,
  log: true,
  connectTimeout: true,
  pingInterval: true,
  pingTimeout: true,
  maxWaiting: true,
}

/** The longest delay of a timer. */
const LONGEST = 2 ** 31 - 1

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value)

const hasMethods = (value: object, ...names: readonly string[]): boolean =>
  names.every(name => typeof Reflect.get(value, name) === 'function')

const isIoRedis = (client: object): client is IoRedisClient =>
  hasMethods(client, 'duplicate', 'pipeline', 'ssubscribe', 'disconnect')

const isNodeRedis = (client: object): client is NodeRedisClient =>
  hasMethods(client, 'duplicate', 'sSubscribe', 'sPublish', 'destroy')

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
  throw refusal('createRedisBus makes a client of a url with the package redis or ioredis; install one of them.')
}

/** The password of an address is for nobody's eyes: it is never part of a message. */
function checkUrl(url: unknown): URL {
  if (typeof url !== 'string') throw refusal(`url must be a text, not ${kindOf(url)}.`)
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed !== null && ['redis:', 'rediss:'].includes(parsed.protocol) && parsed.hostname !== '') return parsed
  const told = parsed === null ? 'It is not a URL.' : `It begins with "${parsed.protocol}".`
  throw refusal(
    `url must be the address of a Redis server, such as redis://user:password@host:6379 or rediss://host. ${told}`,
  )
}

const checkWhole = (name: string, value: unknown, usual: number, most = LONGEST): number => {
  if (value === undefined) return usual
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value
  throw refusal(`${name} must be a whole number from 1 to ${most}, not ${String(value)}.`)
}

/** How to connect, by the client that the options hold or name. */
function connectBy(client: unknown, sharded: boolean): Connect {
  if (typeof client === 'object' && client !== null) {
    if (isIoRedis(client)) return connectIoRedis(client, sharded)
    if (isNodeRedis(client)) return connectNodeRedis(client, sharded)
  }
  throw refusal('client must be a client of the package redis or ioredis.')
}

/** A bus's options, checked and with their defaults. @throws SCHEMA_VALIDATION_FAILED naming the option (EM4) */
export function checkOptions(options: RedisBusOptions) {
  refuseUnknown('createRedisBus', options, Object.keys(OPTIONS))
  const { client, url, prefix = 'colloquy:', sharded = false } = options
  if ((client === undefined) === (url === undefined))
    throw refusal('createRedisBus takes a client or a url, and not both.')
  if (typeof prefix !== 'string') throw refusal(`prefix must be a text, not ${kindOf(prefix)}.`)
  if (typeof sharded !== 'boolean') throw refusal(`sharded must be true or false, not ${kindOf(sharded)}.`)
  const address = url === undefined ? null : checkUrl(url)
  const given: RedisClient | unknown = client ?? clientFor(String(url))
  return {
    connect: connectBy(given, sharded),
    server: address === null ? 'Redis' : `Redis at ${address.host}`,
    prefix,
    timing: {
      connectTimeout: checkWhole('connectTimeout', options.connectTimeout, 10_000),
      pingInterval: checkWhole('pingInterval', options.pingInterval, 10_000),
      pingTimeout: checkWhole('pingTimeout', options.pingTimeout, 5_000),
    },
    maxWaiting: checkWhole('maxWaiting', options.maxWaiting, 8_388_608, Number.MAX_SAFE_INTEGER),
  }
}
