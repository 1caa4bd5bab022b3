import type { Connector, TelephonyConnector } from '../domain/access/access.ts'
import type { Agent } from '../domain/agent/agent.ts'
import type { LiveAgentCallbacks } from '../ports/live-agent-callbacks.ts'
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

/**
 * The names of an argument's fields, and of fields within them; `[fields]` is a list of such objects, `true` is a field
 * that the call checks by itself.
 */
export interface Fields {
  readonly [name: string]: true | Fields | readonly [Fields]
}

/**
 * What a part of the platform reads: of each call the fields of its arguments in order, null for one that is not an
 * object of named fields.
 */
export interface PartFields {
  readonly [name: string]: PartFields | readonly (Fields | null)[]
}

type Call = (...input: never[]) => unknown

/**
 * Arguments whose fields are not named here. An agent or a connector is one that the platform returned, with all that
 * it has.
 */
type Unnamed = string | number | boolean | readonly unknown[] | Call | Agent | Connector | TelephonyConnector

type NamesOf<Input> = Input extends unknown ? keyof Input & string : never

type FieldsOf<Input> = [Input] extends [Unnamed]
  ? null
  : string extends NamesOf<Input>
    ? null
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

const page = { limit: true, cursor: true } as const
const credentials = { ...page, accountId: true, agentId: true } as const
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
const variant = { name: true, isDefault: true, attributeValues: true } as const
const testCase = {
  ...{ name: true, functionResults: true, variantId: true, isActive: true },
  turns: [{ text: true, expectations: true }],
} satisfies Fields
const scope = { accountId: true, agentId: true, environment: true } as const
const plain = {
  ...scope,
  ...{ startTime: true, endTime: true, variantId: true, variantName: true, inProgress: true, channels: true },
} satisfies Fields
const records = { ...plain, words: true } satisfies Fields
const query = { ...records, semantic: { text: true, speaker: true } } as const
const position = { offset: true, after: { startedAt: true, id: true } } as const
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

/** What a voice is added and changed with. */
const voice = { name: true, provider: true, providerVoiceId: true, config: true, metadata: true } as const

