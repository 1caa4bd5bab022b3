import { type Bus, isPlatformError, type Log } from '@colloquy/core'
import { StartError } from './start-error.ts'

/** A bus, and its end. */
export interface OpenBus extends Bus {
  close(): Promise<void>
}

/** Packages of buses are loaded where they are used alone. */
async function createBus(url: string, log: Log): Promise<OpenBus> {
  switch (new URL(url).protocol) {
    case 'redis:':
    case 'rediss:':
      return (await import('@colloquy/brokers/redis')).createRedisBus({ url, log })
    case 'nats:':
    case 'tls:':
      return (await import('@colloquy/brokers/nats')).createNatsBus({ url, log })
    default:
      return (await import('@colloquy/adapter-postgres')).createPostgresBus({ url, log })
  }
}

/**
 * Opens the bus at an address. It connects in the background: where nothing answers it says so in the log, and goes on
 * trying.
 *
 * @throws StartError for an address that its bus refuses
 */
export async function openBus(url: string, log: Log): Promise<OpenBus> {
  try {
    return await createBus(url, log)
  } catch (error) {
    if (!isPlatformError(error)) throw error
    throw new StartError(`COLLOQUY_BUS_URL: ${error.message}`)
  }
}
