import { createNatsBus } from '@colloquy/bus-nats'
import { createRedisBus } from '@colloquy/bus-redis'
import type { Bus } from '@colloquy/core'

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

/**
 * What opens the bus at an address; null for an empty one. The address may hold a password, so that no message shows it.
 *
 * @throws Error for an address that no bus has
 */
export function busAt(url: string): (() => OpenBus) | null {
  if (url === '') return null
  const open = URL.canParse(url) ? BUSES[new URL(url).protocol] : undefined
  if (open !== undefined) return () => open(url)
  throw new Error(
    'BUS_URL must be the address of Redis (redis://… or rediss://…) or of NATS (nats://… or tls://…).',
  )
}
