import { createPostgresBus } from '@colloquy/adapter-postgres'
import { createNatsBus } from '@colloquy/brokers/nats'
import { createRedisBus } from '@colloquy/brokers/redis'
import type { Bus } from '@colloquy/core'
import * as z from 'zod'
import { DATABASE, NATS, REDIS } from '../servers.ts'

/** The buses that are measured, what they are called, and where their servers are. */
export const BUSES = {
  redis: { name: 'Redis', url: REDIS },
  nats: { name: 'NATS', url: NATS },
  postgres: { name: 'PostgreSQL NOTIFY', url: DATABASE },
} as const

/** A bus that is measured. */
export type BusKind = keyof typeof BUSES

/** Bus of a process. Processes with the same prefix hear each other. */
export const busSchema = z.object({ kind: z.enum(['redis', 'nats', 'postgres']), prefix: z.string() })

/** A bus that is ended. */
type ClosableBus = Bus & { close(): Promise<void> }

/** The bus of a process. */
export function openBus({ kind, prefix }: z.output<typeof busSchema>): ClosableBus {
  const { url } = BUSES[kind]
  if (kind === 'redis') return createRedisBus({ url, prefix: `${prefix}:` })
  if (kind === 'nats') return createNatsBus({ url, prefix })
  const bus = createPostgresBus({ url, channel: prefix })
  bus.nameChannels?.('a secret of the bench')
  return bus
}
