import { isPlatformError } from '@colloquy/core'
import { Cluster, Redis } from 'ioredis'
import { createClientPool, createCluster } from 'redis'
import { describe, expect, test } from 'vitest'
import { createRedisBus, type RedisBusOptions } from '../../src/redis/index.ts'

/** What creating a bus with these options throws. */
function refusal(options: unknown): string {
  try {
    void Reflect.apply(createRedisBus, undefined, [options])
    return 'nothing'
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'SCHEMA_VALIDATION_FAILED') throw error
    return error.message
  }
}

const client = new Redis({ lazyConnect: true })
const cluster = new Cluster([], { lazyConnect: true })

describe('options', () => {
  test.each<readonly [unknown, RegExp]>([
    [{}, /^createRedisBus takes a client or a url, and not both\.$/],
    [{ client, url: 'redis://a' }, /^createRedisBus takes a client or a url, and not both\.$/],
    [{ url: 7 }, /^url must be a text, not number\.$/],
    [
      { url: 'localhost:6379' },
      /^url must be the address of a Redis server, but it begins with "localhost:"\./,
    ],
    [{ url: 'http://localhost' }, /^url must be the address of a Redis server, but it begins with "http:"\./],
    [
      { url: 'redis://user:secret@:99999' },
      /^url must be the address of a Redis server, but it is not a URL\./,
    ],
    [
      { url: 'redis://localhost/name' },
      /^url must be the address of a Redis server, but its database is no number\./,
    ],
    [{ client: {} }, /^client must be a client of one server, of the package redis or ioredis\.$/],
    [{ client: null }, /^client must be a client of one server, of the package redis or ioredis\.$/],
    [{ client: cluster }, /^client must be a client of one server,/],
    [{ client: createCluster({ rootNodes: [] }) }, /^client must be a client of one server,/],
    [{ client: createClientPool() }, /^client must be a client of one server,/],
    [{ client, prefix: 1 }, /^prefix must be a text, not number\.$/],
    [{ client, sharded: 'yes' }, /^sharded must be true or false, not string\.$/],
    [{ client, pingInterval: 0 }, /^pingInterval must be a whole number from 1 to 2147483647, not 0\.$/],
    [{ client, pingTimeout: 1.5 }, /^pingTimeout must be .*, not 1\.5\.$/],
    [{ client, connectTimeout: '1' }, /^connectTimeout must be .*, not a string\.$/],
    [{ client, maxWaiting: Number.NaN }, /^maxWaiting must be .*, not NaN\.$/],
    [{ client, prefx: 'a' }, /prefx/],
    [null, /createRedisBus/],
  ])('BN4 is refused in words (%#)', (options, words) => {
    expect(refusal(options)).toMatch(words)
  })

  test('BN4 no refusal shows a password', () => {
    const options: RedisBusOptions = { url: 'http://user:secret@host' }
    expect(refusal(options)).not.toContain('secret')
    expect(refusal({ url: 'redis://user:secret@host:99999' })).not.toContain('secret')
  })
})
