import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import fc from 'fast-check'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'

type Bench = Awaited<ReturnType<typeof createMessagingBench>>

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const partOf = (token: string, index: number) =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString())

/** Signs like the platform, with its own newest key, whatever header and claims are wanted. */
async function sign(bench: Bench, change: { readonly header?: object; readonly claims?: object } = {}) {
  const [key] = await bench.context.store.access.tokenKeys.list()
  const claims = { ...partOf(bench.accessToken, 1), ...change.claims }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', ...partOf(bench.accessToken, 0), ...change.header })
    .sign(new TextEncoder().encode(key?.secret))
}

const accepts = (bench: Bench, token: string): Promise<boolean> =>
  bench.messaging.createSession({ authorization: `Bearer ${token}`, streaming: false }).then(
    () => true,
    error => {
      if (error.code === 'MESSAGING_UNAUTHORISED') return false
      throw error
    },
  )

describe('access tokens', () => {
  test('CR10 a token names its key, and one that is signed like it is good', async () => {
    const bench = await createMessagingBench()
    const [key] = await bench.context.store.access.tokenKeys.list()
    expect(partOf(bench.accessToken, 0)).toEqual({ alg: 'HS256', typ: 'JWT', kid: key?.id })
    expect(await accepts(bench, await sign(bench))).toBe(true)
  })

  test('CR10 every claim and every field of the header is checked', async () => {
    const bench = await createMessagingBench()
    const at = bench.clock.now() / 1_000
    const forged = {
      'another type': { header: { typ: 'at+jwt' } },
      'no type': { header: { typ: undefined } },
      'another algorithm': { header: { alg: 'HS512' } },
      'an algorithm of half the length': { header: { alg: 'HS384' } },
      'a critical extension': { header: { crit: ['exp'], exp: 1 } },
      'no kid': { header: { kid: undefined } },
      'a kid that is no text': { header: { kid: 7 } },
      'a kid that is too long': { header: { kid: 'k'.repeat(65) } },
      'another issuer': { claims: { iss: 'somebody' } },
      'no issuer': { claims: { iss: undefined } },
      'another audience': { claims: { aud: 'operator' } },
      'no audience': { claims: { aud: undefined } },
      'no visitor': { claims: { sub: undefined } },
      'no time': { claims: { iat: undefined } },
      'no end': { claims: { exp: undefined } },
      'an end in words': { claims: { exp: '9999999999' } },
      'an end that has come': { claims: { exp: at } },
      'a beginning to come': { claims: { nbf: at + 1 } },
      'issued too far in the future': { claims: { iat: at + 61 } },
      'no connector': { claims: { connector_id: undefined } },
      'another connector': { claims: { connector_id: 'CONNECTOR-none' } },
      'another agent': { claims: { agent_id: 'PROJECT-B' } },
    }
    const accepted: string[] = []
    for (const [name, change] of Object.entries(forged)) {
      const token = await sign(bench, change).catch(() => null)
      if (token !== null && (await accepts(bench, token))) accepted.push(name)
    }
    expect(accepted).toEqual([])
    // The same by hand, where a library refuses to sign it.
    const [, payload, signature] = bench.accessToken.split('.')
    for (const alg of ['none', 'None', 'NONE', '', 'RS256', 'ES256', 'HS512', 'dir', null])
      for (const last of ['', signature ?? ''])
        expect(await accepts(bench, `${base64url({ alg, typ: 'JWT' })}.${payload}.${last}`)).toBe(false)
  })

  test('CR10 clocks may differ by the tolerance at the beginning of a token, never at its end', async () => {
    const bench = await createMessagingBench({ accessTokenSeconds: 90 })
    const at = bench.clock.now() / 1_000
    expect(await accepts(bench, await sign(bench, { claims: { iat: at + 60 } }))).toBe(true)
    await bench.clock.advance(89_999)
    expect(await accepts(bench, bench.accessToken)).toBe(true)
    await bench.clock.advance(1)
    expect(await accepts(bench, bench.accessToken)).toBe(false)
  })

  test('CR10 no change of a token leaves it good', async () => {
    const bench = await createMessagingBench()
    const token = bench.accessToken
    const alphabet = fc.constantFrom(
      ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
      ...['.', '=', '+', '/', '%', '\u00e9', '\n'],
    )
    const place = fc.nat({ max: token.length - 1 })
    // Half of all places are of the signature: there the bits are that mean nothing.
    const inSignature = fc.integer({ min: token.lastIndexOf('.'), max: token.length - 1 })
    const changed = fc
      .tuple(
        fc.oneof(place, inSignature, fc.constant(token.length - 1)),
        alphabet,
        fc.constantFrom('replace', 'insert', 'drop', 'append'),
      )
      .map(([index, letter, how]) => {
        if (how === 'append') return token + letter
        const rest = token.slice(how === 'insert' ? index : index + 1)
        return token.slice(0, index) + (how === 'drop' ? '' : letter) + rest
      })
      .filter(text => text !== token && text.trim() === text && !/\s/.test(text))
    await fc.assert(
      fc.asyncProperty(changed, async text => {
        expect(await accepts(bench, text)).toBe(false)
      }),
      { numRuns: 1_000 },
    )
  })

  test('CR10 no other spelling of the same signature is good: all 64 last letters were tried', async () => {
    const bench = await createMessagingBench()
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    const bare = bench.accessToken.slice(0, -1)
    const good: string[] = []
    for (const letter of letters) if (await accepts(bench, bare + letter)) good.push(bare + letter)
    expect(good).toEqual([bench.accessToken])
  })

  test('CR10 parts of two tokens make no third', async () => {
    const bench = await createMessagingBench()
    const other = (await bench.issue()).accessToken.split('.')
    const own = bench.accessToken.split('.')
    for (let mask = 0; mask < 8; mask++) {
      const parts = own.map((part, index) => ((mask >> index) & 1 ? (other[index] ?? '') : part))
      const genuine =
        parts.slice(1).join() === own.slice(1).join() || parts.slice(1).join() === other.slice(1).join()
      expect(await accepts(bench, parts.join('.'))).toBe(genuine)
    }
  })
})

describe('a session', () => {
  const open = async (bench: Bench, sessionId: string, accessToken: string) => {
    const answer = await bench.messaging.handshake({ sessionId, accessToken, cursor: null })
    if (!('status' in answer)) answer.abandon()
    return 'status' in answer ? answer.status : 101
  }

  test('MS10 opens for the token that it was created with alone, also when another says the same', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    expect(await open(bench, sessionId, bench.accessToken)).toBe(101)
    const again = await sign(bench, { claims: { again: true } })
    expect(await accepts(bench, again)).toBe(true)
    expect(await open(bench, sessionId, again)).toBe(401)
    expect(await open(bench, sessionId, (await bench.issue()).accessToken)).toBe(401)
    expect(bench.engine.conversation(sessionId).state.tokenHash).toMatch(/^[0-9a-f]{64}$/)
  })
})
