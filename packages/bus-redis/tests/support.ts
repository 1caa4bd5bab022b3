import { randomUUID } from 'node:crypto'
import type { BrokerBus } from '@colloquy/bus-broker'
import { silentLog } from '@colloquy/core'
import { ownServer } from '@colloquy/test-support/own-server'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { onTestFinished } from 'vitest'
import { createRedisBus, type RedisBusOptions, type RedisClient } from '../src/index.ts'

/** Clients of both packages, by name. They are never connected themselves. */
export const CLIENTS: readonly (readonly [string, (url: string) => RedisClient])[] = [
  ['ioredis', url => new Redis(url, { lazyConnect: true })],
  ['redis', url => createClient({ url })],
]

/** A prefix that no other test has. */
export const ownPrefix = (): string => `colloquy-test-${randomUUID()}:`

/** A bus that ends with the test. */
export function openBus(options: RedisBusOptions): BrokerBus {
  const bus = createRedisBus({ log: silentLog, ...options })
  onTestFinished(() => bus.close())
  return bus
}

/** A Redis of the test's own, without a disk. */
export const ownRedis = (program: string) =>
  ownServer(program, (port, folder) => [
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
  ])

/** A connection beside the bus, until the test is over. */
export async function beside(url: string): Promise<Redis> {
  const redis = new Redis(url, { lazyConnect: true })
  onTestFinished(() => redis.disconnect())
  await redis.connect()
  return redis
}
