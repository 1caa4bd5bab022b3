import { API_KEY_KINDS, type ConnectorInfo, type TelephonyConnector } from '../domain/access/access.ts'
import type { Agent } from '../domain/agent/agent.ts'
import { ALERT_METRICS, ALERT_STATES } from '../domain/alert/alert-rule.ts'
import { ENVIRONMENTS } from '../domain/environment.ts'
import { DELIVERY_STATUSES, WEBHOOK_EVENT_TYPES } from '../domain/webhook/webhook.ts'
import type { LiveAgentCallbacks } from '../ports/live-agent-callbacks.ts'
import { RECORDING_DIRECTIONS } from '../ports/recordings.ts'
import type { Access } from '../usecases/access/access.ts'
import type { Agents } from '../usecases/agents/agents.ts'
import type { Alerts } from '../usecases/alerts/alerts.ts'
import type { AuditLog } from '../usecases/audit/audit-log.ts'
import type { Calls } from '../usecases/calls/calls.ts'
import type { Chat } from '../usecases/chat/chat.ts'
import type { DebugChat } from '../usecases/debug-chat/debug-chat.ts'
import type { Desk } from '../usecases/desk/desk.ts'
import type { ExternalEvents } from '../usecases/external-events/external-events.ts'
import type { Messaging } from '../usecases/messaging/messaging.ts'
import type { Reading } from '../usecases/records/reading.ts'
import type { ConversationRecords } from '../usecases/records/records.ts'
import type { Telephony } from '../usecases/telephony/telephony.ts'
import type { Texts } from '../usecases/texts/texts.ts'
import type { Voices } from '../usecases/voices/voices.ts'
import type { Webhooks } from '../usecases/webhooks/webhooks.ts'
import {
  type Check,
  callback,
  flag,
  list,
  type Named,
  nullable,
  number,
  object,
  optional,
  text,
  whole,
  word,
} from './checks.ts'

/**
 * The names of an argument's fields, and of fields within them; `[fields]` is a list of such objects, `true` is a field
 * that the call checks by itself, and a check says what one must be that is there.
 */
export interface Fields {
  readonly [name: string]: true | Check | Fields | readonly [Fields]
}

/** What an argument must be: an object of these fields, what a check says, or what the call checks by itself. */
export type Argument = Fields | Named | null

/** What a part of the platform reads: of each call its arguments in order. */
export interface PartFields {
  readonly [name: string]: PartFields | readonly Argument[]
}

/** True for the arguments of a call, false for a part within a part. */
export const isCall = (entry: PartFields[string]): entry is readonly Argument[] => Array.isArray(entry)

/** True for an argument that is an object of named fields. */
export const isFields = (argument: Argument | undefined): argument is Fields =>
  argument !== null && argument !== undefined && !Array.isArray(argument)

type Call = (...input: never[]) => unknown

/**
 * Arguments whose fields are not named here. An agent or a connector is one that the platform returned, with all that
 * it has.
 */
type Unnamed =
  | string
  | number
  | boolean
  | readonly unknown[]
  | Call
  | Agent
  | ConnectorInfo
  | TelephonyConnector

type NamesOf<Input> = Input extends unknown ? keyof Input & string : never

type FieldsOf<Input> = [Input] extends [Unnamed]
  ? Named | null
  : string extends NamesOf<Input>
    ? Named | null
    : { readonly [Name in NamesOf<Input>]: Fields[string] }

type ArgumentsOf<Input extends readonly unknown[]> = {
  readonly [At in keyof Input]-?: FieldsOf<NonNullable<Input[At]>>
}

type CallsOf<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...input: infer Input) => unknown
    ? ArgumentsOf<Input>
    : CallsOf<Part[Name]>
}

/** The parts of the platform whose calls take input. */
interface Parts {
  readonly access: Access
  readonly telephony: Telephony
  readonly voices: Voices
  readonly agents: Agents
  readonly chat: Chat
  readonly texts: Texts
  readonly calls: Calls
  readonly debugChat: DebugChat
  readonly messaging: Messaging
  readonly reading: Reading
  readonly conversations: ConversationRecords
  readonly externalEvents: ExternalEvents
  readonly desk: Desk
  readonly liveAgents: LiveAgentCallbacks
  readonly webhooks: Webhooks
  readonly alerts: Alerts
  readonly audit: AuditLog
}

