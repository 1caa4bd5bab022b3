import { growth } from '@colloquy/test-support/bus-ends'
import { createNetwork } from '@colloquy/test-support/network'
import { expect, test } from 'vitest'
import type { BusMessage } from '../../src/ports/bus.ts'
import { topics } from '../../src/ports/notices.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import { testBus } from '../../src/testing/contracts/index.ts'

{
  const bus = createLocalBus()
  testBus('local bus', { connect: async () => ({ bus, close: async () => {} }) })
}

{
  const network = createNetwork()
  testBus('network of the tests', {
    connect: async () => ({ bus: network.bus(), close: async () => {} }),
    async interrupt() {
      network.delivery = 'never'
      network.delivery = 'at once'
      network.gap()
    },
  })
}

test('BU1 every listener has a message when publish returns, and an ended subscription hears nothing more', () => {
  const bus = createLocalBus()
  const topic = topics.conversation('a')
  const heard: BusMessage[][] = [[], []]
  const stops = heard.map(messages =>
    bus.subscribe(topic, { message: message => void messages.push(message), gap() {} }),
  )
  const said = [1, 2].map(growth)
  for (const message of said) {
    bus.publish(topic, message)
    stops[0]?.()
  }
  expect(heard).toEqual([said.slice(0, 1), said])
})
