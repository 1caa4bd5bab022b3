import { createServer } from 'node:http'
import { createApi, withKey } from '@colloquy/test-support/api'
import { CREDENTIALS, startedBefore, startStandalone } from '@colloquy/test-support/standalone'
import { expect, onTestFinished, test, vi } from 'vitest'
import { textAt } from '../../examples/quickstart/src/json.ts'

// Slow: it starts servers as programs.

const headers = withKey(CREDENTIALS.COLLOQUY_WORKSPACE_KEY)
const PATH = '/v1/webhook-endpoints'

/** A receiver that remembers what came. */
async function listen() {
  const came: unknown[] = []
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    came.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(204).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { came, url: `http://127.0.0.1:${port}/in` }
}

test('SS2 the server sends webhooks, to private addresses when it is told so', async () => {
  const receiver = await listen()
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
  expect(receiver.came[0]).toMatchObject({ type: 'webhook.test', data: { endpoint_id: id } })
})
