import type { ConversationStore, RemovalStep } from '@colloquy/core'
import type { AuditTrail } from './audit-store.ts'
import type { Listing } from './conversation-place.ts'
import type { ConversationStatements } from './conversation-statements.ts'
import { type Removable, removalStatements } from './removal-statements.ts'
import type { Session } from './session.ts'
import type { Outbox } from './webhook-store.ts'

/** A step ends with the conversation that brings it to this many rows: long logs make steps of fewer conversations. */
const ROWS_OF_A_STEP = 2_000

/** A step is followed by a rest of so many times its own length: others who write wait for the lock by asking now and then. */
const REST = 2

const after = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, milliseconds)
  })

const nextTurn = (): Promise<void> =>
  new Promise(resolve => {
    setImmediate(resolve)
  })

/** The port's methods that remove conversations. */
export function removalMethods(
  { checkpoint, define, read, write }: Session,
  run: ConversationStatements,
  { counts, intervals }: Listing,
  outbox: Outbox,
  trail: AuditTrail,
) {
  const own = removalStatements(define)

  /** Removes all that is kept of a conversation, but for its interval; the number of rows of its logs. */
  const drop = ({ row, id, scope, listed, startedAt, lastEvent, lastTurn }: Removable): number => {
    const events = own.dropEvents.run({ last: lastEvent }).changes
    const turns = own.dropTurns.run({ last: lastTurn }).changes
    own.dropClientEvents.run({ conversation: row })
    own.dropAnchors.run({ conversation: row })
    own.dropPendingEvents.run({ id })
    own.dropExternalEvents.run({ id })
    outbox.forget(id)
    run.dropHandoff.run({ conversation: row })
    own.dropConversation.run({ row })
    if (listed === 1) counts.add(scope, startedAt, -1)
    return events + turns
  }

  const step = (scope: number, before: number, limit: number): RemovalStep => {
    const over = own.over.all({ scope, before, limit: limit + 1 })
    let [removed, rows] = [0, 0]
    for (const conversation of over.slice(0, limit)) {
      if (rows >= ROWS_OF_A_STEP) break
      rows += drop(conversation)
      removed++
    }
    // Together: those that finished one after the other lie in the same chunks.
    intervals.remove(over.slice(0, removed))
    return { removed, more: over.length > removed }
  }

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
        await nextTurn()
        return { removed: 0, more: false }
      }
      let took = 0
      const result = await write(operation, () => {
        const began = performance.now()
        const done = step(found, finishedBefore, limit)
        took = performance.now() - began
        return done
      })
      checkpoint()
      await after(took * REST)
      return result
    },
    async remove(accountId, agentId, id, entry) {
      const keep = trail.keeping(entry)
      return write('remove a conversation', () => {
        const found = own.one.get({ accountId, agentId, id })
        if (found === undefined) return 'missing'
        if (found.over === 0) return 'in_progress'
        drop(found)
        intervals.remove([found])
        keep()
        return 'removed'
      })
    },
  } satisfies Partial<ConversationStore>
}
