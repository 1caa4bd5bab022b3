import { LRUCache } from 'lru-cache'

/**
 * Remembers at most `most` values, those used last. It takes room as it fills: the library's own `max` takes all of it
 * at once, which for a platform's memories together was 10 ms and 2 MB before the first visitor.
 */
export const createLastUsed = <Key extends {}, Value extends {}>(most: number): LRUCache<Key, Value> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1 })
