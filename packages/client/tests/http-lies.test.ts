import { once } from 'node:events'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { type ApiError, createApi, isApiError } from '../src/http/index.ts'
import { type Lie, says, startLying } from './support/lying-server.ts'

const SECRET = 'wk-secret-of-the-harbour-5b1f'

const client = (server: string, options: { timeout?: number; retries?: number } = {}) =>
  createApi({
    server,
    credentials: { workspaceKey: SECRET, deskKey: SECRET, operatorKey: SECRET },
    ...options,
  })

/** Why a call failed. Neither its text nor any of its fields has the credential. */
async function errorOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    answer => new Error(`It answered ${inspect(answer)}.`),
    (error: unknown) => error,
  )
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(SECRET)
  if (!isApiError(error)) throw error
  return error
}

const html: Lie = answer => {
  answer.writeHead(200, { 'content-type': 'text/html' })
  answer.end('<h1>It works!</h1>')
}

const readAgent = (url: string, options = {}) => client(url, options).readAgent({ agentId: 'PROJECT-A' })

test.each<[string, Lie]>([
  ['a page', html],
  ['truncated JSON', says(200, '{"agentId": "PROJ')],
  ['no object', says(200, '7')],
  ['JSON of no type', answer => answer.end('{}')],
  ['nothing', says(204, '')],
])('HC3 success with %s is no answer of the contract, and is not asked for again', async (_, lie) => {
  const { asked, url } = await startLying(lie)
  expect(await errorOf(readAgent(url))).toMatchObject({ code: 'UNREADABLE_ANSWER' })
  expect(asked).toHaveLength(1)
})

test('HC3 success with a body where nothing is promised is no answer of the contract', async () => {
  const { url } = await startLying(html)
  expect(await errorOf(client(url).leaveHandoff({ id: '1' }))).toMatchObject({ code: 'UNREADABLE_ANSWER' })
})

test('HC3 the page of a proxy is an error with its status, and not a part of the message', async () => {
  const { url } = await startLying(answer => {
    answer.writeHead(502, { 'content-type': 'text/html' })
    answer.end(`<h1>Bad gateway</h1>${'x'.repeat(1_000_000)}`)
  })
  const error = await errorOf(readAgent(url, { retries: 0 }))
  expect(error).toMatchObject({ code: 'HTTP_502', status: 502, body: null })
  expect(error.message).toBe('readAgent: HTTP 502.')
})

test('HC3 an answer of a megabyte is read, and a message of one is cut', async () => {
  const agentName = 'x'.repeat(1_000_000)
  const { url } = await startLying(says(200, { agentName }), says(400, { error_message: agentName }))
  expect(await readAgent(url)).toEqual({ agentName })
  expect((await errorOf(readAgent(url))).message.length).toBeLessThan(400)
})

test('HC3 a list whose pages lead to themselves ends', async () => {
  const { asked, url } = await startLying(says(200, { accounts: [{ slug: 'one' }], next_cursor: 'again' }))
  const slugs: string[] = []
  const walk = async () => {
    for await (const { slug } of client(url).listAccounts.each()) slugs.push(slug)
  }
  expect(await errorOf(walk())).toMatchObject({ code: 'UNREADABLE_ANSWER' })
  expect([slugs, asked.length]).toEqual([['one', 'one'], 2])
})

test('HC7 429 for ever is asked for three times, no sooner than the server says', async () => {
  const times: number[] = []
  const { asked, url } = await startLying((answer, request) => {
    times.push(performance.now())
    says(
      429,
      { error_code: 'RATE_LIMITED', error_message: 'Too many.' },
      { 'retry-after': '1' },
    )(answer, request)
  })
  const api = client(url)
  expect(await errorOf(api.createAccount({ body: { slug: 'one', name: 'One' } }))).toMatchObject({
    code: 'RATE_LIMITED',
    retryAfter: 1000,
  })
  expect(asked).toHaveLength(3)
  for (const [index, time] of times.slice(1).entries())
    expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(1000)
})

test('HC7 a wait that is too long is left to the caller', async () => {
  const { asked, url } = await startLying(says(429, {}, { 'retry-after': '3600' }))
  expect(await errorOf(readAgent(url))).toMatchObject({ code: 'HTTP_429', retryAfter: 3_600_000 })
  expect(asked).toHaveLength(1)
})

const busy = says(503, { error_code: 'STORE_BUSY', error_message: 'Busy.' })

test('HC7 a store that is busy is asked again for what may be done twice, and for nothing else', async () => {
  const reads = await startLying(busy, says(200, { agentId: 'PROJECT-A' }))
  expect(await readAgent(reads.url)).toEqual({ agentId: 'PROJECT-A' })
  const writes = await startLying(busy)
  const create = client(writes.url).createAccount({ body: { slug: 'one', name: 'One' } })
  expect(await errorOf(create)).toMatchObject({ code: 'STORE_BUSY' })
  expect(writes.asked).toHaveLength(1)
})

