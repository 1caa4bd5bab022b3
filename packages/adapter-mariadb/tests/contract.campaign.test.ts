import type { CopyableStore, Store } from '@colloquy/core/store'
import { testCopies, testStore } from '@colloquy/core/testing/contracts'
import { createMariaStore } from '../src/store.ts'
import { describeMaria } from './maria.ts'

// Slow: each test opens a store of a real MariaDB, and empties its tables.

describeMaria('MariaDB', ({ empty, fresh }) => {
  const free = new Set<string>()
  const urlOf = new WeakMap<Store, string>()

  async function openOn(url: string): Promise<CopyableStore> {
    free.delete(url)
    const store = await createMariaStore({ url, maxConnections: 4 })
    const watched: CopyableStore = {
      ...store,
      async close() {
        await store.close()
        free.add(url)
      },
    }
    urlOf.set(watched, url)
    return watched
  }

  async function open(): Promise<CopyableStore> {
    const [known] = free
    if (known === undefined) return openOn(await fresh())
    free.delete(known)
    await empty(known)
    return openOn(known)
  }

  testStore('MariaDB', { open, reopen: store => openOn(urlOf.get(store) ?? '') })
  testCopies('MariaDB to another database', { source: open, target: open })
})
