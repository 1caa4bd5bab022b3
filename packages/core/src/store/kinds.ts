import type { Account, AnyConnector, ApiKey } from '../domain/access/access.ts'
import type { TokenKey } from '../domain/access/token-key.ts'
import type { Agent, Branch, DeletedAgent, Deployment, Revision } from '../domain/agent/agent.ts'
import type { ResourceChange } from '../domain/agent/content.ts'
import type { TestCaseResult, TestRun } from '../domain/agent/test-run.ts'
import type { AlertRule } from '../domain/alert/alert-rule.ts'
import type { Count, SideCount } from '../domain/alert/counters.ts'
import type { OutboundCall } from '../domain/call/outbound-call.ts'
import { nextOfferEnd, type QueueAssignment } from '../domain/conversation/assignment.ts'
import type { CallRecording } from '../domain/conversation/call-recording.ts'
import type { DeskOutcome } from '../domain/conversation/desk-outcome.ts'
import type { DeskRoster } from '../domain/conversation/desk-roster.ts'
import type { DeskSeat } from '../domain/conversation/desk-seat.ts'
import type { ConversationNote } from '../domain/conversation/note.ts'
import type { DeskQueue } from '../domain/conversation/queue-hours.ts'
import { type SavedView, viewKey } from '../domain/conversation/saved-view.ts'
import { codeKey, type SharedReply } from '../domain/conversation/shared-reply.ts'
import type { HandoffSummary } from '../domain/conversation/summary.ts'
import type { ConversationFile } from '../domain/file/file.ts'
import type { AccountId, AgentId, BranchId, ConversationId, TestRunId } from '../domain/ids.ts'
import type { RealTimeConfig } from '../domain/real-time-config/real-time-config.ts'
import type { Rollout } from '../domain/rollout/rollout.ts'
import type { PhoneNumber } from '../domain/telephony/phone-number.ts'
import type { PooledNumber } from '../domain/telephony/pooled-number.ts'
import type { TextPair } from '../domain/text/text-pair.ts'
import type { CachedAudio, CachedAudioId } from '../domain/voice/cached-audio.ts'
import type { Voice } from '../domain/voice/voice.ts'
import type { WebhookExchange } from '../domain/webhook/exchange.ts'
import type { WebhookDelivery, WebhookEndpoint, WebhookEvent } from '../domain/webhook/webhook.ts'
import type { KeptAuditEntry } from '../ports/store/audit.ts'
import type { Kind, Versioned } from './documents.ts'
import { idOf, number, text, version } from './kind-parts.ts'
import { FILLING } from './later.ts'

// Long: data alone, of every document that a store keeps.

const id = (value: { readonly id: string }): string => value.id
const ACCOUNT_ID = text(({ accountId }: { readonly accountId: string | null }) => accountId)
const AGENT_ID = text(({ agentId }: { readonly agentId: string | null }) => agentId)
const CREATED_AT = number(({ createdAt }: { readonly createdAt: number }) => createdAt)

/** A secret of the platform's own, by its name. */
export interface Secret {
  readonly name: string
  readonly value: string
}

/** Secrets, none of which ever changes. */
export const SECRET: Kind<Versioned<Secret>> = {
  name: 'secret',
  id: ({ name }) => name,
  version,
  columns: {},
  indexes: {},
  goesWith: {},
}

/** Keys that sign access tokens. */
export const TOKEN_KEY: Kind<Versioned<TokenKey>> = {
  name: 'token_key',
  id,
  version,
  columns: { number: number(key => key.number) },
  indexes: { number: ['number'] },
  goesWith: {},
}

/** Accounts. */
export const ACCOUNT: Kind<Versioned<Account>> = {
  name: 'account',
  id,
  version,
  columns: { slug: text(({ slug }) => slug), created_at: CREATED_AT },
  indexes: { slug: ['slug'], time: ['created_at'] },
  goesWith: {},
}

/** API keys. */
export const API_KEY: Kind<Versioned<ApiKey>> = {
  name: 'api_key',
  id,
  version,
  columns: {
    hash: text(({ hash }) => hash),
    account_id: ACCOUNT_ID,
    agent_id: AGENT_ID,
    created_at: CREATED_AT,
  },
  indexes: {
    hash: ['hash'],
    time: ['created_at'],
    account: ['account_id', 'created_at'],
    agent: ['agent_id', 'created_at'],
  },
  goesWith: {},
}

