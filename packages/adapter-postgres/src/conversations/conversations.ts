import { type AppendResult, type ConversationStore, type DocumentGroups, eventOf } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import { createWriteQueue } from '../database/write-queue.ts'
import { createAppends, type EncodedAppend } from './append-statement.ts'
import { eventsWithin, toEvent, toPage, toTurn, toTurnJson } from './conversation-log.ts'
import { createPlaces } from './conversation-place.ts'
import { conversationStatements } from './conversation-statements.ts'
import { createCreations } from './create-statement.ts'
import { externalEventMethods } from './external-events.ts'
import { handoffMethods } from './handoffs.ts'
import { createIntervalPacking, PACKING } from './intervals/interval-packing.ts'
import { intervalMethods } from './intervals/intervals.ts'
import { messageKeyMethods } from './message-keys.ts'
import { recordMethods } from './records.ts'
import { removalMethods } from './removals.ts'
import { stateOf } from './state-parts.ts'
import { timerMethods } from './timers.ts'
import { turnVectorMethods } from './turn-vectors.ts'
import { type EncodedWrite, encodeWrite } from './write-rows.ts'

/** Conversations in PostgreSQL. Arguments are read before a call returns, so later changes to them change nothing. */
export function createConversationStore(
  session: Session,
  writesPerStatement: number,
  committed: (writes: number) => void,
  groups: DocumentGroups,
): ConversationStore {
  const { define, accept, accepted } = session
  const run = conversationStatements(define)
  const places = createPlaces(define, accepted)
  const creations = createWriteQueue<EncodedWrite, 'created' | 'taken'>(
    createCreations(define, accepted),
    writesPerStatement,
    committed,
  )
  const appends = createWriteQueue<EncodedAppend, AppendResult>(
    createAppends(define, accepted),
    writesPerStatement,
    committed,
  )

  return {
    create: conversation =>
      accept('create a conversation', () => {
        const encoded = encodeWrite(places, conversation, null)
        return creations.add(encoded.id, encoded)
      }),
    async load(id) {
      const row = await run.load.get({ id })
      if (row === undefined) return null
      return { state: stateOf(row), version: row.version, pendingExternalEvents: row.pending }
    },
    version: async id => (await run.version.get({ id }))?.version ?? null,
    append: append =>
      accept('append to a conversation', () => {
        const { expectedVersion, deliveredExternalEvents, joinedWait } = append
        const encoded = {
          ...encodeWrite(places, append, append.changes),
          expectedVersion,
          delivered: [...deliveredExternalEvents],
          joinedWait: joinedWait && { ...joinedWait },
        }
        return appends.add(encoded.id, encoded)
      }),
    async eventPage(id, after, { count, bytes }) {
      return toPage(await run.eventPage.all({ id, after, most: eventsWithin(count, bytes), bytes }))
    },
    async clientEvent(id, clientIds) {
      const row = await run.clientEvent.get({ id, clientIds })
      return row === undefined ? null : eventOf(toEvent(row))
    },
    turns: async (id, limit = Number.MAX_SAFE_INTEGER, bytes = Number.POSITIVE_INFINITY) =>
      (await run.turns.all({ id, limit, bytes })).map(toTurn),
    async turnPage(id, after, bytes) {
      const rows = await run.turnPage.all({ id, after, bytes })
      const last = rows.at(-1)
      return { turns: rows.map(toTurnJson), more: last !== undefined && last.newest > last.number }
    },
    listOpen: async agentId => (await run.open.all({ agentId })).map(({ id }) => id),

    timers: timerMethods(session),
    externalEvents: externalEventMethods(session),
    handoffs: handoffMethods(session),
    records: recordMethods(session, places),
    intervals: intervalMethods(session, places, createIntervalPacking(session, PACKING)),
    turnVectors: turnVectorMethods(session, places),
    textPairs: groups.textPairs,
    messageKeys: messageKeyMethods(define),
    outboundCalls: groups.outboundCalls,
    removals: removalMethods(session, places),
  }
}
