import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import {
  ACCOUNT,
  AGENT,
  aConversation,
  anAccount,
  anAgent,
  createFakeClock,
  createScriptedRuntime,
  START,
} from '@colloquy/core/testing'
import { createRequestListener } from '@colloquy/http-express'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const page = z.object({
  conversations: z.array(z.object({ id: z.string() })),
})

/** A server over a number of records, whose store may break at a page. */
async function serve(count: number, breaksAt = Number.POSITIVE_INFINITY) {
  const store = createSqliteStore({ filename: ':memory:' })
  await store.access.accounts.create(anAccount())
  await store.agents.create(anAgent())
  for (let index = 0; index < count; index++) {
    await store.conversations.create(aConversation(`C-${index}`, { startedAt: START + (index >> 1) }))
  }
  let pages = 0
  const { records } = store.conversations
  const conversations: typeof store.conversations = {
    ...store.conversations,
    records: {
      ...records,
      async list(...input) {
        pages++
        if (pages === breaksAt) throw new Error('the disk is gone')
        return records.list(...input)
      },
    },
  }
  const errors: unknown[] = []
  const clock = createFakeClock()
  const platform = createPlatform({
    ...{
      store: { ...store, conversations },
      clock,
      runtime: createScriptedRuntime({}, clock),
      rateLimits: null,
    },
    onError: error => errors.push(error),
  })
  const { secret } = await platform.access.createApiKey({
    kind: 'project',
    accountId: ACCOUNT,
    agentId: AGENT,
  })
  const server = createServer(createRequestListener(platform)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const get = (limit: number) =>
    fetch(`http://127.0.0.1:${port}/v1/${ACCOUNT}/${AGENT}/conversations?limit=${limit}`, {
      headers: { 'x-api-key': secret },
    })
  return { get, errors, store }
}

test('RC44 records that go or come between two slices double nothing and hide nothing else', async () => {
  const { get, store } = await serve(250)
  const { records } = store.conversations
  const response = await get(250)
  await store.conversations.create(aConversation('A-early', { startedAt: START - 1 }))
  const answer = page.parse(await response.json())
  expect(new Set(answer.conversations.map(({ id }) => id)).size).toBe(250)
  expect(
    (await records.list({ accountId: ACCOUNT, agentId: AGENT, environment: 'live' }, { offset: 0 }, 1))
      .records[0]?.id,
  ).toBe('A-early')
})

test('RC44 what fails between two slices cuts the connection off, and the host hears of it; before the first it is 500', async () => {
  const { get, errors } = await serve(350, 3)
  const response = await get(350)
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
  expect(errors).toEqual([new Error('the disk is gone')])
  const early = await serve(350, 1)
  expect((await early.get(350)).status).toBe(500)
})
