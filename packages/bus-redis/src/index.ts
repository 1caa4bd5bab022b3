export type { IoRedisClient } from './ioredis-connection.ts'
export type { NodeRedisClient } from './node-redis-connection.ts'
export { createRedisBus, type RedisBusOptions, type RedisClient } from './redis-bus.ts'
