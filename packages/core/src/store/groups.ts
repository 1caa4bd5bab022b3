import type { OutboundCallStore } from '../ports/store/outbound-calls.ts'
import type { Outbox } from '../ports/store/outbox.ts'
import type { TextPairStore } from '../ports/store/text-pairs.ts'
import type { VoiceStore } from '../ports/store/voices.ts'
import type { Documents, Kind, Stored } from './documents.ts'
import { guardOf } from './guard.ts'
import { OUTBOUND_CALL, pairId, TEXT_PAIR, VOICE } from './kinds.ts'

/** The groups of a store that are kept as documents. */
export interface DocumentGroups {
  readonly voices: VoiceStore
  readonly textPairs: TextPairStore
  readonly outboundCalls: OutboundCallStore
}

const valuesOf = <T>(found: readonly Stored<T>[]): readonly T[] => found.map(({ value }) => value)

/** The groups over the documents of a store, the same for all databases. */
export function groupsOver(documents: Documents): DocumentGroups {
  const { get, scan } = documents
  const { add, change } = guardOf(documents)

  /** Writes a document whole over its version; `absent` is that of one that is not there. */
  function save<T extends { readonly version: number }>(
    kind: Kind<T>,
    value: T,
    expectedVersion: number,
    { absent, outbox }: { readonly absent: number | null; readonly outbox?: Outbox | undefined },
  ): Promise<boolean> {
    const next = structuredClone(value)
    const decide = (now: T | null) => ((now?.version ?? absent) === expectedVersion ? next : 'stale')
    return change(kind, kind.id(next), decide, outbox)
  }

  return {
    voices: {
      create: (voice, limit, outbox) =>
        add(VOICE, voice, { index: 'account', prefix: [voice.accountId], limit }, outbox),
      async find(accountId, id) {
        const voice = (await get(VOICE, id))?.value ?? null
        return voice?.accountId === accountId ? voice : null
      },
      list: async accountId => valuesOf(await scan(VOICE, 'account', { prefix: [accountId] })),
      update: async (expectedVersion, next, outbox) =>
        (await save(VOICE, next, expectedVersion, { absent: null, outbox })) ? 'written' : 'stale',
    },
    textPairs: {
      find: async (ours, theirs) => (await get(TEXT_PAIR, pairId(ours, theirs)))?.value ?? null,
      save: async (pair, expectedVersion) =>
        (await save(TEXT_PAIR, pair, expectedVersion, { absent: 0 })) ? 'saved' : 'stale',
    },
    outboundCalls: {
      find: async id => (await get(OUTBOUND_CALL, id))?.value ?? null,
      save: async (call, expectedVersion) =>
        (await save(OUTBOUND_CALL, call, expectedVersion, { absent: 0 })) ? 'saved' : 'stale',
      due: async (now, limit) =>
        valuesOf(await scan(OUTBOUND_CALL, 'due', { prefix: [], through: now, limit })),
      remove: (id, expectedVersion) =>
        change(OUTBOUND_CALL, id, now => (now?.version === expectedVersion ? null : 'stale')),
    },
  }
}
