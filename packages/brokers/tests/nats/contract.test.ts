import { silentLog } from '@colloquy/core'
import { testBus } from '@colloquy/core/testing/contracts'
import { requireProgram, useServer } from '@colloquy/test-support/servers'
import { connect } from '@nats-io/transport-node'
import { describe, onTestFinished } from 'vitest'
import { createNatsBus } from '../../src/nats/index.ts'
import { subjectOf } from '../../src/nats/subject.ts'
import { ownNats, ownPrefix } from './support.ts'

// Slow: ten thousand topics are listened to at once, also over a server that is killed.

const url = await useServer('nats')
const program = requireProgram('nats-server', 'nats-server')

describe('the contract of a bus', () => {
  let prefix = ''
  testBus('the bus over NATS', {
    async connect() {
      // One prefix for the buses of a test.
      if (prefix === '') {
        prefix = ownPrefix()
        onTestFinished(() => {
          prefix = ''
        })
      }
      const bus = createNatsBus({ url, prefix, log: silentLog })
      return { bus, close: () => bus.close() }
    },
    async intrude(topic, text) {
      const connection = await connect({ servers: new URL(url).host })
      connection.publish(subjectOf(prefix, topic), text)
      await connection.drain()
    },
  })

  let server: Awaited<ReturnType<typeof ownNats>> | null = null
  testBus('the bus over NATS, over a server that is killed', {
    async connect() {
      if (server === null) {
        server = await ownNats(program)
        await server.start()
        onTestFinished(() => {
          server = null
        })
      }
      const bus = createNatsBus({ url: `nats://127.0.0.1:${server.port}`, log: silentLog })
      return { bus, close: () => bus.close() }
    },
    async interrupt() {
      await server?.kill()
      await server?.start()
    },
  })
})
