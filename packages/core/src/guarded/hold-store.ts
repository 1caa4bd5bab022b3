import type { Store } from '../ports/store/store.ts'

/** The number of platforms of this process that have each store open. */
const holders = new WeakMap<Store, number>()

/**
 * Holds a store for one platform. The returned function releases it. The last of several platforms over one store
 * closes it, so that the others can still use it (EM84).
 */
export function holdStore(store: Store): () => Promise<void> {
  holders.set(store, (holders.get(store) ?? 0) + 1)
  let released: Promise<void> | null = null
  const release = async (): Promise<void> => {
    const left = (holders.get(store) ?? 1) - 1
    holders.set(store, left)
    if (left === 0) await store.close()
  }
  return () => {
    released ??= release()
    return released
  }
}
