import { onTestFinished } from 'vitest'
import { createRedisLimits, type RedisLimits, type RedisLimitsOptions } from '../../../src/redis/index.ts'

/** Limits that end with the test. */
export function openLimits(options: RedisLimitsOptions): RedisLimits {
  const limits = createRedisLimits(options)
  onTestFinished(() => limits.close())
  return limits
}
