import type { ConversationId } from '../../domain/ids.ts'
import type { Outbox } from '../../ports/store/outbox.ts'
import type { RemovalStore } from '../../ports/store/removals.ts'
import type { Batch } from '../documents.ts'
import { type Guarded, versioned } from '../guarded.ts'
import { filesGone } from './files.ts'
import { type HeldConversation, heldConversation } from './held.ts'
import { CONVERSATION, CONVERSATION_SCOPE, REMOVED_LOG } from './kinds.ts'
import type { Numbers } from './numbers.ts'
import { goneWith, type Owner, ownerValue, WITH_CONVERSATION, WITH_LOG } from './owned.ts'
import type { Packing } from './packing.ts'
import { listingOf, looseBetween, putsOf } from './placing.ts'
import { recordingsGone } from './recordings.ts'
import { newestStep, type Progress, stepsOf, still } from './steps.ts'
import { forgetTurnRecordings } from './turn-recordings.ts'

/** The number of documents of a log to remove at once. A store with a single writer lets others write in between. */
const REMOVED_AT_ONCE = 500

/** Removes the rest of a log, unless somebody else has done so: its id may be another conversation's then. */
export async function free({ scan, write }: Guarded, owner: Owner): Promise<void> {
  const { id } = owner
  const when = [{ kind: REMOVED_LOG, id, version: 1 }]
  for (const owned of WITH_LOG)
    for (;;) {
      const { index, kind } = owned
      const prefix = [ownerValue(owned, owner)]
      const found = await scan(kind, index ?? '', { prefix, limit: REMOVED_AT_ONCE })
      const remove = found.map(value => ({ kind, id: kind.id(value) }))
      if (remove.length > 0 && (await write({ when, remove })) !== null) return
      if (found.length < REMOVED_AT_ONCE) break
    }
  await write({ when, remove: [{ kind: REMOVED_LOG, id }] })
}

/** Returns the parts of a batch that remove a conversation's files and recordings, and make their bytes due. */
async function bytesGone(
  over: Guarded,
  id: ConversationId,
): Promise<Awaited<ReturnType<typeof recordingsGone>>> {
  const [files, recordings] = await Promise.all([filesGone(over, id), recordingsGone(over, id)])
  return { when: [...files.when, ...recordings.when], put: [...files.put, ...recordings.put] }
}

/** Returns the batch that removes a conversation if it is unchanged since it was read. */
function batchOf(
  held: Progress & Pick<HeldConversation, 'index'>,
  bytes: Awaited<ReturnType<typeof bytesGone>>,
  nextPlace: Numbers['nextPlace'],
  outbox?: Outbox,
): Batch {
  const { id, log } = held
  const isShort = held.events + held.turns <= REMOVED_AT_ONCE
  const gone = goneWith(isShort ? [...WITH_CONVERSATION, ...WITH_LOG] : WITH_CONVERSATION, held)
  return {
    // Notes and the like are added while the conversation is unchanged: this makes one of the two wait for the other.
    when: [...still(held), { kind: CONVERSATION, id, version: held.indexed }, ...bytes.when],
    clear: gone.clear,
    remove: gone.remove,
    put: [
      // A writer that has read it before must not add to a log that is being removed.
      ...(isShort
        ? []
        : [
            { kind: REMOVED_LOG, value: versioned({ id, log }) },
            ...stepsOf({ ...held, version: held.version + 1 }, []),
          ]),
      ...bytes.put,
      ...putsOf(looseBetween(listingOf(held), null, nextPlace)),
    ],
    outbox,
  }
}

/** Removes conversations. If the log is long, the conversation is removed first, and then the log in short steps. */
export function removalsOver(over: Guarded, { nextPlace }: Numbers, packing: Packing): RemovalStore {
  const { decided, each, one, scan, write } = over
  return {
    async scopes() {
      const scopes = await scan(CONVERSATION_SCOPE, 'account', { prefix: [] })
      return scopes.map(({ accountId, agentId, environment }) => ({ accountId, agentId, environment }))
    },
    async removeFinished({ accountId, agentId, environment }, finishedBefore, limit) {
      for await (const left of each(REMOVED_LOG, 'id', { prefix: [], limit: REMOVED_AT_ONCE }))
        await free(over, left)
      const found = await scan(CONVERSATION, 'over', {
        prefix: [accountId, agentId, environment],
        through: Math.ceil(finishedBefore) - 1,
        limit: limit + 1,
      })
      const first = found.slice(0, limit)
      let [removed, isLong] = [0, false]
      const steps = await Promise.all(first.map(({ log }) => newestStep(over, log)))
      for (const [at, { id, index, version }] of first.entries()) {
        const step = steps[at]
        const held = step?.indexed === version ? { ...step, id, index } : await heldConversation(over, id)
        // It goes on again, or was removed.
        if (held === null || held.index.finishedAt === null || held.wakeAt !== null) continue
        if ((await write(batchOf(held, await bytesGone(over, id), nextPlace))) !== null) continue
        removed++
        isLong = held.events + held.turns > REMOVED_AT_ONCE
        if (!isLong) continue
        await free(over, held)
        break
      }
      await packing.forget({ accountId, agentId, environment })
      const more = isLong || found.length > limit
      if (!more) await over.erased?.()
      return { removed, more }
    },
    async remove(accountId, agentId, id, outbox) {
      let environment = ''
      const result = await decided<'removed' | 'in_progress' | 'missing'>(async () => {
        const held = await heldConversation(over, id)
        if (held?.index.accountId !== accountId || held.index.agentId !== agentId)
          return { result: 'missing' }
        if (held.index.finishedAt === null || held.wakeAt !== null) return { result: 'in_progress' }
        environment = held.index.environment
        return { ...batchOf(held, await bytesGone(over, id), nextPlace, outbox), result: 'removed' }
      })
      if (result !== 'removed') return result
      const left = await one(REMOVED_LOG, id)
      if (left !== null) await free(over, left)
      await packing.forget({ accountId, agentId, environment })
      await over.erased?.()
      return result
    },
    forgetTurnRecordings: (finishedBefore, turns) =>
      forgetTurnRecordings(over, finishedBefore, turns, nextPlace),
  }
}