test('HC7 a message with an id of its own is sent again under it after its answer was lost', async () => {
  const { asked, bodies, url } = await startLying(
    (_, request) => request.socket.destroy(),
    says(201, { message_id: 'm1' }),
    (_, request) => request.socket.destroy(),
  )
  const desk = client(url)
  await desk.sendHandoffMessage({ id: '1', body: { text: 'Hello', message_id: 'm1' } })
  expect(bodies.slice(0, 2)).toEqual(Array(2).fill('{"text":"Hello","message_id":"m1"}'))
  const lost = await errorOf(desk.sendHandoffMessage({ id: '1', body: { text: 'Hello' } }))
  expect(lost).toMatchObject({ code: 'NO_ANSWER', status: 0 })
  expect(asked).toHaveLength(3)
})

test('HC8 a redirect is not followed, and the credential does not reach where it leads', async () => {
  const other = await startLying(says(200, {}))
  const { url } = await startLying(says(307, '', { location: `${other.url}/v1/agents?key=${SECRET}` }))
  const error = await errorOf(readAgent(url))
  expect(error).toMatchObject({ code: 'REDIRECTED', status: 307 })
  expect(error.message).toContain(other.url)
  expect(other.asked).toEqual([])
})

test('HC8 a server that says the credential back does not get it into an error', async () => {
  const words = `The key ${SECRET} is wrong.`
  const envelope = { success: false, error: words, error_message: words, error_id: SECRET, data: null }
  const body = { ...envelope, error_code: 'AUTH_USER_UNAUTHORISED', errors: [SECRET] }
  const { url } = await startLying(says(401, body, { 'x-correlation-id': SECRET }))
  const error = await errorOf(readAgent(url))
  expect(error.message).toBe('readAgent: The key … is wrong.')
  expect(error.body).toMatchObject({ errors: ['…'], error_id: '…' })
})

test('HC8 a credential or an address that cannot be used is refused without being shown', async () => {
  const api = createApi({ server: 'http://127.0.0.1:1', credentials: { workspaceKey: `${SECRET}\n` } })
  expect(await errorOf(api.readAgent({ agentId: 'A' }))).toMatchObject({ code: 'NO_CREDENTIAL' })
  for (const server of [
    `https://me:${SECRET}@chat.example`,
    `ftp://${SECRET}`,
    SECRET,
    `https://a?key=${SECRET}`,
  ])
    expect(() => client(server)).toThrow(/^`server` must be an http\(s\) address without `\?`, `#`, `@`\.$/)
})

test('HC8 parameters stay in their place in the path', async () => {
  const { asked, url } = await startLying(says(200, {}))
  const api = client(`${url}/talk//`)
  await api.readAgent({ agentId: '../accounts?x=1#y' })
  expect(asked[0]?.url).toBe('/talk/v1/agents/..%2Faccounts%3Fx%3D1%23y')
  for (const agentId of ['', '.', '..'])
    await expect(api.readAgent({ agentId })).rejects.toThrow('`agentId` must be a text, not empty or dots.')
  expect(asked).toHaveLength(1)
})

test('HC8 an answer that does not come, or not whole, is given up in time', async () => {
  const silent = await startLying(() => {})
  expect(await errorOf(readAgent(silent.url, { timeout: 60, retries: 0 }))).toMatchObject({
    code: 'TIMEOUT',
    message: 'readAgent: no whole answer within 60 ms.',
  })
  const slow = await startLying(answer => {
    answer.writeHead(200, { 'content-type': 'application/json' })
    answer.write('{')
  })
  expect(await errorOf(readAgent(slow.url, { timeout: 60, retries: 0 }))).toMatchObject({ code: 'TIMEOUT' })
})

test('HC8 nothing listens there: the call fails after its attempts', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  const port = typeof address === 'object' ? address?.port : 0
  const error = await errorOf(readAgent(`http://127.0.0.1:${port}`, { retries: 1 }))
  expect(error).toMatchObject({ code: 'NO_ANSWER', message: 'readAgent: no answer. Is the server running?' })
  expect(error.cause).toBeInstanceOf(Error)
})

test('HC8 a signal ends a call with its own reason: before it, during it, and in a pause', async () => {
  const reason = new Error('They left.')
  const { asked, url } = await startLying(() => {})
  const over = AbortSignal.abort(reason)
  await expect(client(url).readAgent({ agentId: 'A' }, { signal: over })).rejects.toBe(reason)
  expect(asked).toHaveLength(0)
  for (const lie of [() => {}, says(429, {}, { 'retry-after': '20' })]) {
    const leaving = new AbortController()
    const server = await startLying((answer, request) => {
      lie(answer, request)
      setTimeout(() => leaving.abort(reason), 30)
    })
    const call = client(server.url).readAgent({ agentId: 'A' }, { signal: leaving.signal })
    await expect(call).rejects.toBe(reason)
    expect(server.asked).toHaveLength(1)
  }
})

test('HC8 a call leaves no timer and no listener behind', async () => {
  const { url } = await startLying(says(503, {}, { 'retry-after': '0' }), says(200, {}))
  const before = process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const { signal } = new AbortController()
  let listeners = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listeners += 1
    add(...given)
  }
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listeners -= 1
    remove(...given)
  }
  onTestFinished(() => void Reflect.deleteProperty(signal, 'addEventListener'))
  await client(url).readAgent({ agentId: 'A' }, { signal })
  expect(listeners).toBe(0)
  expect(process.getActiveResourcesInfo().filter(name => name === 'Timeout').length).toBeLessThanOrEqual(
    before,
  )
})
