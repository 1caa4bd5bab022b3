import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { WebhookEndpointInfo } from '../../src/domain/webhook/webhook.ts'
import type { Platform } from '../../src/platform.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { ACCOUNT, aNewEndpoint, aWebhookEvent, createWorld, type SentRequest, silentLog } from './support.ts'

const MINUTE = 60_000
/** For tests that go on for hours or weeks: looks for due deliveries less often. */
const PATIENT = { wakeInterval: 10_000, alerts: { evaluationInterval: 60 * MINUTE } }

/** A platform with one endpoint, or as many as there are addresses. */
async function begin(urls: readonly string[] = ['https://hooks.example.com/in'], options = {}) {
  const world = await createWorld()
  const platform = world.start(options)
  const endpoints: WebhookEndpointInfo[] = []
  const secrets: string[] = []
  for (const url of urls) {
    const made = await platform.webhooks.createEndpoint(ACCOUNT, aNewEndpoint(url, { timeout: 10_000 }))
    endpoints.push(made.endpoint)
    secrets.push(made.secret)
  }
  const [endpoint] = endpoints
  if (endpoint === undefined) throw new Error('No address was given.')
  return { ...world, platform, endpoint, endpoints, secret: secrets[0] ?? '' }
}

const statuses = async (platform: Platform, { id }: WebhookEndpointInfo) =>
  (await platform.webhooks.deliveries(ACCOUNT, id)).deliveries.map(({ delivery }) => delivery.status)
const idsOf = (requests: readonly SentRequest[]) => requests.map(({ headers }) => headers['webhook-id'])

describe('a step back of the wall clock', () => {
  const HOUR = 60 * MINUTE

  test('TM4 what failed is sent again after its own delay, no sooner and no later', async () => {
    const world = await begin(undefined, PATIENT)
    world.answer(() => 503)
    await world.tell('one')
    await world.clock.advance(10_000)
    expect(world.requests).toHaveLength(1)
    world.clock.step(-2 * HOUR)
    await world.clock.advance(50_000)
    expect(world.requests).toHaveLength(1)
    await world.clock.advance(30_000)
    expect(world.requests).toHaveLength(2)
    world.clock.step(-2 * HOUR)
    await world.clock.advance(4 * MINUTE)
    expect(world.requests).toHaveLength(2)
    await world.clock.advance(2 * MINUTE)
    expect(world.requests).toHaveLength(3)
  })

  test('TM4 what was never sent is sent at once, also by a process that starts after the step', async () => {
    const { clock, requests, start, tell, platform } = await begin(undefined, PATIENT)
    await clock.advance(0)
    await tell('one')
    clock.step(-2 * HOUR)
    await clock.advance(10_000)
    expect(idsOf(requests)).toEqual(['EVENT-one'])
    await tell('two')
    await platform.close()
    clock.step(-2 * HOUR)
    start(PATIENT)
    await clock.advance(0)
    expect(idsOf(requests)).toEqual(['EVENT-one', 'EVENT-two'])
  })

  test('TM4 what is being sent is not sent twice; what a process that died was sending is, once its claim would end', async () => {
    const { clock, endpoint, requests, answer, store, tell, start, platform } = await begin()
    answer(() => 'no answer')
    await tell('one')
    await clock.advance(1_000)
    start()
    clock.step(-2 * HOUR)
    await clock.advance(8_000)
    expect(requests).toHaveLength(1)
    answer(() => 204)
    await clock.advance(2 * MINUTE)
    expect(requests).toHaveLength(2)
    expect(await statuses(platform, endpoint)).toEqual(['delivered'])

    await store.webhooks.deliveries.keepEvent(aWebhookEvent('EVENT-lost', { at: clock.now() }), endpoint.id)
    const lost = await store.webhooks.deliveries.claim(endpoint.id, clock.now(), 9, clock.now() + HOUR)
    expect(lost).toHaveLength(1)
    clock.step(-2 * HOUR)
    await clock.advance(30_000)
    expect(requests).toHaveLength(2)
    await clock.advance(2 * MINUTE)
    expect(idsOf(requests).at(-1)).toBe('EVENT-lost')
  })
})

