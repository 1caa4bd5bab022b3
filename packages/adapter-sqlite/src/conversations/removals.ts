import type { RemovalStep, RemovalStore } from '@colloquy/core/store'
import { after } from '../database/lock-waits.ts'
import type { Session } from '../database/session.ts'
import { ownedStatements } from '../documents/owned.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import type { Listing } from './conversation-place.ts'
import type { ConversationStatements } from './conversation-statements.ts'
import type { LogErasure } from './log-erasure.ts'
import { type Removable, removalStatements } from './removal-statements.ts'
import { UNITS_OF_A_STEP, unitsOf } from './removal-units.ts'

/** What the rows of a conversation in other tables than its log are reckoned at. */
const UNITS_OF_A_CONVERSATION = 10

/** More are never looked for, whatever the limit: a write does not take more of them than its units allow. */
const CONVERSATIONS_OF_A_STEP = UNITS_OF_A_STEP / UNITS_OF_A_CONVERSATION

const unitsOfConversation = (bytes: number): number => UNITS_OF_A_CONVERSATION + unitsOf(bytes)

/**
 * A step is followed by a pause of this many times its own duration: others who write wait for the lock by asking now
 * and then.
 */
const REST = 2

const nextTurn = (): Promise<void> =>
  new Promise(resolve => {
    setImmediate(resolve)
  })

/**
 * From now on the conversation is no more. Its log, which nothing leads to, is left to be erased, and so are its
 * external and webhook events beyond what fits into a step. Returns the units that these took.
 */
export const dropping =
  (
    own: ReturnType<typeof removalStatements>,
    run: ConversationStatements,
    { counts, words }: Pick<Listing, 'counts' | 'words'>,
    logs: LogErasure,
  ) =>
  ({ row, id, scope, listed, startedAt, lastEvent, lastTurn }: Removable): number => {
    const left = logs.eraseEvents(id, UNITS_OF_A_STEP)
    if (left > 0) own.dropPendingEvents.run({ id })
    const log = { conversation: row, scope, startedAt, lastEvent, lastTurn }
    logs.begin({ ...log, id: left > 0 ? null : id })
    run.dropHandoff.run({ conversation: row })
    own.dropHead.run({ row })
    run.heads.forget()
    words.forget()
    own.dropConversation.run({ row })
    if (listed !== 0) counts.add(scope, startedAt, -1)
    return UNITS_OF_A_STEP - left
  }

/** The port's methods that remove conversations. */
export function removalMethods(
  { checkpoint, define, emptyLog, read, write }: Session,
  run: ConversationStatements,
  listing: Listing,
  { logs, keeper }: { readonly logs: LogErasure; readonly keeper: OutboxKeeper },
): RemovalStore {
  const own = removalStatements(define)
  const owned = ownedStatements(define)

  const dropStored = dropping(own, run, listing, logs)

  /** A copy of a conversation takes the place of an earlier one: then results of replays stay, and a call. */
  const drop = (conversation: Removable): number => {
    owned.dropDocumentsOfConversation(conversation.id)
    return dropStored(conversation)
  }

  const step = (scope: number, before: number, limit: number): RemovalStep => {
    const most = Math.min(limit, CONVERSATIONS_OF_A_STEP)
    const over = own.over.all({ scope, before, limit: most + 1 })
    let [removed, units] = [0, 0]
    for (const conversation of over.slice(0, most)) {
      // One that is too large for any write has a write of its own.
      if (removed > 0 && units + unitsOfConversation(conversation.bytes) > UNITS_OF_A_STEP) break
      units += unitsOfConversation(conversation.bytes) + drop(conversation)
      removed++
    }
    // Together: those that finished one after the other lie in the same chunks.
    listing.intervals.remove(over.slice(0, removed))
    logs.erase(UNITS_OF_A_STEP - units)
    return { removed, more: over.length > removed }
  }

  /** One write of a removal, and the rest after it. */
  async function restingWrite<Result>(operation: string, change: () => Result): Promise<Result> {
    let took = 0
    const result = await write(operation, () => {
      const began = performance.now()
      const done = change()
      took = performance.now() - began
      return done
    })
    // Two pauses for others are shorter than one.
    await nextTurn()
    checkpoint()
    await after(took * REST)
    return result
  }

  /** Erases what removals have left, also those of a process that has died. */
  async function eraseLogs(operation: string): Promise<void> {
    let more = await read(operation, logs.some)
    while (more) {
      more = await restingWrite(operation, () => {
        logs.erase(UNITS_OF_A_STEP)
        return logs.some()
      })
    }
  }

  // Leftovers of a process that died, removed in the background; what fails here is left to the next removal.
  const leftOver = async (): Promise<void> => {
    const operation = 'erase what a removal has left'
    if (!(await read(operation, logs.some))) return
    await eraseLogs(operation)
    await emptyLog()
  }
  leftOver().catch(() => undefined)

  return {
    scopes: () => read('list the scopes of conversations', () => own.scopes.all({})),
    async removeFinished(given, finishedBefore, limit) {
      const operation = 'remove finished conversations'
      const { accountId, agentId, environment } = given
      // Most looks find nothing, and need not wait for the lock that writes need.
      const found = await read(operation, () => {
        const scope = run.scope.get({ accountId, agentId, environment })?.row
        const some = scope !== undefined && own.over.get({ scope, before: finishedBefore, limit: 1 })
        return some ? scope : null
      })
      if (found === null) {
        await eraseLogs(operation)
        return { removed: 0, more: false }
      }
      const result = await restingWrite(operation, () => step(found, finishedBefore, limit))
      await eraseLogs(operation)
      if (!result.more) await emptyLog()
      return result
    },
    async remove(accountId, agentId, id, outbox) {
      const operation = 'remove a conversation'
      const keep = keeper.keeping(outbox)
      const result = await write(operation, () => {
        const found = own.one.get({ accountId, agentId, id })
        if (found === undefined) return 'missing'
        if (found.over === 0) return 'in_progress'
        drop(found)
        listing.intervals.remove([found])
        keep()
        return 'removed'
      })
      await eraseLogs(operation)
      if (result === 'removed') await emptyLog()
      return result
    },
  }
}
