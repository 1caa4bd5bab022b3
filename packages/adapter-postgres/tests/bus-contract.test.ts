import { silentLog } from '@colloquy/core'
import { CHANNEL_SECRET, testBus } from '@colloquy/core/testing/contracts'
import { useServer } from '@colloquy/test-support/servers'
import pg from 'pg'
import { describe, onTestFinished } from 'vitest'
import { channelName } from '../src/bus/channel-name.ts'
import { writePayloads } from '../src/bus/payloads.ts'
import { createPostgresBus } from '../src/index.ts'
import { ownChannel } from './bus-ends.ts'

const url = await useServer('postgres')

describe('the contract of a bus', () => {
  let channel = ''
  testBus('bus over PostgreSQL', {
    async connect() {
      // One channel for the buses of a test.
      if (channel === '') {
        channel = ownChannel()
        onTestFinished(() => {
          channel = ''
        })
      }
      const connection = { connectionString: url, application_name: channel }
      const bus = createPostgresBus({ connection, channel, log: silentLog })
      return { bus, close: () => bus.close() }
    },
    async intrude(topic, text) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const name = channelName(channel, CHANNEL_SECRET)
      for (const payload of [text, ...writePayloads([[topic, text]], 0)])
        await client.query('select pg_notify($1, $2)', [name, payload])
      await client.end()
    },
    async interrupt() {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
        [channel],
      )
      await client.end()
    },
  })
})
