import type { Account, ApiKey, Connector, TelephonyConnector } from '../domain/access/access.ts'
import type { TokenKey } from '../domain/access/token-key.ts'
import type { Branch, Deployment, Revision } from '../domain/agent/agent.ts'
import type { Resource, ResourceChange, ResourceKind, Topic } from '../domain/agent/content.ts'
import { contentBytes } from '../domain/agent/content-bytes.ts'
import type { ReplayPlan } from '../domain/agent/replay.ts'
import type { TestCase } from '../domain/agent/test-case.ts'
import { newTestRun, type TestCaseResult, type TestRun } from '../domain/agent/test-run.ts'
import { isWrite, treeOf } from '../domain/agent/tree.ts'
import type { AlertRule } from '../domain/alert/alert-rule.ts'
import type { Count, CounterName } from '../domain/alert/counters.ts'
import type { AuditEntry } from '../domain/audit/audit.ts'
import type { OutboundCall } from '../domain/call/outbound-call.ts'
import type { QueueAssignment } from '../domain/conversation/assignment.ts'
import type { CallRecording } from '../domain/conversation/call-recording.ts'
import type { DeskOutcome } from '../domain/conversation/desk-outcome.ts'
import type { DeskRoster } from '../domain/conversation/desk-roster.ts'
import type { DeskSeat } from '../domain/conversation/desk-seat.ts'
import type { DeskQueue } from '../domain/conversation/queue-hours.ts'
import type { SavedView } from '../domain/conversation/saved-view.ts'
import type { SharedReply } from '../domain/conversation/shared-reply.ts'
import { askedSummary, type HandoffSummary } from '../domain/conversation/summary.ts'
import type { Environment } from '../domain/environment.ts'
import type { ConversationFile } from '../domain/file/file.ts'
import { type AccountId, type HandoffId, MAIN_BRANCH_ID } from '../domain/ids.ts'
import type { RealTimeConfig } from '../domain/real-time-config/real-time-config.ts'
import type { Rollout } from '../domain/rollout/rollout.ts'
import type { PhoneNumber } from '../domain/telephony/phone-number.ts'
import type { PooledNumber } from '../domain/telephony/pooled-number.ts'
import type { TextPair } from '../domain/text/text-pair.ts'
import type { CachedAudio } from '../domain/voice/cached-audio.ts'
import type { Voice } from '../domain/voice/voice.ts'
import type { NewEndpoint } from '../domain/webhook/schemas.ts'
import { WEBHOOK_EVENT_TYPES, type WebhookEndpoint, type WebhookEvent } from '../domain/webhook/webhook.ts'
import type { NewAgent } from '../ports/store/agents.ts'
import type { HeldAudio } from '../ports/store/audio-cache.ts'
import type { NewNote } from '../ports/store/notes.ts'
import type { MainCommit } from '../ports/store/revisions.ts'

/** The moment at which everything made here begins by default: 2026-01-01T00:00:00.000Z. */
export const START = Date.UTC(2026, 0, 1)

/** The account that everything made here belongs to by default. */
export const ACCOUNT = 'ws-one'

/** The agent that everything made here belongs to by default. */
export const AGENT = 'PROJECT-ONE'

/** Returns a topic with that id; its name is the id by default. */
export const aTopic = (id: string, value: Partial<Topic> = {}): Extract<Resource, { kind: 'topics' }> => ({
  kind: 'topics',
  id,
  value: {
    name: id,
    content: `Content of ${id}.`,
    actions: '',
    exampleQueries: [`What about ${id}?`],
    isActive: true,
    ...value,
  },
})

/** Returns the change that takes a resource away. */
export const aRemoval = (resource: { readonly kind: ResourceKind; readonly id: string }): ResourceChange => ({
  kind: resource.kind,
  id: resource.id,
  value: null,
})

/** One revision of main. */
export const aRevision = (number: number, values: Partial<Revision> = {}): Revision => ({
  number,
  contentHash: `hash-${number}`,
  contentBytes: 100 * number,
  createdAt: START + number,
  ...values,
})

/** Returns a branch that begins at revision 1, with version 1. */
export const aBranch = (id: string, values: Partial<Branch> = {}): Branch => ({
  id: id,
  agentId: AGENT,
  name: `Branch ${id}`,
  baseRevision: 1,
  version: 1,
  createdAt: START,
  updatedAt: START,
  ...values,
})

