import type { OutboundCallStore } from '../ports/store/outbound-calls.ts'
import type { Outbox } from '../ports/store/outbox.ts'
import type { TextPairStore } from '../ports/store/text-pairs.ts'
import type { VoiceStore } from '../ports/store/voices.ts'
import type { Documents, Kind } from './documents.ts'
import { OUTBOUND_CALL, pairId, TEXT_PAIR, VOICE } from './kinds.ts'

/** The groups of a store that are kept as documents. */
export interface DocumentGroups {
  readonly voices: VoiceStore
  readonly textPairs: TextPairStore
  readonly outboundCalls: OutboundCallStore
}

/** The groups over the documents of a store, the same for all databases. */
export function groupsOver({ get, scan, write }: Documents): DocumentGroups {
  /** Writes a document whole over its version. */
  async function save<T>(
    kind: Kind<T>,
    value: T,
    expectedVersion: number,
    outbox?: Outbox,
  ): Promise<boolean> {
    const when = [{ kind, id: kind.id(value), version: expectedVersion }]
    return (await write({ when, put: [{ kind, value }], outbox })) === null
  }

  return {
    voices: {
      async create(voice, limit, outbox) {
        const refused = await write({
          when: [
            { kind: VOICE, id: voice.id, version: 0 },
            { kind: VOICE, index: 'account', prefix: [voice.accountId], atMost: limit - 1 },
          ],
          put: [{ kind: VOICE, value: voice }],
          outbox,
        })
        return refused === null ? 'created' : refused === 0 ? 'taken' : 'full'
      },
      async find(accountId, id) {
        const voice = await get(VOICE, id)
        return voice?.accountId === accountId ? voice : null
      },
      list: accountId => scan(VOICE, 'account', { prefix: [accountId] }),
      update: async (expectedVersion, next, outbox) =>
        (await save(VOICE, next, expectedVersion, outbox)) ? 'written' : 'stale',
    },
    textPairs: {
      find: (ours, theirs) => get(TEXT_PAIR, pairId(ours, theirs)),
      save: async (pair, expectedVersion) =>
        (await save(TEXT_PAIR, pair, expectedVersion)) ? 'saved' : 'stale',
    },
    outboundCalls: {
      find: id => get(OUTBOUND_CALL, id),
      save: async (call, expectedVersion) =>
        (await save(OUTBOUND_CALL, call, expectedVersion)) ? 'saved' : 'stale',
      due: (now, limit) => scan(OUTBOUND_CALL, 'due', { prefix: [], through: now, limit }),
      async remove(id, version) {
        const of = { kind: OUTBOUND_CALL, id }
        return (await write({ when: [{ ...of, version }], remove: [of] })) === null
      },
    },
  }
}
