import { createServer } from 'node:http'
import { createApi, withKey } from '@colloquy/test-support/api'
import { greetedVisitor } from '@colloquy/test-support/demo'
import { CREDENTIALS, startedBefore, startStandalone } from '@colloquy/test-support/standalone'
import { expect, onTestFinished, test, vi } from 'vitest'
import { textAt } from '../../examples/quickstart/src/json.ts'

// Slow: it starts servers as programs, and what one was sending when it was killed is due 45 s later.

const headers = withKey(CREDENTIALS.COLLOQUY_WORKSPACE_KEY)
const PATH = '/v1/webhook-endpoints'
const VISITORS = 5

/** A receiver that answers only when it is told to; it remembers what came. */
async function listen() {
  const came: { readonly id: string; readonly body: unknown }[] = []
  let answers = false
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    came.push({
      id: String(request.headers['webhook-id']),
      body: JSON.parse(Buffer.concat(chunks).toString()),
    })
    if (answers) response.writeHead(204).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const answer = () => {
    answers = true
  }
  return { came, answer, url: `http://127.0.0.1:${port}/in` }
}

test('SS2 the server sends webhooks, to private addresses when it is told so', async () => {
  const receiver = await listen()
  receiver.answer()
  const settings = await startedBefore()
  const strict = createApi((await startStandalone(settings)).url)
  const body = { name: 'CRM', url: receiver.url, event_types: ['conversation.completed'] }
  await strict(PATH, { method: 'POST', headers, body, status: 400 })
  const inside = { ...body, url: receiver.url.replace('http:', 'https:') }
  await strict(PATH, { method: 'POST', headers, body: inside, status: 400 })

  const lax = createApi(
    (await startStandalone({ ...(await startedBefore()), COLLOQUY_WEBHOOKS_ALLOW_PRIVATE: 'on' })).url,
  )
  const id = textAt(await lax(PATH, { method: 'POST', headers, body, status: 201 }), 'id')
  await lax(`${PATH}/${id}/test`, { method: 'POST', headers, status: 202 })
  await vi.waitUntil(() => receiver.came.length === 1)
  expect(receiver.came[0]?.body).toMatchObject({ type: 'webhook.test', data: { endpoint_id: id } })
})

test('WH5 WH13 a server that is killed as soon as conversations have ended tells of each of them when it is back', async () => {
  const receiver = await listen()
  const settings = { ...(await startedBefore()), COLLOQUY_WEBHOOKS_ALLOW_PRIVATE: 'on' }
  const server = await startStandalone(settings)
  const body = { name: 'CRM', url: receiver.url, event_types: ['conversation.completed'] }
  await createApi(server.url)(PATH, { method: 'POST', headers, body, status: 201 })
  const guests = []
  for (let index = 0; index < VISITORS; index++) guests.push(await greetedVisitor(server))
  for (const { visitor } of guests) visitor.end()
  await Promise.all(guests.map(({ visitor }) => visitor.next('SESSION_END')))
  server.kill('SIGKILL')
  await server.exit

  receiver.answer()
  const before = receiver.came.length
  await startStandalone({ ...settings, PORT: server.port })
  const told = () => new Set(receiver.came.slice(before).map(({ body }) => textAt(body, 'data.id')))
  // What was being sent when the server died is due again 45 s after it was begun.
  await vi.waitUntil(() => told().size === VISITORS)
  expect(told()).toEqual(new Set(guests.map(({ sessionId }) => sessionId)))
  expect(new Set(receiver.came.map(({ id }) => id)).size).toBe(VISITORS)
})