/** The values in which a new agent may differ. */
export interface AgentFixture {
  readonly accountId?: AccountId
  readonly name?: string
  readonly createdAt?: number
  /** The content of revision 1. @default a behavior */
  readonly changes?: readonly ResourceChange[]
}

/** Returns a new agent with main and revision 1. */
export function anAgent(id: string = AGENT, values: AgentFixture = {}): NewAgent {
  const agentId = id
  const createdAt = values.createdAt ?? START
  const changes = values.changes ?? [{ kind: 'behavior', id: '', value: { behavior: 'Be kind.' } }]
  return {
    agent: {
      id: agentId,
      accountId: values.accountId ?? ACCOUNT,
      name: values.name ?? `Agent ${id}`,
      createdAt,
      updatedAt: createdAt,
    },
    main: aBranch(MAIN_BRANCH_ID, { agentId, name: 'main', createdAt, updatedAt: createdAt }),
    revision: aRevision(1, { createdAt, contentBytes: contentBytes(treeOf(changes.filter(isWrite))) }),
    changes,
  }
}

/** Returns a deployment of revision 1 to sandbox. Its id is made of its agent and number by default. */
export function aDeployment(number: number, values: Partial<Deployment> = {}): Deployment {
  const agentId = values.agentId ?? AGENT
  return {
    id: `DEPLOYMENT-${agentId}-${number}`,
    number,
    accountId: ACCOUNT,
    agentId,
    environment: 'sandbox',
    revision: 1,
    version: 'hash-1',
    type: 'publish',
    message: '',
    createdBy: 'library',
    createdAt: START + number,
    ...values,
  }
}

/** Returns a rollout in live whose base is the agent's first deployment. */
export function aRollout(id: string, values: Partial<Rollout> = {}): Rollout {
  const agentId = values.agentId ?? AGENT
  const version = (number: number, environment: Environment) => ({
    deploymentId: aDeployment(number, { agentId }).id,
    ...{ environment, revision: number, version: `hash-${number}` },
  })
  return {
    ...{ id, accountId: ACCOUNT, agentId, environment: 'live', key: 'visitor', salt: `salt of ${id}` },
    base: version(1, 'live'),
    candidate: version(2, 'pre-release'),
    shares: [{ basisPoints: 500, at: START, by: 'library' }],
    guards: [],
    startedAt: START,
    startedBy: 'library',
    end: null,
    ...values,
  }
}

/** Returns the first config of sandbox: one variable and a schema that it fits. */
export const aRealTimeConfig = (values: Partial<RealTimeConfig> = {}): RealTimeConfig => ({
  agentId: AGENT,
  environment: 'sandbox',
  variables: { open: true },
  schema: { type: 'object', properties: { open: { type: 'boolean' } } },
  version: 1,
  updatedAt: START,
  ...values,
})

/**
 * Returns a run of the agent's deployment of that number, which is not claimed; its id is made of both unless given.
 */
export function aTestRun(number: number, values: Partial<TestRun> = {}): TestRun {
  const deployment = aDeployment(number, values.agentId === undefined ? {} : { agentId: values.agentId })
  const id = `TESTRUN-${deployment.agentId}-${number}`
  return { ...newTestRun(id, deployment, 2, START + number), ...values }
}

/** Returns a test case of one turn that expects the text `yes`; its name is its id by default. */
export const aTestCase = (
  id: string,
  value: Partial<TestCase> = {},
): Extract<Resource, { kind: 'test_cases' }> => ({
  kind: 'test_cases',
  id,
  value: {
    name: id,
    turns: [{ text: `Is it ${id}?`, expectations: { contains: ['yes'] } }],
    functionResults: {},
    variantId: null,
    isActive: true,
    ...value,
  },
})

/** Returns a case that passed. */
export const aTestResult = (testCaseId: string, values: Partial<TestCaseResult> = {}): TestCaseResult => ({
  testCaseId,
  name: `Case ${testCaseId}`,
  status: 'passed',
  error: null,
  turns: [],
  ...values,
})