describe('attempts', () => {
  test('WH13 and WH20 what is told is sent within a second, signed and to the letter', async () => {
    const { clock, endpoint, platform, requests, secret, tell } = await begin()
    await tell('one')
    const told = clock.now()
    await clock.advance(999)
    const [request] = requests
    if (request === undefined) throw new Error('Nothing was sent.')
    expect(request.at - told).toBeLessThan(1_000)
    expect(request).toMatchObject({ url: endpoint.url, body: '{"id":"EVENT-one"}' })
    expect(request.headers).toMatchObject({
      'webhook-id': 'EVENT-one',
      'webhook-timestamp': String(Math.floor(request.at / 1000)),
    })
    const signed = new Date(Math.floor(request.at / 1000) * 1000)
    const expected = new Webhook(secret).sign('EVENT-one', signed, request.body)
    expect(request.headers['webhook-signature']).toBe(expected)
    expect(await statuses(platform, endpoint)).toEqual(['delivered'])
    await clock.advance(2 * MINUTE)
    expect(requests).toHaveLength(1)
  })

  test('WH10 and WH5 failures are tried again at their times, with the same id and body, until the delivery is dead', async () => {
    const world = await begin(undefined, PATIENT)
    world.answer(() => 503)
    await world.tell('one')
    const start = world.clock.now()
    await world.clock.advance(10 * 60 * MINUTE)
    const minutes = world.requests.map(({ at }) => Math.floor((at - start) / MINUTE))
    expect(minutes).toEqual([0, 1, 6, 21, 81, 321])
    expect(new Set(idsOf(world.requests))).toEqual(new Set(['EVENT-one']))
    expect(new Set(world.requests.map(({ body }) => body)).size).toBe(1)
    expect(new Set(world.requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(6)
    expect(await statuses(world.platform, world.endpoint)).toEqual(['dead'])
  })

  test('WH10 a receiver that does not answer in time has failed, and is asked again a minute later', async () => {
    const { clock, endpoint, platform, requests, tell, answer } = await begin()
    answer(() => 'no answer')
    await tell('one')
    await clock.advance(10_500)
    const { deliveries } = await platform.webhooks.deliveries(ACCOUNT, endpoint.id)
    expect(deliveries[0]?.delivery).toMatchObject({
      status: 'pending',
      attempts: 1,
      inFlight: false,
      lastError: 'The receiver did not answer within 10000 ms',
    })
    answer(() => 200)
    await clock.advance(MINUTE)
    expect(requests).toHaveLength(2)
    expect(await statuses(platform, endpoint)).toEqual(['delivered'])
  })

  test.each([
    {
      type: 'refused',
      reason: 'db.internal leads to 10.0.0.7, which is not an address of the public Internet',
    },
    { type: 'failed', reason: 'connect ECONNREFUSED 10.0.0.7:443' },
    { type: 'failed', reason: 'getaddrinfo ENOTFOUND db.internal' },
    { type: 'failed', reason: 'Hostname/IP does not match: IP 10.0.0.7 is not in the list: intranet' },
  ] as const)('WH43 the account is told one sentence, and the host $reason', async outcome => {
    const said: unknown[] = []
    const { clock, start, tell, answer } = await createWorld()
    const log = { debug() {}, info() {}, error() {}, warn: (...line: unknown[]) => void said.push(line) }
    const platform = start({ log })
    const { endpoint } = await platform.webhooks.createEndpoint(ACCOUNT, aNewEndpoint('https://a.example/'))
    answer(() => outcome)
    await tell('one')
    await clock.advance(500)
    const { deliveries } = await platform.webhooks.deliveries(ACCOUNT, endpoint.id)
    expect(deliveries[0]?.delivery.lastError).toBe(
      'The receiver could not be reached. Its address must lead to a server of the public Internet that answers',
    )
    const { reason } = outcome
    const fields = { endpointId: endpoint.id, eventId: 'EVENT-one', reason }
    expect(said).toEqual([['a webhook got no answer', fields]])
  })

  test('WH10 410 disables the endpoint', async () => {
    const { clock, endpoint, platform, tell, answer, warnings } = await begin()
    answer(() => 410)
    await tell('one')
    await clock.advance(1_000)
    const disabled = await platform.webhooks.endpoint(ACCOUNT, endpoint.id)
    expect(disabled).toMatchObject({ enabled: false, disabledReason: 'The receiver answered 410 Gone' })
    expect(warnings).toEqual(['A webhook endpoint was disabled'])
    const enabled = await platform.webhooks.updateEndpoint(ACCOUNT, endpoint.id, { enabled: true })
    expect(enabled).toMatchObject({ enabled: true, disabledReason: null })
  })

  test('WH10 an endpoint’s own time-out counts, five seconds unless it says otherwise', async () => {
    const { answer, clock, requests, start, tell } = await createWorld()
    const platform = start()
    answer(() => 'no answer')
    const { endpoint: usual } = await platform.webhooks.createEndpoint(
      ACCOUNT,
      aNewEndpoint('https://usual.example/'),
    )
    const { endpoint: quick } = await platform.webhooks.createEndpoint(
      ACCOUNT,
      aNewEndpoint('https://quick.example/', { timeout: 1_000 }),
    )
    await tell('one')
    await clock.advance(500)
    expect(requests).toHaveLength(2)
    const error = async ({ id }: WebhookEndpointInfo) =>
      (await platform.webhooks.deliveries(ACCOUNT, id)).deliveries[0]?.delivery.lastError
    await clock.advance(1_000)
    expect([await error(usual), await error(quick)]).toEqual([
      null,
      'The receiver did not answer within 1000 ms',
    ])
    await clock.advance(4_000)
    expect(await error(usual)).toBe('The receiver did not answer within 5000 ms')
  })

  test('WH10 an endpoint that was changed while the request was under way stays enabled', async () => {
    const world = await begin()
    const { platform, endpoint } = world
    let change: Promise<unknown> = Promise.resolve()
    world.answer(() => {
      change = platform.webhooks.updateEndpoint(ACCOUNT, endpoint.id, { name: 'repaired' })
      return 410
    })
    await world.tell('one')
    await world.clock.advance(1_000)
    await change
    expect(await platform.webhooks.endpoint(ACCOUNT, endpoint.id)).toMatchObject({ enabled: true })
    expect(await statuses(platform, endpoint)).toEqual(['dead'])
  })

  test('WH13 what is pending for a disabled endpoint waits until it is enabled', async () => {
    const { clock, endpoint, platform, requests, tell } = await begin()
    await tell('one')
    await platform.webhooks.updateEndpoint(ACCOUNT, endpoint.id, { enabled: false })
    await tell('two')
    await clock.advance(5 * MINUTE)
    expect(requests).toEqual([])
    await platform.webhooks.updateEndpoint(ACCOUNT, endpoint.id, { enabled: true })
    await clock.advance(1_000)
    expect(idsOf(requests)).toEqual(['EVENT-one'])
  })

  test('WH13 a slow receiver holds five places at most, one once it has failed, and keeps nobody else waiting', async () => {
    const slow = 'https://slow.example.com/'
    const { answer, clock, most, requests, tell } = await begin([slow, 'https://quick.example.com/'])
    answer(({ url }) => (url === slow ? 'no answer' : 204))
    for (let index = 0; index < 20; index++) await tell(`event-${index}`)
    await clock.advance(1_000)
    const sent = (url: string) => requests.filter(request => request.url === url).length
    expect([sent(slow), sent('https://quick.example.com/')]).toEqual([5, 20])
    // Five time out after ten seconds; from then on one at a time is tried.
    await clock.advance(10_000)
    expect(sent(slow)).toBe(6)
    await clock.advance(10_000)
    expect(sent(slow)).toBe(7)
    await tell('late')
    const before = clock.now()
    await clock.advance(1_000)
    expect(requests.filter(({ at, url }) => at >= before && url !== slow)).toHaveLength(1)
    expect(most()).toBeLessThanOrEqual(10)
  })

  test('WH13 a backlog goes out without a rest while its receiver is well', async () => {
    const { clock, endpoint, platform, requests, tell } = await begin()
    for (let index = 0; index < 60; index++) await tell(`event-${index}`)
    await clock.advance(500)
    expect(requests).toHaveLength(60)
    expect(new Set(idsOf(requests)).size).toBe(60)
    expect(new Set(await statuses(platform, endpoint))).toEqual(new Set(['delivered']))
  })

  test('WH13 a process has as many requests under way as it is told at most', async () => {
    const urls = ['a', 'b', 'c'].map(name => `https://${name}.example.com/`)
    const { answer, clock, most, tell } = await begin(urls, { webhooks: { concurrency: 4, perEndpoint: 2 } })
    answer(() => 'no answer')
    for (let index = 0; index < 9; index++) await tell(`event-${index}`)
    await clock.advance(5_000)
    expect(most()).toBe(4)
  })
})

describe('processes', () => {
  test('WH13 a restart goes on at the stored time', async () => {
    const world = await begin()
    world.answer(() => 500)
    await world.tell('one')
    const start = world.clock.now()
    await world.clock.advance(MINUTE / 2)
    await world.platform.close()
    const again = world.start()
    await world.clock.advance(MINUTE)
    expect(world.requests.map(({ at }) => Math.floor((at - start) / MINUTE))).toEqual([0, 1])
    expect(await statuses(again, world.endpoint)).toEqual(['pending'])
  })

  test('WH13 what was begun and not noted before a crash is sent again, with the same id', async () => {
    const world = await begin()
    const { store, clock, requests } = world
    await world.tell('one')
    const claimed = await store.webhooks.deliveries.claim(
      world.endpoint.id,
      clock.now(),
      1,
      clock.now() + 45_000,
    )
    expect(claimed).toHaveLength(1)
    await clock.advance(44_000)
    expect(requests).toEqual([])
    await clock.advance(2_000)
    expect(idsOf(requests)).toEqual(['EVENT-one'])
    expect(await statuses(world.platform, world.endpoint)).toEqual(['delivered'])
  })

  test('WH13 of several processes one sends each', async () => {
    const world = await begin()
    world.start()
    world.start()
    for (let index = 0; index < 40; index++) await world.tell(`event-${index}`)
    await world.clock.advance(3_000)
    expect(idsOf(world.requests).length).toBe(40)
    expect(new Set(idsOf(world.requests)).size).toBe(40)
  })

  test('WH13 a process that closes gives up what takes too long, notes that, and begins nothing else', async () => {
    const world = await begin()
    const { clock, platform, endpoint } = world
    world.answer(() => 'no answer')
    await world.tell('one')
    await clock.advance(1_000)
    const other = world.startMute()
    const closed = platform.close()
    await world.tell('two')
    await clock.advance(4_000)
    expect(await statuses(other, endpoint)).toEqual(['pending', 'pending'])
    await clock.advance(1_500)
    await closed
    const { deliveries } = await other.webhooks.deliveries(ACCOUNT, endpoint.id, { status: 'pending' })
    const one = deliveries.find(({ delivery }) => delivery.eventId === 'EVENT-one')
    expect(one?.delivery).toMatchObject({
      attempts: 1,
      inFlight: false,
      lastError: 'The server went away before the receiver answered',
    })
    expect(idsOf(world.requests)).toEqual(['EVENT-one'])
  })

  test('WH19 settled events go when they were kept long enough, thirty days unless told otherwise; pending ones stay', async () => {
    expect(resolveSettings({}, silentLog).webhooks.retention).toBe(30 * 24 * 60 * MINUTE)
    const world = await begin(undefined, { ...PATIENT, webhooks: { retention: 3 * 60 * MINUTE } })
    const { clock, platform, endpoint, store } = world
    await world.tell('settled')
    await clock.advance(MINUTE)
    await platform.webhooks.updateEndpoint(ACCOUNT, endpoint.id, { enabled: false })
    await store.webhooks.deliveries.keepEvent(aWebhookEvent('EVENT-waits', { at: clock.now() }), endpoint.id)
    await clock.advance(178 * MINUTE)
    expect(await statuses(platform, endpoint)).toEqual(['pending', 'delivered'])
    await clock.advance(62 * MINUTE)
    expect(await statuses(platform, endpoint)).toEqual(['pending'])
  })

  test('WH35 without a sender endpoints are managed and events kept; another process may send them', async () => {
    const world = await createWorld()
    const mute = world.startMute()
    const url = 'https://hooks.example.com/'
    const { endpoint } = await mute.webhooks.createEndpoint(ACCOUNT, aNewEndpoint(url))
    expect(world.warnings).toEqual([
      'Events for a webhook endpoint are kept and not sent: this process has no webhook sender',
    ])
    await world.tell('one')
    await world.clock.advance(MINUTE)
    expect(world.requests).toEqual([])
    await expect(mute.webhooks.test(ACCOUNT, endpoint.id)).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED' })
    await expect(
      mute.webhooks.createEndpoint(ACCOUNT, aNewEndpoint('http://a.example.com/')),
    ).rejects.toThrow('The field "url" is not valid: expected an https address.')
    world.start()
    await world.clock.advance(1_000)
    expect(idsOf(world.requests)).toEqual(['EVENT-one'])
  })
})