const idOrSlug = ['idOrSlug', text] as const
const id = ['id', text] as const
const agentId = ['agentId', text] as const
const phoneNumber = ['phoneNumber', text] as const
const connectorId = ['connectorId', text] as const
const accountId = ['accountId', text] as const
const branchId = ['branchId', text] as const
const topicId = ['topicId', text] as const
const attributeId = ['attributeId', text] as const
const variantId = ['variantId', text] as const
const deploymentId = ['deploymentId', text] as const
const otherId = ['otherId', text] as const
const testCaseId = ['testCaseId', text] as const
const testRunId = ['testRunId', text] as const
const replayId = ['replayId', text] as const
const conversationId = ['conversationId', text] as const
const handoffId = ['handoffId', text] as const
const deliveryId = ['deliveryId', text] as const
const ended = ['ended', callback] as const
const listener = ['listener', callback] as const
const kinds = ['kinds', optional(list(word(API_KEY_KINDS)))] as const
const region = ['region', nullable(text)] as const
const revision = ['revision', whole] as const
const reason = ['reason', nullable(text)] as const
const optionalReason = ['reason', optional(text)] as const
const status = ['status', word(['waiting', 'active'])] as const
const state = ['state', word(['started', 'stopped'])] as const
const agent = ['agent', object('what agents.find gives', { id: text, accountId: text })] as const
const madeConnector = [
  'connector',
  object('what access gives', { id: text, accountId: text, agentId: text, environment: text }),
] as const

const page = { limit: true, cursor: true } as const
const credentials = { ...page, accountId: optional(text), agentId: optional(text) } as const
const handoff = { mode: true, queueName: true, timeoutSeconds: true } as const
const connector = {
  environment: true,
  hosts: true,
  variantId: true,
  name: true,
  expiresAt: true,
  handoff,
} as const
const telephony = { variantId: true, asrLangCode: true, voiceName: true } as const
const responseSettings = {
  ...{ greeting: true, languageCode: true, voiceId: true, modelId: true, avatarUrl: true },
} satisfies Fields
const topic = { name: true, content: true, actions: true, exampleQueries: true, isActive: true } as const
const running = { activeDeploymentId: true } as const
const deploy = { deploymentMessage: true, expected: running } as const
const variant = { name: true, isDefault: true, attributeValues: true } as const
const testCase = {
  ...{ name: true, functionResults: true, variantId: true, isActive: true },
  turns: [{ text: true, expectations: true }],
} satisfies Fields
const environment = word(ENVIRONMENTS)
const scope = { accountId: text, agentId: text, environment } as const
const times = { startTime: optional(number), endTime: optional(number) } as const
const variants = { variantId: optional(text), variantName: optional(text) } as const
const plain = {
  ...{ ...scope, ...times, ...variants },
  ...{ inProgress: optional(flag), channels: optional(list(text)) },
} satisfies Fields
const speaker = word(['user', 'agent', 'either'])
const words = optional(object('words of a speaker', { words: list(text), speaker }))
const records = { ...plain, words } satisfies Fields
const semantic = optional(object('a text of a speaker', { text, speaker }))
const query = { ...records, semantic } as const
const position = {
  offset: optional(number),
  after: optional(object('the place of a record', { startedAt: number, id: text })),
} as const
const credential = object('the token of a connector, or an authorization', {
  ...{ connectorToken: nullable(text), authorization: nullable(text) },
})
const offset = ['offset', number] as const
const limit = ['limit', number] as const
const optionalLimit = ['limit', optional(number)] as const
const said = {
  text: true,
  attachments: true,
  chatCallActions: true,
  responseSuggestions: true,
  messageId: true,
} as const
const liveAgent = { id: true, name: true, avatarUrl: true } as const
const deskActing = { liveAgentIds: true, isOperator: true } as const
const endpoint = {
  ...{ name: true, url: true, eventTypes: true, headers: true, timeout: true, enabled: true },
} satisfies Fields
const alertRule = {
  ...{ name: true, agentId: true, metric: true, operator: true, threshold: true, window: true },
  enabled: true,
} satisfies Fields
const given = {
  ...{ integrationAttributes: true, asrLangCode: true, ttsLangCode: true, idempotencyKey: true },
} satisfies Fields
const written = { variables: true, metrics: true } as const
const recordingOf = { agentId: true, conversationId: true } as const
const recordedStart = {
  ...{ channel: true, startedAt: true, variantId: true, fromNumber: true, toNumber: true },
  ...{ language: true, direction: true, integrationAttributes: true },
} satisfies Fields
const recordedTurn = {
  ...written,
  ...{ turnId: true, userInput: true, userInputDtmf: true, userInputAt: true },
  ...{ agentResponse: true, agentResponseAt: true, latency: true, translatedUserInput: true },
  ...{ englishAgentResponse: true, intents: true, entities: true, outOfDomain: true, silence: true },
  ...{ functionEvents: true, llmRequests: true, retrievedTopics: true, retrievedSources: true },
  ...{ citedTopic: true, nodeTrace: true },
} satisfies Fields
const recordedEnd = {
  ...written,
  ...{ finishedAt: true, reason: true, aiDuration: true },
  handoff: { destination: true, reason: true },
} satisfies Fields

