import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSigner, createVerifier, type SignatureHeaders } from '../src/signature.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const NOW = 1_614_265_330_000
const REQUEST = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: NOW, body: '{"test": 2432232314}' }

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const check = (headers: Partial<SignatureHeaders>, body = REQUEST.body, now = NOW, secret = SECRET) =>
  createVerifier(secret)(name => headers[name], bytes(body), now)

test('WL2 the signature is that of the Standard Webhooks specification', () => {
  expect(createSigner(SECRET)(REQUEST)).toEqual({
    'webhook-id': REQUEST.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('WL2 what was signed is accepted, and nothing else', () => {
  const headers = createSigner(SECRET)(REQUEST)
  expect(check(headers)).toBe(null)
  expect(check(headers, REQUEST.body, NOW, `whsec_${Buffer.alloc(24).toString('base64')}`)).toMatch(
    /signature/,
  )
  expect(check({ ...headers, 'webhook-id': 'other' })).toMatch(/signature/)
  expect(check({ ...headers, 'webhook-timestamp': '1614265331' })).toMatch(/signature/)
  expect(check({ ...headers, 'webhook-signature': 'v1,' })).toMatch(/signature/)
  expect(check({})).toMatch(/headers/)
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (body, other) => {
      fc.pre(body !== other)
      expect(check(createSigner(SECRET)({ ...REQUEST, body }), body)).toBe(null)
      expect(check(createSigner(SECRET)({ ...REQUEST, body }), other)).not.toBe(null)
    }),
  )
})

test('WL2 one of several signatures is enough, so that secrets can be exchanged', () => {
  const headers = createSigner(SECRET)(REQUEST)
  expect(check({ ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` })).toBe(null)
})

test('WL2 a secret that keeps nobody out is refused', () => {
  for (const secret of ['', 'whsec_', 'whsec_c2hvcnQ=', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']) {
    expect(() => createSigner(secret)).toThrow(/at least 24 bytes/)
    expect(() => createVerifier(secret)).toThrow(/at least 24 bytes/)
  }
})

test('WL2 a request is good for five minutes, whichever clock is ahead', () => {
  const headers = createSigner(SECRET)(REQUEST)
  for (const seconds of [-300, 0, 300]) expect(check(headers, REQUEST.body, NOW + seconds * 1_000)).toBe(null)
  expect(check(headers, REQUEST.body, NOW + 301_000)).toBe(
    'The timestamp is 301 s old; at most 300 s are allowed.',
  )
  expect(check(headers, REQUEST.body, NOW - 301_000)).toBe(
    'The timestamp is 301 s ahead; at most 300 s are allowed.',
  )
  const nonsense = { ...headers, 'webhook-timestamp': 'soon' }
  expect(check(nonsense)).toMatch(/signature/)
})
