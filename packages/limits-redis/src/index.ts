export type { IoRedisClient, NodeRedisClient } from '@colloquy/redis-client'
export { createRedisLimits, type RedisLimits, type RedisLimitsOptions } from './redis-limits.ts'
