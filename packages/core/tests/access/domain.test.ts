import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostMatches, normalizeHost } from '../../src/domain/access/host-match.ts'
import { composeSecret, hashSecret, sameHash, secretPrefix } from '../../src/domain/access/secret.ts'
import { type TokenBucket, takeToken } from '../../src/domain/access/token-bucket.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { createRateLimiter } from '../../src/usecases/access/rate-limiter.ts'

describe('token bucket', () => {
  test('SM23 never lets more through than the burst and the inflow', () => {
    const limit = { perSecond: 10, burst: 20 }
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 300 }), pauses => {
        let bucket: TokenBucket | null = null
        let now = 1_000
        let taken = 0
        for (const pause of pauses) {
          now += pause
          const result = takeToken(bucket, limit, now)
          bucket = result.bucket
          if (result.retryAfterSeconds === 0) taken++
        }
        expect(taken).toBeLessThanOrEqual(limit.burst + ((now - 1_000) / 1000) * limit.perSecond + 1e-6)
      }),
    )
  })

  test('SM23 lets exactly the burst through at once, and says when the next one may come', () => {
    const limit = { perSecond: 0.25, burst: 3 }
    let bucket: TokenBucket | null = null
    const waits = [0, 0, 0, 0, 0].map(() => {
      const result = takeToken(bucket, limit, 0)
      bucket = result.bucket
      return result.retryAfterSeconds
    })
    expect(waits).toEqual([0, 0, 0, 4, 4])
    expect(takeToken(bucket, limit, 3_999).retryAfterSeconds).toBe(1)
    expect(takeToken(bucket, limit, 4_000).retryAfterSeconds).toBe(0)
  })

  test('SM23 a clock that goes back gives nothing, now or later', () => {
    const limit = { perSecond: 1, burst: 1 }
    const first = takeToken(null, limit, 10_000)
    const back = takeToken(first.bucket, limit, 0)
    expect(back.retryAfterSeconds).toBe(1)
    expect(takeToken(back.bucket, limit, 10_500).retryAfterSeconds).toBe(1)
  })

  test('SY1 a step of the wall clock makes nobody wait longer, and gives nobody more', async () => {
    const clock = createFakeClock()
    const limiter = createRateLimiter({ perSecond: 1, burst: 1 }, clock)
    expect([limiter.take('a'), limiter.take('a')]).toEqual([0, 1])
    clock.step(-7_200_000)
    expect(limiter.take('a')).toBe(1)
    await clock.advance(1_000)
    expect(limiter.take('a')).toBe(0)
    clock.step(7_200_000)
    expect(limiter.take('a')).toBe(1)
  })

  test('SM23 the limiter forgets the key used longest ago', () => {
    const clock = { now: () => 0, monotonic: () => 0, schedule: () => () => {} }
    const limiter = createRateLimiter({ perSecond: 1, burst: 1 }, clock, 2)
    expect([limiter.take('a'), limiter.take('b'), limiter.take('a')]).toEqual([0, 0, 1])
    limiter.take('c')
    expect(limiter.take('a')).toBe(1)
    expect(limiter.take('b')).toBe(0)
  })
})

describe('secrets', () => {
  test('AC3 a secret shows its kind, and its first 8 characters only when 16 more stay secret', () => {
    expect(composeSecret('external_events', 'xyz')).toBe('cq_ev_xyz')
    expect(secretPrefix('a'.repeat(24))).toBe('aaaaaaaa')
    expect(secretPrefix('a'.repeat(23))).toBe('')
  })

  test('AC3 the hash is SHA-256, and hashes are equal only when every byte is', () => {
    const hash = hashSecret('abc')
    expect(hash).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(sameHash(hash, hashSecret('abc'))).toBe(true)
    for (let index = 0; index < hash.length; index++) {
      const digit = hash[index] === '0' ? '1' : '0'
      expect(sameHash(hash, hash.slice(0, index) + digit + hash.slice(index + 1))).toBe(false)
    }
    expect(sameHash(hash, hash.slice(2))).toBe(false)
  })
})

describe('hosts', () => {
  test.each([
    ['https://Shop.Example.com:8443/path?x#y', 'shop.example.com'],
    ['example.com.', 'example.com'],
    ['localhost:3000', 'localhost'],
    ['com.Example.App', 'com.example.app'],
    ['app://com.example.app', 'com.example.app'],
    ['http://[::1]:80/', '[::1]'],
    ['https://bücher.example', 'xn--bcher-kva.example'],
    ['', null],
    ['https://', null],
    ['*.example.com', null],
    ['a..b', null],
    ['user@example.com', null],
    ['exa mple.com', null],
  ])('AC9 %j becomes %j', (given, expected) => expect(normalizeHost(given)).toBe(expected))

  test.each([
    ['example.com', true],
    ['EXAMPLE.com:443', true],
    ['https://www.example.com', true],
    ['https://a.b.example.com/x', true],
    ['evil-example.com', false],
    ['example.com.evil.org', false],
    ['https://example.com@evil.org', false],
    ['https://evil.org/example.com', false],
    ['https://evil.org#.example.com', false],
    ['https://evil.org\\.example.com', false],
    ['com', false],
    ['', false],
    ['com.example.app', true],
    ['beta.com.example.app', true],
    ['com.example.apple', false],
    ['9.127.0.0.1', false],
    ['127.0.0.1', true],
  ])('AC9 %j against example.com, com.example.app and 127.0.0.1: %j', (given, expected) =>
    expect(hostMatches(['example.com', 'com.example.app', '127.0.0.1'], given)).toBe(expected),
  )

  test('AC9 a match always is the registered host or ends with it after a dot', () => {
    fc.assert(
      fc.property(fc.domain(), fc.webUrl(), fc.string(), (registered, url, noise) => {
        for (const given of [url, noise, `${noise}.${registered}`, `${noise}${registered}`]) {
          if (!hostMatches([registered], given)) continue
          const host = normalizeHost(given) ?? ''
          expect(host === registered || host.endsWith(`.${registered}`)).toBe(true)
        }
        expect(hostMatches([registered.toLowerCase()], `sub.${registered}`)).toBe(true)
      }),
    )
  })
})