/** Connectors of either kind; one for calls has no token. */
export const CONNECTOR: Kind<Versioned<AnyConnector>> = {
  name: 'connector',
  id,
  version,
  columns: {
    kind: text(({ kind }) => kind),
    token_hash: text(connector => (connector.kind === 'messaging' ? connector.tokenHash : null)),
    account_id: ACCOUNT_ID,
    agent_id: AGENT_ID,
    created_at: CREATED_AT,
  },
  indexes: {
    token: ['token_hash'],
    time: ['kind', 'created_at'],
    account: ['kind', 'account_id', 'created_at'],
    agent: ['kind', 'agent_id', 'created_at'],
  },
  goesWith: {},
}

/** An agent with where its main stands. */
export interface HeldAgent extends Agent {
  readonly version: number
  /** The newest revision of main. */
  readonly head: Revision
  /** The number of the newest deployment, 0 without one. */
  readonly deployment: number
}

/** Agents. */
export const AGENT: Kind<HeldAgent> = {
  name: 'agent',
  id,
  version,
  columns: { account_id: ACCOUNT_ID, created_at: CREATED_AT },
  indexes: { account: ['account_id', 'created_at'] },
  goesWith: {},
}

/** The accounts that had an agent of an id. */
export const DELETED_AGENT: Kind<Versioned<DeletedAgent>> = {
  name: 'deleted_agent',
  id: ({ accountId, id }) => idOf(id, accountId),
  version,
  columns: { agent_id: text(({ id }) => id) },
  indexes: { agent: ['agent_id'] },
  goesWith: {},
}

/** Branches of agents, main among them. */
export const BRANCH: Kind<Branch> = {
  name: 'branch',
  id: ({ agentId, id }) => idOf(agentId, id),
  version,
  columns: { agent_id: AGENT_ID, created_at: CREATED_AT, branch_id: text(({ id }) => id) },
  indexes: { agent: ['agent_id', 'created_at', 'branch_id'] },
  goesWith: { agent: 'agent' },
}

/** The change of a branch to one resource. */
export interface BranchChange {
  readonly agentId: AgentId
  readonly branchId: BranchId
  readonly change: ResourceChange
  readonly version: number
}

/** Changes of branches. */
export const BRANCH_CHANGE: Kind<BranchChange> = {
  name: 'branch_change',
  id: ({ agentId, branchId, change }) => idOf(agentId, branchId, change.kind, change.id),
  version,
  columns: { agent_id: AGENT_ID, branch_id: text(({ branchId }) => branchId) },
  indexes: { agent: ['agent_id', 'branch_id'] },
  goesWith: { agent: 'agent' },
}

/** A revision of an agent's main. */
export interface AgentRevision extends Revision {
  readonly agentId: AgentId
  readonly version: number
}

/** Revisions of main, none of which ever changes. */
export const REVISION: Kind<AgentRevision> = {
  name: 'revision',
  id: ({ agentId, number }) => idOf(agentId, number),
  version,
  columns: { agent_id: AGENT_ID, number: number(revision => revision.number) },
  indexes: { agent: ['agent_id', 'number'] },
  goesWith: { agent: 'agent' },
}

/** The change of a revision to one resource. */
export interface RevisedResource {
  readonly agentId: AgentId
  readonly revision: number
  /** The next revision that changed the resource; null: none has. */
  readonly until: number | null
  readonly change: ResourceChange
  readonly version: number
}

/** Resources of main. `current` are those as of its newest revision, `replaced` the others. */
export const RESOURCE: Kind<RevisedResource> = {
  name: 'resource',
  id: ({ agentId, change, revision }) => idOf(agentId, change.kind, change.id, revision),
  version,
  columns: {
    agent_id: AGENT_ID,
    kind: text(({ change }) => change.kind),
    resource_id: text(({ change }) => change.id),
    revision: number(({ revision }) => revision),
    until_revision: number(({ until }) => until),
    current_kind: text(({ change, until }) => (until === null ? change.kind : null)),
    name: text(({ change: { value } }) => (value !== null && 'name' in value ? value.name : null)),
  },
  indexes: {
    agent: ['agent_id', 'revision'],
    current: ['agent_id', 'current_kind'],
    replaced: ['agent_id', 'kind', 'until_revision'],
    history: ['agent_id', 'kind', 'resource_id', 'revision'],
    name: ['agent_id', 'name', 'revision'],
  },
  goesWith: { agent: 'agent' },
}

