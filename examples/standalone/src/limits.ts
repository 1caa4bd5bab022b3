import type { RedisLimits } from '@colloquy/brokers/redis'

/**
 * Limits that hold over all servers, in the Redis that is their bus as well (SS29); null for another bus, or none: each
 * server counts for itself.
 */
export async function openLimits(busUrl: string | null): Promise<RedisLimits | null> {
  if (busUrl === null || !/^rediss?:/.test(busUrl)) return null
  return (await import('@colloquy/brokers/redis')).createRedisLimits({ url: busUrl })
}
