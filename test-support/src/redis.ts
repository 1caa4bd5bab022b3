import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { onTestFinished } from 'vitest'
import { ownServer } from './own-server.ts'

/** Clients of both packages, by name. They are never connected themselves. */
export const CLIENTS = [
  ['ioredis', (url: string) => new Redis(url, { lazyConnect: true })],
  ['redis', (url: string) => createClient({ url })],
] as const

/** A prefix that no other test has. */
export const ownPrefix = (): string => `colloquy-test-${randomUUID()}:`

/** A prefix for keys that no other test has. They are removed when the test is over. */
export function ownKeys(url: string): string {
  const prefix = ownPrefix()
  onTestFinished(async () => {
    const redis = new Redis(url)
    for await (const keys of redis.scanBufferStream({ match: `${prefix}*`, count: 1_000 }))
      if (keys.length > 0) await redis.del(keys)
    redis.disconnect()
  })
  return prefix
}

/** A Redis of the test's own, without a disk. */
export const ownRedis = (program: string) =>
  ownServer(program, (port, folder) => [
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
  ])

/** A connection of the test's own, until it is over. */
export async function beside(url: string): Promise<Redis> {
  const redis = new Redis(url, { lazyConnect: true })
  onTestFinished(() => redis.disconnect())
  await redis.connect()
  return redis
}
