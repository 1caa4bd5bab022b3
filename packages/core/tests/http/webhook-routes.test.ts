import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { newDelivery } from '../../src/domain/webhook/webhook.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { webhookRoutes } from '../../src/http/routes/webhooks.ts'
import { routes } from '../../src/http/routes.ts'
import { contextOf } from '../../src/platform-context.ts'
import { anEndpoint, aWebhookEvent } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const PATH = '/v1/webhook-endpoints'
const url = 'https://hooks.example.com/in'
const NEW = { name: 'CRM', url, event_types: ['handoff.failed'] }

async function serve() {
  const made = await createPopulatedPlatform()
  const dispatcher = createDispatcher(made.platform, routes)
  const callWith = async (key: string, line: string, body?: unknown) => {
    const response = await dispatcher.handle(request(line, { headers: { 'x-api-key': key }, body }))
    return { status: response.status, text: response.body ?? '', json: JSON.parse(response.body ?? 'null') }
  }
  const call = (line: string, body?: unknown) => callWith(made.keys.workspace, line, body)
  const issue = async (input: Partial<Parameters<typeof made.platform.access.createApiKey>[0]>) =>
    (await made.platform.access.createApiKey({ kind: 'workspace', accountId: 'ws-one', ...input })).secret
  return { ...made, call, callWith, issue }
}

