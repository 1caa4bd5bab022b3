import { copyStore, createPlatform, silentLog } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { expect, test } from 'vitest'
import { createSqliteStore } from '../src/store.ts'

const clock = createFakeClock(Date.UTC(2026, 0, 1))

const platformOver = (store: Store) =>
  createPlatform({
    ...{ store, clock, log: silentLog },
    runtime: createScriptedRuntime(
      {
        greeting: 'Welcome.',
        otherwise: ({ input }) => `You said ${input.type === 'message' ? input.text : 'nothing'}.`,
      },
      clock,
    ),
  })

test('a chat goes on from a copy of its store, and answers a request that was answered before it the same', async () => {
  const [from, to] = [
    createSqliteStore({ filename: ':memory:' }),
    createSqliteStore({ filename: ':memory:' }),
  ]
  const platform = platformOver(from)
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const agent = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Welcome.' })
  await platform.agents.publish(agent.id, { environment: 'live' })
  const { connector } = await platform.access.createConnector({
    ...{ accountId, agentId: agent.id, environment: 'live', hosts: [] },
  })
  const { conversationId } = await platform.chat.create(connector, {})
  const first = { conversationId, message: 'one', idempotencyKey: 'k1' }
  const said = await platform.chat.respond(connector, first)
  await copyStore(from, to)
  await platform.close()

  const copy = platformOver(to)
  expect(await copy.chat.respond(connector, first)).toEqual(said)
  expect(await copy.chat.respond(connector, { conversationId, message: 'two' })).toMatchObject({
    response: 'You said two.',
  })
  const { replies } = await copy.chat.replies(connector, { conversationId, wait: 0, after: 0 })
  expect(replies.map(({ response }) => response)).toEqual(['Welcome.', 'You said one.', 'You said two.'])
  await copy.close()
})