/** Deployments of agents, none of which ever changes. */
export const DEPLOYMENT: Kind<Deployment> = {
  name: 'deployment',
  id: ({ agentId, id }) => idOf(agentId, id),
  // `version` of a deployment is its content's.
  version: () => 1,
  columns: {
    agent_id: AGENT_ID,
    environment: text(({ environment }) => environment),
    number: number(deployment => deployment.number),
  },
  indexes: { agent: ['agent_id', 'environment', 'number'] },
  goesWith: { agent: 'agent' },
}

/** Rollouts of agents. */
export const ROLLOUT: Kind<Versioned<Rollout>> = {
  name: 'rollout',
  id: ({ agentId, id }) => idOf(agentId, id),
  version,
  columns: {
    agent_id: AGENT_ID,
    environment: text(({ environment }) => environment),
    started_at: number(({ startedAt }) => startedAt),
    running_agent_id: text(({ agentId, end }) => (end === null ? agentId : null)),
  },
  indexes: { agent: ['agent_id', 'started_at'], running: ['running_agent_id', 'environment'] },
  goesWith: { agent: 'agent' },
}

/** Real-time configs of agents. */
export const REAL_TIME_CONFIG: Kind<RealTimeConfig> = {
  name: 'real_time_config',
  id: ({ agentId, environment }) => idOf(agentId, environment),
  version,
  columns: { agent_id: AGENT_ID },
  indexes: { agent: ['agent_id'] },
  goesWith: { agent: 'agent' },
}

/** Test runs of agents. One that is running is due when its lease is over. */
export const TEST_RUN: Kind<TestRun> = {
  name: 'test_run',
  id: ({ agentId, id }) => idOf(agentId, id),
  version: ({ writes }) => writes,
  columns: {
    agent_id: AGENT_ID,
    started_at: number(({ startedAt }) => startedAt),
    run_id: text(({ id }) => id),
    // A replay is large, and only those that a list wants are to be read.
    deployment_id: text(({ deploymentId }) => deploymentId),
    tested_version: text(({ version }) => version),
    status: text(({ status }) => status),
    is_replay: number(({ replay }) => (replay === undefined ? 0 : 1)),
    waiting_account_id: text(({ accountId, status }) => (status === 'running' ? accountId : null)),
    due_at: number(({ leaseUntil, status }) => (status === 'running' ? leaseUntil : null)),
  },
  indexes: {
    agent: ['agent_id', 'started_at', 'run_id'],
    waiting: ['waiting_account_id', 'due_at', 'run_id'],
  },
  goesWith: { agent: 'agent' },
}

/** The conversations of a replay, apart from its run: each result changes the run, and nothing these. */
export interface ReplaySample {
  readonly agentId: AgentId
  readonly runId: TestRunId
  /** Newest first. */
  readonly conversations: readonly ConversationId[]
}

/** Conversations of replays. */
export const REPLAY_SAMPLE: Kind<ReplaySample> = {
  name: 'replay_sample',
  id: ({ agentId, runId }) => idOf(agentId, runId),
  version: () => 1,
  columns: { agent_id: AGENT_ID },
  indexes: { agent: ['agent_id'] },
  goesWith: { agent: 'agent' },
}

/** The result of one case of a run. */
export interface ResultOfRun {
  readonly agentId: AgentId
  readonly runId: TestRunId
  readonly result: TestCaseResult
  readonly version: number
}

/** Results of test runs. The result of a replayed conversation is removed with it. */
export const TEST_RESULT: Kind<ResultOfRun> = {
  name: 'test_result',
  id: ({ agentId, result, runId }) => idOf(agentId, runId, result.testCaseId),
  version,
  columns: {
    agent_id: AGENT_ID,
    run_id: text(({ runId }) => runId),
    test_case_id: text(({ result }) => result.testCaseId),
  },
  indexes: { agent: ['agent_id', 'run_id', 'test_case_id'], case: ['test_case_id'] },
  goesWith: { agent: 'agent', conversation: 'test_case_id' },
}

