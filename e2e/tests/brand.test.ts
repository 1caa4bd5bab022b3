import { CREDENTIALS, startedBefore, startStandalone } from '@colloquy/test-support/standalone'
import { openWire } from '@colloquy/test-support/wire-client'
import { describe, expect, test } from 'vitest'
import { textAt } from '../../examples/quickstart/src/json.ts'

// Slow: each test starts the server as a program.

const HOSTS = {
  base: { us: '127.0.0.1' },
  platform: { 'us-1': '127.0.0.1' },
  messaging: { default: 'localhost' },
}

const HEADER = 'X-AcmeBot-Correlation-Id'

/**
 * A standalone server with a brand of its own, another word for headers, and messaging on a host of its own. The client of the
 * project does not know the brand, so that these tests write to the wire by themselves.
 */
async function startBranded() {
  const server = await startStandalone({
    COLLOQUY_LOG: 'warn',
    COLLOQUY_BRAND: 'Acme',
    COLLOQUY_HEADER_BRAND: 'AcmeBot',
    COLLOQUY_HOSTS: JSON.stringify(HOSTS),
    ...(await startedBefore()),
  })
  const ask = (url: string, path: string, headers: Readonly<Record<string, string>>, method = 'POST') =>
    fetch(`${url}${path}`, { method, headers })
  const messaging = server.url.replace('127.0.0.1', 'localhost')
  return { ...server, messaging, ask }
}

const tokenHeaders = { 'X-Token': CREDENTIALS.COLLOQUY_CONNECTOR_TOKEN, 'X-Host': 'http://localhost:3000' }

async function openSession({ ask, messaging }: Awaited<ReturnType<typeof startBranded>>) {
  const issued = await ask(messaging, '/api/v1/access-token', {
    ...tokenHeaders,
    [HEADER.toUpperCase()]: 'mine',
  })
  expect([issued.status, issued.headers.get(HEADER), issued.headers.get('X-Correlation-Id')]).toEqual([
    200,
    'mine',
    'mine',
  ])
  const token = textAt(await issued.json(), 'access_token')
  const made = await ask(messaging, '/api/v1/sessions', { authorization: `Bearer ${token}` })
  const session = textAt(await made.json(), 'session_id')
  return `${messaging.replace('http', 'ws')}/ws?session_id=${session}&access_token=${token}`
}

describe('a standalone server with a brand of its own', () => {
  test('SS2 a client that is written with the brand joins and talks, one that is not is unknown', async () => {
    const server = await startBranded()
    const client = await openWire(await openSession(server))
    client.send('REQUEST_AI_AGENT_JOIN', {}, { local_id: 'neutral' })
    const unknown = await client.next(({ metadata }) => metadata?.custom.local_id === 'neutral')
    expect(unknown.payload.message).toBe('Unknown event type or invalid message format')
    client.send('REQUEST_ACME_AGENT_JOIN')
    await client.next(({ type }) => type === 'EVENT_TYPE_ACME_AGENT_JOINED')
    await client.next(({ type }) => type === 'EVENT_TYPE_ACME_AGENT_MESSAGE')
    client.send('USER_MESSAGE', { text: 'When is breakfast?' })
    await client.next(({ type }) => type === 'EVENT_TYPE_ACME_AGENT_THINKING')
    await client.next(({ type }) => type === 'EVENT_TYPE_ACME_AGENT_MESSAGE')
    expect(client.events.filter(({ type }) => /_AI_|ACMEBOT/.test(type))).toEqual([])
  })

  test('SS2, SS22 and HT18 each family answers on its own hosts; a page may send the brand’s headers, and reads the correlation id under the brand’s name', async () => {
    const server = await startBranded()
    const asking = {
      origin: 'http://localhost:3000',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,x-acmebot-correlation-id',
    }
    const preflight = await server.ask(server.messaging, '/api/v1/sessions', asking, 'OPTIONS')
    const allowed = (preflight.headers.get('Access-Control-Allow-Headers') ?? '').toLowerCase().split(', ')
    expect(preflight.status).toBe(204)
    for (const name of ['authorization', 'x-acmebot-correlation-id', 'x-correlation-id', 'x-token', 'x-host'])
      expect(allowed).toContain(name)
    const page = await server.ask(server.messaging, '/api/v1/access-token', {
      ...tokenHeaders,
      origin: asking.origin,
    })
    expect(page.headers.get('Access-Control-Expose-Headers')).toContain(HEADER)
    const elsewhere = await server.ask(server.url, '/api/v1/access-token', tokenHeaders)
    expect(elsewhere.status).toBe(404)
    const key = { 'x-api-key': CREDENTIALS.COLLOQUY_WORKSPACE_KEY }
    const path = '/v1/accounts/ws-demo/agents'
    expect((await server.ask(server.url, path, key, 'GET')).status).toBe(200)
    const refused = await server.ask(server.messaging, path, { ...key, [HEADER]: 'mine' }, 'GET')
    expect([refused.status, textAt(await refused.json(), 'error_id'), refused.headers.get(HEADER)]).toEqual([
      404,
      'mine',
      'mine',
    ])
  })
})
