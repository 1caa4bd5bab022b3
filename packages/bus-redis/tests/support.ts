import { randomUUID } from 'node:crypto'
import { type BusListener, type BusMessage, type Log, silentLog } from '@colloquy/core'
import { ownServer } from '@colloquy/test-support/own-server'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { onTestFinished } from 'vitest'
import { createRedisBus, type RedisBusOptions, type RedisClient } from '../src/index.ts'

/** Short enough that a test of a dead connection does not wait. */
export const QUICK = { connectTimeout: 1_000, pingInterval: 50, pingTimeout: 300 } as const

/** Clients of both packages, by name. They are never connected themselves. */
export const CLIENTS: readonly (readonly [string, (url: string) => RedisClient])[] = [
  ['ioredis', url => new Redis(url, { lazyConnect: true })],
  ['redis', url => createClient({ url })],
]

/** A prefix that no other test has. */
export const ownPrefix = (): string => `colloquy-test-${randomUUID()}:`

/** A bus that ends with the test. */
export function openBus(options: RedisBusOptions) {
  const bus = createRedisBus({ log: silentLog, ...options })
  onTestFinished(() => bus.close())
  return bus
}

/** A Redis of the test's own, without a disk. */
export const ownRedis = (program: string, ...more: readonly string[]) =>
  ownServer(program, (port, folder) => [
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
    ...more,
  ])

/** A notice of so many characters of text. */
export const message = (sequence: number): BusMessage => ({
  from: 'one',
  notice: { sequence, events: [], transients: [] },
})

/** A listener that keeps what it hears: sequences, and `gap`. */
export function ears() {
  const heard: (number | 'gap')[] = []
  const listener: BusListener = {
    message: ({ notice }) => void heard.push('sequence' in notice ? notice.sequence : -1),
    gap: () => void heard.push('gap'),
  }
  return { heard, listener }
}

/** A log that keeps what is told. */
export function keepingLog() {
  const told: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> | undefined }[] = []
  const keep: Log['warn'] = (message, fields) => void told.push({ message, fields })
  return { told, log: { debug: keep, info: keep, warn: keep, error: keep } satisfies Log }
}