/** Phone numbers of agents. */
export const PHONE_NUMBER: Kind<Versioned<PhoneNumber>> = {
  name: 'phone_number',
  id: value => value.number,
  version,
  columns: { agent_id: AGENT_ID, connector_id: text(({ connectorId }) => connectorId) },
  indexes: { agent: ['agent_id'], connector: ['connector_id', 'agent_id'] },
  goesWith: { agent: 'agent' },
}

/** Numbers of agents' pools. Those that keep what an earlier caller got them for stand in `used`. */
export const POOLED_NUMBER: Kind<Versioned<PooledNumber>> = {
  name: 'pooled_number',
  id: value => value.number,
  version,
  columns: {
    agent_id: AGENT_ID,
    free_from: number(({ freeFrom }) => freeFrom),
    used_until: number(({ attributes, freeFrom }) => (attributes === null ? null : freeFrom)),
  },
  indexes: { agent: ['agent_id'], free: ['agent_id', 'free_from'], used: ['agent_id', 'used_until'] },
  goesWith: { agent: 'agent' },
}

/** Seats of those who watch the desks of accounts. */
export const DESK_SEAT: Kind<Versioned<DeskSeat>> = {
  name: 'desk_seat',
  id,
  version,
  columns: { account_id: ACCOUNT_ID, ends_at: number(({ until }) => until) },
  indexes: { account: ['account_id', 'ends_at'] },
  goesWith: {},
}

/** Rosters of the desks of accounts. */
export const DESK_ROSTER: Kind<DeskRoster> = {
  name: 'desk_roster',
  id: ({ accountId }) => accountId,
  version,
  columns: { due_at: number(nextOfferEnd) },
  indexes: { due: ['due_at'] },
  goesWith: {},
}

/** Replies that the live agents of accounts share. */
export const SHARED_REPLY: Kind<SharedReply> = {
  name: 'shared_reply',
  id,
  version,
  columns: {
    account_id: ACCOUNT_ID,
    code_key: text(({ code }) => codeKey(code)),
    agent_id: AGENT_ID,
  },
  indexes: { account: ['account_id', 'code_key'], agent: ['agent_id'] },
  goesWith: { agent: 'agent' },
}

/** Hours of the queues of accounts. */
export const DESK_QUEUE: Kind<DeskQueue> = {
  name: 'desk_queue',
  id: ({ accountId, queueName }) => idOf(accountId, queueName),
  version,
  columns: { account_id: ACCOUNT_ID, queue_name: text(({ queueName }) => queueName) },
  indexes: { account: ['account_id', 'queue_name'] },
  goesWith: {},
}

/** Saved views of accounts. */
export const SAVED_VIEW: Kind<SavedView> = {
  name: 'saved_view',
  id: ({ accountId, name }) => idOf(accountId, viewKey(name)),
  version,
  columns: { account_id: ACCOUNT_ID, name_key: text(({ name }) => viewKey(name)) },
  indexes: { account: ['account_id', 'name_key'] },
  goesWith: {},
}

/** Assignments of the visitors of queues to live agents. */
export const QUEUE_ASSIGNMENT: Kind<QueueAssignment> = {
  name: 'queue_assignment',
  id: ({ accountId, queueName }) => idOf(accountId, queueName),
  version,
  columns: { account_id: ACCOUNT_ID, queue_name: text(({ queueName }) => queueName) },
  indexes: { account: ['account_id', 'queue_name'] },
  goesWith: {},
}

/** Voices of accounts. */
export const VOICE: Kind<Voice> = {
  name: 'voice',
  id,
  version,
  columns: { account_id: ACCOUNT_ID, created_at: CREATED_AT },
  indexes: { account: ['account_id', 'created_at'] },
  goesWith: {},
}

/** The facts about a sound in the cache. */
export interface HeldEntry {
  readonly entry: CachedAudio
  /** Counts its uses too. */
  readonly writes: number
}

/** Sounds in the cache without their bytes. */
export const CACHED_AUDIO: Kind<HeldEntry> = {
  name: 'cached_audio',
  id: ({ entry }) => entry.id,
  version: ({ writes }) => writes,
  columns: {
    account_id: text(({ entry }) => entry.accountId),
    agent_id: text(({ entry }) => entry.agentId),
    used_at: number(({ entry }) => entry.usedAt),
  },
  indexes: { account: ['account_id', 'used_at'], agent: ['agent_id'] },
  goesWith: { agent: 'agent' },
}

