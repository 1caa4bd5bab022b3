import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import {
  ACCOUNT,
  AGENT,
  aConversation,
  anAccount,
  anAgent,
  aTurn,
  createFakeClock,
  createScriptedRuntime,
  START,
} from '@colloquy/core/testing'
import { createRequestListener } from '@colloquy/http-express'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

// Slow: thousands of records are written, and tens of megabytes sent to clients that do not read them.

const page = z.object({
  conversations: z.array(z.object({ id: z.string(), turns: z.array(z.unknown()) })),
  next_offset: z.number().optional(),
  cursor: z.string().nullable().optional(),
})

/** A server over a number of records, whose store counts how often it is asked for a page, and may break at one of them. */
async function serve(count: number, text: string, breaksAt = Number.POSITIVE_INFINITY) {
  const store = createSqliteStore({ filename: ':memory:' })
  await store.access.accounts.create(anAccount())
  await store.agents.create(anAgent())
  for (let index = 0; index < count; index++) {
    const turns = [aTurn(`${index} ${text}`)]
    await store.conversations.create(aConversation(`C-${index}`, { turns, startedAt: START + (index >> 1) }))
  }
  let pages = 0
  let turns = 0
  const turnsBefore: number[] = []
  const { records } = store.conversations
  const conversations: typeof store.conversations = {
    ...store.conversations,
    records: {
      ...records,
      async list(...input) {
        pages++
        turnsBefore.push(turns)
        setImmediate(() => turns++)
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
  const url = `http://127.0.0.1:${port}`
  const headers = { 'x-api-key': secret }
  const address = (version: string, query: string) =>
    `${url}/${version}/${ACCOUNT}/${AGENT}/conversations?${query}`
  const get = (version: string, query: string) => fetch(address(version, query), { headers })
  return { headers, address, get, errors, pages: () => pages, turnsBefore, store }
}

test('RC44 a long list goes out in slices and is what many short ones are', async () => {
  const { get, pages } = await serve(350, 'ünïcode')
  const ids = Array.from({ length: 350 }, (_, index) => index)
    .toSorted((one, other) => (one >> 1) - (other >> 1) || (`C-${one}` < `C-${other}` ? -1 : 1))
    .map(index => `C-${index}`)
  for (const [version, query, from, to] of [
    ['v1', 'limit=350', 0, 350],
    ['v1', 'limit=300', 0, 300],
    ['v1', 'limit=205&offset=7', 7, 212],
    ['v3', 'limit=350', 0, 350],
    ['v3', 'limit=101', 0, 101],
  ] as const) {
    const before = pages()
    const response = await get(version, query)
    expect(response.headers.get('content-length')).toBeNull()
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const answer = page.parse(await response.json())
    expect(answer.conversations.map(({ id }) => id)).toEqual(ids.slice(from, to))
    expect(pages() - before).toBe(Math.ceil((to - from) / 100))
    if (version === 'v1') expect(answer.next_offset).toBe(to < 350 ? to : undefined)
    else expect(answer.cursor === null).toBe(to === 350)
  }
  const short = await get('v1', 'limit=100')
  expect(short.headers.get('content-length')).not.toBeNull()
  expect(page.parse(await short.json()).next_offset).toBe(100)
})

test('RC44 others have their turn between any two slices', async () => {
  const { get, turnsBefore } = await serve(2_000, '')
  await (await get('v1', 'limit=2000')).text()
  expect(turnsBefore).toEqual(Array.from({ length: 20 }, (_, slice) => slice))
})

test('RC44 records that go or come between two slices double nothing and hide nothing else', async () => {
  const { get, store } = await serve(250, '')
  const { records } = store.conversations
  const response = await get('v1', 'limit=250')
  await store.conversations.create(aConversation('A-early', { startedAt: START - 1 }))
  const answer = page.parse(await response.json())
  expect(new Set(answer.conversations.map(({ id }) => id)).size).toBe(250)
  expect(
    (await records.list({ accountId: ACCOUNT, agentId: AGENT, environment: 'live' }, { offset: 0 }, 1))
      .records[0]?.id,
  ).toBe('A-early')
})

test('RC44 a slice is read when those before have left: a client that does not read, or goes, stops it', async () => {
  const { headers, address, get, pages } = await serve(4_000, 'x'.repeat(10_000))
  const call = request(address('v1', 'limit=4000'), { headers }).end()
  const [response] = await once(call, 'response')
  response.pause()
  // Whoever is answered now comes after all that was ready before.
  expect((await get('v1', 'limit=1')).status).toBe(200)
  // All 40 MB do not fit between the two: the rest waits, unread.
  expect(pages()).toBeLessThan(40)
  const read = pages()
  response.destroy()
  await once(call, 'close')
  expect((await get('v1', 'limit=1')).status).toBe(200)
  expect(pages()).toBeLessThan(40)
  expect(read).toBeGreaterThan(0)
})

test('RC44 so it is with long records: what a client does not read is counted by bytes, not by records', async () => {
  const { headers, address, get, pages } = await serve(40, 'x'.repeat(500_000))
  const call = request(address('v1', 'limit=4000'), { headers }).end()
  const [response] = await once(call, 'response')
  response.pause()
  for (let round = 0; round < 5; round++) expect((await get('v1', 'limit=1')).status).toBe(200)
  // Four records of a megabyte each are a slice; what fits between the two is a few of them.
  const own = pages() - 5
  expect(own).toBeGreaterThan(0)
  expect(own).toBeLessThan(8)
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  response.resume()
  await once(response, 'end')
  expect(bytes).toBeGreaterThan(40_000_000)
  expect(pages() - 5).toBeGreaterThan(9)
})

test('RC44 what fails between two slices cuts the connection off, and the host hears of it; before the first it is 500', async () => {
  const { get, errors } = await serve(350, '', 3)
  const response = await get('v1', 'limit=350')
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
  expect(errors).toEqual([new Error('the disk is gone')])
  const early = await serve(350, '', 1)
  expect((await early.get('v1', 'limit=350')).status).toBe(500)
})