/** Returns a merge of `branch`, as it stands in the store, into main. */
export function aCommit(
  branch: Branch,
  expected: { readonly revision: number; readonly deployment: number },
  changes: readonly ResourceChange[] = [aTopic(`topic-of-${branch.id}`)],
): MainCommit {
  const revision = aRevision(expected.revision + 1, {
    contentHash: `hash-${expected.revision + 1}-${branch.id}`,
  })
  return {
    agentId: branch.agentId,
    expectedRevision: expected.revision,
    expectedDeployment: expected.deployment,
    revision,
    changes,
    branch: {
      expectedVersion: branch.version,
      next: {
        ...branch,
        baseRevision: revision.number,
        version: branch.version + 1,
        updatedAt: branch.updatedAt + 1,
      },
    },
    deployment: aDeployment(expected.deployment + 1, {
      id: `DEPLOYMENT-${branch.agentId}-${expected.deployment + 1}-${branch.id}`,
      agentId: branch.agentId,
      revision: revision.number,
      version: revision.contentHash,
      type: 'merge',
    }),
    testRun: null,
  }
}

/** An account whose slug is made of its id. */
export const anAccount = (id: string = ACCOUNT, values: Partial<Account> = {}): Account => ({
  id: id,
  slug: `slug-of-${id}`,
  name: `Account ${id}`,
  createdAt: START,
  ...values,
})

/** Returns a workspace key that is valid; its hash is made of its id. */
export const anApiKey = (id: string, values: Partial<ApiKey> = {}): ApiKey => ({
  id: id,
  kind: 'workspace',
  hash: `hash-of-${id}`,
  prefix: 'wk_',
  name: `Key ${id}`,
  accountId: ACCOUNT,
  agentId: null,
  region: null,
  permissions: null,
  createdAt: START,
  revokedAt: null,
  expiresAt: null,
  lastUsedAt: null,
  ...values,
})

/** Returns a connector that is valid; its token's hash is made of its id. */
export const aConnector = (id: string, values: Partial<Connector> = {}): Connector => ({
  kind: 'messaging',
  id: id,
  tokenHash: `hash-of-${id}`,
  tokenPrefix: 'ct_',
  name: `Connector ${id}`,
  accountId: ACCOUNT,
  agentId: AGENT,
  environment: 'live',
  hosts: ['example.com'],
  variantId: null,
  handoff: { mode: 'server', queueName: 'reception', timeoutSeconds: 300 },
  contextKeys: [],
  createdAt: START,
  revokedAt: null,
  expiresAt: null,
  lastUsedAt: null,
  ...values,
})

/** Returns a telephony connector that is valid. */
export const aTelephonyConnector = (
  id: string,
  values: Partial<TelephonyConnector> = {},
): TelephonyConnector => ({
  kind: 'telephony',
  id: id,
  name: `Connector ${id}`,
  accountId: ACCOUNT,
  agentId: AGENT,
  environment: 'live',
  variantId: null,
  asrLangCode: 'en-US',
  ttsLangCode: 'en-GB',
  voiceName: 'Ada',
  disableHandoff: false,
  createdAt: START,
  revokedAt: null,
  ...values,
})

/** Returns a phone number of the agent that no connector answers. */
export const aPhoneNumber = (number: string, values: Partial<PhoneNumber> = {}): PhoneNumber => ({
  number,
  accountId: ACCOUNT,
  agentId: AGENT,
  environment: 'live',
  connectorId: null,
  createdAt: START,
  ...values,
})

/** Returns a number of the pool of `AGENT` that was never reserved. */
export const aPooledNumber = (number: string, values: Partial<PooledNumber> = {}): PooledNumber => ({
  number,
  accountId: ACCOUNT,
  agentId: AGENT,
  createdAt: START,
  freeFrom: START,
  attributes: null,
  ...values,
})

/** Returns a voice of `ACCOUNT` that was never changed. */
export const aVoice = (id: string, values: Partial<Voice> = {}): Voice => ({
  ...{ id, accountId: ACCOUNT, name: `Voice ${id}`, provider: 'OPENAI', providerVoiceId: 'alloy' },
  ...{ config: { speed: 1 }, metadata: null, createdAt: START, version: 1 },
  ...values,
})

/** A note about the conversation AS-1 of `ACCOUNT`, which has no number yet. */
export const aNote = (id: string, values: Partial<NewNote> = {}): NewNote => ({
  ...{ id, conversationId: 'AS-1', accountId: ACCOUNT, author: { id: 'ada', name: 'Ada' } },
  ...{ text: `Note ${id}`, at: START },
  ...values,
})

