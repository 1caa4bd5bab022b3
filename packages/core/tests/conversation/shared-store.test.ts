import { createTestPlatform } from '@colloquy/test-support/platform'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'

test('EM84 a platform that closes leaves the store to another one of the process, and the last one closes it', async () => {
  const store = createMemoryStore()
  const first = createTestPlatform({ store })
  const second = createTestPlatform({ store })
  await first.platform.close()
  await first.platform.close()
  expect(await second.platform.access.createAccount({ slug: 'one', name: 'One' })).toMatchObject({
    slug: 'one',
  })
  await second.platform.close()
  await expect(store.access.accounts.find('one')).rejects.toThrow('closed')
})
