import { randomUUID } from 'node:crypto'
import { silentLog } from '@colloquy/core'
import type { BrokerBus } from '@colloquy/core/broker'
import { onTestFinished } from 'vitest'
import { channelName } from '../src/bus/channel-name.ts'
import { createPostgresBus, type PostgresBusOptions } from '../src/index.ts'

/** A channel that no other test has. */
export const ownChannel = (): string => `test ${randomUUID()}`

/** The secret that a platform would hand to a bus of a test. */
export const SECRET = 'a secret of the tests'

/** The channel on the server of such a bus. */
export const nameOf = (channel: string): string => channelName(channel, SECRET)

/** A bus that ends with the test. */
export function openBus(options: PostgresBusOptions): BrokerBus {
  const bus = createPostgresBus({ log: silentLog, ...options })
  bus.nameChannels?.(SECRET)
  onTestFinished(() => bus.close())
  return bus
}
