import type {
  ConversationAppend,
  ConversationEvent,
  ConversationStore,
  ConversationWrite,
  StoredTurn,
} from '@colloquy/core'
import { asId } from '@colloquy/core'
import type { Connection } from './connection.ts'
import {
  type ConversationStatements,
  type EventRow,
  prepareConversationStatements,
  type TurnRow,
} from './conversation-statements.ts'
import { readIntervals, readRecord, readRecords } from './records.ts'
import { fromText, toText } from './rows.ts'

/** SQLite's own way to say "no limit". */
const UNLIMITED = -1

const eventOf = (row: EventRow): ConversationEvent => ({
  sequence: row.sequence,
  id: row.id,
  at: row.at,
  type: row.type as ConversationEvent['type'],
  payload: fromText(row.payload),
  custom: row.custom === null ? null : fromText(row.custom),
  clientEventId: row.client_event_id,
})

const turnOf = (row: TurnRow): StoredTurn => ({
  record: fromText(row.record),
  details: fromText(row.details),
})

/** Where a conversation's log ends before a write. */
interface Position {
  readonly key: number | null
  readonly version: number
  readonly sequence: number
  readonly last_event: number | null
  readonly last_turn: number | null
}

/** Conversations in SQLite: append-only logs, one row of its own for each conversation, records as ready JSON. */
export function createConversationStore(connection: Connection): ConversationStore {
  const statements = prepareConversationStatements(connection)
  return {
    create: conversation => {
      const write = snapshot(conversation)
      return connection.write('create a conversation', () => {
        if (statements.position.one({ id: write.conversationId }) !== null) return 'taken'
        const values = extend(statements, write, START)
        const { lastKey } = statements.add.run({
          id: write.conversationId,
          ...values,
          ...indexValues(statements, write, values),
        })
        rememberClientEvents(statements, lastKey, write, START.sequence)
        return 'created'
      })
    },
    async load(id) {
      const row = statements.load.one({ id })
      if (row === null) return null
      const pending = statements.pending.all({ conversationId: id })
      return {
        state: fromText(row.state),
        version: row.version,
        pendingExternalEvents: pending.map(event => event.event_id),
      }
    },
    append: append => {
      const { expectedVersion, indexChanged, deliveredExternalEvents } = append
      const write = {
        ...snapshot(append),
        expectedVersion,
        indexChanged,
        deliveredExternalEvents: [...deliveredExternalEvents],
      }
      return connection.write('append to a conversation', () => appendTo(statements, write))
    },

    async events(id, after, limit = UNLIMITED) {
      const last = statements.position.one({ id })?.last_event ?? null
      return limit === 0 ? [] : statements.events.all({ last, after, limit }).map(eventOf)
    },
    async turns(id, limit = UNLIMITED) {
      const last = statements.position.one({ id })?.last_turn ?? null
      return limit === 0 ? [] : statements.turns.all({ last, limit }).map(turnOf)
    },

    async claimDue(now, limit, until) {
      // Most looks find nothing; those must not wait for the disk.
      if (statements.due.all({ now, limit: 1 }).length === 0) return []
      return connection.write('claim due conversations', () => {
        const due = statements.due.all({ now, limit })
        for (const { key } of due) statements.setWake.run({ key, wakeAt: until })
        return due.map(({ id }) => asId(id))
      })
    },
    async nextWakeAt() {
      return statements.nextWake.one()?.wake_at ?? null
    },

    expectExternalEvent: given => {
      const event = { ...given }
      return connection.write('reserve an external event', () =>
        statements.expect.run(event).changes === 0 ? 'taken' : 'expected',
      )
    },
    acceptExternalEvent: given => {
      const event = structuredClone(given)
      return connection.write('keep an external event', () => {
        const reserved = statements.externalEvent.one({ eventId: event.eventId })
        if (reserved?.account_id !== event.accountId || reserved.agent_id !== event.agentId) {
          return { status: 'unknown' as const }
        }
        const conversationId = asId<ConversationWrite['conversationId']>(reserved.conversation_id)
        if (reserved.received_at !== null) return { status: 'duplicate' as const, conversationId }
        const pending = (statements.lastPending.one({ conversationId })?.pending ?? 0) + 1
        statements.keepExternalEvent.run({ ...event, pending })
        statements.wakeForEvent.run({ id: conversationId, at: event.receivedAt })
        return { status: 'accepted' as const, conversationId }
      })
    },
    async externalEvent(eventId) {
      const row = statements.externalEvent.one({ eventId })
      if (row === null || row.body === null || row.content_type === null || row.received_at === null)
        return null
      return {
        eventId,
        conversationId: asId(row.conversation_id),
        contentType: row.content_type,
        body: new Uint8Array(row.body),
        receivedAt: row.received_at,
      }
    },

    async handoffs(accountId, status) {
      return statements.handoffs.all({ accountId, status }).map(row => ({
        conversationId: asId(row.id),
        handoffId: asId(row.handoff_id ?? ''),
        status,
        queueName: row.handoff_queue ?? '',
        since: row.handoff_since ?? 0,
      }))
    },
    async openConversations(agentId) {
      return statements.open.all({ agentId }).map(({ id }) => asId(id))
    },

    records: async (filter, from, limit) => readRecords(connection, statements, filter, from, limit),
    record: async (accountId, agentId, id) => readRecord(connection, statements, accountId, agentId, id),
    intervals: async filter => readIntervals(connection, filter),
  }
}