/** The bytes of a sound, which change with the version of its entry. */
export interface CachedSound {
  readonly id: CachedAudioId
  readonly agentId: AgentId
  /** A WAV as base64. */
  readonly audio: string
  readonly version: number
}

/** Bytes of the sounds in the cache. */
export const CACHED_SOUND: Kind<CachedSound> = {
  name: 'cached_sound',
  id,
  version,
  columns: { agent_id: AGENT_ID },
  indexes: { agent: ['agent_id'] },
  goesWith: { agent: 'agent' },
}

/** The bytes of an agent's sounds. */
export interface CachedBytes {
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly bytes: number
}

/** The bytes of each agent's sounds in the cache. */
export const CACHED_BYTES: Kind<Versioned<CachedBytes>> = {
  name: 'cached_bytes',
  id: ({ accountId, agentId }) => idOf(accountId, agentId),
  version,
  columns: { account_id: ACCOUNT_ID, agent_id: AGENT_ID },
  indexes: { account: ['account_id'], agent: ['agent_id'] },
  goesWith: { agent: 'agent' },
}

/** The audit log. */
export const AUDIT_ENTRY: Kind<KeptAuditEntry> = {
  name: 'audit_entry',
  id: ({ entry }) => entry.id,
  version: () => 1,
  columns: {
    account_id: text(({ entry }) => entry.accountId),
    agent_id: text(({ entry }) => entry.agentId),
    action: text(({ entry }) => entry.action),
    resource_id: text(({ entry }) => entry.resource.id),
    at: number(({ entry }) => entry.at),
    sequence: number(({ sequence }) => sequence),
  },
  indexes: {
    time: ['at', 'sequence'],
    account: ['account_id', 'at', 'sequence'],
    agent: ['agent_id', 'at', 'sequence'],
    action: ['action', 'at', 'sequence'],
    resource: ['resource_id', 'at', 'sequence'],
  },
  goesWith: {},
  isPermanent: true,
}

/** Webhook endpoints of accounts. */
export const WEBHOOK_ENDPOINT: Kind<WebhookEndpoint> = {
  name: 'webhook_endpoint',
  id,
  version,
  columns: {
    account_id: ACCOUNT_ID,
    created_at: CREATED_AT,
    enabled_account_id: text(({ accountId, enabled }) => (enabled ? accountId : null)),
    // For statements that store events together with their deliveries.
    event_types: text(({ eventTypes }) => eventTypes.join(' ')),
  },
  indexes: { account: ['account_id', 'created_at'], enabled: ['enabled_account_id', 'created_at'] },
  goesWith: {},
}

const CONVERSATION_ID = text(({ conversationId }: Pick<WebhookEvent, 'conversationId'>) => conversationId)

/** Events for endpoints. They never change. */
export const WEBHOOK_EVENT: Kind<WebhookEvent> = {
  name: 'webhook_event',
  id,
  version: () => 1,
  columns: { conversation_id: CONVERSATION_ID, at: number(({ at }) => at) },
  indexes: { conversation: ['conversation_id'], time: ['at'] },
  goesWith: { log: 'conversation_id' },
}

/** A delivery with what lists say of its event. */
export interface HeldDelivery extends WebhookDelivery, Pick<WebhookEvent, 'conversationId' | 'type'> {
  /** The stored part of its newest attempt. */
  readonly exchange: WebhookExchange | null
  /** Counts also what changes no version of the delivery. */
  readonly writes: number
}

/** Deliveries of events to endpoints. Those that are pending stand in `due`. */
export const WEBHOOK_DELIVERY: Kind<HeldDelivery> = {
  name: 'webhook_delivery',
  id: ({ endpointId, eventId }) => idOf(endpointId, eventId),
  version: ({ writes }) => writes,
  columns: {
    endpoint_id: text(({ endpointId }) => endpointId),
    event_id: text(({ eventId }) => eventId),
    conversation_id: CONVERSATION_ID,
    status: text(({ status }) => status),
    created_at: CREATED_AT,
    waiting_endpoint_id: text(({ dueAt, endpointId }) => (dueAt === null ? null : endpointId)),
    due_at: number(({ dueAt }) => dueAt),
  },
  indexes: {
    endpoint: ['endpoint_id', 'created_at', 'event_id'],
    status: ['endpoint_id', 'status', 'created_at', 'event_id'],
    due: ['waiting_endpoint_id', 'due_at', 'event_id'],
    conversation: ['conversation_id'],
    time: ['created_at'],
  },
  goesWith: { log: 'conversation_id' },
}

