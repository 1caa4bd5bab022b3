import { PlatformError, refuseUnknown } from '@colloquy/core'
import { checkTiming, TIMING_SETTINGS } from '@colloquy/core/broker'
import { redisClient } from '../client/client-options.ts'
import type { RedisLimitsOptions } from './redis-limits.ts'

const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value)

/** Returns the options, checked and with their defaults. @throws SCHEMA_VALIDATION_FAILED naming the option (EM4) */
export function checkOptions(options: RedisLimitsOptions) {
  refuseUnknown('createRedisLimits', options, ['client', 'url', 'prefix', ...TIMING_SETTINGS])
  const { prefix = 'colloquy:' } = options
  const given = redisClient('createRedisLimits', options)
  if (typeof prefix !== 'string') throw refusal(`prefix must be a text, not ${kindOf(prefix)}.`)
  return { given, prefix, timing: checkTiming(options) }
}
