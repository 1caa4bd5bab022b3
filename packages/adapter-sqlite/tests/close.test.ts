import { existsSync } from 'node:fs'
import { aConversation } from '@colloquy/core/testing'
import { describe, expect, it } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { openStore, temporaryFile } from './files.ts'

describe('close', () => {
  it('SQ40 after `close` calls say that the store is closed; closing again is no error', async () => {
    const store = createSqliteStore({ filename: ':memory:' })
    await Promise.all([store.close(), store.close()])
    await store.close()
    await expect(store.conversations.load('AS-1')).rejects.toThrow('The store is closed.')
    await expect(store.conversations.create(aConversation('AS-1'))).rejects.toThrow('The store is closed.')
  })

  it('SQ40 `close` moves the write-ahead log into the file, queued writes included', async () => {
    const filename = temporaryFile()
    const store = createSqliteStore({ filename })
    const writes = Array.from({ length: 50 }, (_, index) =>
      store.conversations.create(aConversation(`AS-${index}`)),
    )
    await store.close()
    expect(new Set(await Promise.all(writes))).toEqual(new Set(['created']))
    expect(existsSync(`${filename}-wal`)).toBe(false)
    const again = openStore({ filename })
    expect(await again.conversations.listOpen('PROJECT-ONE')).toHaveLength(50)
  })

  it('SQ40 a store may close while another on the same file stays open', async () => {
    const filename = temporaryFile()
    const [one, two] = [createSqliteStore({ filename }), openStore({ filename })]
    await one.conversations.create(aConversation('AS-1'))
    await one.close()
    expect(await two.conversations.load('AS-1')).toMatchObject({ version: 1 })
    expect(await two.conversations.create(aConversation('AS-2'))).toBe('created')
  })
})
