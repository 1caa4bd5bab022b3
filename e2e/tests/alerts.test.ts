import { once } from 'node:events'
import { createServer } from 'node:http'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import type { Store } from '@colloquy/core/store'
import { createWebhookSender } from '@colloquy/integrations/outbound-http'
import { postgresDatabase } from '@colloquy/test-support/postgres-database'
import { useServer } from '@colloquy/test-support/servers'
import { freshDatabase } from '@colloquy/test-support/standalone'
import { expect, onTestFinished, test, vi } from 'vitest'
import { at, textAt } from '../../examples/quickstart/src/json.ts'
import { createReceiver } from '../src/webhook-receiver.ts'
import { ACCOUNT_ID, AGENT_ID, call, type Host, startHost } from './support/host.ts'

const postgres = await useServer('postgres')

const STORES: Readonly<Record<string, () => Promise<Store>>> = {
  SQLite: async () => createSqliteStore({ filename: await freshDatabase() }),
  PostgreSQL: async () => createPostgresStore({ url: await postgresDatabase(postgres) }),
}

/** A receiver whose secret is known once its endpoint is there; what it took is verified. */
async function listen() {
  const taken: unknown[] = []
  let receiver: ReturnType<typeof createReceiver> | null = null
  const server = createServer((request, response) => receiver?.emit('request', request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    taken,
    url: `http://127.0.0.1:${port}/in`,
    verifyWith(secret: string): void {
      receiver = createReceiver(secret, event => taken.push(event))
    },
  }
}

/** A call that a host's own voice stack records, answered after that many milliseconds. */
async function recordCall({ platform }: Host, conversationId: string, latency: number): Promise<void> {
  const one = { agentId: AGENT_ID, conversationId }
  await platform.conversations.start({
    ...{ ...one, accountId: ACCOUNT_ID, environment: 'live', channel: 'VOICE-SIP' },
  })
  const now = Date.now()
  await platform.conversations.recordTurn({
    ...{ ...one, turnId: 'T-1', userInput: 'Hello?', userInputAt: now, latency },
    ...{ agentResponse: 'Good day.', agentResponseAt: now },
  })
}

test.each(Object.keys(STORES))(
  'AL12 over %s an alert fires and resolves, and a receiver is told both once, signed',
  async name => {
    const store = await STORES[name]?.()
    if (store === undefined) throw new Error(`There is no store ${name}.`)
    const receiver = await listen()
    const host = await startHost({
      store,
      webhookSender: createWebhookSender({ allowPrivateAddresses: true, allowInsecure: true }),
      wakeInterval: 20,
      alerts: { evaluationInterval: 100, flushInterval: 20 },
    })
    const ask = async (line: string, body?: object) => {
      const [method = '', path = ''] = line.split(' ')
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      return call(host, path, { key: host.keys.workspace, method, ...sent })
    }
    const endpoint = await ask('POST /v1/webhook-endpoints', {
      ...{ name: 'On call', url: receiver.url, event_types: ['alerts.triggered', 'alerts.resolved'] },
    })
    receiver.verifyWith(textAt(endpoint.json, 'signing_secret'))
    const made = await ask('POST /v1/alert-rules', {
      ...{ name: 'Slow replies', project_id: AGENT_ID, metric: 'turn_latency_p50', operator: '>' },
      ...{ threshold_value: 2_000, window_duration: '5m' },
    })
    expect(made.status).toBe(201)
    const id = textAt(made.json, 'id')
    const state = async () => at((await ask(`GET /v1/alert-rules/${id}`)).json, 'current_state')
    const until = (expected: string) => vi.waitUntil(async () => (await state()) === expected)

    await until('no_data')
    expect(await ask('GET /v1/alerts')).toEqual({ status: 200, json: { data: [] } })

    await recordCall(host, 'call-1', 9_000)
    await until('alert')
    const active = (await ask(`GET /v1/alerts?project_id=${AGENT_ID}`)).json
    expect(active).toMatchObject({ data: [{ alert_rule_id: id, current_value: 9_000 }] })
    const since = textAt(active, 'data.0.since')

    for (const call of ['call-2', 'call-3', 'call-4']) await recordCall(host, call, 120)
    await until('ok')
    await vi.waitUntil(() => receiver.taken.length >= 2)
    const settings = {
      ...{ alert_rule_id: id, name: 'Slow replies', project_id: AGENT_ID, metric: 'turn_latency_p50' },
      ...{ operator: '>', threshold_value: 2_000, window_duration: '5m' },
    }
    expect(receiver.taken).toMatchObject([
      { type: 'alerts.triggered', timestamp: since, data: { ...settings, current_value: 9_000, since } },
      { type: 'alerts.resolved', data: { ...settings, current_value: 120 } },
    ])
    expect(await ask('GET /v1/alerts')).toEqual({ status: 200, json: { data: [] } })
    expect(host.errors).toEqual([])
  },
)