/** What a voice is added and changed with. */
const voice = { name: true, provider: true, providerVoiceId: true, config: true, metadata: true } as const

/** Every call of the platform with every field that it reads (EM8). */
export const CALL_FIELDS: CallsOf<Parts> = {
  access: {
    createAccount: [{ accountId: true, slug: true, name: true }],
    account: [idOrSlug],
    accounts: [page],
    createApiKey: [
      {
        ...{ kind: word(API_KEY_KINDS), accountId: optional(text), agentId: optional(text) },
        ...{ region: optional(text), name: true, permissions: true, expiresAt: true, secret: true },
      },
    ],
    apiKeys: [credentials],
    revokeApiKey: [id],
    watchApiKey: [id, ended],
    authenticate: [null, kinds, region],
    createConnector: [{ ...connector, accountId: text, agentId: text, token: true }],
    connectors: [credentials],
    connector: [id],
    updateConnector: [id, connector],
    rotateContextKeys: [id, { overlapSeconds: true }],
    revokeContextKeys: [id],
    revokeConnector: [id],
    connectorByToken: [null],
    createTelephonyConnector: [
      {
        ...telephony,
        ...{ accountId: text, agentId: text, environment: true, name: true },
        ...{ ttsLangCode: true, disableHandoff: true },
      },
    ],
    telephonyConnectors: [agentId],
    telephonyConnector: [agentId, id],
    updateTelephonyConnector: [agentId, id, { ...telephony, agentId: true }],
    revokeTelephonyConnector: [agentId, id],
    tokenKeys: [],
    rotateTokenKeys: [{ revokeEarlier: optional(flag) }],
  },
  telephony: {
    connectorsAmong: [agentId, null],
    connectorOf: [agentId, phoneNumber],
    importNumbers: [agentId, { phoneNumbers: true, environment: true, connectorId: true }],
    claimNumbers: [agentId, { phoneNumbers: true, environment: true, connectorId: true }],
    withdrawNumber: [phoneNumber],
    numbers: [agentId, { connectorId: optional(text) }],
    numbersAmong: [agentId, null],
    number: [agentId, phoneNumber],
    assignNumber: [agentId, phoneNumber, connectorId],
    deleteNumber: [agentId, phoneNumber],
    addToPool: [agentId, null],
    pool: [agentId],
    removeFromPool: [phoneNumber],
    reserve: [agentId, null],
    reservationOf: [phoneNumber],
  },
  voices: {
    list: [
      accountId,
      {
        ...{ language: optional(text), gender: optional(word(['male', 'female', 'neutral'])) },
        ...{ provider: optional(text), offered: optional(flag) },
      },
    ],
    voice: [accountId, id],
    create: [accountId, voice],
    update: [accountId, id, voice],
    sample: [accountId, id],
    synthesize: [{ text: true, config: true, language: true }],
    say: [agentId, { text: true, provider: true, providerVoiceId: true, config: true, language: true }],
    cachedAudio: [agentId, { order: true, descending: true, offset: true, limit: true }],
    cachedSound: [agentId, id],
    replaceCachedAudio: [agentId, id, { audio: true, filename: true, text: true, config: true }],
    deleteCachedAudio: [agentId, null],
    tryCachedAudio: [agentId, id, { text: true, config: true, language: true }],
  },
  agents: {
    create: [
      {
        ...{ accountId: true, name: true, agentId: true, greeting: true, languageCode: true },
        ...{ voiceId: true, modelId: true },
      },
    ],
    list: [accountId],
    find: [agentId],
    duplicate: [agentId, { newAgentName: true, newAgentId: true }],
    update: [agentId, { name: true }],
    delete: [agentId],
    branches: [agentId],
    branch: [agentId, branchId],
    createBranch: [agentId, { branchName: true }],
    deleteBranch: [agentId, branchId],
    behavior: [agentId, branchId],
    updateBehavior: [agentId, branchId, null, null],
    responseSettings: [agentId, branchId],
    updateResponseSettings: [agentId, branchId, { ...responseSettings, expected: responseSettings }],
    topics: [agentId, branchId],
    topic: [agentId, branchId, topicId],
    createTopic: [agentId, branchId, { ...topic, id: true }],
    updateTopic: [agentId, branchId, topicId, { ...topic, expected: topic }],
    deleteTopic: [agentId, branchId, topicId],
    attributes: [agentId, branchId],
    attribute: [agentId, branchId, attributeId],
    createAttribute: [agentId, branchId, { name: true, id: true }],
    updateAttribute: [agentId, branchId, attributeId, { name: true, expected: { name: true } }],
    deleteAttribute: [agentId, branchId, attributeId],
    variants: [agentId, branchId],
    variant: [agentId, branchId, variantId],
    createVariant: [agentId, branchId, { ...variant, id: true }],
    updateVariant: [agentId, branchId, variantId, { ...variant, expected: variant }],
    deleteVariant: [agentId, branchId, variantId],
    branchTree: [agentId, branchId],
    writeBranchTree: [
      agentId,
      branchId,
      { expectedVersion: true, changes: [{ kind: true, id: true, value: true }] },
    ],
    diff: [agentId, branchId],
    previewMerge: [agentId, branchId, { conflictResolutions: [{ path: true, strategy: true, value: true }] }],
    merge: [
      agentId,
      branchId,
      {
        deploymentMessage: true,
        conflictResolutions: [{ path: true, strategy: true, value: true }],
        expected: { branchVersion: true, mainRevision: true },
      },
    ],
    previewPublish: [agentId, null],
    publish: [agentId, { ...deploy, environment: true, expected: { ...running, mainRevision: true } }],
    promote: [agentId, deploymentId, { ...deploy, targetEnvironment: true }],
    rollback: [agentId, deploymentId, deploy],
    deployments: [agentId, null, null],
    compareDeployments: [agentId, deploymentId, otherId],
    activeDeployments: [agentId],
    testCases: {
      list: [agentId, branchId],
      read: [agentId, branchId, testCaseId],
      create: [agentId, branchId, { ...testCase, id: true }],
      update: [agentId, branchId, testCaseId, { ...testCase, expected: testCase }],
      delete: [agentId, branchId, testCaseId],
    },
    testRuns: {
      list: [agentId, { ...page, deploymentId: optional(text), branchId: optional(text), offset: true }],
      read: [agentId, testRunId],
      history: [agentId, { limit: true, offset: true, testCaseId: optional(text), branchId: optional(text) }],
    },
    startTestRun: [agentId, { deploymentId: true, branchId: true, testCaseIds: true }],
    startReplay: [agentId, { deploymentId: text, environment: true, last: true }],
    replays: [agentId, { deploymentId: optional(text), limit: true }],
    replay: [agentId, replayId],
    replayTurns: [
      agentId,
      replayId,
      { verdict: true, reason: true, from: true, to: true, offset: true, limit: true },
    ],
    acceptReplayGroup: [agentId, replayId, { verdict: true, reason: true, from: true, to: true, why: true }],
    realTimeConfigs: [agentId],
    realTimeConfig: [agentId, null],
    updateRealTimeConfigSchema: [agentId, null, null],
    updateRealTimeConfigVariables: [agentId, null, null],
    content: [agentId, revision],
    deploymentContent: [agentId, deploymentId],
  },
  texts: {
    received: [{ id: true, from: true, to: true, text: true, keyword: true, channel: true, service: true }],
    status: [{ id: true, carrierId: true, status: true }],
    open: [madeConnector, { to: true, text: true, channel: true, from: true, service: true }],
    standing: [conversationId],
  },
  calls: {
    place: [
      {
        ...{ agentId: true, environment: true, connectorId: true, variantId: true, to: true },
        ...{ country: true, encryption: true, metadata: true },
      },
    ],
    find: [{ agentId: true, id: true, environment: optional(environment) }],
    usualConnector: [agentId, ['environment', environment]],
    ringing: [{ id: true }],
    answered: [{ id: true }],
    ended: [{ id: true, reason: true, answered: true }],
    failed: [{ id: true, reason: true }],
  },
  chat: {
    create: [madeConnector, { ...given, variantId: true, channel: true }],
    respond: [madeConnector, { ...given, conversationId: true, message: true, metadata: true }],
    close: [madeConnector, conversationId],
    replies: [madeConnector, { conversationId: true, after: true, wait: true }],
  },
  debugChat: {
    start: [
      agent,
      {
        ...{ environment: true, conversationId: true, branchId: true, variantId: true, channel: true },
        ...{ asrLangCode: true, ttsLangCode: true, integrationAttributes: true },
      },
    ],
    send: [
      agent,
      conversationId,
      { environment, message: text, asrLangCode: true, ttsLangCode: true, metadata: true },
    ],
    read: [agent, conversationId, { environment, wait: optional(number) }],
  },
  messaging: {
    issueAccessToken: [{ connectorToken: true, host: true, remoteAddress: true }],
    createSession: [
      {
        authorization: nullable(text),
        streaming: true,
        platform: true,
        visitor: true,
        integrationAttributes: true,
        read: true,
        admit: true,
      },
    ],
    openStream: [{ sessionId: true, accessToken: true, cursor: true, origin: true, frameHost: true }],
    postEvents: [{ sessionId: true, accessToken: true, origin: true, stream: true, read: true }],
    rateSession: [{ sessionId: true, accessToken: true, origin: true, read: true }],
    endStreams: [],
    admitPage: [{ credential, origin: text, remoteAddress: text }],
    handshake: [{ sessionId: true, accessToken: true, cursor: true, origin: true, frameHost: true }],
  },
  reading: {
    records: [query, position, limit],
    slices: [query, position, limit],
    newest: [plain, offset, limit],
    sample: [records, limit],
    record: [accountId, agentId, id],
    turns: [accountId, agentId, id],
    audio: [
      {
        ...{ accountId: text, agentId: text, conversationId: text },
        ...{ direction: word(RECORDING_DIRECTIONS), redacted: flag },
      },
    ],
    concurrency: [
      {
        ...{ ...scope, ...variants, startTime: number, endTime: number },
        ...{ language: optional(text), phoneNumber: optional(text), sliceBy: optional(word(['variant'])) },
      },
    ],
    health: [records, optionalLimit],
    overview: [plain, position, limit],
    handoffState: [{ accountId: text, agentId: text, id: optional(text), sharedId: optional(text) }],
    transcript: [accountId, agentId, id, { turns: whole, sequence: whole }],
  },
  conversations: {
    start: [{ ...recordingOf, environment: true, accountId: true, ...recordedStart }],
    recordTurn: [{ ...recordingOf, ...recordedTurn }],
    finish: [{ ...recordingOf, ...recordedEnd }],
    import: [
      {
        ...{ accountId: true, agentId: true, environment: true },
        conversations: [{ conversationId: true, ...recordedStart, turns: [recordedTurn], end: recordedEnd }],
      },
    ],
    purge: [{ accountId: true, agentId: true, environment: true, olderThan: true, signal: true }],
    remove: [accountId, agentId, id],
  },
  externalEvents: {
    receive: [
      {
        ...{ accountId: true, agentId: true, location: true, path: true },
        ...{ headers: true, query: true, contentType: nullable(text), body: true },
      },
    ],
  },
  desk: {
    handoffs: [accountId, status],
    handoff: [accountId, handoffId],
    accept: [accountId, handoffId, liveAgent, { ...deskActing, takeOver: true }],
    typing: [accountId, handoffId, state, deskActing],
    send: [accountId, handoffId, said, deskActing],
    leave: [accountId, handoffId, deskActing],
    reject: [accountId, handoffId, reason],
    watch: [accountId, listener, { liveAgentId: true }],
  },
  liveAgents: {
    accepted: [handoffId],
    queueStatus: [handoffId, { position: true, estimatedWaitSeconds: true, displayMessage: true }],
    joined: [handoffId, liveAgent],
    typing: [handoffId, state],
    message: [handoffId, said],
    left: [handoffId, optionalReason],
    failed: [handoffId, optionalReason],
  },
  webhooks: {
    createEndpoint: [accountId, endpoint],
    endpoints: [
      accountId,
      { ...page, enabled: optional(flag), eventType: optional(word(WEBHOOK_EVENT_TYPES)) },
    ],
    endpoint: [accountId, id],
    updateEndpoint: [accountId, id, endpoint],
    deleteEndpoint: [accountId, id],
    rotateSecret: [accountId, id, { overlapSeconds: true }],
    test: [accountId, id],
    deliveries: [accountId, id, { ...page, status: optional(word(DELIVERY_STATUSES)) }],
    delivery: [accountId, id, deliveryId],
    resend: [accountId, id, deliveryId],
  },
  alerts: {
    createRule: [accountId, alertRule],
    rules: [
      accountId,
      {
        ...{ enabled: optional(flag), metric: optional(word(ALERT_METRICS)) },
        ...{ agentId: optional(text), state: optional(word(ALERT_STATES)) },
      },
    ],
    rule: [accountId, id],
    updateRule: [accountId, id, alertRule],
    deleteRule: [accountId, id],
  },
  audit: {
    list: [
      {
        ...page,
        ...{ accountId: true, agentId: true, action: true, resourceId: true, since: true, until: true },
      },
    ],
    purge: [{ olderThan: true, signal: true }],
  },
}

/** What `Platform.as` reads. */
export const CALLER_FIELDS = { type: true, id: true, name: true, correlationId: true } as const