/** Alert rules of accounts, and of their agents. */
export const ALERT_RULE: Kind<AlertRule> = {
  name: 'alert_rule',
  id,
  version,
  columns: {
    account_id: ACCOUNT_ID,
    agent_id: AGENT_ID,
    created_at: CREATED_AT,
    enabled_account_id: text(({ accountId, enabled }) => (enabled ? accountId : null)),
  },
  indexes: {
    account: ['account_id', 'created_at'],
    agent: ['agent_id'],
    enabled: ['enabled_account_id'],
  },
  goesWith: { agent: 'agent' },
}

/** The next time at which the rules of an account are evaluated. Null if none of them is enabled. */
export interface AlertTurn {
  readonly accountId: AccountId
  readonly dueAt: number | null
}

/** Accounts whose rules are evaluated. */
export const ALERT_TURN: Kind<Versioned<AlertTurn>> = {
  name: 'alert_turn',
  id: ({ accountId }) => accountId,
  version,
  columns: { due_at: number(({ dueAt }) => dueAt) },
  indexes: { due: ['due_at'] },
  goesWith: {},
}

/** The counts of values within a minute. */
export interface CountedMinute extends Omit<Count, keyof SideCount> {
  readonly values: readonly SideCount[]
}

/** Counters by which alert rules are evaluated. */
export const COUNTER: Kind<Versioned<CountedMinute>> = {
  name: 'counter',
  id: ({ accountId, agentId, minute, name }) => idOf(accountId, agentId ?? '', name, minute),
  version,
  columns: {
    account_id: ACCOUNT_ID,
    agent_id: AGENT_ID,
    name: text(({ name }) => name),
    minute: number(({ minute }) => minute),
  },
  indexes: { account: ['account_id', 'name', 'minute'], agent: ['agent_id'], time: ['minute'] },
  goesWith: { agent: 'agent' },
}

/** Pairs of numbers that text each other. */
export const TEXT_PAIR: Kind<TextPair> = {
  name: 'text_pair',
  id: ({ ours, theirs }) => idOf(ours, theirs),
  version,
  columns: {
    agent_id: AGENT_ID,
    account_id: ACCOUNT_ID,
    theirs: text(({ theirs }) => theirs),
    ours: text(({ ours }) => ours),
  },
  indexes: { agent: ['agent_id'], visitor: ['account_id', 'theirs', 'ours'] },
  goesWith: { agent: 'agent' },
}

/** Calls that agents make. */
export const OUTBOUND_CALL: Kind<OutboundCall> = {
  name: 'outbound_call',
  id,
  version,
  columns: { agent_id: AGENT_ID, due_at: number(({ dueAt }) => dueAt) },
  indexes: { agent: ['agent_id'], due: ['due_at'] },
  goesWith: { agent: 'agent', conversation: 'id' },
}

/** Ends of waits and talks at the desks of accounts. */
export const DESK_OUTCOME: Kind<DeskOutcome> = {
  name: 'desk_outcome',
  id,
  version: () => 1,
  columns: {
    conversation_id: text(({ conversationId }) => conversationId),
    account_id: ACCOUNT_ID,
    at: number(({ at }) => at),
  },
  indexes: { conversation: ['conversation_id'], account: ['account_id', 'at'] },
  goesWith: { conversation: 'conversation_id' },
}

/** Notes of colleagues about conversations. */
export const CONVERSATION_NOTE: Kind<Versioned<ConversationNote>> = {
  name: 'conversation_note',
  id: ({ conversationId, id: note }) => idOf(conversationId, note),
  version,
  columns: {
    conversation_id: text(({ conversationId }) => conversationId),
    number: number(note => note.number),
  },
  indexes: { conversation: ['conversation_id', 'number'] },
  goesWith: { conversation: 'conversation_id' },
}

