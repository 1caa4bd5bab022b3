export { createRedisBus, type RedisBusOptions, type RedisClient } from './bus/redis-bus.ts'
export type { IoRedisClient } from './client/ioredis.ts'
export type { NodeRedisClient } from './client/node-redis.ts'
export { createRedisLimits, type RedisLimits, type RedisLimitsOptions } from './limits/redis-limits.ts'
