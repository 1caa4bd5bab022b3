import type { Outbox } from '../ports/store/outbox.ts'
import type { Documents, Kind } from './documents.ts'

/** What a decision makes of a document: another one, none, or `stale` where it is not the one that was expected. */
export type Decision<T> = T | null | 'stale'

/** Writes what is decided on a document as it is now, decided anew while another writer comes first. */
export async function change<T>(
  documents: Documents,
  kind: Kind<T>,
  id: string,
  decide: (now: T | null) => Decision<T>,
  outbox?: Outbox,
): Promise<boolean> {
  const kept = structuredClone(outbox)
  for (;;) {
    const found = await documents.get(kind, id)
    const next = decide(found === null ? null : found.value)
    if (next === 'stale') return false
    const when = [{ kind, id, revision: found?.revision ?? 0 }]
    const what = next === null ? { remove: [{ kind, id }] } : { put: [{ kind, value: next }] }
    if ((await documents.write({ when, ...what, outbox: kept })) === null) return true
  }
}

/** Adds a document where its id is free and the index holds fewer than `limit` that begin like it. */
export async function add<T>(
  documents: Documents,
  kind: Kind<T>,
  value: T,
  room: { readonly index: string; readonly prefix: readonly string[]; readonly limit: number },
  outbox?: Outbox,
): Promise<'created' | 'full' | 'taken'> {
  const { index, prefix, limit } = room
  const when = [
    { kind, id: kind.id(value), revision: 0 },
    { kind, index, prefix, atMost: limit - 1 },
  ]
  const refused = await documents.write({ when, put: [{ kind, value }], outbox })
  return refused === null ? 'created' : refused === 0 ? 'taken' : 'full'
}