/** Summaries of conversations for live agents. Those that are to be made stand in `due`. */
export const HANDOFF_SUMMARY: Kind<HandoffSummary> = {
  name: 'handoff_summary',
  id,
  version,
  columns: {
    conversation_id: text(({ conversationId }) => conversationId),
    due_at: number(({ dueAt }) => dueAt),
  },
  indexes: { conversation: ['conversation_id'], due: ['due_at'] },
  goesWith: { conversation: 'conversation_id' },
}

/** Files of conversations, without their bytes, none of which ever changes. */
export const CONVERSATION_FILE: Kind<Versioned<ConversationFile>> = {
  name: 'conversation_file',
  id,
  version,
  columns: {
    conversation_id: text(({ conversationId }) => conversationId),
    at: number(file => file.at),
  },
  indexes: { conversation: ['conversation_id', 'at'] },
  goesWith: { conversation: 'conversation_id' },
}

/** Recordings of calls, without their sound. */
export const CALL_RECORDING: Kind<Versioned<CallRecording>> = {
  name: 'call_recording',
  id,
  version,
  columns: {
    conversation_id: text(({ conversationId }) => conversationId),
    at: number(recording => recording.at),
  },
  indexes: { conversation: ['conversation_id', 'at'] },
  goesWith: { conversation: 'conversation_id' },
}

/** Bytes of a file, or of a part of a recording, that are to be removed, by their id. */
export interface FileRemoval {
  readonly id: string
  /** Milliseconds since the epoch; 0 if no file names them any more. */
  readonly due: number
}

/** Bytes of files that no message names, or whose conversation is removed. */
export const FILE_REMOVAL: Kind<Versioned<FileRemoval>> = {
  name: 'file_removal',
  id,
  version,
  columns: { due: number(removal => removal.due) },
  indexes: { due: ['due'] },
  goesWith: {},
}

/** Every kind that is kept as documents, by its name: what others belong to comes before them. */
export const DOCUMENT_KINDS = {
  secret: SECRET,
  token_key: TOKEN_KEY,
  account: ACCOUNT,
  api_key: API_KEY,
  connector: CONNECTOR,
  agent: AGENT,
  deleted_agent: DELETED_AGENT,
  branch: BRANCH,
  branch_change: BRANCH_CHANGE,
  revision: REVISION,
  resource: RESOURCE,
  deployment: DEPLOYMENT,
  rollout: ROLLOUT,
  real_time_config: REAL_TIME_CONFIG,
  test_run: TEST_RUN,
  replay_sample: REPLAY_SAMPLE,
  test_result: TEST_RESULT,
  phone_number: PHONE_NUMBER,
  pooled_number: POOLED_NUMBER,
  voice: VOICE,
  cached_audio: CACHED_AUDIO,
  cached_sound: CACHED_SOUND,
  cached_bytes: CACHED_BYTES,
  audit_entry: AUDIT_ENTRY,
  webhook_endpoint: WEBHOOK_ENDPOINT,
  webhook_event: WEBHOOK_EVENT,
  webhook_delivery: WEBHOOK_DELIVERY,
  alert_rule: ALERT_RULE,
  alert_turn: ALERT_TURN,
  counter: COUNTER,
  text_pair: TEXT_PAIR,
  outbound_call: OUTBOUND_CALL,
  conversation_note: CONVERSATION_NOTE,
  handoff_summary: HANDOFF_SUMMARY,
  conversation_file: CONVERSATION_FILE,
  call_recording: CALL_RECORDING,
  file_removal: FILE_REMOVAL,
  shared_reply: SHARED_REPLY,
  desk_outcome: DESK_OUTCOME,
  desk_queue: DESK_QUEUE,
  saved_view: SAVED_VIEW,
  queue_assignment: QUEUE_ASSIGNMENT,
} as const

/** The documents of each kind. */
export type DocumentParts = {
  readonly [Name in keyof typeof DOCUMENT_KINDS]: (typeof DOCUMENT_KINDS)[Name] extends Kind<infer T>
    ? T
    : never
}

/**
 * Every kind that is kept as documents, in the order of their tables. Seats and rosters of desks and the progress of
 * filling are not copied to other stores.
 */
export const KINDS: readonly Kind<unknown>[] = [
  ...Object.values(DOCUMENT_KINDS),
  DESK_SEAT,
  DESK_ROSTER,
  FILLING,
] as readonly Kind<never>[]