const START: Position = { key: null, version: 0, sequence: 0, last_event: null, last_turn: null }

/** A write as rows will have it. The task runs later in the tick: what the caller does to its values until then must not matter. */
interface Snapshot {
  readonly conversationId: string
  readonly events: readonly EventRow[]
  readonly turns: readonly TurnRow[]
  readonly state: string
  readonly summary: string
  readonly details: string
  readonly index: ConversationWrite['index']
  readonly wakeAt: number | null
}

const snapshot = (write: ConversationWrite): Snapshot => ({
  conversationId: write.conversationId,
  events: write.events.map(event => ({
    sequence: 0,
    id: event.id,
    at: event.at,
    type: event.type,
    payload: toText(event.payload),
    custom: event.custom === null ? null : toText(event.custom),
    client_event_id: event.clientEventId,
  })),
  turns: write.turns.map(({ record, details }) => ({ record: toText(record), details: toText(details) })),
  state: toText(write.state),
  summary: toText(write.head.summary),
  details: toText(write.head.details),
  index: { ...write.index, handoff: write.index.handoff === null ? null : { ...write.index.handoff } },
  wakeAt: write.wakeAt,
})

type AppendSnapshot = Snapshot &
  Pick<ConversationAppend, 'expectedVersion' | 'indexChanged' | 'deliveredExternalEvents'>

function appendTo(statements: ConversationStatements, append: AppendSnapshot) {
  const position = statements.position.one({ id: append.conversationId })
  if (position === null) return { status: 'stale' } as const
  for (const { client_event_id: clientEventId } of append.events) {
    const known =
      clientEventId === null
        ? null
        : statements.clientEvent.one({ conversation: position.key, clientEventId })
    if (known !== null) return { status: 'duplicate', sequence: known.sequence } as const
  }
  if (position.version !== append.expectedVersion) return { status: 'stale' } as const
  const values = extend(statements, append, position)
  if (append.indexChanged) {
    statements.updateWithIndex.run({
      key: position.key,
      ...values,
      ...indexValues(statements, append, values),
    })
  } else {
    statements.update.run({ key: position.key, ...values })
  }
  rememberClientEvents(statements, position.key, append, position.sequence)
  for (const eventId of append.deliveredExternalEvents) {
    statements.handOver.run({ eventId, conversationId: append.conversationId })
  }
  return { status: 'appended' } as const
}

/** Adds events and turns to their chains; returns what the conversation's own row says afterwards. */
function extend(statements: ConversationStatements, write: Snapshot, position: Position) {
  let lastEvent = position.last_event
  for (const [offset, event] of write.events.entries()) {
    lastEvent = statements.addEvent.run({
      ...event,
      clientEventId: event.client_event_id,
      previous: lastEvent,
      sequence: position.sequence + offset + 1,
    }).lastKey
  }
  let lastTurn = position.last_turn
  for (const turn of write.turns) {
    lastTurn = statements.addTurn.run({ ...turn, previous: lastTurn }).lastKey
  }
  return {
    version: position.version + 1,
    sequence: position.sequence + write.events.length,
    lastEvent,
    lastTurn,
    wakeAt: write.wakeAt,
    state: write.state,
    summary: write.summary,
    details: write.details,
  }
}

/** The columns to select by. A finished conversation also gets its turns as one text, so that lists need not build it. */
function indexValues(
  statements: ConversationStatements,
  { index }: Snapshot,
  { lastTurn }: { readonly lastTurn: number | null },
) {
  const { handoff, listed, ...columns } = index
  return {
    ...columns,
    listed: listed ? 1 : 0,
    handoffId: handoff?.id ?? null,
    handoffStatus: handoff?.status ?? null,
    handoffQueue: handoff?.queueName ?? null,
    handoffSince: handoff?.since ?? null,
    turns: index.finishedAt === null ? null : turnsText(statements, lastTurn),
  }
}

/** The turns of a chain as one JSON array. */
export const turnsText = (statements: ConversationStatements, last: number | null): string =>
  `[${statements.turns
    .all({ last, limit: UNLIMITED })
    .map(({ record }) => record)
    .join(',')}]`

function rememberClientEvents(
  statements: ConversationStatements,
  conversation: number | null,
  write: Snapshot,
  after: number,
): void {
  for (const [offset, { client_event_id: clientEventId }] of write.events.entries()) {
    if (clientEventId === null) continue
    statements.addClientEvent.run({ conversation, clientEventId, sequence: after + offset + 1 })
  }
}
