import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { webhookRoutes } from '../../src/http/routes/webhooks.ts'
import { routes } from '../../src/http/routes.ts'
import { aWebhookEvent } from '../../src/testing/index.ts'
import { createPopulatedPlatform } from '../support/platform.ts'
import { request } from '../support/request.ts'

const PATH = '/v1/webhook-endpoints'
const url = 'https://hooks.example.com/in'

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
  test('WH22 WH32 an endpoint is created, read, listed, changed and deleted; its secret is shown at first alone', async () => {
    const { call } = await serve()
    const made = await call(`POST ${PATH}`, { url, description: 'CRM', unknown: 1 })
    const { secret, ...shown } = made.json
    expect(made.status).toBe(201)
    expect(secret).toMatch(/^whsec_/)
    expect(shown).toEqual({
      id: expect.stringMatching(/^WEBHOOK-/),
      url,
      description: 'CRM',
      events: ['conversation.completed', 'handoff.requested', 'handoff.accepted', 'handoff.failed'],
      enabled: true,
      disabledReason: null,
      previousSecretUntil: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    })
    const one = `${PATH}/${shown.id}`
    const answers = [
      await call(`GET ${one}`),
      await call(`GET ${PATH}`),
      await call(`PATCH ${one}`, { enabled: false }),
      await call(`GET ${one}/deliveries`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers.map(({ json }) => json)).toEqual([
      shown,
      { endpoints: [shown], cursor: null },
      { ...shown, enabled: false },
      { deliveries: [], cursor: null },
    ])
    for (const { text } of answers) expect(text).not.toContain(secret)
    expect((await call(`DELETE ${one}`)).status).toBe(204)
    expect((await call(`GET ${one}`)).json.error_code).toBe('WEBHOOK_ENDPOINT_NOT_FOUND')
  })

  test('WH21 WH22 a rotation shows the new secret, and until when the old one signs', async () => {
    const { call } = await serve()
    const { id, secret } = (await call(`POST ${PATH}`, { url })).json
    const rotated = await call(`POST ${PATH}/${id}/rotate-secret`)
    expect(rotated.status).toBe(200)
    expect(rotated.json).toMatchObject({ id, previousSecretUntil: '2026-01-02T00:00:00.000Z' })
    expect(rotated.json.secret).toMatch(/^whsec_/)
    expect(rotated.text).not.toContain(secret)
  })

  test('WH30 AC23 the eleventh endpoint is 409 with the limit in its message', async () => {
    const { call } = await serve()
    for (let index = 0; index < 10; index++) expect((await call(`POST ${PATH}`, { url })).status).toBe(201)
    const page = (await call(`GET ${PATH}?limit=9`)).json
    const rest = (await call(`GET ${PATH}?limit=9&cursor=${page.cursor}`)).json
    expect([page.endpoints.length, rest.endpoints.length, rest.cursor]).toEqual([9, 1, null])
    expect(rest.endpoints).not.toContainEqual(page.endpoints[0])
    expect((await call(`GET ${PATH}?limit=0`)).status).toBe(400)
    const refused = await call(`POST ${PATH}`, { url })
    expect([refused.status, refused.json.error_code]).toEqual([409, 'WEBHOOK_ENDPOINT_LIMIT'])
    expect(refused.json.error_message).toContain('10')
  })

  test('WH31 WH34 what is not right is named', async () => {
    const { call } = await serve()
    const { id } = (await call(`POST ${PATH}`, { url })).json
    const message = async (line: string, body?: unknown) => {
      const { status, json } = await call(line, body)
      expect([status, json.error_code]).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
      return json.error_message
    }
    expect(await message(`POST ${PATH}`, {})).toContain('"url" is required')
    expect(await message(`POST ${PATH}`, { url: 'http://hooks.example.com' })).toContain('https')
    expect(await message(`POST ${PATH}`, { url, events: ['conversation.started'] })).toContain(
      'handoff.accepted',
    )
    expect(await message(`PATCH ${PATH}/${id}`, { events: [] })).toContain('"events"')
    expect(await message(`GET ${PATH}/${id}/deliveries?status=late`)).toContain('pending, delivered, dead')
    for (const limit of ['0', '1001', 'x'])
      expect(await message(`GET ${PATH}/${id}/deliveries?limit=${limit}`)).toContain('1 to 1000')
    expect(await message(`GET ${PATH}/${id}/deliveries?cursor=%20`)).toContain('cursor')
  })

  test('WH34 WH35 deliveries are listed and sent again', async () => {
    const { call, platform, clock } = await serve()
    const { id } = (await call(`POST ${PATH}`, { url })).json
    const { store } = platform.context
    await store.webhooks.keepEvent(aWebhookEvent('EVENT-1', { at: clock.now() }), id)
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

  test('WH36 a test without a sender is 501', async () => {
    const { call } = await serve()
    const { id } = (await call(`POST ${PATH}`, { url })).json
    expect((await call(`POST ${PATH}/${id}/test`)).status).toBe(501)
  })

  test('WH33 every route: no key 401, another kind 403, a key for one agent 403, without the permission 403, another account 404', async () => {
    const { call, callWith, issue, keys } = await serve()
    const { id } = (await call(`POST ${PATH}`, { url })).json
    const ofAgent = await issue({ agentId: 'PROJECT-A' })
    const limited = await issue({ permissions: ['agents'] })
    const allowed = await issue({ permissions: ['webhooks'] })
    const foreign = await issue({ accountId: 'ws-two' })
    for (const { method, path } of webhookRoutes) {
      const line = `${method} ${path.replace(':id', id).replace(':deliveryId', `EVENT-1.${id}`)}`
      const status = async (key: string) => (await callWith(key, line, { url })).status
      expect(await status('')).toBe(401)
      expect(await status(keys.project)).toBe(403)
      expect(await status(ofAgent)).toBe(403)
      expect(await status(limited)).toBe(403)
      if (path.includes(':id')) expect(await status(foreign)).toBe(404)
    }
    expect((await callWith(foreign, `GET ${PATH}`)).json).toEqual({ endpoints: [], cursor: null })
    expect((await callWith(allowed, `GET ${PATH}`)).json.endpoints).toHaveLength(1)
    expect((await call(`GET ${PATH}/${id}`)).status).toBe(200)
  })
})