/** A summary of the conversation AS-1 of `ACCOUNT`, which is to be made. */
export const aSummary = (id: HandoffId, values: Partial<HandoffSummary> = {}): HandoffSummary => ({
  ...askedSummary({ id, conversationId: 'AS-1', accountId: ACCOUNT }, START),
  ...values,
})

/** A file of the conversation `AS-1`. */
export const aFile = (id: string, values: Partial<ConversationFile> = {}): ConversationFile => ({
  ...{ id, conversationId: 'AS-1', accountId: ACCOUNT, from: 'visitor', name: `${id}.png` },
  ...{ type: 'image/png', size: 70, at: START },
  ...values,
})

/** A recording of a call in `AS-1`, without parts. */
export const aRecording = (id: string, values: Partial<CallRecording> = {}): CallRecording => ({
  ...{ id, conversationId: 'AS-1', accountId: ACCOUNT, call: '0-call', at: START },
  ...{ consent: { by: 'visitor', how: 'button', at: START }, parts: 0, partBytes: 0, bytes: 0 },
  ...{ end: null, endedAt: null },
  ...values,
})

/** The hours of a queue of `ACCOUNT`: Mondays from nine to five in Berlin. */
export const aDeskQueue = (queueName: string, values: Partial<DeskQueue> = {}): DeskQueue => ({
  ...{ accountId: ACCOUNT, queueName, timeZone: 'Europe/Berlin', version: 1 },
  ...{ weekly: [{ day: 1, from: '09:00', to: '17:00' }], holidays: ['2026-12-25'] },
  ...values,
})

/** A saved view of `ACCOUNT`. */
export const aSavedView = (name: string, values: Partial<SavedView> = {}): SavedView => ({
  ...{ accountId: ACCOUNT, name, filters: { state: 'running' }, version: 1 },
  ...values,
})

/** A reply that the live agents of `ACCOUNT` share, for the visitors of all agents. */
export const aSharedReply = (id: string, values: Partial<SharedReply> = {}): SharedReply => ({
  ...{ id, accountId: ACCOUNT, agentId: null, code: 'hello', text: 'Hello {visitor}!', language: null },
  ...{ createdAt: START, version: 1 },
  ...values,
})

/** An assignment of the visitors of a queue of `ACCOUNT`, by turns. */
export const aQueueAssignment = (
  queueName: string,
  values: Partial<QueueAssignment> = {},
): QueueAssignment => ({
  ...{ accountId: ACCOUNT, queueName, mode: 'round_robin', skills: ['de'], version: 1 },
  ...values,
})

/** The end of the wait of a visitor of `ACCOUNT`, whom Ada has answered. */
export const aDeskOutcome = (id: string, values: Partial<DeskOutcome> = {}): DeskOutcome => ({
  ...{ id, conversationId: 'AS-1', accountId: ACCOUNT, queueName: 'sales', type: 'answered' },
  ...{ liveAgent: { id: 'ada', name: 'Ada' }, at: START, lasted: 5 },
  ...values,
})

/** The roster of the desk of `ACCOUNT`, from which Ben is away. */
export const aDeskRoster = (values: Partial<DeskRoster> = {}): DeskRoster => ({
  ...{ accountId: ACCOUNT, away: [{ liveAgentId: 'ben', since: START }], version: 1 },
  ...{ offers: [], passed: [], turns: [] },
  ...values,
})

/** A live agent's seat at the desk of `ACCOUNT`, for a minute. */
export const aDeskSeat = (id: string, values: Partial<DeskSeat> = {}): DeskSeat => ({
  ...{ id, accountId: ACCOUNT, liveAgent: { id: 'ada', name: 'Ada', avatarUrl: '' } },
  ...{ acceptor: { type: 'person', id: 'ada' }, queues: null, until: START + 60_000 },
  ...values,
})

/** Returns a sound of `AGENT` that is a hundred bytes unless it is given others, and was never asked for. */
export const aCachedAudio = (
  id: string,
  values: Partial<CachedAudio> = {},
  audio: Uint8Array = new Uint8Array(100).fill(7),
): HeldAudio => ({
  audio,
  entry: {
    ...{ id, accountId: ACCOUNT, agentId: AGENT, transcript: `Text ${id}`, provider: 'OPENAI' },
    ...{ providerVoiceId: 'alloy', config: { speed: 1 }, languageCode: 'en-GB', cachedAt: START },
    ...{ usedAt: START, hitCount: 0, milliseconds: 1_500, bytes: audio.length, regenerated: false },
    ...{ imported: false, audioFilename: null, version: 1 },
    ...values,
  },
})

