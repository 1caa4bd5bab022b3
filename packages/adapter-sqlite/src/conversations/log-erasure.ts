import type { ConversationId } from '@colloquy/core'
import type { Define } from '../database/statements.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import { type RemovedLog, removalStatements } from './removal-statements.ts'
import { unitsOf } from './removal-units.ts'
import type { SearchWords } from './search-words.ts'
import type { WordRemoval } from './word-removal.ts'

/** Erases the logs of conversations that were removed, within the writes of its callers. */
export interface LogErasure {
  /**
   * Erases external events and webhook events of a conversation, as far as the units allow; returns how many are left,
   * 0 when something may be left.
   */
  eraseEvents(id: ConversationId, units: number): number
  /** True while external events or webhook events of a removed conversation may be left. */
  isErasing(id: ConversationId): boolean
  /** The id is given to a new conversation: nothing of the removed one is left under it, however much that is. */
  free(id: ConversationId): void
  /** Keeps the log of a conversation, which is no more, for later steps. */
  begin(log: Omit<RemovedLog, 'words'>): void
  /** True while there is a log to erase. */
  some(): boolean
  /** Erases at least that many units, if there are as many, and hardly more. */
  erase(units: number): void
}

/** Takes the newest first: what is left is a log that is shorter. */
export function createLogErasure(define: Define, words: SearchWords, keeper: OutboxKeeper): LogErasure {
  const run = removalStatements(define)

  /** The rest of the log without its last turn, or without some of that turn's words; and the units that it took. */
  function eraseTurn(
    index: WordRemoval,
    log: RemovedLog,
    row: number,
    units: number,
  ): { rest: RemovedLog; took: number } {
    const turn = run.turn.get({ row })
    if (turn === undefined) return { rest: { ...log, lastTurn: null }, took: 1 }
    const { done, all, took } = index.remove({ ...log, turn: row, record: turn.record }, log.words, units)
    if (!all) return { rest: { ...log, words: done }, took }
    run.dropTurn.run({ row })
    return { rest: { ...log, lastTurn: turn.previous, words: 0 }, took: took + unitsOf(turn.bytes) }
  }

  function eraseEvent(log: RemovedLog, row: number): { rest: RemovedLog; took: number } {
    const event = run.event.get({ row })
    run.dropEvent.run({ row })
    return { rest: { ...log, lastEvent: event?.previous ?? null }, took: unitsOf(event?.bytes ?? 0) }
  }

  function eraseEvents(id: ConversationId, units: number): number {
    let left = units
    for (const { eventId, bytes } of run.externalEventsOf.all({ id, limit: left })) {
      if (left <= 0) break
      run.dropPendingEvent.run({ eventId })
      run.dropExternalEvent.run({ eventId })
      left -= unitsOf(bytes)
    }
    return left > 0 ? keeper.forget(id, left) : 0
  }

  /** Returns the units that are left once the log is gone, 0 when some of it may be left. */
  function eraseLog(index: WordRemoval, log: RemovedLog, units: number): number {
    const { conversation, id } = log
    let left = id === null ? units : eraseEvents(id, units)
    let rest = left > 0 ? { ...log, id: null } : log
    while (left > 0 && (rest.lastTurn !== null || rest.lastEvent !== null)) {
      const step =
        rest.lastTurn !== null
          ? eraseTurn(index, rest, rest.lastTurn, left)
          : eraseEvent(rest, rest.lastEvent ?? 0)
      rest = step.rest
      left -= step.took
    }
    if (left > 0) left -= run.dropClientEvents.run({ conversation, limit: left }).changes
    if (left > 0) left -= run.dropAnchors.run({ conversation, limit: left }).changes
    if (left > 0) run.dropLog.run({ conversation })
    else run.setLog.run({ ...rest })
    return Math.max(left, 0)
  }

  return {
    eraseEvents,
    isErasing: id => run.removedLogOf.get({ id }) !== undefined,
    free(id) {
      if (run.removedLogOf.get({ id }) === undefined) return
      eraseEvents(id, Number.MAX_SAFE_INTEGER)
      run.forgetId.run({ id })
    },
    begin: log => {
      run.keepLog.run(log)
    },
    some: () => run.removedLog.get({}) !== undefined,
    erase(units) {
      const index = words.removal()
      let left = units
      for (let log = run.removedLog.get({}); log !== undefined && left > 0; log = run.removedLog.get({})) {
        left = eraseLog(index, log, left)
      }
      index.finish()
    },
  }
}
