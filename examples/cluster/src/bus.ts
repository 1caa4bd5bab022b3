import { createPostgresBus } from '@colloquy/adapter-postgres'
import { createNatsBus } from '@colloquy/brokers/nats'
import { createRedisBus } from '@colloquy/brokers/redis'
import type { Bus } from '@colloquy/core'
import { isPostgres } from './database.ts'

/** A bus, and its end. */
export interface OpenBus extends Bus {
  close(): Promise<void>
}

/** The buses, by how their addresses begin. */
const BUSES: Readonly<Record<string, (url: string) => OpenBus>> = {
  'redis:': url => createRedisBus({ url }),
  'rediss:': url => createRedisBus({ url }),
  'nats:': url => createNatsBus({ url }),
  'tls:': url => createNatsBus({ url }),
}

/** Value of `BUS_URL` for a bus over NOTIFY of the database that the nodes share. */
const OF_DATABASE = 'postgres'

/**
 * Returns a function that opens the bus at a URL, or the bus of the nodes' database; null for an empty URL. URLs may
 * hold a password, so no message shows them.
 *
 * @throws Error for a URL that no bus has
 */
export function busAt(url: string, database: string): (() => OpenBus) | null {
  if (url === '') return null
  if (url === OF_DATABASE && isPostgres(database)) return () => createPostgresBus({ url: database })
  if (url === OF_DATABASE) throw new Error('BUS_URL is postgres, and so DATABASE must be postgres://….')
  const open = URL.canParse(url) ? BUSES[new URL(url).protocol] : undefined
  if (open !== undefined) return () => open(url)
  throw new Error(
    'BUS_URL must be the address of Redis (redis://… or rediss://…) or of NATS (nats://… or tls://…), or postgres.',
  )
}
