import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import {
  type AccountId,
  createPlatform,
  type Platform,
  systemClock,
  type WebhookSender,
} from '@colloquy/core'
import { aNewEndpoint, connectSocketPair, createScriptedRuntime } from '@colloquy/core/testing'
import { createWebhookSender } from '@colloquy/integrations/outbound-http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createReceiver } from '../src/webhook-receiver.ts'

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-webhooks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'colloquy.db')
}

/** Listens on a free port until the test is over; its address. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}/in`
}

const LOCAL = createWebhookSender({ allowPrivateAddresses: true, allowInsecure: true })

/** A platform over a file, as a process would have it, that waits milliseconds where others wait minutes. */
function open(filename: string, sender: WebhookSender | null = LOCAL) {
  const platform = createPlatform({
    store: createSqliteStore({ filename }),
    runtime: createScriptedRuntime(
      {
        greeting: 'Welcome.',
        otherwise: [{ type: 'handoff', destination: 'reception', reason: 'asked for a person' }],
      },
      systemClock,
    ),
    rateLimits: null,
    wakeInterval: 20,
    webhooks: { retryDelays: Array.from({ length: 20 }, () => 30), timeout: 1_000 },
    ...(sender === null ? {} : { webhookSender: sender }),
  })
  let closed: Promise<void> | null = null
  const close = () => {
    closed ??= platform.close()
    return closed
  }
  onTestFinished(close)
  return { ...platform, close }
}

type Opened = Pick<Platform, 'access' | 'agents' | 'messaging' | 'webhooks' | 'desk' | 'idle'>

/** An account with a live agent and a connector to it. */
async function furnish({ access, agents }: Opened) {
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const agent = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome!' })
  await agents.publish(agent.id, { environment: 'live' })
  const connector = { accountId, agentId: agent.id, environment: 'live', hosts: ['localhost'] } as const
  return { accountId, token: (await access.createConnector(connector)).token }
}

/** A visitor who has joined. */
async function visit({ messaging }: Opened, connectorToken: string) {
  const remoteAddress = '127.0.0.1'
  const { accessToken } = await messaging.issueAccessToken({
    connectorToken,
    host: 'localhost',
    remoteAddress,
  })
  const { sessionId } = await messaging.createSession({
    authorization: `Bearer ${accessToken}`,
    streaming: false,
  })
  const pair = await connectSocketPair(messaging, { sessionId, accessToken })
  const send = async (type: string, payload: object) => {
    pair.send({ type: `EVENT_TYPE_${type}`, payload })
    await pair.flush()
  }
  await send('REQUEST_AI_AGENT_JOIN', {})
  return { sessionId, send }
}

const deliveriesOf = async ({ webhooks }: Opened, accountId: AccountId) => {
  const [endpoint] = (await webhooks.endpoints(accountId)).endpoints
  if (endpoint === undefined) throw new Error('There is no endpoint.')
  return (await webhooks.deliveries(accountId, endpoint.id, { limit: 1_000 })).deliveries
}

describe('the receiver of the docs', () => {
  test('WH20 WH5 it hears of a visitor who is handed over and ends, once each, and verifies', async () => {
    const platform = open(temporaryFile())
    const { accountId, token } = await furnish(platform)
    const events: { type?: unknown; data?: Record<string, unknown> }[] = []
    let secret = ''
    const server = createServer((request, response) => receiver.emit('request', request, response))
    const url = await listen(server)
    const created = await platform.webhooks.createEndpoint(accountId, aNewEndpoint(url))
    const { endpoint } = created
    secret = created.secret
    const receiver = createReceiver(secret, event => events.push(Object(event)))

    const { sessionId, send } = await visit(platform, token)
    await platform.idle()
    await send('USER_MESSAGE', { text: 'A person, please' })
    await vi.waitUntil(() => events.length === 1)
    await platform.desk.accept(accountId, `${sessionId}.1`, { id: 'a-1', name: 'Ada', avatarUrl: '' })
    await platform.desk.leave(accountId, `${sessionId}.1`)
    await vi.waitUntil(() => events.length === 3)
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(['handoff.requested', 'handoff.accepted', 'conversation.completed']),
    )
    const completed = events.find(({ type }) => type === 'conversation.completed')
    expect(completed?.data).toMatchObject({ id: sessionId, handoff: true, end_reason: 'REASON_NATURAL_END' })
    const allArrived = () =>
      vi.waitUntil(async () =>
        (await deliveriesOf(platform, accountId)).every(({ delivery }) => delivery.status === 'delivered'),
      )
    await allArrived()
    // Sent again it is answered with success, and taken no second time.
    const [listed] = await deliveriesOf(platform, accountId)
    if (listed === undefined) throw new Error('There is no delivery.')
    await platform.webhooks.resend(accountId, endpoint.id, `${listed.delivery.eventId}.${endpoint.id}`)
    await allArrived()
    expect(events).toHaveLength(3)
  })

  test('WH20 it refuses what is forged, changed or old; after a rotation the old secret still verifies', async () => {
    const platform = open(temporaryFile())
    const { accountId } = await furnish(platform)
    const seen: { headers: Record<string, string>; body: string }[] = []
    const url = await listen(
      createServer(async (request, response) => {
        const chunks: Uint8Array[] = []
        for await (const chunk of request) chunks.push(chunk)
        const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
        const headers = Object.fromEntries(names.map(name => [name, String(request.headers[name])]))
        seen.push({ headers, body: Buffer.concat(chunks).toString() })
        response.writeHead(204).end()
      }),
    )
    const {
      endpoint: { id },
      secret,
    } = await platform.webhooks.createEndpoint(accountId, aNewEndpoint(url))
    await platform.webhooks.rotateSecret(accountId, id)
    await platform.webhooks.test(accountId, id)
    await vi.waitUntil(() => seen.length === 1)
    const [genuine] = seen
    if (genuine === undefined) throw new Error('Nothing was sent.')
    let taken = 0
    const receiver = await listen(createReceiver(secret, () => taken++))
    const post = async (headers: Record<string, string>, body: string) =>
      (await fetch(receiver, { method: 'POST', headers, body })).status
    const { headers, body } = genuine
    expect(await post(headers, body)).toBe(204)
    expect(await post(headers, body.replace('webhook.test', 'webhook.tset'))).toBe(400)
    expect(await post({ ...headers, 'webhook-id': 'EVENT-other' }, body)).toBe(400)
    expect(await post({ ...headers, 'webhook-signature': 'v1,AAAA' }, body)).toBe(400)
    const old = String(Number(headers['webhook-timestamp']) - 301)
    expect(await post({ ...headers, 'webhook-timestamp': old }, body)).toBe(400)
    expect(await post({}, body)).toBe(400)
    expect(taken).toBe(1)
  })
})
