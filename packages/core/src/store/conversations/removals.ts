import type { Outbox } from '../../ports/store/outbox.ts'
import type { RemovalStore } from '../../ports/store/removals.ts'
import type { Batch } from '../documents.ts'
import { type Guarded, unchanged, versioned } from '../guarded.ts'
import { CONVERSATION, CONVERSATION_SCOPE, type HeldConversation, REMOVED_LOG } from './kinds.ts'
import { goneWith, WITH_CONVERSATION, WITH_LOG } from './owned.ts'

/** How many documents of a log are removed at once: a store with a single writer gives others their turn in between. */
const REMOVED_AT_ONCE = 500

/** Removes conversations. Of a long log the conversation goes first, and then the log in short steps. */
export function removalsOver({ decided, each, one, scan, write }: Guarded) {
  /** Removes what is left of a log, as long as nobody else has done so: its id may be another conversation's then. */
  async function free(id: string): Promise<void> {
    const when = [{ kind: REMOVED_LOG, id, version: 1 }]
    for (const { index, kind } of WITH_LOG)
      for (;;) {
        const found = await scan(kind, index ?? '', { prefix: [id], limit: REMOVED_AT_ONCE })
        const remove = found.map(value => ({ kind, id: kind.id(value) }))
        if (remove.length > 0 && (await write({ when, remove })) !== null) return
        if (found.length < REMOVED_AT_ONCE) break
      }
    await write({ when, remove: [{ kind: REMOVED_LOG, id }] })
  }

  /** What removes a conversation that is still as it was read. */
  function batchOf(held: HeldConversation, outbox?: Outbox): Batch {
    const { id } = held
    const isShort = held.events + held.turns <= REMOVED_AT_ONCE
    const gone = goneWith(isShort ? [...WITH_CONVERSATION, ...WITH_LOG] : WITH_CONVERSATION, id)
    return {
      when: [unchanged(CONVERSATION, held)],
      clear: gone.clear,
      remove: [{ kind: CONVERSATION, id }, ...gone.remove],
      put: isShort ? [] : [{ kind: REMOVED_LOG, value: versioned({ id }) }],
      outbox,
    }
  }

  const methods: RemovalStore = {
    async scopes() {
      const scopes = await scan(CONVERSATION_SCOPE, 'account', { prefix: [] })
      return scopes.map(({ accountId, agentId, environment }) => ({ accountId, agentId, environment }))
    },
    async removeFinished({ accountId, agentId, environment }, finishedBefore, limit) {
      for await (const { id } of each(REMOVED_LOG, 'all', { prefix: [], limit: REMOVED_AT_ONCE }))
        await free(id)
      const over = await scan(CONVERSATION, 'over', {
        prefix: [accountId, agentId, environment],
        through: Math.ceil(finishedBefore) - 1,
        limit: limit + 1,
      })
      let removed = 0
      for (const held of over.slice(0, limit)) {
        if ((await write(batchOf(held))) !== null) continue
        removed++
        if (held.events + held.turns <= REMOVED_AT_ONCE) continue
        await free(held.id)
        return { removed, more: true }
      }
      return { removed, more: over.length > limit }
    },
    async remove(accountId, agentId, id, outbox) {
      const result = await decided<'removed' | 'in_progress' | 'missing'>(async () => {
        const held = await one(CONVERSATION, id)
        if (held?.index.accountId !== accountId || held.index.agentId !== agentId)
          return { batch: null, result: 'missing' }
        if (held.index.finishedAt === null || held.wakeAt !== null)
          return { batch: null, result: 'in_progress' }
        return { batch: batchOf(held, outbox), result: 'removed' }
      })
      if (result === 'removed' && (await one(REMOVED_LOG, id)) !== null) await free(id)
      return result
    },
  }
  return { free, methods }
}
