import { createRedisLimits, type RedisLimits } from '@colloquy/brokers/redis'

/**
 * Limits that hold over all nodes, in the Redis that is the broker as well; null for another broker, or none: each node
 * counts for itself.
 */
export const limitsAt = (url: string): RedisLimits | null =>
  /^rediss?:/.test(url) ? createRedisLimits({ url }) : null
