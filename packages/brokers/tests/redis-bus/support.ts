import { silentLog } from '@colloquy/core'
import type { BrokerBus } from '@colloquy/core/broker'
import { onTestFinished } from 'vitest'
import { createRedisBus, type RedisBusOptions } from '../../src/redis/index.ts'

/** A bus that ends with the test. */
export function openBus(options: RedisBusOptions): BrokerBus {
  const bus = createRedisBus({ log: silentLog, ...options })
  onTestFinished(() => bus.close())
  return bus
}
