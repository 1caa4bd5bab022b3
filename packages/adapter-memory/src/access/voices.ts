import type { AccountId, Voice, VoiceId } from '@colloquy/core'
import type { VoiceStore } from '@colloquy/core/store'
import { oldestFirst } from '../order.ts'
import type { OutboxKeeper } from '../outbox.ts'

/** Voices of accounts. Every method runs to its end without a pause: at one instant. */
export function createVoiceStore(keeper: OutboxKeeper): VoiceStore {
  const voices = new Map<VoiceId, Voice>()
  const voicesOf = (accountId: AccountId) =>
    oldestFirst(voices.values()).filter(voice => voice.accountId === accountId)
  return {
    async create(voice, limit, outbox) {
      if (voices.has(voice.id)) return 'taken'
      if (voicesOf(voice.accountId).length >= limit) return 'full'
      voices.set(voice.id, voice)
      keeper.keep(outbox)
      return 'created'
    },
    async find(accountId, id) {
      const voice = voices.get(id)
      return voice?.accountId === accountId ? voice : null
    },
    list: async accountId => voicesOf(accountId),
    async update(expectedVersion, next, outbox) {
      if (voices.get(next.id)?.version !== expectedVersion) return 'stale'
      voices.set(next.id, next)
      keeper.keep(outbox)
      return 'written'
    },
  }
}
