import type { Command } from '../../../domain/conversation/command.ts'
import { DecidedEvent } from '../../../domain/conversation/decided-event.ts'
import { deskOutcomes } from '../../../domain/conversation/desk-outcome.ts'
import type { Decided, Draft } from '../../../domain/conversation/draft.ts'
import type { ConversationEvent, EventDraft } from '../../../domain/conversation/event.ts'
import { takesExternalEvent } from '../../../domain/conversation/from-agent.ts'
import { joinedWait } from '../../../domain/conversation/joined-wait.ts'
import { mayChangeIndex, projectIndex } from '../../../domain/conversation/project-record.ts'
import type { ConversationState } from '../../../domain/conversation/state.ts'
import {
  addedChanges,
  areMany,
  NO_CHANGES,
  type StateChanges,
} from '../../../domain/conversation/state-changes.ts'
import { transferSummary } from '../../../domain/conversation/summary.ts'
import { talkRoom } from '../../../domain/conversation/talk-room.ts'
import { wakeAt } from '../../../domain/conversation/wake.ts'
import { type OutgoingDraft, outgoingEvents, webhookBody } from '../../../domain/webhook/outgoing.ts'
import type { WebhookEvent } from '../../../domain/webhook/webhook.ts'
import type { Ids } from '../../../ports/ids.ts'
import type { ConversationAppend, ConversationWrite } from '../../../ports/store/conversations.ts'
import type { Outbox } from '../../../ports/store/outbox.ts'
import type { LoadedConversation } from '../../room/room.ts'

/** The time at which a decision is written, and the source of its events' ids. */
export interface Written {
  readonly now: number
  readonly ids: Pick<Ids, 'uuid'>
}

/** A decision on its way into the store, and what its outcome is made of. */
export interface Writing {
  readonly append: ConversationAppend
  readonly decision: Decided
  /** The events that it adds to the log, as stored there. */
  readonly events: readonly ConversationEvent[]
  readonly outgoing: readonly OutgoingDraft[]
  /** The changes since the state that was last written whole. Null if an external event is left to deliver. */
  readonly sinceWhole: StateChanges | null
}

/** The outbox of a decision of which no endpoint is notified. */
const NOTHING_BESIDE: Outbox = {}

const NO_EVENTS: readonly ConversationEvent[] = []

/** Returns the events with their places in the log, behind that of a sequence. */
export function stamped(
  drafts: readonly EventDraft[],
  { lastAt }: ConversationState,
  after: number,
  { ids, now }: Written,
): readonly ConversationEvent[] {
  if (drafts.length === 0) return NO_EVENTS
  const at = Math.max(now, lastAt)
  return drafts.map(
    (draft, index) =>
      new DecidedEvent(draft, { id: draft.id ?? ids.uuid(), at, sequence: after + index + 1 }),
  )
}

function outboxOf({ state }: Draft, outgoing: readonly OutgoingDraft[], { ids, now }: Written): Outbox {
  if (outgoing.length === 0) return NOTHING_BESIDE
  const { id: conversationId, accountId, lastAt } = state
  const at = Math.max(now, lastAt)
  const webhooks = outgoing.map(({ type, data }): WebhookEvent => {
    const body = webhookBody(type, at, data)
    return { id: `EVENT-${ids.uuid()}`, accountId, type, conversationId, at, body }
  })
  return { webhooks }
}

const stillPending = (
  { pendingExternalEvents }: LoadedConversation,
  { deliveredExternalEvents }: Pick<Draft, 'deliveredExternalEvents'>,
): readonly string[] =>
  pendingExternalEvents.length === 0
    ? pendingExternalEvents
    : pendingExternalEvents.filter(id => !deliveredExternalEvents.includes(id))

/** Returns a decision on a stored conversation in the form in which it is written. */
export function writtenDecision(
  stored: LoadedConversation,
  decision: Decided,
  written: Written,
  command: Command,
): Writing {
  const { state: before, version } = stored
  const { state } = decision
  const left = stillPending(stored, decision)
  const takesLeft = left.some(eventId => takesExternalEvent(state, eventId, true))
  const outgoing = outgoingEvents(before, decision)
  const since = stored.sinceWhole && addedChanges(stored.sinceWhole, decision.changes)
  const changes = since === null || state.endedAt !== null || areMany(since) ? null : since
  const events = stamped(decision.events, state, before.sequence, written)
  return {
    decision,
    events,
    outgoing,
    sinceWhole: left.length > 0 ? null : (changes ?? NO_CHANGES),
    append: {
      conversationId: state.id,
      expectedVersion: version,
      state,
      changes,
      events,
      turns: decision.turns,
      index: mayChangeIndex(before, state) ? projectIndex(state) : null,
      wakeAt: takesLeft ? written.now : wakeAt(state),
      deliveredExternalEvents: decision.deliveredExternalEvents,
      joinedWait: joinedWait(before, state, written.now),
      deskOutcomes: deskOutcomes(before, state, written.now),
      summary: transferSummary(before, state, command, written.now),
      talkRoom: talkRoom(before, state, command),
      outbox: outboxOf(decision, outgoing, written),
    },
  }
}

/** Returns the write for a conversation that begins with the decision. */
export function writtenBeginning(decision: Decided, written: Written) {
  const { state, turns } = decision
  const events = stamped(decision.events, state, 0, written)
  const outgoing = outgoingEvents(null, decision)
  const write: ConversationWrite = {
    ...{ conversationId: state.id, state, events, turns },
    index: projectIndex(state),
    wakeAt: wakeAt(state),
    outbox: outboxOf(decision, outgoing, written),
  }
  return { write, events, outgoing }
}
