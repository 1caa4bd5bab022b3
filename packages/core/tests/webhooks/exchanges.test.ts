import { describe, expect, test } from 'vitest'
import type { AttemptOutcome } from '../../src/domain/webhook/attempt.ts'
import type { AnswerBody } from '../../src/domain/webhook/exchange.ts'
import type { WebhookSender } from '../../src/ports/webhook-sender.ts'
import { ACCOUNT, aNewEndpoint, createWorld, START } from './support.ts'

const URL_OF_ONE = 'https://hooks.example.com/in?key=a'

const answered = (status: number, values: Partial<AnswerBody> = {}): AttemptOutcome => ({
  ...{ type: 'answered', status },
  body: { contentType: 'text/plain', bytes: 4, text: 'text', isCut: false, ...values },
})

async function begin(webhookSender?: WebhookSender) {
  const world = await createWorld()
  const { webhooks } = world.start(webhookSender === undefined ? {} : { webhookSender })
  const headers = { Authorization: 'Bearer of the receiver' }
  const { endpoint } = await webhooks.createEndpoint(ACCOUNT, aNewEndpoint(URL_OF_ONE, { headers }))
  const read = () => webhooks.delivery(ACCOUNT, endpoint.id, `EVENT-one.${endpoint.id}`)
  /** What is kept of an answer. */
  const kept = async (outcome: AttemptOutcome) => {
    world.answer(() => outcome)
    await world.tell('one')
    await world.clock.advance(1_000)
    return (await read()).exchange?.body
  }
  return { ...world, webhooks, endpoint, read, kept }
}

describe('what is kept of an answer', () => {
  test('WH70 the first 1,000 characters of its text, none of them in half, and well-formed', async () => {
    const text = 'x'.repeat(1_000)
    expect(await (await begin()).kept(answered(200, { text }))).toMatchObject({ text, isCut: false })
    const longer = `${'x'.repeat(999)}\u{1f600}`
    expect(await (await begin()).kept(answered(500, { text: longer }))).toMatchObject({
      text: 'x'.repeat(999),
      isCut: true,
    })
    const half = await (await begin()).kept(answered(200, { text: 'a\ud83d', contentType: 'x'.repeat(500) }))
    expect(half).toEqual({ contentType: 'x'.repeat(200), bytes: 4, text: 'a\ufffd', isCut: false })
  })

  test('WH70 the newest attempt alone, what a resend waits for included', async () => {
    const { answer, clock, endpoint, kept, read, requests, webhooks } = await begin()
    expect(await kept(answered(503, { text: 'later' }))).toMatchObject({ text: 'later' })
    answer(() => answered(404, { text: 'gone' }))
    await clock.advance(60_000)
    expect((await read()).exchange).toMatchObject({ url: URL_OF_ONE, body: { text: 'gone' } })
    answer(() => 'no answer')
    await webhooks.resend(ACCOUNT, endpoint.id, `EVENT-one.${endpoint.id}`)
    expect((await read()).exchange?.body).toMatchObject({ text: 'gone' })
    await webhooks.updateEndpoint(ACCOUNT, endpoint.id, { url: 'https://other.example.com/' })
    await clock.advance(7_000)
    const { delivery, exchange } = await read()
    expect(delivery).toMatchObject({ attempts: 1, lastStatus: null })
    const sentAt = Number(requests.at(-1)?.headers['webhook-timestamp']) * 1_000
    expect(exchange).toEqual({ url: 'https://other.example.com/', sentAt, body: null })
  })

  test('WH43 WH70 nothing of an address that may not be reached, nor of one that is away', async () => {
    for (const type of ['refused', 'failed'] as const) {
      const { kept, read } = await begin()
      expect(await kept({ type, reason: 'db.internal (10.0.0.7) says: root' })).toBeNull()
      expect(JSON.stringify(await read())).not.toMatch(/internal|10\.0\.0\.7|root/)
    }
  })

  test('WH70 a sender that passes no body on: the status is kept', async () => {
    const { kept, read } = await begin()
    expect(await kept({ type: 'answered', status: 204 })).toBeNull()
    expect((await read()).delivery).toMatchObject({ lastStatus: 204, status: 'delivered' })
  })

  test.each([
    ['no outcome at all', 'yes'],
    ['a body that is none', { type: 'answered', status: 200, body: { text: 5 } }],
    ['no status', { type: 'answered' }],
  ])('EM1 WH70 a sender of the host that tells %s has failed, which is reported', async (_, told) => {
    const answers: unknown[] = [told]
    const { clock, errors, read, tell } = await begin({
      objection: () => null,
      send: async () => JSON.parse(JSON.stringify(answers[0])),
    })
    await tell('one')
    await clock.advance(1_000)
    expect((await read()).delivery).toMatchObject({ status: 'pending', attempts: 1, lastStatus: null })
    expect(errors).toMatchObject([{ message: 'webhookSender.send must resolve to an AttemptOutcome.' }])
  })
})

describe('a delivery', () => {
  test('WH70 is read with what is to be sent, and then with what was: no signature, and nothing of the endpoint’s own', async () => {
    const { answer, clock, endpoint, read, requests, tell } = await begin()
    answer(() => answered(200, { text: 'thanks' }))
    await tell('one')
    const unsent = { 'content-type': 'application/json; charset=utf-8', 'webhook-id': 'EVENT-one' }
    expect(await read()).toMatchObject({
      ...{ delivery: { attempts: 0 }, event: { body: '{"id":"EVENT-one"}' }, exchange: null },
      headers: unsent,
    })
    await clock.advance(1_000)
    const { delivery, event, exchange, headers } = await read()
    const [sent] = requests
    expect(event.body).toBe(sent?.body)
    expect(delivery).toMatchObject({ endpointId: endpoint.id, attempts: 1, lastStatus: 200 })
    expect(exchange).toEqual({
      ...{ url: URL_OF_ONE, sentAt: START },
      body: { contentType: 'text/plain', bytes: 4, text: 'thanks', isCut: false },
    })
    const left = Object.keys(sent?.headers ?? {}).filter(name => !(name in headers))
    expect(left).toEqual(['Authorization', 'webhook-signature', expect.stringMatching(/^X-.*-Signature$/)])
    expect(sent?.headers).toMatchObject(headers)
  })

  test('WH70 of another endpoint, or that is not kept any more, is not found', async () => {
    const { clock, endpoint, kept, store, webhooks } = await begin()
    await kept(answered(200))
    const refusal = (account: string, id: string) =>
      webhooks.delivery(account, id, `EVENT-one.${endpoint.id}`).then(
        () => 'found',
        (error: { readonly code: string }) => error.code,
      )
    expect(await refusal(ACCOUNT, endpoint.id)).toBe('found')
    expect(await refusal('ws-other', endpoint.id)).toBe('WEBHOOK_ENDPOINT_NOT_FOUND')
    const other = await webhooks.createEndpoint(ACCOUNT, aNewEndpoint())
    expect(await refusal(ACCOUNT, other.endpoint.id)).toBe('WEBHOOK_DELIVERY_NOT_FOUND')
    expect(await store.webhooks.deliveries.forgetEvents(clock.now(), 9)).toBe(1)
    expect(await refusal(ACCOUNT, endpoint.id)).toBe('WEBHOOK_DELIVERY_NOT_FOUND')
  })
})
