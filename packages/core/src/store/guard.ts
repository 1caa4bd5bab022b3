import type { Outbox } from '../ports/store/outbox.ts'
import type { Documents, Kind } from './documents.ts'

/** What a decision makes of a document: another one, none, or `stale` where it is not the one that was expected. */
export type Decision<T> = T | null | 'stale'

/** How many documents there may be of those that an index holds under a prefix. */
interface Room {
  readonly index: string
  readonly prefix: readonly string[]
  readonly limit: number
}

/** Guarded writes of one document. */
export interface Guard {
  /** Writes what is decided on a document as it is now, decided anew while another writer comes first. */
  change<T>(
    kind: Kind<T>,
    id: string,
    decide: (now: T | null) => Decision<T>,
    outbox?: Outbox,
  ): Promise<boolean>
  /** Adds a document where its id is free and there is room. */
  add<T>(kind: Kind<T>, value: T, room: Room, outbox?: Outbox): Promise<'created' | 'full' | 'taken'>
}

/** Guards over the documents of a store. */
export const guardOf = ({ get, write }: Documents): Guard => ({
  async change(kind, id, decide, outbox) {
    const kept = structuredClone(outbox)
    for (;;) {
      const found = await get(kind, id)
      const next = decide(found === null ? null : found.value)
      if (next === 'stale') return false
      const when = [{ kind, id, revision: found?.revision ?? 0 }]
      const what = next === null ? { remove: [{ kind, id }] } : { put: [{ kind, value: next }] }
      if ((await write({ when, ...what, outbox: kept })) === null) return true
    }
  },
  async add(kind, value, { index, limit, prefix }, outbox) {
    const when = [
      { kind, id: kind.id(value), revision: 0 },
      { kind, index, prefix, atMost: limit - 1 },
    ]
    const refused = await write({ when, put: [{ kind, value }], outbox })
    return refused === null ? 'created' : refused === 0 ? 'taken' : 'full'
  },
})
