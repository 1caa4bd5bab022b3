import { randomUUID } from 'node:crypto'
import { silentLog } from '@colloquy/core'
import type { BrokerBus } from '@colloquy/core/broker'
import { freePort, type OwnServer, ownServer } from '@colloquy/test-support/own-server'
import { onTestFinished } from 'vitest'
import { createNatsBus, type NatsBusOptions } from '../../src/nats/index.ts'

/** A prefix that no other test has. */
export const ownPrefix = (): string => `colloquy-test-${randomUUID()}`

/** A bus that ends with the test. */
export function openBus(options: NatsBusOptions): BrokerBus {
  const bus = createNatsBus({ log: silentLog, ...options })
  onTestFinished(() => bus.close())
  return bus
}

/** A NATS server of the test's own, and the port that tells about it. */
export async function ownNats(program: string, ...more: readonly string[]) {
  const monitor = await freePort()
  const server: OwnServer = await ownServer(program, port => [
    ...['--addr', '127.0.0.1', '--port', String(port), '--http_port', String(monitor)],
    ...more,
  ])
  return { ...server, monitor }
}
