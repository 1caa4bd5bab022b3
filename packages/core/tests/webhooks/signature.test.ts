import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { composeWebhookSecret, signedHeaders } from '../../src/domain/webhook/signature.ts'
import type { WebhookEndpoint } from '../../src/domain/webhook/webhook.ts'
import { anEndpoint, aWebhookEvent } from '../../src/testing/index.ts'

// The verifier refuses what is more than five minutes away from its own clock.
const now = Date.now()
const secret = composeWebhookSecret('0123456789abcdefghijklmnopqrstuv')
const other = composeWebhookSecret('another-secret-another-secret-12')
const endpoint = (values: Partial<WebhookEndpoint> = {}) => anEndpoint('WEBHOOK-1', { secret, ...values })
const AI = { events: 'AI', headers: 'AI' }
const verify = (withSecret: string, body: string, headers: Readonly<Record<string, string>>) =>
  new Webhook(withSecret).verify(body, { ...headers })

test('WH20 the verifier of the Standard Webhooks project takes what is signed here, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.uuid(), (text, uuid) => {
      const event = aWebhookEvent(`EVENT-${uuid}`, { body: JSON.stringify({ text }) })
      const headers = signedHeaders(event, endpoint(), AI, now)
      expect(verify(secret, event.body, headers)).toEqual({ text })
      expect(headers['webhook-signature']).toBe(
        new Webhook(secret).sign(event.id, new Date(Math.floor(now / 1000) * 1000), event.body),
      )
    }),
  )
})

test('WH20 another body, id, time or secret does not verify', () => {
  const event = aWebhookEvent('EVENT-1')
  const headers = signedHeaders(event, endpoint(), AI, now)
  expect(() => verify(secret, `${event.body} `, headers)).toThrow()
  expect(() => verify(secret, event.body, { ...headers, 'webhook-id': 'EVENT-2' })).toThrow()
  const later = String(Number(headers['webhook-timestamp']) + 1)
  expect(() => verify(secret, event.body, { ...headers, 'webhook-timestamp': later })).toThrow()
  expect(() => verify(other, event.body, headers)).toThrow()
})

test('WH20 until the overlap is over both secrets verify, afterwards the new one alone', () => {
  const event = aWebhookEvent('EVENT-1')
  const rotated = endpoint({ secret: other, previousSecret: { secret, until: now + 1 } })
  const both = signedHeaders(event, rotated, AI, now)
  expect(both['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/)
  for (const one of [secret, other]) expect(() => verify(one, event.body, both)).not.toThrow()
  const after = signedHeaders(event, rotated, AI, now + 1)
  expect(() => verify(other, event.body, after)).not.toThrow()
  expect(() => verify(secret, event.body, after)).toThrow()
})

test('WH20 a secret is whsec_ and base64 of 32 bytes', () => {
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
})

test('WH20 the brand’s headers: seconds, one signature in lower-case hexadecimal by the whole secret, the event’s id', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const event = aWebhookEvent('EVENT-1', { body: JSON.stringify({ text }) })
      const headers = signedHeaders(event, endpoint(), { events: 'AI', headers: 'Acme' }, now)
      const timestamp = String(Math.floor(now / 1000))
      const expected = createHmac('sha256', secret).update(`${timestamp}.${event.body}`).digest('hex')
      expect(headers).toMatchObject({
        'X-Acme-Timestamp': timestamp,
        'X-Acme-Signature': expected,
        'X-Acme-Event-ID': 'EVENT-1',
        'webhook-id': 'EVENT-1',
        'webhook-timestamp': timestamp,
      })
    }),
  )
})

test('WH20 a request under another id is signed for receivers of the brand, and for those of Standard Webhooks it is not', () => {
  const [one, other] = ['EVENT-1', 'EVENT-2'].map(id =>
    signedHeaders(aWebhookEvent(id, { body: '{}' }), endpoint(), AI, now),
  )
  expect(other?.['X-AI-Signature']).toBe(one?.['X-AI-Signature'])
  expect(other?.['webhook-signature']).not.toBe(one?.['webhook-signature'])
})

test('WH20 after a rotation the brand’s header is signed with the new secret at once', () => {
  const event = aWebhookEvent('EVENT-1')
  const rotated = endpoint({ secret: other, previousSecret: { secret, until: now + 1 } })
  const headers = signedHeaders(event, rotated, AI, now)
  const content = `${headers['X-AI-Timestamp']}.${event.body}`
  expect(headers['X-AI-Signature']).toBe(createHmac('sha256', other).update(content).digest('hex'))
})

test('WH31 no header of an endpoint replaces one of the platform, also where it was stored under another brand', () => {
  const headers = { 'x-ai-signature': 'forged', 'Webhook-Signature': 'forged', 'X-Key': 'a' }
  const sent = signedHeaders(aWebhookEvent('EVENT-1'), endpoint({ headers }), AI, now)
  expect(Object.values(sent)).not.toContain('forged')
  expect(sent['X-Key']).toBe('a')
})
