import { describe, expect, test } from 'vitest'
import { networkOf } from '../../src/domain/access/network.ts'
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
    ['127.0.0.1', '203.0.113.5', false, false],
    ['127.0.0.1', '127.0.0.1', false, true],
    ['10.0.0.1', '127.0.0.1', false, false],
    ['10.0.0.1', '203.0.113.5', true, true],
  ])(
    'HT33 a trusted proxy at %s that says of %s nothing but the address, encrypted %j: secure is %j',
    (address, client, encrypted, secure) =>
      expect(clientOf(peer(address, { 'x-forwarded-for': client }, encrypted), true).secure).toBe(secure),
  )

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

  test.each([
    ['192.0.2.1:443', '192.0.2.1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['6.6.6.6, 192.0.2.1:5000', '192.0.2.1'],
    [' , ', '10.0.0.1'],
    ['unknown', 'unknown'],
  ])('HT33 of the forwarded address %j the client is %j', (header, address) =>
    expect(clientOf(peer('10.0.0.1', { 'x-forwarded-for': header }), true).remoteAddress).toBe(address),
  )

  test('HT33 several header lines count together, and the scheme of a socket counts', () => {
    const lines = { 'x-forwarded-for': ['6.6.6.6', '192.0.2.1'], 'x-forwarded-proto': ['http', 'WSS'] }
    const client = { address: '10.0.0.1', encrypted: false, headers: lines }
    expect(clientOf(client, true)).toMatchObject({ remoteAddress: '192.0.2.1', secure: true })
    expect(clientOf(client, 2)).toMatchObject({ remoteAddress: '6.6.6.6', secure: false })
    expect(clientOf(client, 9)).toMatchObject({ remoteAddress: '6.6.6.6', secure: false })
  })
})

describe('addresses that count together', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
    ['unknown', 'unknown'],
    ['1::2::3', '1::2::3'],
    ['1:2:3', '1:2:3'],
    ['1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8:9'],
    ['1:2:3:4:5:6:7:8::9', '1:2:3:4:5:6:7:8::9'],
  ])('SM24 %j counts as %j', (address, network) => expect(networkOf(address)).toBe(network))
})