/** Returns the key of that number, as it is when it is the newest. */
export const aTokenKey = (number: number, values: Partial<TokenKey> = {}): TokenKey => ({
  number,
  id: `token-key-${number}`,
  secret: `secret of ${number}`,
  createdAt: START + number,
  verifiesUntil: null,
  ...values,
})

/** Returns the input for an endpoint that is subscribed to all events. */
export const aNewEndpoint = (
  url = 'https://hooks.example.com/in',
  values: Partial<NewEndpoint> = {},
): NewEndpoint => ({
  name: 'CRM',
  url,
  eventTypes: [...WEBHOOK_EVENT_TYPES],
  ...values,
})

/** Returns an endpoint that is enabled and hears of everything. */
export const anEndpoint = (id: string, values: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: id,
  accountId: ACCOUNT,
  name: `Endpoint ${id}`,
  url: `https://hooks.example.com/${id}`,
  eventTypes: WEBHOOK_EVENT_TYPES,
  headers: {},
  timeout: 5_000,
  enabled: true,
  disabledReason: null,
  secret: `secret-of-${id}`,
  previousSecret: null,
  version: 1,
  createdAt: START,
  updatedAt: START,
  ...values,
})

/** Returns the end of a conversation. */
export const aWebhookEvent = (id: string, values: Partial<WebhookEvent> = {}): WebhookEvent => ({
  id: id,
  accountId: ACCOUNT,
  type: 'conversation.completed',
  conversationId: 'AS-1',
  at: START,
  body: `{"id":"${id}"}`,
  ...values,
})

/** Returns a rule of the whole account that was not evaluated yet. */
export const anAlertRule = (id: string, values: Partial<AlertRule> = {}): AlertRule => ({
  ...{ id, accountId: ACCOUNT, name: `Rule ${id}`, agentId: null, metric: 'function_errors' },
  ...{ operator: '>', threshold: 3, window: '5m', enabled: true, state: 'unknown', since: null },
  ...{ lastEvaluatedAt: null, currentValue: null, version: 1, createdAt: START, updatedAt: START },
  ...values,
})

/** Two numbers that have not texted yet. */
export const aTextPair = (values: Partial<TextPair> = {}): TextPair => ({
  ...{ ours: '+12025550100', theirs: '+12025550111', accountId: ACCOUNT, agentId: AGENT },
  ...{ optedOut: false, conversationId: null, recent: [], version: 1 },
  ...values,
})

/** Returns a call that was asked for and not placed yet. */
export const anOutboundCall = (id: string, values: Partial<OutboundCall> = {}): OutboundCall => ({
  ...{ id, accountId: ACCOUNT, agentId: AGENT, environment: 'live', connectorId: 'CONNECTOR-1' },
  ...{ variantId: null, from: '+12025550100', to: '+12025550111', encryption: 'tls_srtp', metadata: {} },
  ...{ phase: 'queued', reason: '', providerId: null, createdAt: START, endedAt: null },
  ...{ dueAt: START + 20_000, version: 1 },
  ...values,
})

/** Something that happened once to the agent, in the minute that begins at `START`. */
export const aCount = (name: CounterName, values: Partial<Count> = {}): Count => ({
  ...{ accountId: ACCOUNT, agentId: AGENT, name, minute: START, value: 0, count: 1 },
  ...values,
})

/** Returns an entry of the audit log about a key that was issued; its resource has the entry's id by default. */
export const anAuditEntry = (id: string, values: Partial<AuditEntry> = {}): AuditEntry => ({
  id: id,
  at: START,
  actor: { type: 'api_key', id: 'KEY-0', name: 'Operator' },
  action: 'api_key.created',
  accountId: ACCOUNT,
  agentId: null,
  resource: { type: 'api_key', id },
  details: { kind: 'workspace' },
  correlationId: null,
  ...values,
})

/** The plan of a replay that has replayed one conversation. */
export const REPLAY_PLAN = {
  selection: { last: 2, environment: 'live', days: null },
  mode: 'recorded_history',
  accepted: [],
  tally: {
    ...{ replayed: 1, noise: { turns: 2, different: 1 }, judge: { judged: 1, failed: 0 } },
    groups: [{ verdict: 'worse', reason: 'no_answer', from: 'Bar', to: '', turns: 2 }],
  },
} as const satisfies ReplayPlan
