import type { AccountId } from '../../domain/ids.ts'
import type { Outbox } from '../../ports/store/outbox.ts'
import type { Kind } from '../documents.ts'
import { absent, type Guarded, unchanged } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'

/** A document that its account has once under a name. */
interface Named {
  readonly accountId: AccountId
  readonly version: number
}

/**
 * Returns documents of accounts, of which each has a name: its id is of account and key, and the index `account` lists
 * them.
 */
export const namedOver = <T extends Named>(
  { decided, one, scan }: Guarded,
  kind: Kind<T>,
  keyOf: (name: string) => string,
) => ({
  find: (accountId: AccountId, name: string): Promise<T | null> => one(kind, idOf(accountId, keyOf(name))),
  list: (accountId: AccountId): Promise<readonly T[]> => scan(kind, 'account', { prefix: [accountId] }),
  save: (value: T, expectedVersion: number, most: number, outbox?: Outbox) =>
    decided<'saved' | 'stale' | 'full'>(async () => {
      const id = kind.id(value)
      const known = await one(kind, id)
      if ((known?.version ?? 0) !== expectedVersion) return { result: 'stale' }
      const room = { kind, index: 'account', prefix: [value.accountId], atMost: most - 1 }
      return {
        when: known === null ? [room, absent(kind, id)] : [unchanged(kind, known)],
        put: [{ kind, value }],
        outbox,
        result: 'saved',
        refused: place => (known === null && place === 0 ? 'full' : undefined),
      }
    }),
  remove: (accountId: AccountId, name: string, outbox?: Outbox) =>
    decided<boolean>(async () => {
      const known = await one(kind, idOf(accountId, keyOf(name)))
      if (known === null) return { result: false }
      const remove = [{ kind, id: kind.id(known) }]
      return { when: [unchanged(kind, known)], remove, outbox, result: true }
    }),
})
