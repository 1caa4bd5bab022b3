import { isPlatformError } from '@colloquy/core'
import { Cluster, Redis } from 'ioredis'
import { createCluster } from 'redis'
import { expect, test } from 'vitest'
import { createRedisLimits } from '../../src/redis/index.ts'

/** What creating limits with these options throws. */
function refusal(options: unknown): string {
  try {
    void Reflect.apply(createRedisLimits, undefined, [options])
    return 'nothing'
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'SCHEMA_VALIDATION_FAILED') throw error
    return error.message
  }
}

const client = new Redis({ lazyConnect: true })

test.each<readonly [unknown, RegExp]>([
  [{}, /^createRedisLimits takes a client or a url, and not both\.$/],
  [{ client, url: 'redis://a' }, /^createRedisLimits takes a client or a url, and not both\.$/],
  [{ url: 7 }, /^url must be a text, not number\.$/],
  [{ url: 'http://localhost' }, /^url must be the address of a Redis server, but it begins with "http:"\./],
  [
    { url: 'redis://user:secret@:99999' },
    /^url must be the address of a Redis server, but it is not a URL\./,
  ],
  [{ client: {} }, /^client must be a client of one server, of the package redis or ioredis\.$/],
  [{ client: new Cluster([], { lazyConnect: true }) }, /^client must be a client of one server,/],
  [{ client: createCluster({ rootNodes: [] }) }, /^client must be a client of one server,/],
  [{ client, prefix: 1 }, /^prefix must be a text, not number\.$/],
  [{ client, pingTimeout: 0 }, /^pingTimeout must be a whole number from 1 to 2147483647, not 0\.$/],
  [{ client, connectTimeout: '1' }, /^connectTimeout must be .*, not a string\.$/],
  [
    { client, maxWaiting: 5 },
    /^createRedisLimits has no option "maxWaiting"\. It knows client, url, prefix, /,
  ],
  [null, /^createRedisLimits takes an object of options, not null\.$/],
])('LR4 is refused in words (%#)', (options, words) => {
  expect(refusal(options)).toMatch(words)
  expect(refusal(options)).not.toContain('secret')
})
