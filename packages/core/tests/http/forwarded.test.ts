import { describe, expect, test } from 'vitest'
import { clientOf } from '../../src/http/forwarded.ts'

const forged = {
  host: 'real.example',
  'x-forwarded-for': '6.6.6.6, 198.51.100.7',
  'x-forwarded-proto': 'http, https',
  'x-forwarded-host': 'forged.example, outer.example',
}
const peer = (address: string, headers: Readonly<Record<string, string>>, encrypted = false) => ({
  address,
  encrypted,
  headers,
})

describe('clients behind proxies', () => {
  test('HT33 without trust the headers are ignored', () => {
    for (const trust of [false, 0, Number.NaN])
      expect(clientOf(peer('203.0.113.9', forged), trust)).toEqual({
        remoteAddress: '203.0.113.9',
        secure: false,
        host: 'real.example',
      })
  })

  test('HT33 with one trusted proxy its own entry counts, however much a client has put before it', () => {
    expect(clientOf(peer('10.0.0.1', forged), true)).toEqual({
      remoteAddress: '198.51.100.7',
      secure: true,
      host: 'outer.example',
    })
  })

  test('HT33 with two proxies the outer one counts', () => {
    expect(clientOf(peer('10.0.0.1', forged), 2)).toEqual({
      remoteAddress: '6.6.6.6',
      secure: false,
      host: 'forged.example',
    })
  })

  test('HT33 a trusted proxy on loopback that says http makes nothing secure', () => {
    expect(clientOf(peer('127.0.0.1', { 'x-forwarded-proto': 'http' }), true).secure).toBe(false)
    expect(clientOf(peer('127.0.0.1', {}), true).secure).toBe(true)
  })

  test.each([
    ['127.0.0.1', false, true],
    ['127.9.9.9', false, true],
    ['::1', false, true],
    ['::ffff:127.0.0.1', false, true],
    ['203.0.113.9', true, true],
    ['203.0.113.9', false, false],
    ['::12', false, false],
    ['12.127.0.1', false, false],
    ['', false, false],
  ])('HT33 from %j, encrypted %j: secure is %j', (address, encrypted, secure) =>
    expect(clientOf(peer(address, {}, encrypted), false).secure).toBe(secure),
  )
})
