import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../src/outbound-http/addresses.ts'
import { createWebhookSender } from '../../src/outbound-http/index.ts'

const INSIDE = [
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
  ...['192.0.0.8', '192.0.2.1', '192.168.1.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', 'fec0::1', '100::1'],
  ...['::ffff:10.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '::7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::'],
  ...['2001::1', '2001:db8::1', '::ffff:0:127.0.0.1', '4000::1'],
]
const OUTSIDE = ['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8']

describe('addresses', () => {
  test.each(INSIDE)('WH40 %s is not public', address => expect(isPublicAddress(address)).toBe(false))
  test.each(OUTSIDE)('WH40 %s is public', address => expect(isPublicAddress(address)).toBe(true))
  test.each(['', 'localhost', '1.2.3', '0x7f.1', '[::1]', '1.1.1.1:80'])('WH40 %o is no address', text =>
    expect(isPublicAddress(text)).toBe(false),
  )

  test('WH40 no address of a private range is public, nor what it is mapped to in IPv6', () => {
    const byte = fc.nat(255)
    const inside = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
      fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
    )
    fc.assert(
      fc.property(inside, parts => {
        expect(isPublicAddress(parts.join('.'))).toBe(false)
        expect(isPublicAddress(`::ffff:${parts.join('.')}`)).toBe(false)
      }),
    )
  })
})

describe('objections', () => {
  const { objection } = createWebhookSender()
  test.each([
    ...['https://127.0.0.1/', 'https://localhost/', 'https://a.localhost./', 'https://[::1]:8443/a'],
    ...[
      'https://2130706433/',
      'https://0177.0.0.1/',
      'https://0x7f000001/',
      'https://127.1/',
      'https://１２７.0.0.1/',
    ],
    ...['https://[::ffff:10.0.0.1]/', 'https://169.254.169.254/latest/meta-data', 'https://0/'],
  ])('WH40 %s is refused, and the reason names the address', url => {
    expect(objection(url)).toMatch(
      /(127\.0\.0\.1|localhost|::1|::ffff:a00:1|169\.254|0\.0\.0\.0).* not an address of/,
    )
  })

  test('WH40 http is refused unless it is allowed, other schemes always', () => {
    expect(objection('http://hooks.example.com/')).toBe('expected an absolute https address')
    expect(objection('https://hooks.example.com/')).toBeNull()
    const lax = createWebhookSender({ allowInsecure: true })
    expect(lax.objection('http://hooks.example.com/')).toBeNull()
    expect(lax.objection('http://127.0.0.1/')).toContain('127.0.0.1')
    expect(lax.objection('file:///etc/passwd')).toBe('expected an absolute http or https address')
    expect(createWebhookSender({ allowPrivateAddresses: true }).objection('https://127.0.0.1/')).toBeNull()
  })
})
