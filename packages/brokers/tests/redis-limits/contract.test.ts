import { testLimits } from '@colloquy/core/testing/contracts'
import { testLimitedPlatforms } from '@colloquy/test-support/limited-platforms'
import { CLIENTS, ownKeys } from '@colloquy/test-support/redis'
import { useServer } from '@colloquy/test-support/servers'
import { describe, onTestFinished } from 'vitest'
import { createRedisLimits } from '../../src/redis/index.ts'
import { openLimits } from './support/open-limits.ts'

// Slow: leases of a real Redis end in real time, over two libraries.

const url = await useServer('redis')

describe.each(CLIENTS)('BR3 over %s', (name, clientOf) => {
  let prefix = ''
  testLimits(`limits in Redis, ${name}`, {
    async connect() {
      // One prefix for the limits of a test.
      if (prefix === '') {
        prefix = ownKeys(url)
        onTestFinished(() => {
          prefix = ''
        })
      }
      const limits = createRedisLimits({ client: clientOf(url), prefix })
      return { limits, close: () => limits.close() }
    },
    now: () => performance.now(),
    pass: milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds)),
  })

  let own = ''
  testLimitedPlatforms(`limits in Redis, ${name}`, first => {
    if (first) own = ownKeys(url)
    return openLimits({ client: clientOf(url), prefix: own })
  })
})
