import type { HeldConversation } from './held.ts'

/** The facts about a conversation that its next write needs. */
export type Before = Omit<HeldConversation, 'state' | 'changes' | 'added'>

/** Conversations as this process has read or written them last: maybe out of date, so their next write is guarded. */
export interface Recent {
  get(id: string): Before | undefined
  /** Not one that has finished, and none over a later version. */
  remember(held: Before): void
}

/** The number of conversations that are remembered. */
const REMEMBERED = 16_384

export function createRecent(): Recent {
  const known = new Map<string, Before>()
  return {
    get: id => known.get(id),
    remember(held) {
      const { id, index, version } = held
      const later = known.get(id)
      if (later !== undefined && later.log === held.log && later.version > version) return
      known.delete(id)
      if (index.finishedAt !== null) return
      known.set(id, held)
      const [oldest] = known.size > REMEMBERED ? known.keys() : []
      if (oldest !== undefined) known.delete(oldest)
    },
  }
}
