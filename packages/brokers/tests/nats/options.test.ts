import { isPlatformError } from '@colloquy/core'
import { describe, expect, test } from 'vitest'
import { createNatsBus } from '../../src/nats/index.ts'

/** What creating a bus with these options throws. */
function refusal(options: unknown): string {
  try {
    void Reflect.apply(createNatsBus, undefined, [options])
    return 'nothing'
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'SCHEMA_VALIDATION_FAILED') throw error
    return error.message
  }
}

const url = 'nats://localhost'

describe('options', () => {
  test.each<readonly [unknown, RegExp]>([
    [{}, /^createNatsBus takes a url or the options of a connection, and not both\.$/],
    [{ url, connection: {} }, /^createNatsBus takes a url or the options of a connection, and not both\.$/],
    [{ url: 7 }, /^url must be a text, not number\.$/],
    [
      { url: 'localhost:4222' },
      /^url must be the address of a NATS server, but it begins with "localhost:"\./,
    ],
    [{ url: 'http://localhost' }, /^url must be the address of a NATS server, but it begins with "http:"\./],
    [
      { url: 'nats://user:secret@:99999' },
      /^url must be the address of a NATS server, but it is not a URL\./,
    ],
    [{ connection: 'nats://localhost' }, /^connection must be an object, not string\.$/],
    [{ connection: null }, /^connection must be an object, not null\.$/],
    [
      { url, prefix: 'a b' },
      /^prefix must be words of letters, digits, "_" and "-", with a dot between two\.$/,
    ],
    [{ url, prefix: 'a.*' }, /^prefix must be words/],
    [{ url, prefix: '' }, /^prefix must be words/],
    [{ url, prefix: 1 }, /^prefix must be words/],
    [{ url, log: {} }, /^log must be an object with the functions debug, info, warn, error\.$/],
    [{ url, pingInterval: 0 }, /^pingInterval must be a whole number from 1 to 2147483647, not 0\.$/],
    [{ url, pingTimeout: 1.5 }, /^pingTimeout must be .*, not 1\.5\.$/],
    [{ url, maxWaiting: Number.NaN }, /^maxWaiting must be .*, not NaN\.$/],
    [{ url, server: 'a' }, /server/],
    [null, /createNatsBus/],
  ])('BN4 is refused in words (%#)', (options, words) => {
    expect(refusal(options)).toMatch(words)
  })

  test('BN4 no refusal shows a password', () => {
    expect(refusal({ url: 'http://user:secret@host' })).not.toContain('secret')
    expect(refusal({ url: 'nats://user:secret@host:99999' })).not.toContain('secret')
  })
})
