import type { VoiceStore } from '../../ports/store/voices.ts'
import { absent, type Guarded } from '../guarded.ts'
import { VOICE } from '../kinds.ts'

/** Voices of accounts. */
export const voicesOver = ({ one, save, scan, write }: Guarded): VoiceStore => ({
  async create(voice, limit, outbox) {
    const { accountId, id } = voice
    const refused = await write({
      when: [absent(VOICE, id), { kind: VOICE, index: 'account', prefix: [accountId], atMost: limit - 1 }],
      put: [{ kind: VOICE, value: voice }],
      outbox,
    })
    return refused === null ? 'created' : refused === 0 ? 'taken' : 'full'
  },
  async find(accountId, id) {
    const voice = await one(VOICE, id)
    return voice?.accountId === accountId ? voice : null
  },
  list: accountId => scan(VOICE, 'account', { prefix: [accountId] }),
  update: async (expectedVersion, next, outbox) =>
    (await save(VOICE, next, expectedVersion, outbox)) ? 'written' : 'stale',
})
