import type { AccountId, AgentId, AudioOrder, CachedAudio, CachedAudioId } from '@colloquy/core'
import type { AudioCacheStore, HeldAudio } from '@colloquy/core/store'
import { comparePlaces } from './order.ts'
import type { OutboxKeeper } from './outbox.ts'

const VALUES: { readonly [Order in AudioOrder]: (entry: CachedAudio) => number } = {
  cachedAt: ({ cachedAt }) => cachedAt,
  hitCount: ({ hitCount }) => hitCount,
  duration: ({ milliseconds }) => milliseconds,
}

/** Sounds of agents. Every method runs to its end without a pause: at one instant. */
export function createAudioCache(keeper: OutboxKeeper) {
  const sounds = new Map<CachedAudioId, HeldAudio>()
  const ofAgent = (id: AgentId): CachedAudio[] =>
    [...sounds.values()].map(({ entry }) => entry).filter(({ agentId }) => agentId === id)
  const held = (agentId: AgentId, id: CachedAudioId): HeldAudio | null => {
    const found = sounds.get(id)
    return found?.entry.agentId === agentId ? found : null
  }

  /** Drops what is beyond the bound; `newest` counts first. */
  function keepTo(limit: number, accountId: AccountId, newest: CachedAudioId): void {
    const entries = [...sounds.values()]
      .map(({ entry }) => entry)
      .filter(entry => entry.accountId === accountId)
      .sort(
        (one, other) =>
          Number(other.id === newest) - Number(one.id === newest) ||
          comparePlaces([other.usedAt, other.id], [one.usedAt, one.id]),
      )
    let total = 0
    for (const { id, bytes } of entries) {
      total += bytes
      if (total > limit) sounds.delete(id)
    }
  }

  const store: AudioCacheStore = {
    async add(added, limit) {
      const { accountId, id } = added.entry
      if (sounds.has(id)) return 'taken'
      sounds.set(id, added)
      keepTo(limit, accountId, id)
      return 'added'
    },
    async use(id, at) {
      const found = sounds.get(id)
      if (found === undefined) return null
      const { hitCount, usedAt } = found.entry
      const entry = { ...found.entry, hitCount: hitCount + 1, usedAt: Math.max(usedAt, at) }
      sounds.set(id, { ...found, entry })
      return { ...found, entry }
    },
    find: async (agentId, id) => held(agentId, id)?.entry ?? null,
    read: async (agentId, id) => held(agentId, id),
    async list(agentId, { order, descending, offset, limit }) {
      const value = VALUES[order]
      const sign = descending ? -1 : 1
      const entries = ofAgent(agentId).sort((one, other) =>
        comparePlaces([sign * value(one), one.id], [sign * value(other), other.id]),
      )
      return { entries: entries.slice(offset, offset + limit), totalCount: entries.length }
    },
    async replace(expectedVersion, next, limit, outbox) {
      const { accountId, id } = next.entry
      const before = sounds.get(id)?.entry
      if (before?.version !== expectedVersion) return 'stale'
      const { hitCount, usedAt } = before
      sounds.set(id, { ...next, entry: { ...next.entry, hitCount, usedAt } })
      keepTo(limit, accountId, id)
      keeper.keep(outbox)
      return 'written'
    },
    async remove(agentId, id, outbox) {
      if (held(agentId, id) === null) return false
      sounds.delete(id)
      keeper.keep(outbox)
      return true
    },
  }
  return {
    store,
    /** Removes the sounds of an agent. */
    forgetAgent(id: AgentId): void {
      for (const entry of ofAgent(id)) sounds.delete(entry.id)
    },
  }
}
