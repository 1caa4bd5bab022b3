import { PlatformError, refuseUnknown } from '@colloquy/core'
import { BROKER_BUS_SETTINGS, checkSettings } from '@colloquy/core/broker'
import { redisClient } from '../client/client-options.ts'
import { connectIoRedis } from './ioredis-connection.ts'
import { connectNodeRedis } from './node-redis-connection.ts'
import type { RedisBusOptions } from './redis-bus.ts'

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value)

/**
 * Returns a bus's options, checked and with their defaults.
 *
 * @throws SCHEMA_VALIDATION_FAILED naming the option (EM4)
 */
export function checkOptions(options: RedisBusOptions) {
  const known = ['client', 'url', 'prefix', 'sharded', ...BROKER_BUS_SETTINGS]
  refuseUnknown('createRedisBus', options, known)
  const { prefix = 'colloquy:', sharded = false } = options
  const given = redisClient('createRedisBus', options)
  if (typeof prefix !== 'string') throw refusal(`prefix must be a text, not ${kindOf(prefix)}.`)
  if (typeof sharded !== 'boolean') throw refusal(`sharded must be true or false, not ${kindOf(sharded)}.`)
  return {
    connect:
      given.package === 'ioredis'
        ? connectIoRedis(given.client, sharded)
        : connectNodeRedis(given.client, sharded),
    broker: given.server,
    prefix,
    settings: checkSettings(options),
  }
}
