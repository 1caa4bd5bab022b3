import type { NewEvent } from '../domain/conversation/event.ts'
import { initialState } from '../domain/conversation/initial-state.ts'
import type { ConversationIndex, StoredTurn } from '../domain/conversation/record.ts'
import type { ConversationState } from '../domain/conversation/state.ts'
import type { StateChanges } from '../domain/conversation/state-changes.ts'
import type { AccountId, AgentId } from '../domain/ids.ts'
import type { RuntimeInput, RuntimeTurn } from '../ports/agent-runtime.ts'
import type { ConversationAppend, ConversationWrite } from '../ports/store/conversations.ts'
import type { Outbox } from '../ports/store/outbox.ts'
import { ACCOUNT, AGENT, START } from './fixtures.ts'

/** Returns a visitor's message on its way into the log. */
export const anEvent = (values: Partial<NewEvent> = {}): NewEvent => ({
  id: '00000000-0000-4000-8000-00000000e0e0',
  at: START,
  type: 'USER_MESSAGE',
  payload: { text: 'Hello', message_id: 'm-1' },
  custom: null,
  clientEventId: null,
  ...values,
})

/** One turn of a conversation, identified by its text. */
export const aTurn = (text: string): StoredTurn => ({
  record: { user_input: text, agent_response: `You said: ${text}` },
  details: { function_events: [], topics: [text] },
})

/** Returns the state of a messaging session in `live` in which nothing has happened yet. */
export const aState = (id: string, values: Partial<ConversationState> = {}): ConversationState => ({
  ...initialState(
    {
      id: id,
      kind: 'messaging',
      accountId: ACCOUNT,
      agentId: AGENT,
      environment: 'live',
      channel: 'webchat',
      idleTimeout: 600_000,
      handoffSettings: { mode: 'server', queueName: 'reception', timeoutSeconds: 300 },
      pinning: null,
    },
    START,
  ),
  ...values,
})

/**
 * The values in which a new conversation may differ. Account, agent, environment and start are put into state and
 * index alike.
 */
export interface ConversationFixture {
  readonly accountId?: AccountId
  readonly agentId?: AgentId
  readonly environment?: ConversationState['environment']
  readonly startedAt?: number
  readonly state?: Partial<ConversationState>
  /** @default one SESSION_START */
  readonly events?: readonly NewEvent[]
  readonly turns?: readonly StoredTurn[]
  readonly index?: Partial<ConversationIndex>
  readonly wakeAt?: number | null
  /** @default nothing */
  readonly outbox?: Outbox
}

/** Returns a new conversation, listed and in progress, that nothing wakes. */
export function aConversation(id: string, values: ConversationFixture = {}): ConversationWrite {
  const { accountId = ACCOUNT, agentId = AGENT, environment = 'live', startedAt = START } = values
  const events = values.events ?? [anEvent({ type: 'SESSION_START', payload: {}, at: startedAt })]
  return {
    conversationId: id,
    state: aState(id, {
      accountId,
      agentId,
      environment,
      startedAt,
      seenAt: startedAt,
      sequence: events.length,
      ...values.state,
    }),
    events,
    turns: values.turns ?? [],
    index: {
      accountId,
      agentId,
      environment,
      listed: true,
      counted: true,
      startedAt,
      finishedAt: null,
      variantId: null,
      variantName: null,
      deploymentId: null,
      channel: 'webchat',
      language: null,
      fromNumber: '',
      toNumber: '',
      handoff: null,
      shared: null,
      ...values.index,
    },
    wakeAt: values.wakeAt ?? null,
    outbox: values.outbox ?? {},
  }
}

/** The values in which the next write of a conversation may differ. */
export interface AppendFixture {
  readonly state?: Partial<ConversationState>
  /** @default one message */
  readonly events?: readonly NewEvent[]
  /** @default none */
  readonly turns?: readonly StoredTurn[]
  readonly index?: Partial<ConversationIndex>
  /** @default null, the state is written whole */
  readonly changes?: StateChanges
  /** @default as before */
  readonly wakeAt?: number | null
  readonly deliveredExternalEvents?: readonly string[]
  /** @default nothing */
  readonly outbox?: Outbox
  /** @default null */
  readonly joinedWait?: ConversationAppend['joinedWait']
  /** @default none */
  readonly deskOutcomes?: ConversationAppend['deskOutcomes']
  /** @default null */
  readonly summary?: ConversationAppend['summary']
  /** @default null */
  readonly talkRoom?: ConversationAppend['talkRoom']
}

/** Returns the write that follows `previous`, which the store holds at `expectedVersion`. It carries its index. */
export function anAppend(
  previous: Pick<ConversationWrite, 'conversationId' | 'index' | 'state' | 'wakeAt'>,
  expectedVersion: number,
  values: AppendFixture = {},
): ConversationAppend & Pick<ConversationWrite, 'index'> {
  const events = values.events ?? [anEvent()]
  return {
    conversationId: previous.conversationId,
    expectedVersion,
    state: {
      ...previous.state,
      sequence: previous.state.sequence + events.length,
      ...values.state,
    },
    events,
    turns: values.turns ?? [],
    index: { ...previous.index, ...values.index },
    changes: values.changes ?? null,
    wakeAt: values.wakeAt === undefined ? previous.wakeAt : values.wakeAt,
    deliveredExternalEvents: values.deliveredExternalEvents ?? [],
    outbox: values.outbox ?? {},
    joinedWait: values.joinedWait ?? null,
    deskOutcomes: values.deskOutcomes ?? [],
    summary: values.summary ?? null,
    talkRoom: values.talkRoom ?? null,
  }
}

/**
 * Returns a turn as a runtime sees it: about a message of that text, or about another input. Its agent knows nothing.
 */
export const aRuntimeTurn = (
  input: string | RuntimeInput,
  values: Partial<RuntimeTurn> = {},
): RuntimeTurn => ({
  turnId: 'turn-1',
  conversationId: 'AS-1',
  accountId: ACCOUNT,
  agentId: AGENT,
  environment: 'live',
  deploymentId: `DEPLOYMENT-${AGENT}-1`,
  kind: 'messaging',
  channel: 'webchat',
  language: 'en-GB',
  now: START,
  input: typeof input === 'string' ? { type: 'message', messageId: 'm-1', text: input } : input,
  content: {
    key: `${AGENT}@1`,
    behavior: 'Be kind.',
    responseSettings: { greeting: 'Hello!', languageCode: 'en-GB', voiceId: null, modelId: null },
    topics: [],
    tree: new Map(),
  },
  variant: null,
  variables: {},
  visitor: null,
  verifiedContext: null,
  integrationAttributes: {},
  realTimeConfig: {},
  history: async () => [],
  readFile: async () => null,
  functions: [],
  callFunction: async (name, args) => ({
    name,
    arguments: args,
    result: null,
    error: `There is no function ${name}.`,
    duration: 0,
    said: false,
    concluded: false,
    expectedEventIds: [],
  }),
  expectExternalEvent: async () => 'external-event-1',
  ...values,
})
