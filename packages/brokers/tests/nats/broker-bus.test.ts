import { testBrokerBus } from '@colloquy/test-support/broker-bus'
import type { OwnServer } from '@colloquy/test-support/own-server'
import { requireProgram } from '@colloquy/test-support/servers'
import { connect } from '@nats-io/transport-node'
import { createNatsBus } from '../../src/nats/index.ts'
import { subjectOf } from '../../src/nats/subject.ts'
import { ownNats } from './support.ts'

// Slow: a real broker falls silent, and is given up after its real time limit.

const program = requireProgram('nats-server', 'nats-server')

/** What the servers tell about themselves, by their ports. */
const monitors = new Map<number, number>()

async function told({ port }: OwnServer, path: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${monitors.get(port)}/${path}`)
  return response.json()
}

/** All strings below a name in what a server told. */
function valuesOf(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, below]) => (key === name ? [below] : valuesOf(below, name)))
}

testBrokerBus('the bus over NATS', {
  async server() {
    const server = await ownNats(program)
    monitors.set(server.port, server.monitor)
    return server
  },
  connect: (port, settings) => createNatsBus({ url: `nats://127.0.0.1:${port}`, ...settings }),
  async listeners(server, topic) {
    const subjects = valuesOf(await told(server, 'connz?subs=1&limit=1000'), 'subscriptions_list').flat()
    return subjects.filter(subject => subject === subjectOf('colloquy', topic)).length
  },
  clients: async server => Number(valuesOf(await told(server, 'varz'), 'connections')[0]),
  async say({ port }, topic, text) {
    const connection = await connect({ servers: `127.0.0.1:${port}` })
    connection.publish(subjectOf('colloquy', topic), text)
    await connection.drain()
  },
})
