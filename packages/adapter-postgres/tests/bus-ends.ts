import { randomUUID } from 'node:crypto'
import type { BrokerBus } from '@colloquy/bus-broker'
import { silentLog } from '@colloquy/core'
import { onTestFinished } from 'vitest'
import { createPostgresBus, type PostgresBusOptions } from '../src/index.ts'

/** A channel that no other test has. */
export const ownChannel = (): string => `test ${randomUUID()}`

/** A bus that ends with the test. */
export function openBus(options: PostgresBusOptions): BrokerBus {
  const bus = createPostgresBus({ log: silentLog, ...options })
  onTestFinished(() => bus.close())
  return bus
}
