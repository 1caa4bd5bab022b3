export type { IoRedisClient, NodeRedisClient } from '@colloquy/redis-client'
export { createRedisBus, type RedisBusOptions, type RedisClient } from './redis-bus.ts'