describe('webhook endpoints over HTTP', () => {
  test('WH20 and WH31 each answer about an endpoint, exactly; its secret is shown at first alone', async () => {
    const { call } = await serve()
    const made = await call(`POST ${PATH}`, { name: 'CRM', url, event_types: ['handoff.failed'] })
    const { signing_secret: secret, ...shown } = made.json
    expect(made.status).toBe(201)
    expect(secret).toMatch(/^whsec_/)
    expect(shown).toEqual({
      id: expect.stringMatching(/^whe_[A-Za-z0-9]+$/),
      name: 'CRM',
      url,
      enabled: true,
      event_types: ['handoff.failed'],
      headers: {},
      timeout_ms: 5000,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    })
    const one = `${PATH}/${shown.id}`
    const change = {
      name: 'Other',
      url: 'https://other.example.com/',
      event_types: ['alerts.triggered', 'alerts.resolved'],
      headers: { 'X-Key': 'a' },
      timeout_ms: 30000,
      enabled: false,
    }
    const answers = [
      await call(`GET ${one}`),
      await call(`GET ${PATH}`),
      await call(`PATCH ${one}`, {}),
      await call(`PATCH ${one}`, change),
      await call(`GET ${one}`),
      await call(`GET ${one}/deliveries`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const changed = { ...shown, ...change }
    expect(answers.map(({ json }) => json)).toEqual([
      shown,
      { data: [shown] },
      shown,
      changed,
      changed,
      { deliveries: [], cursor: null },
    ])
    for (const { text } of answers) expect(text).not.toContain(secret)
    expect(await call(`DELETE ${one}`)).toMatchObject({ status: 204, text: '' })
    expect((await call(`GET ${one}`)).json.error_code).toBe('WEBHOOK_ENDPOINT_NOT_FOUND')
    expect((await call(`GET ${PATH}`)).json).toEqual({ data: [] })
  })

  test('WH31 endpoints are listed by whether they are enabled and by event type', async () => {
    const { call } = await serve()
    const add = async (name: string, event_type: string, enabled: boolean) =>
      (await call(`POST ${PATH}`, { name, url, event_types: [event_type], enabled })).json.name
    await add('a', 'handoff.failed', true)
    await add('b', 'handoff.failed', false)
    await add('c', 'handoff.accepted', true)
    const names = async (query: string) =>
      (await call(`GET ${PATH}?${query}`)).json.data.map((each: { name: string }) => each.name).sort()
    expect(await names('enabled=true')).toEqual(['a', 'c'])
    expect(await names('enabled=false')).toEqual(['b'])
    expect(await names('event_type=handoff.failed')).toEqual(['a', 'b'])
    expect(await names('event_type=handoff.failed&enabled=true')).toEqual(['a'])
    for (const query of ['enabled=1', 'event_type=none', 'event_type='])
      expect((await call(`GET ${PATH}?${query}`)).status).toBe(400)
  })

  test('WH31 unknown fields are refused, and nothing happens', async () => {
    const { call } = await serve()
    const { id } = (await call(`POST ${PATH}`, NEW)).json
    for (const [line, body] of [
      [`POST ${PATH}`, { ...NEW, events: ['handoff.failed'] }],
      [`PATCH ${PATH}/${id}`, { description: 'x', name: 'y' }],
      [`POST ${PATH}/${id}/rotate-secret`, { overlap: 5 }],
    ] as const) {
      const { status, json } = await call(line, body)
      expect([status, json.error_code]).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
      expect(json.error_message).toMatch(
        /^The body is not valid: "(events|description|overlap)" is not one of its fields/,
      )
    }
    const { data } = (await call(`GET ${PATH}`)).json
    expect(data).toMatchObject([{ id, name: 'CRM', updated_at: '2026-01-01T00:00:00.000Z' }])
    expect(data[0]).not.toHaveProperty('previous_secret_until')
  })

  test('WH31 of many unknown fields a few are named, and none at length', async () => {
    const { call } = await serve()
    const many = Object.fromEntries(Array.from({ length: 6000 }, (_, at) => [`k${at}`, 1]))
    const { status, json } = await call(`POST ${PATH}`, { ...NEW, ...many })
    expect([status, json.error_message]).toEqual([
      400,
      expect.stringMatching(
        /^The body is not valid: "k0", "k1", "k2", "k3", "k4" and 5995 more are not its fields; /,
      ),
    ])
    const long = await call(`POST ${PATH}`, { ...NEW, ['k'.repeat(20_000)]: 1 })
    expect(long.json.error_message.length).toBeLessThan(300)
  })

  test('WH31 an endpoint from before goes on under its id', async () => {
    const { call, platform } = await serve()
    const before = anEndpoint('WEBHOOK-1', { accountId: 'ws-one', disabledReason: 'it was gone' })
    await contextOf(platform).store.webhooks.endpoints.create(before, 10)
    const { status, json } = await call(`GET ${PATH}/WEBHOOK-1`)
    expect([status, json.id, json.disabled_reason]).toEqual([200, 'WEBHOOK-1', 'it was gone'])
    expect((await call(`PATCH ${PATH}/WEBHOOK-1`, { enabled: true })).json).not.toHaveProperty(
      'disabled_reason',
    )
  })

  test('WH20 a rotation answers the new secret alone; the endpoint says until when the old one signs', async () => {
    const { call } = await serve()
    const { id, signing_secret: secret } = (await call(`POST ${PATH}`, NEW)).json
    const rotated = await call(`POST ${PATH}/${id}/rotate-secret`)
    expect([rotated.status, rotated.json]).toEqual([
      200,
      { signing_secret: expect.stringMatching(/^whsec_/) },
    ])
    expect(rotated.text).not.toContain(secret)
    const until = async () => (await call(`GET ${PATH}/${id}`)).json.previous_secret_until
    expect(await until()).toBe('2026-01-02T00:00:00.000Z')
    await call(`POST ${PATH}/${id}/rotate-secret`, { overlap_seconds: 60 })
    expect(await until()).toBe('2026-01-01T00:01:00.000Z')
    const none = await call(`POST ${PATH}/${id}/rotate-secret`, { overlap_seconds: 0 })
    expect([none.status, Object.keys(none.json)]).toEqual([200, ['signing_secret']])
    expect(await until()).toBeUndefined()
  })

  test('WH30 and AC22 the eleventh endpoint is 409 with the limit in its message', async () => {
    const { call } = await serve()
    for (let index = 0; index < 10; index++) expect((await call(`POST ${PATH}`, NEW)).status).toBe(201)
    const page = (await call(`GET ${PATH}?limit=9`)).json
    const rest = (await call(`GET ${PATH}?limit=9&cursor=${page.cursor}`)).json
    expect([page.data.length, rest.data.length, Object.keys(rest)]).toEqual([9, 1, ['data']])
    expect(rest.data).not.toContainEqual(page.data[0])
    expect((await call(`GET ${PATH}?limit=0`)).status).toBe(400)
    const refused = await call(`POST ${PATH}`, NEW)
    expect([refused.status, refused.json.error_code]).toEqual([409, 'WEBHOOK_ENDPOINT_LIMIT'])
    expect(refused.json.error_message).toContain('10')
  })

  test('WH31 and AU7 what is not right is named', async () => {
    const { call } = await serve()
    const { id } = (await call(`POST ${PATH}`, NEW)).json
    const message = async (line: string, body?: unknown) => {
      const { status, json } = await call(line, body)
      expect([status, json.error_code]).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
      return json.error_message
    }
    const missing = await message(`POST ${PATH}`, {})
    for (const field of ['name', 'url', 'event_types']) expect(missing).toContain(`"${field}" is required`)
    const wrong: readonly (readonly [object, string])[] = [
      [{ url: 'http://hooks.example.com' }, 'https'],
      [{ event_types: ['conversation.started'] }, 'handoff.accepted'],
      [{ event_types: [] }, '"event_types"'],
      [{ name: '' }, '"name"'],
      [{ name: 'x'.repeat(256) }, '"name"'],
      [{ timeout_ms: 999 }, '"timeout_ms"'],
      [{ timeout_ms: 30_001 }, '"timeout_ms"'],
      [{ timeout_ms: '5000' }, '"timeout_ms"'],
      [{ headers: { 'X-Key': 5 } }, '"headers.X-Key"'],
      [{ headers: { Host: 'a.example' } }, '"headers"'],
      [{ enabled: 'yes' }, '"enabled"'],
    ]
    for (const [part, named] of wrong) {
      expect(await message(`POST ${PATH}`, { ...NEW, ...part })).toContain(named)
      expect(await message(`PATCH ${PATH}/${id}`, part)).toContain(named)
    }
    expect(await message(`POST ${PATH}/${id}/rotate-secret`, { overlap_seconds: -1 })).toContain(
      '"overlap_seconds"',
    )
    expect(await message(`GET ${PATH}/${id}/deliveries?status=late`)).toContain('pending, delivered, dead')
    for (const limit of ['0', '1001', 'x'])
      expect(await message(`GET ${PATH}/${id}/deliveries?limit=${limit}`)).toContain('1 to 1000')
    expect(await message(`GET ${PATH}/${id}/deliveries?cursor=%20`)).toContain('cursor')
    expect((await call(`GET ${PATH}`)).json.data).toHaveLength(1)
  })

  test('AU7 and WH35 deliveries are listed and sent again', async () => {
    const { call, platform, clock } = await serve()
    const { id } = (await call(`POST ${PATH}`, NEW)).json
    const { store } = contextOf(platform)
    await store.webhooks.deliveries.keepEvent(aWebhookEvent('EVENT-1', { at: clock.now() }), id)
    const listed = await call(`GET ${PATH}/${id}/deliveries?status=pending&limit=1`)
    const delivery = {
      id: `EVENT-1.${id}`,
      eventId: 'EVENT-1',
      type: 'conversation.completed',
      conversationId: 'AS-1',
      status: 'pending',
      attempts: 0,
      nextAttemptAt: '2026-01-01T00:00:00.000Z',
      lastAttemptAt: null,
      lastStatus: null,
      lastError: null,
      createdAt: '2026-01-01T00:00:00.000Z',
    }
    expect([listed.status, listed.json]).toEqual([200, { deliveries: [delivery], cursor: null }])
    const again = await call(`POST ${PATH}/${id}/deliveries/${delivery.id}/resend`)
    expect([again.status, again.json]).toEqual([202, delivery])
    const unknown = await call(`POST ${PATH}/${id}/deliveries/EVENT-2.${id}/resend`)
    expect([unknown.status, unknown.json.error_code]).toEqual([404, 'WEBHOOK_DELIVERY_NOT_FOUND'])
  })

  test('WH70 a delivery is read with what was sent and answered, to the letter; the list stays as it is', async () => {
    const { call, platform, clock } = await serve()
    const { id } = (await call(`POST ${PATH}`, NEW)).json
    const { deliveries } = contextOf(platform).store.webhooks
    const event = aWebhookEvent('EVENT-1', { at: clock.now(), body: '{"type":"x","text":"<b>Zoë</b>"}' })
    await deliveries.keepEvent(event, id)
    const one = `${PATH}/${id}/deliveries/EVENT-1.${id}`
    const inList = async () => (await call(`GET ${PATH}/${id}/deliveries`)).json.deliveries[0]
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': 'EVENT-1',
      'X-AI-Event-ID': 'EVENT-1',
    }
    const unsent = await call(`GET ${one}`)
    expect([unsent.status, unsent.json]).toEqual([
      200,
      { ...(await inList()), sent: { url: null, at: null, headers, body: event.body }, answer: null },
    ])
    const delivery = newDelivery(event, id)
    const tried = { ...delivery, attempts: 1, lastStatus: 500, lastAttemptAt: clock.now() + 250, version: 2 }
    const body = { contentType: 'text/html', bytes: 70_000, text: '<script>alert(1)</script>', isCut: true }
    await deliveries.update(1, tried, { url: `${url}?a=b`, sentAt: clock.now(), body })
    const seconds = String(clock.now() / 1000)
    expect((await call(`GET ${one}`)).json).toEqual({
      ...(await inList()),
      sent: {
        url: `${url}?a=b`,
        at: '2026-01-01T00:00:00.000Z',
        headers: { ...headers, 'webhook-timestamp': seconds, 'X-AI-Timestamp': seconds },
        body: event.body,
      },
      answer: { status: 500, body },
    })
    await deliveries.update(2, { ...tried, version: 3 }, { url, sentAt: clock.now(), body: null })
    expect((await call(`GET ${one}`)).json.answer).toEqual({ status: 500, body: null })
    expect(Object.keys(await inList())).not.toContain('answer')
    const unknown = await call(`GET ${PATH}/${id}/deliveries/EVENT-2.${id}`)
    expect([unknown.status, unknown.json.error_code]).toEqual([404, 'WEBHOOK_DELIVERY_NOT_FOUND'])
  })

  test('WH35 a test without a sender is 501', async () => {
    const { call } = await serve()
    const { id } = (await call(`POST ${PATH}`, NEW)).json
    expect((await call(`POST ${PATH}/${id}/test`)).status).toBe(501)
  })

  test('WH30 every route: no key 401, another kind 403, a key for one agent 403, without the permission 403, another account 404', async () => {
    const { call, callWith, issue, keys } = await serve()
    const { id } = (await call(`POST ${PATH}`, NEW)).json
    const ofAgent = await issue({ agentId: 'PROJECT-A' })
    const limited = await issue({ permissions: ['agents'] })
    const allowed = await issue({ permissions: ['webhooks'] })
    const foreign = await issue({ accountId: 'ws-two' })
    for (const { method, path } of webhookRoutes) {
      const line = `${method} ${path.replace(':id', id).replace(':deliveryId', `EVENT-1.${id}`)}`
      const status = async (key: string) =>
        (await callWith(key, line, method === 'POST' && !path.includes(':id') ? NEW : {})).status
      expect(await status('')).toBe(401)
      expect(await status(keys.project)).toBe(403)
      expect(await status(ofAgent)).toBe(403)
      expect(await status(limited)).toBe(403)
      if (path.includes(':id')) expect(await status(foreign)).toBe(404)
    }
    expect((await callWith(foreign, `GET ${PATH}`)).json).toEqual({ data: [] })
    expect((await callWith(allowed, `GET ${PATH}`)).json.data).toHaveLength(1)
    expect((await call(`GET ${PATH}/${id}`)).status).toBe(200)
  })
})
