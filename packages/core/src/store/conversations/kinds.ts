import { comparedChannel } from '../../domain/conversation/channel.ts'
import { citedTopicOf, wordOfTopic } from '../../domain/conversation/cited-topics.ts'
import type { NewEvent } from '../../domain/conversation/event.ts'
import type { ConversationIndex, StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { StateChanges } from '../../domain/conversation/state-changes.ts'
import { turnWords } from '../../domain/conversation/turn-words.ts'
import { numberOfVisitor } from '../../domain/conversation/visitor-key.ts'
import type { Json, JsonObject } from '../../domain/json.ts'
import type { ConversationScope } from '../../ports/store/removals.ts'
import type { Kind, Versioned } from '../documents.ts'
import { idOf, number, text, version } from '../kind-parts.ts'
import { INTERVAL_CHUNK, INTERVAL_COLUMN, INTERVAL_PACKING, LOOSE_INTERVAL } from './interval-kinds.ts'

const conversationId = (value: { readonly conversationId: string }): string => value.conversationId
const CONVERSATION_ID = text(conversationId)
/**
 * The id of a log, unlike any other. A conversation that had the same id had another one. Later logs sort behind
 * earlier ones.
 */
const LOG = text(({ log }: { readonly log: string }) => log)

/** The part of a conversation that lists know, beside the part that all its writes change. */
export interface IndexedConversation {
  readonly id: string
  /** The version of the write that put it here, unlike that of any other. */
  readonly version: number
  /** Its log: no other conversation has it, also none that has the same id later. */
  readonly log: string
  readonly index: ConversationIndex
  /** The place of its handoff among those of its account. */
  readonly handoffPlace: number | null
  /** Whether it has finished, and is not to be woken any more. */
  readonly isOver: boolean
}

const ofIndex = <Name extends keyof ConversationIndex>(name: Name) =>
  (({ index }: IndexedConversation) => index[name]) as (one: IndexedConversation) => ConversationIndex[Name]

/** Conversations, by what they are found beside lists. */
export const CONVERSATION: Kind<IndexedConversation> = {
  name: 'conversation',
  id: ({ id }) => id,
  version,
  columns: {
    log: LOG,
    account_id: text(ofIndex('accountId')),
    agent_id: text(ofIndex('agentId')),
    environment: text(ofIndex('environment')),
    started_at: number(ofIndex('startedAt')),
    finished_at: number(ofIndex('finishedAt')),
    channel: text(ofIndex('channel')),
    open_agent_id: text(({ index }) => (index.finishedAt === null ? index.agentId : null)),
    over_at: number(({ index, isOver }) => (isOver ? index.finishedAt : null)),
    handoff_status: text(({ index }) => index.handoff?.status ?? null),
    queue_name: text(({ index }) => index.handoff?.queueName ?? null),
    handoff_since: number(({ index }) => index.handoff?.since ?? null),
    live_agent_id: text(({ index }) => index.handoff?.liveAgentId ?? null),
    handoff_place: number(({ handoffPlace }) => handoffPlace),
    waiting_account_id: text(({ index }) => (index.handoff?.status === 'waiting' ? index.accountId : null)),
    shared_id: text(({ index }) => index.shared?.id ?? null),
    shared_at: number(({ index }) => index.shared?.at ?? null),
  },
  indexes: {
    open: ['open_agent_id'],
    over: ['account_id', 'agent_id', 'environment', 'over_at'],
    handoff: ['account_id', 'handoff_status', 'handoff_place'],
    waiting: ['waiting_account_id'],
    talks: ['account_id', 'live_agent_id'],
    shared: ['account_id', 'agent_id', 'shared_id', 'shared_at'],
  },
  goesWith: { conversation: 'id' },
}

/** The state of a conversation as it was written whole last: `Step.changes` have come since. */
export interface WholeState {
  readonly id: string
  /** The version of the write that put it here, unlike that of any other. */
  readonly version: number
  readonly state: ConversationState
}

/** States of conversations. */
export const CONVERSATION_STATE: Kind<WholeState> = {
  name: 'conversation_state',
  id: ({ id }) => id,
  version,
  columns: {
    account_id: text(({ state }) => state.accountId),
    visitor_id: text(({ state }) => state.visitor?.id ?? null),
    phone_number: text(({ state }) => numberOfVisitor(state.record)),
    started_at: number(({ state }) => state.startedAt),
  },
  // A visitor is known from the start, so that no state that was written whole lacks it.
  indexes: {
    visitor: ['account_id', 'visitor_id', 'started_at'],
    phone: ['account_id', 'phone_number', 'started_at'],
  },
  goesWith: { conversation: 'id' },
}

/** Accounts, agents and environments that have, or had, conversations. */
export const CONVERSATION_SCOPE: Kind<Versioned<ConversationScope>> = {
  name: 'conversation_scope',
  id: ({ accountId, agentId, environment }) => idOf(accountId, agentId, environment),
  version,
  columns: { account_id: text(({ accountId }) => accountId) },
  indexes: { account: ['account_id'] },
  goesWith: {},
}

/** The values by which lists select a conversation, in few bytes. */
export interface ListedConversation
  extends ConversationScope,
    Pick<
      ConversationIndex,
      | 'startedAt'
      | 'finishedAt'
      | 'variantId'
      | 'variantName'
      | 'deploymentId'
      | 'channel'
      | 'language'
      | 'toNumber'
      | 'counted'
    > {
  readonly id: string
  /** The version of its conversation. */
  readonly version: number
}

const listed =
  <Name extends keyof ListedConversation>(name: Name) =>
  (value: ListedConversation): ListedConversation[Name] =>
    value[name]

/** Conversations that are in lists. */
export const LISTED_CONVERSATION: Kind<ListedConversation> = {
  name: 'listed_conversation',
  id: ({ id }) => id,
  version,
  columns: {
    account_id: text(listed('accountId')),
    agent_id: text(listed('agentId')),
    environment: text(listed('environment')),
    started_at: number(listed('startedAt')),
    finished_at: number(listed('finishedAt')),
    open_at: number(({ finishedAt, startedAt }) => (finishedAt === null ? startedAt : null)),
    in_progress: number(({ finishedAt }) => (finishedAt === null ? 1 : 0)),
    variant_id: text(listed('variantId')),
    variant_name: text(listed('variantName')),
    // Those that were kept before have none.
    deployment_id: text(({ deploymentId }) => deploymentId ?? null),
    channel: text(listed('channel')),
    compared_channel: text(({ channel }) => comparedChannel(channel)),
    language: text(listed('language')),
    to_number: text(listed('toNumber')),
  },
  indexes: {
    scope: ['account_id', 'agent_id', 'environment', 'started_at'],
    in_progress: ['account_id', 'agent_id', 'environment', 'open_at'],
  },
  goesWith: { conversation: 'id' },
}

/** The record of a conversation that has finished, which lists hand on. */
export interface FinishedRecord {
  readonly id: string
  readonly version: number
  readonly summary: JsonObject
  readonly details: JsonObject
  readonly turns: readonly Json[]
}

/** Records of conversations that have finished. */
export const FINISHED_RECORD: Kind<FinishedRecord> = {
  name: 'finished_record',
  id: ({ id }) => id,
  version,
  columns: {},
  indexes: {},
  goesWith: { conversation: 'id' },
}

/** A conversation that has finished, and whose turns have recordings. */
export interface RecordedTurns {
  readonly id: string
  readonly version: number
  readonly log: string
  readonly finishedAt: number
  /** The number of the last turn whose recording was removed; 0 for none. */
  readonly after: number
}

/** Conversations whose recordings may become too old. */
export const RECORDED_TURNS: Kind<RecordedTurns> = {
  name: 'recorded_turns',
  id: ({ id }) => id,
  version,
  columns: { finished_at: number(({ finishedAt }) => finishedAt) },
  indexes: { time: ['finished_at'] },
  goesWith: { conversation: 'id' },
}

/** The time at which a conversation is woken. */
export interface Timer {
  readonly conversationId: string
  readonly at: number
  /** The version of the conversation that set it. */
  readonly of: number
  /** The number of claims since. */
  readonly claims: number
  /** The number of moves since, by claims or otherwise. */
  readonly moves: number
}

/** Far more than a conversation's timer is moved between two of its writes. */
const MOVES = 65_536

/** Timers of conversations: a claim of one is no write of its conversation. */
export const TIMER: Kind<Timer> = {
  name: 'timer',
  id: conversationId,
  version: ({ moves, of }) => of * MOVES + (moves % MOVES),
  columns: { due_at: number(({ at }) => at) },
  indexes: { due: ['due_at'] },
  goesWith: { conversation: 'id' },
}

/** An event in the log of a conversation. */
export interface HeldEvent {
  readonly event: Omit<NewEvent, 'payload'>
  /** As JSON text: most readers of a log pass it on. */
  readonly payload: string
}

/** The additions of a write to the log of a conversation, and the conversation's progress after it. */
export interface Step {
  readonly log: string
  /**
   * The sequence of the first event that it adds. One that adds none stands where the next event comes, and gives way.
   */
  readonly first: number
  readonly added: readonly HeldEvent[]
  /** The version of the conversation. */
  readonly version: number
  /** Versions of the documents that belong to it: what lists know, and the state. */
  readonly indexed: number
  readonly whole: number
  readonly changes: StateChanges | null
  /** The time at which this write wanted the conversation woken. */
  readonly wakeAt: number | null
  /**
   * The time and version of the timer as a write set it. The time is no later than `wakeAt`. Claims may have moved it
   * since.
   */
  readonly timer: { readonly at: number; readonly of: number } | null
  /** The number of events and turns in the log. */
  readonly events: number
  readonly turns: number
  /** External events that came and were not delivered yet, in the order in which they came. */
  readonly pending: readonly string[]
}

/** Logs of conversations. The newest step of a log has the conversation's position, and guards its writes. */
export const STEP: Kind<Step> = {
  name: 'step',
  id: ({ first, log }) => idOf(log, first),
  key: ['log', 'first'],
  version,
  columns: { log: LOG, first: number(({ first }) => first) },
  indexes: { log: ['log', 'first'] },
  goesWith: { log: 'log' },
}

/** The sequence of an event that carries an id of its client. */
export interface ClientEvent {
  readonly log: string
  readonly clientId: string
  readonly sequence: number
}

/** Ids that clients gave to events. */
export const CLIENT_EVENT: Kind<ClientEvent> = {
  name: 'client_event',
  id: ({ clientId, log }) => idOf(log, clientId),
  key: ['log', 'client_id'],
  version: () => 1,
  columns: { log: LOG, client_id: text(({ clientId }) => clientId) },
  indexes: { log: ['log'] },
  goesWith: { log: 'log' },
}

/** A turn of a conversation. */
export interface HeldTurn extends StoredTurn {
  readonly conversationId: string
  readonly log: string
  /** From 1. */
  readonly number: number
  /** Among all turns, in the order in which they were written: also its version, since ids can be used again. */
  readonly place: number
}

/** Returns a spoken word in the form by which turns are found. */
export const saidBy = (speaker: 'user' | 'agent', word: string): string => `${speaker}:${word}`

function wordsOf(turn: HeldTurn): readonly string[] {
  const { agent, user } = turnWords(turn)
  const topic = citedTopicOf(turn)
  return [
    ...user.map(word => saidBy('user', word)),
    ...agent.map(word => saidBy('agent', word)),
    ...(topic === '' ? [] : [wordOfTopic(topic)]),
  ]
}

/** Turns of conversations. */
export const TURN: Kind<HeldTurn> = {
  name: 'turn',
  id: turn => idOf(turn.log, turn.number),
  key: ['log', 'number'],
  version: ({ place }) => place,
  columns: {
    log: LOG,
    number: number(turn => turn.number),
    place: number(({ place }) => place),
    conversation_id: CONVERSATION_ID,
  },
  indexes: { log: ['log', 'number'], place: ['place'] },
  words: wordsOf,
  goesWith: { log: 'log' },
}

/** An event id that a conversation waits for, and what has come for it. */
export interface ExpectedEvent {
  readonly eventId: string
  readonly conversationId: string
  readonly accountId: string
  readonly agentId: string
  readonly arrived: {
    readonly contentType: string
    /** As base64. */
    readonly body: string
    readonly receivedAt: number
  } | null
}

/** Event ids that conversations wait for. */
export const EXPECTED_EVENT: Kind<ExpectedEvent> = {
  name: 'expected_event',
  id: ({ eventId }) => eventId,
  version: ({ arrived }) => (arrived === null ? 1 : 2),
  columns: { conversation_id: CONVERSATION_ID },
  indexes: { conversation: ['conversation_id'] },
  goesWith: { conversation: 'conversation_id' },
}

/** The conversation for which the key of a message stands. */
export interface TakenKey {
  readonly key: string
  readonly conversationId: string
  readonly at: number
  readonly version: number
}

/** Keys of messages. */
export const MESSAGE_KEY: Kind<TakenKey> = {
  name: 'message_key',
  id: ({ key }) => key,
  version,
  columns: { conversation_id: CONVERSATION_ID, taken_at: number(({ at }) => at) },
  indexes: { conversation: ['conversation_id'], time: ['taken_at'] },
  goesWith: { conversation: 'conversation_id' },
}

/** The time that a visitor waited for a live agent. */
export interface KeptWait {
  readonly id: string
  readonly accountId: string
  readonly queueName: string
  readonly joinedAt: number
  readonly waited: number
}

/** Waits of visitors. */
export const HANDOFF_WAIT: Kind<KeptWait> = {
  name: 'handoff_wait',
  id: ({ id }) => id,
  version: () => 1,
  columns: {
    account_id: text(({ accountId }) => accountId),
    queue_name: text(({ queueName }) => queueName),
    joined_at: number(({ joinedAt }) => joinedAt),
    waited: number(({ waited }) => waited),
  },
  indexes: { queue: ['account_id', 'queue_name', 'joined_at'] },
  goesWith: {},
}

/** The lease of the process that announces an account's line. */
export interface WaitingLine {
  readonly accountId: string
  readonly heldUntil: number
}

/** Lines of accounts. */
export const WAITING_LINE: Kind<Versioned<WaitingLine>> = {
  name: 'waiting_line',
  id: ({ accountId }) => accountId,
  version,
  columns: {},
  indexes: {},
  goesWith: {},
}

/** A turn that is claimed to be embedded. */
export interface ClaimedTurn {
  readonly conversationId: string
  readonly log: string
  readonly number: number
  readonly place: number
}

/** The embedded turns of an id: those whose places lie between two, and those that have vectors. */
export interface Embedder {
  readonly id: string
  readonly version: number
  readonly first: number
  readonly last: number
  /** The number of the newest claim. */
  readonly claim: number
  /** Its turns, and between which places all are embedded once these are; null once it is over. */
  readonly claimed: {
    readonly turns: readonly ClaimedTurn[]
    readonly first: number
    readonly last: number
  } | null
  readonly heldUntil: number
  readonly usedAt: number
}

/** Embedders, by the ids of which vectors are kept. */
export const EMBEDDER: Kind<Embedder> = {
  name: 'embedder',
  id: ({ id }) => id,
  version,
  columns: { used_at: number(({ usedAt }) => usedAt) },
  indexes: { time: ['used_at'] },
  goesWith: {},
}

/** The vectors of a turn, as base64. */
export interface KeptVectors extends ConversationScope {
  readonly embedderId: string
  readonly conversationId: string
  readonly log: string
  readonly startedAt: number
  readonly turn: number
  readonly user: string | null
  readonly agent: string | null
}

/** Vectors of turns, in the order of records. */
export const TURN_VECTORS: Kind<KeptVectors> = {
  name: 'turn_vectors',
  id: ({ embedderId, log, turn }) => idOf(log, turn, embedderId),
  key: ['log', 'turn', 'embedder_id'],
  version: () => 1,
  columns: {
    log: LOG,
    embedder_id: text(({ embedderId }) => embedderId),
    account_id: text(({ accountId }) => accountId),
    agent_id: text(({ agentId }) => agentId),
    environment: text(({ environment }) => environment),
    started_at: number(({ startedAt }) => startedAt),
    conversation_id: CONVERSATION_ID,
    turn: number(({ turn }) => turn),
  },
  indexes: {
    scope: ['embedder_id', 'account_id', 'agent_id', 'environment', 'started_at', 'conversation_id', 'turn'],
    log: ['log'],
  },
  goesWith: { log: 'log' },
}

/** A conversation that was removed, whose log is still being removed. */
export const REMOVED_LOG: Kind<Versioned<{ readonly id: string; readonly log: string }>> = {
  name: 'removed_log',
  id: ({ id }) => id,
  version,
  columns: {},
  indexes: {},
  goesWith: {},
}

/** The kinds of conversations, for stores that keep them as documents too. */
export const CONVERSATION_KINDS: readonly Kind<unknown>[] = [
  CONVERSATION,
  CONVERSATION_STATE,
  CONVERSATION_SCOPE,
  LISTED_CONVERSATION,
  LOOSE_INTERVAL,
  INTERVAL_PACKING,
  INTERVAL_CHUNK,
  INTERVAL_COLUMN,
  FINISHED_RECORD,
  RECORDED_TURNS,
  TIMER,
  STEP,
  CLIENT_EVENT,
  TURN,
  EXPECTED_EVENT,
  MESSAGE_KEY,
  HANDOFF_WAIT,
  WAITING_LINE,
  EMBEDDER,
  TURN_VECTORS,
  REMOVED_LOG,
] as readonly Kind<never>[]
