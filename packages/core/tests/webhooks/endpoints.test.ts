import { describe, expect, test } from 'vitest'
import { isPlatformError } from '../../src/errors.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import { eachPage } from '../../src/usecases/shared/page.ts'
import { ACCOUNT, aNewEndpoint, createWorld } from './support.ts'

const URL_ONE = 'https://hooks.example.com/in'

async function begin(options: Partial<PlatformOptions> = {}) {
  const world = await createWorld()
  const platform = world.start(options)
  const { webhooks } = platform
  const add = (input: Partial<Parameters<typeof webhooks.createEndpoint>[1]> = {}) =>
    webhooks.createEndpoint(ACCOUNT, aNewEndpoint(URL_ONE, input)).then(({ endpoint }) => endpoint)
  return { ...world, platform, webhooks, add }
}

/** The code and message with which a call is refused. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'not refused',
    error => (isPlatformError(error) ? `${error.code} ${error.message}` : String(error)),
  )

describe('endpoints', () => {
  test('WH30 an account has ten, also when they come at once; the refusal says the limit', async () => {
    const { add, webhooks } = await begin()
    const results = await Promise.all(Array.from({ length: 14 }, () => refusal(add())))
    expect(results.filter(result => result === 'not refused')).toHaveLength(10)
    expect(results.at(-1)).toMatch(/^WEBHOOK_ENDPOINT_LIMIT .*has 10 webhook endpoints/)
    expect((await webhooks.endpoints(ACCOUNT)).endpoints).toHaveLength(10)
  })

  test('WH31 an address is kept as it is meant', async () => {
    const { add } = await begin()
    const kept = async (url: string) => (await add({ url })).url
    expect(await kept('HTTPS://Hooks.Example.com:443/a?b=c#d')).toBe('https://hooks.example.com/a?b=c')
    expect(await kept('https://0x08080808/')).toBe('https://8.8.8.8/')
    const twice = await add({ eventTypes: ['handoff.failed', 'handoff.failed'] })
    expect(twice.eventTypes).toEqual(['handoff.failed'])
    expect((await add()).id).toMatch(/^whe_[A-Za-z0-9]+$/)
  })

  test.each([
    ['hooks.example.com', 'expected an absolute https address'],
    ['ftp://hooks.example.com', 'expected an absolute https address'],
    ['https://user:secret@hooks.example.com', 'without user name and password'],
    [`https://hooks.example.com/${'x'.repeat(2_000)}`, '"url" is not valid'],
    ['https://refused.example.com', 'The field "url" is not valid: it is refused.'],
  ])('WH31 %s is refused, new and as a change', async (url, message) => {
    const { add, webhooks } = await begin()
    const { id } = await add()
    for (const call of [add({ url }), webhooks.updateEndpoint(ACCOUNT, id, { url })]) {
      const said = await refusal(call)
      expect(said).toContain('SCHEMA_VALIDATION_FAILED')
      expect(said).toContain(message)
    }
    expect((await webhooks.endpoints(ACCOUNT)).endpoints).toMatchObject([{ url: URL_ONE, version: 1 }])
  })

  test('WH31 changes at once all take effect, and leave what they do not name', async () => {
    const { add, webhooks } = await begin()
    const { id } = await add({ name: 'first' })
    await Promise.all([
      webhooks.updateEndpoint(ACCOUNT, id, { url: 'https://other.example.com/' }),
      webhooks.updateEndpoint(ACCOUNT, id, { enabled: false }),
      webhooks.updateEndpoint(ACCOUNT, id, { eventTypes: ['handoff.failed'] }),
      webhooks.rotateSecret(ACCOUNT, id),
    ])
    expect(await webhooks.endpoint(ACCOUNT, id)).toMatchObject({
      url: 'https://other.example.com/',
      name: 'first',
      enabled: false,
      eventTypes: ['handoff.failed'],
      previousSecretUntil: expect.any(Number),
      version: 5,
    })
  })

  test('WH20 one more rotation ends the oldest secret at once; the overlap is a day', async () => {
    const { store, webhooks, clock } = await begin()
    const first = await webhooks.createEndpoint(ACCOUNT, aNewEndpoint())
    const { id } = first.endpoint
    const kept = async () => (await store.webhooks.endpoints.find(ACCOUNT, id))?.previousSecret
    const second = await webhooks.rotateSecret(ACCOUNT, id)
    expect(second.endpoint.previousSecretUntil).toBe(clock.now() + 86_400_000)
    expect(await kept()).toEqual({ secret: first.secret, until: clock.now() + 86_400_000 })
    const third = await webhooks.rotateSecret(ACCOUNT, id)
    expect((await kept())?.secret).toBe(second.secret)
    expect(new Set([first.secret, second.secret, third.secret]).size).toBe(3)
  })

  test('WH20 a rotation says how long the old secret signs on, or that it does not', async () => {
    const { add, webhooks, clock } = await begin()
    const { id } = await add()
    const until = async (overlapSeconds: number) =>
      (await webhooks.rotateSecret(ACCOUNT, id, { overlapSeconds })).endpoint.previousSecretUntil
    expect(await until(60)).toBe(clock.now() + 60_000)
    expect(await until(0)).toBeNull()
    for (const overlapSeconds of [-1, 1.5, 2_592_001])
      expect(await refusal(webhooks.rotateSecret(ACCOUNT, id, { overlapSeconds }))).toMatch(
        /^SCHEMA_VALIDATION_FAILED The field "overlapSeconds"/,
      )
  })

  test.each([
    ['Connection', 'close', 'the header "Connection" cannot be set'],
    ['transfer-encoding', 'chunked', 'cannot be set'],
    ['Content-Length', '0', 'cannot be set'],
    ['Host', 'a.example', 'cannot be set'],
    ['User-Agent', 'x', 'cannot be set'],
    ['Webhook-Id', 'EVENT-1', 'cannot be set'],
    ['x-acme-signature', '0', 'the header "x-acme-signature" cannot be set'],
    ['X-ACME-Event-Id', '0', 'cannot be set'],
    ['X Key', 'a', 'expected names of 1 to 100'],
    ['', 'a', 'expected names of 1 to 100'],
    ['X-Key', 'a\r\nX-Other: b', 'expected visible ASCII characters as the value of "X-Key"'],
    ['X-Key', ' a', 'expected visible ASCII'],
    ['X-Key', 'ä', 'expected visible ASCII'],
    ['X-Key', 'a'.repeat(8_192), 'at most 8192 characters'],
  ])('WH31 the header %j: %j is refused, new and as a change', async (name, value, message) => {
    const world = await createWorld()
    const { webhooks } = world.start({ brand: 'Acme' })
    const {
      endpoint: { id },
    } = await webhooks.createEndpoint(ACCOUNT, aNewEndpoint())
    const headers = { [name]: value }
    for (const call of [
      webhooks.createEndpoint(ACCOUNT, aNewEndpoint(URL_ONE, { headers })),
      webhooks.updateEndpoint(ACCOUNT, id, { headers }),
    ])
      expect(await refusal(call)).toContain(message)
    expect((await webhooks.endpoint(ACCOUNT, id)).headers).toEqual({})
  })

  test('WH31 too many headers, and one in two spellings, are refused', async () => {
    const { add } = await begin()
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`X-${index}`, 'a']))
    expect(await refusal(add({ headers: many }))).toContain('at most 50 headers')
    expect(await refusal(add({ headers: { 'X-Key': 'a', 'x-key': 'b' } }))).toContain('each name once')
  })

  test('WH31 the headers of an endpoint go with each of its requests', async () => {
    const { add, clock, requests, tell } = await begin()
    await add({ headers: { Authorization: 'Bearer abc', 'X-Empty': '' } })
    await tell('one')
    await clock.advance(1_000)
    expect(requests[0]?.headers).toMatchObject({ Authorization: 'Bearer abc', 'X-Empty': '' })
  })

  test('a deleted endpoint gets nothing any more', async () => {
    const { add, webhooks, tell, clock, requests } = await begin()
    const { id } = await add()
    await tell('one')
    await webhooks.deleteEndpoint(ACCOUNT, id)
    await clock.advance(5_000)
    expect(requests).toEqual([])
    for (const call of [
      webhooks.endpoint(ACCOUNT, id),
      webhooks.deleteEndpoint(ACCOUNT, id),
      webhooks.deliveries(ACCOUNT, id),
      webhooks.rotateSecret(ACCOUNT, id),
      webhooks.test(ACCOUNT, id),
    ])
      expect(await refusal(call)).toMatch(/^WEBHOOK_ENDPOINT_NOT_FOUND /)
  })
})

describe('deliveries', () => {
  test('AU7 pages follow one another without a gap, whatever comes meanwhile', async () => {
    const { add, webhooks, tell } = await begin()
    const { id } = await add({ enabled: true })
    for (let index = 0; index < 5; index++) await tell(`event-${index}`)
    const first = await webhooks.deliveries(ACCOUNT, id, { limit: 2 })
    await tell('late')
    const second = await webhooks.deliveries(ACCOUNT, id, { limit: 3, cursor: first.cursor ?? '' })
    const ids = [...first.deliveries, ...second.deliveries].map(({ delivery }) => delivery.eventId)
    expect(ids).toEqual([4, 3, 2, 1, 0].map(index => `EVENT-event-${index}`))
    expect(second.cursor).toBeNull()
    expect(await refusal(webhooks.deliveries(ACCOUNT, id, { cursor: 'x' }))).toMatch(
      /^SCHEMA_VALIDATION_FAILED/,
    )
  })

  test('AU7 a page ends where its deliveries would have more than a slice, and its cursor goes on', async () => {
    const { add, webhooks, tell } = await begin({ limits: { sliceBytes: 1_500 } })
    const { id } = await add({ enabled: true })
    for (let index = 10; index < 30; index++) await tell(`event-${index}`)
    const pages: string[][] = []
    for await (const page of eachPage(query => webhooks.deliveries(ACCOUNT, id, query))) {
      expect(Buffer.byteLength(JSON.stringify(page.deliveries))).toBeLessThan(1_500)
      pages.push(page.deliveries.map(({ delivery }) => delivery.eventId))
    }
    expect(pages.flat()).toEqual(Array.from({ length: 20 }, (_, index) => `EVENT-event-${29 - index}`))
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.length).toBeLessThan(15)
  })

  test('WH35 a dead, a delivered and a waiting delivery are sent again; one under way is not', async () => {
    const { add, answer, clock, requests, tell, webhooks } = await begin()
    const { id } = await add()
    const again = (event: string) => webhooks.resend(ACCOUNT, id, `EVENT-${event}.${id}`)
    answer(() => 404)
    await tell('dead')
    await clock.advance(1_000)
    answer(() => 503)
    await tell('waiting')
    await clock.advance(1_000)
    answer(() => 200)
    expect((await again('dead')).delivery).toMatchObject({
      status: 'pending',
      attempts: 0,
      dueAt: clock.now(),
    })
    await again('waiting')
    await clock.advance(1_000)
    await again('waiting')
    await clock.advance(1_000)
    const sent = requests.map(({ headers }) => headers['webhook-id'])
    expect(sent).toEqual(['dead', 'waiting', 'dead', 'waiting', 'waiting'].map(event => `EVENT-${event}`))

    answer(() => 'no answer')
    await again('dead')
    await clock.advance(1_000)
    expect(await refusal(again('dead'))).toMatch(/^WEBHOOK_DELIVERY_CONFLICT .*being sent/)
    await webhooks.updateEndpoint(ACCOUNT, id, { enabled: false })
    expect(await refusal(again('waiting'))).toMatch(/^WEBHOOK_DELIVERY_CONFLICT .*disabled/)
    expect(await refusal(again('unknown'))).toMatch(/^WEBHOOK_DELIVERY_NOT_FOUND/)
    const other = webhooks.resend(ACCOUNT, id, `EVENT-dead.${'WEBHOOK-other'}`)
    expect(await refusal(other)).toMatch(/^WEBHOOK_DELIVERY_NOT_FOUND/)
  })

  test('WH35 a test event is sent whatever the endpoint is subscribed to, and to that one alone', async () => {
    const { add, clock, requests, webhooks } = await begin()
    const { id } = await add({ eventTypes: ['handoff.failed'] })
    await add({ url: 'https://other.example.com/' })
    const made = await webhooks.test(ACCOUNT, id)
    expect(made).toMatchObject({ delivery: { status: 'pending' }, event: { type: 'webhook.test' } })
    await clock.advance(1_000)
    expect(requests).toHaveLength(1)
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      type: 'webhook.test',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: { account_id: ACCOUNT, endpoint_id: id },
    })
    await webhooks.updateEndpoint(ACCOUNT, id, { enabled: false })
    expect(await refusal(webhooks.test(ACCOUNT, id))).toMatch(/^WEBHOOK_DELIVERY_CONFLICT/)
  })
})