/** Every call of the platform with every field that it reads (EM8). */
export const CALL_FIELDS: CallsOf<Parts> = {
  access: {
    createAccount: [{ accountId: true, slug: true, name: true }],
    account: [null],
    accounts: [page],
    createApiKey: [
      {
        ...{ kind: true, accountId: true, agentId: true, region: true, name: true, permissions: true },
        ...{ expiresAt: true, secret: true },
      },
    ],
    apiKeys: [credentials],
    revokeApiKey: [null],
    watchApiKey: [null, null],
    authenticate: [null, null, null],
    createConnector: [{ ...connector, accountId: true, agentId: true, token: true }],
    connectors: [credentials],
    connector: [null],
    updateConnector: [null, connector],
    rotateContextKeys: [null, { overlapSeconds: true }],
    revokeContextKeys: [null],
    revokeConnector: [null],
    connectorByToken: [null],
    createTelephonyConnector: [
      {
        ...telephony,
        ...{ accountId: true, agentId: true, environment: true, name: true },
        ...{ ttsLangCode: true, disableHandoff: true },
      },
    ],
    telephonyConnectors: [null],
    telephonyConnector: [null, null],
    updateTelephonyConnector: [null, null, { ...telephony, agentId: true }],
    revokeTelephonyConnector: [null, null],
    tokenKeys: [],
    rotateTokenKeys: [{ revokeEarlier: true }],
  },
  telephony: {
    connectorsAmong: [null, null],
    connectorOf: [null, null],
    importNumbers: [null, { phoneNumbers: true, environment: true, connectorId: true }],
    claimNumbers: [null, { phoneNumbers: true, environment: true, connectorId: true }],
    withdrawNumber: [null],
    numbers: [null, { connectorId: true }],
    numbersAmong: [null, null],
    number: [null, null],
    assignNumber: [null, null, null],
    deleteNumber: [null, null],
    addToPool: [null, null],
    pool: [null],
    removeFromPool: [null],
    reserve: [null, null],
    reservationOf: [null],
  },
  voices: {
    list: [null, { language: true, gender: true, provider: true, offered: true }],
    voice: [null, null],
    create: [null, voice],
    update: [null, null, voice],
    sample: [null, null],
    synthesize: [{ text: true, config: true, language: true }],
    say: [null, { text: true, provider: true, providerVoiceId: true, config: true, language: true }],
    cachedAudio: [null, { order: true, descending: true, offset: true, limit: true }],
    cachedSound: [null, null],
    replaceCachedAudio: [null, null, { audio: true, filename: true, text: true, config: true }],
    deleteCachedAudio: [null, null],
    tryCachedAudio: [null, null, { text: true, config: true, language: true }],
  },
  agents: {
    create: [
      {
        ...{ accountId: true, name: true, agentId: true, greeting: true, languageCode: true },
        ...{ voiceId: true, modelId: true },
      },
    ],
    list: [null],
    find: [null],
    duplicate: [null, { newAgentName: true, newAgentId: true }],
    delete: [null],
    branches: [null],
    branch: [null, null],
    createBranch: [null, { branchName: true }],
    deleteBranch: [null, null],
    behavior: [null, null],
    updateBehavior: [null, null, null, null],
    responseSettings: [null, null],
    updateResponseSettings: [null, null, { ...responseSettings, expected: responseSettings }],
    topics: [null, null],
    topic: [null, null, null],
    createTopic: [null, null, { ...topic, id: true }],
    updateTopic: [null, null, null, { ...topic, expected: topic }],
    deleteTopic: [null, null, null],
    attributes: [null, null],
    attribute: [null, null, null],
    createAttribute: [null, null, { name: true, id: true }],
    updateAttribute: [null, null, null, { name: true, expected: { name: true } }],
    deleteAttribute: [null, null, null],
    variants: [null, null],
    variant: [null, null, null],
    createVariant: [null, null, { ...variant, id: true }],
    updateVariant: [null, null, null, { ...variant, expected: variant }],
    deleteVariant: [null, null, null],
    branchTree: [null, null],
    writeBranchTree: [
      null,
      null,
      { expectedVersion: true, changes: [{ kind: true, id: true, value: true }] },
    ],
    diff: [null, null],
    previewMerge: [null, null, { conflictResolutions: [{ path: true, strategy: true, value: true }] }],
    merge: [
      null,
      null,
      { deploymentMessage: true, conflictResolutions: [{ path: true, strategy: true, value: true }] },
    ],
    publish: [null, { deploymentMessage: true, environment: true }],
    promote: [null, null, { deploymentMessage: true, targetEnvironment: true }],
    rollback: [null, null, { deploymentMessage: true }],
    deployments: [null, null, null],
    compareDeployments: [null, null, null],
    activeDeployments: [null],
    testCases: {
      list: [null, null],
      read: [null, null, null],
      create: [null, null, { ...testCase, id: true }],
      update: [null, null, null, { ...testCase, expected: testCase }],
      delete: [null, null, null],
    },
    testRuns: {
      start: [null, { deploymentId: true }],
      list: [null, { ...page, deploymentId: true }],
      read: [null, null],
    },
    startReplay: [null, { deploymentId: true, environment: true, last: true }],
    replays: [null, { deploymentId: true, limit: true }],
    replay: [null, null],
    replayTurns: [
      null,
      null,
      { verdict: true, reason: true, from: true, to: true, offset: true, limit: true },
    ],
    acceptReplayGroup: [null, null, { verdict: true, reason: true, from: true, to: true, why: true }],
    realTimeConfigs: [null],
    realTimeConfig: [null, null],
    updateRealTimeConfigSchema: [null, null, null],
    updateRealTimeConfigVariables: [null, null, null],
    content: [null, null],
    deploymentContent: [null, null],
  },
  texts: {
    received: [{ id: true, from: true, to: true, text: true, keyword: true, channel: true, service: true }],
    status: [{ id: true, carrierId: true, status: true }],
    open: [null, { to: true, text: true, channel: true, from: true, service: true }],
    standing: [null],
  },
  calls: {
    place: [
      {
        ...{ agentId: true, environment: true, connectorId: true, variantId: true, to: true },
        ...{ country: true, encryption: true, metadata: true },
      },
    ],
    find: [{ agentId: true, id: true, environment: true }],
    usualConnector: [null, null],
    ringing: [{ id: true }],
    answered: [{ id: true }],
    ended: [{ id: true, reason: true, answered: true }],
    failed: [{ id: true, reason: true }],
  },
  chat: {
    create: [null, { ...given, variantId: true, channel: true }],
    respond: [null, { ...given, conversationId: true, message: true, metadata: true }],
    close: [null, null],
    replies: [null, { conversationId: true, after: true, wait: true }],
  },
  debugChat: {
    start: [
      null,
      {
        ...{ environment: true, conversationId: true, branchId: true, variantId: true, channel: true },
        ...{ asrLangCode: true, ttsLangCode: true, integrationAttributes: true },
      },
    ],
    send: [null, null, { environment: true, message: true }],
    read: [null, null, { environment: true, wait: true }],
  },
  messaging: {
    issueAccessToken: [{ connectorToken: true, host: true, remoteAddress: true }],
    createSession: [
      {
        authorization: true,
        streaming: true,
        visitor: true,
        integrationAttributes: true,
        read: true,
        admit: true,
      },
    ],
    openStream: [{ sessionId: true, accessToken: true, cursor: true, origin: true }],
    postEvents: [{ sessionId: true, accessToken: true, origin: true, stream: true, read: true }],
    rateSession: [{ sessionId: true, accessToken: true, origin: true, read: true }],
    endStreams: [],
    admitPage: [
      { credential: { connectorToken: true, authorization: true }, origin: true, remoteAddress: true },
    ],
    handshake: [{ sessionId: true, accessToken: true, cursor: true, origin: true }],
  },
  reading: {
    records: [query, position, null],
    slices: [query, position, null],
    newest: [plain, null, null],
    sample: [records, null],
    record: [null, null, null],
    turns: [null, null, null],
    audio: [{ accountId: true, agentId: true, conversationId: true, direction: true, redacted: true }],
    concurrency: [
      {
        ...scope,
        ...{ variantId: true, variantName: true, language: true, phoneNumber: true },
        ...{ startTime: true, endTime: true, sliceBy: true },
      },
    ],
    health: [records, null],
    overview: [plain, position, null],
    handoffState: [{ accountId: true, agentId: true, id: true, sharedId: true }],
    transcript: [null, null, null, { turns: true, sequence: true }],
  },
  conversations: {
    start: [
      {
        ...scope,
        ...{ channel: true, conversationId: true, startedAt: true, variantId: true, fromNumber: true },
        ...{ toNumber: true, language: true, direction: true, integrationAttributes: true },
      },
    ],
    recordTurn: [
      {
        ...written,
        ...{ agentId: true, conversationId: true, turnId: true, userInput: true, userInputDtmf: true },
        ...{ userInputAt: true, agentResponse: true, agentResponseAt: true, latency: true },
        ...{ translatedUserInput: true, englishAgentResponse: true, intents: true, entities: true },
        ...{ outOfDomain: true, silence: true, functionEvents: true, llmRequests: true },
        ...{ retrievedTopics: true, retrievedSources: true, citedTopic: true, nodeTrace: true },
      },
    ],
    finish: [
      {
        ...written,
        ...{ agentId: true, conversationId: true, finishedAt: true, reason: true, aiDuration: true },
        handoff: { destination: true, reason: true },
      },
    ],
    purge: [{ ...scope, olderThan: true, signal: true }],
    remove: [null, null, null],
  },
  externalEvents: {
    receive: [
      {
        ...{ accountId: true, agentId: true, location: true, path: true },
        ...{ headers: true, query: true, contentType: true, body: true },
      },
    ],
  },
  desk: {
    handoffs: [null, null],
    handoff: [null, null],
    accept: [null, null, liveAgent, { ...deskActing, takeOver: true }],
    typing: [null, null, null, deskActing],
    send: [null, null, said, deskActing],
    leave: [null, null, deskActing],
    reject: [null, null, null],
    watch: [null, null, { liveAgentId: true }],
  },
  liveAgents: {
    accepted: [null],
    queueStatus: [null, { position: true, estimatedWaitSeconds: true, displayMessage: true }],
    joined: [null, liveAgent],
    typing: [null, null],
    message: [null, said],
    left: [null, null],
    failed: [null, null],
  },
  webhooks: {
    createEndpoint: [null, endpoint],
    endpoints: [null, { ...page, enabled: true, eventType: true }],
    endpoint: [null, null],
    updateEndpoint: [null, null, endpoint],
    deleteEndpoint: [null, null],
    rotateSecret: [null, null, { overlapSeconds: true }],
    test: [null, null],
    deliveries: [null, null, { ...page, status: true }],
    resend: [null, null, null],
  },
  alerts: {
    createRule: [null, alertRule],
    rules: [null, { enabled: true, metric: true, agentId: true, state: true }],
    rule: [null, null],
    updateRule: [null, null, alertRule],
    deleteRule: [null, null],
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
