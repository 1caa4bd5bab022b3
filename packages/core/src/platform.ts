import { CALLER_FIELDS } from './calls/call-fields.ts'
import { createCallGuards, refuseFields } from './calls/guard-calls.ts'
import { createContext } from './create-context.ts'
import { type Caller, LIBRARY } from './domain/audit/audit.ts'
import type { OnPlatformEvent } from './domain/conversation/platform-event.ts'
import type { Environment } from './domain/environment.ts'
import type { AgentId, BranchId } from './domain/ids.ts'
import { holdStore } from './guarded/hold-store.ts'
import { guardLiveAgents } from './guarded/live-agents.ts'
import { beginSecretsCheck } from './guarded/secrets-check.ts'
import { keepContext } from './platform-context.ts'
import type { LiveAgentCallbacks } from './ports/live-agent-callbacks.ts'
import { checkOptions } from './settings/check-options.ts'
import type { PlatformOptions } from './settings/platform-options.ts'
import type { Settings } from './settings/settings.ts'
import { type Access, type AccessCalls, createAccess } from './usecases/access/access.ts'
import { createTokenKeys } from './usecases/access/create-token-keys.ts'
import { createCredentialUses } from './usecases/access/credential-uses.ts'
import { createApiKeyWatch } from './usecases/access/credential-watch.ts'
import { startTestRunner } from './usecases/agent-tests/test-runner.ts'
import { type Agents, type AgentsCalls, createAgents } from './usecases/agents/agents.ts'
import { readBranchContent } from './usecases/agents/content/branch-content.ts'
import { readTurnContent, turnContentAtHand } from './usecases/agents/content/turn-content.ts'
import { type AgentHooks, createAgentsMemory } from './usecases/agents/deps.ts'
import { withdrawAgent } from './usecases/agents/releases/withdraw-agent.ts'
import { type Alerts, type AlertsCalls, createAlerts } from './usecases/alerts/alerts.ts'
import { startAlertEvaluator } from './usecases/alerts/evaluator.ts'
import { type AuditLog, type AuditLogCalls, createAuditLog } from './usecases/audit/audit-log.ts'
import { startCallSweeper } from './usecases/calls/call-sweeper.ts'
import { type Calls, createCalls } from './usecases/calls/calls.ts'
import { type Chat, createChat } from './usecases/chat/chat.ts'
import {
  createConversationRunner,
  createConversationServices,
} from './usecases/conversation/conversation-runner.ts'
import { resolveBranchPinning, resolvePinning } from './usecases/conversation/turn/pinning.ts'
import { createDebugChat, type DebugChat } from './usecases/debug-chat/debug-chat.ts'
import { createLineAnnouncer } from './usecases/desk/announce-line.ts'
import { createAttendance } from './usecases/desk/attendance.ts'
import { createDesk, type Desk, type DeskCalls } from './usecases/desk/desk.ts'
import { createDeskLiveAgents } from './usecases/desk/desk-live-agents.ts'
import { createLiveAgentCallbacks } from './usecases/desk/live-agent-callbacks.ts'
import { positionInLine } from './usecases/desk/waiting-line.ts'
import { createExternalEvents, type ExternalEvents } from './usecases/external-events/external-events.ts'
import { createMessaging, type Messaging } from './usecases/messaging/messaging.ts'
import { createStreams } from './usecases/messaging/streams.ts'
import { checkReadiness, type Readiness } from './usecases/observing/check-readiness.ts'
import { createReading, type Reading } from './usecases/records/reading.ts'
import {
  type ConversationRecords,
  type ConversationRecordsCalls,
  createConversationRecords,
} from './usecases/records/records.ts'
import { startTurnEmbedder } from './usecases/records/turn-embedder.ts'
import { partFor } from './usecases/shared/acts.ts'
import { createTelephony, type Telephony, type TelephonyCalls } from './usecases/telephony/telephony.ts'
import { textLines } from './usecases/texts/text-lines.ts'
import { createTexts, type Texts } from './usecases/texts/texts.ts'
import { createVoices, type Voices, type VoicesCalls } from './usecases/voices/voices.ts'
import { createWebhooks, type Webhooks, type WebhooksCalls } from './usecases/webhooks/webhooks.ts'
import { startWebhookWorker } from './usecases/webhooks/worker.ts'

export type { PlatformOptions } from './settings/platform-options.ts'

/** The platform as a host holds it; every interface to the outside is made of these calls. */
export interface Platform {
  /** The settings as they are in force: the host's over the defaults. */
  readonly settings: Settings
  readonly agents: Agents
  readonly access: Access
  readonly telephony: Telephony
  readonly voices: Voices
  readonly chat: Chat
  readonly debugChat: DebugChat
  readonly messaging: Messaging
  readonly texts: Texts
  readonly calls: Calls
  readonly reading: Reading
  readonly conversations: ConversationRecords
  readonly externalEvents: ExternalEvents
  readonly desk: Desk
  readonly webhooks: Webhooks
  readonly alerts: Alerts
  readonly audit: AuditLog
  /**
   * The same platform, whose calls the audit log and deployments ascribe to that caller: a user of the host, a script.
   * Fields that are left out are as without `as`: a call of the library (AU3).
   */
  as(caller: Partial<Caller>): Platform
  /**
   * Calls `listener` with each event of that name that this process makes true, after it is written: never twice, and
   * not for what a crash has cut off, which webhooks tell all the same. Returns how to stop listening (OB1).
   * @throws SCHEMA_VALIDATION_FAILED for a name that no event has
   */
  readonly on: OnPlatformEvent
  /** What the host's live-agent system reports. */
  readonly liveAgents: LiveAgentCallbacks
  /** Whether this process can serve: its store answers, and it does not close. Never rejects (OB20). */
  readiness(): Promise<Readiness>
  /** Aborts when `close` is called: from then on requests and sockets are refused with 503 (HT42). */
  readonly closing: AbortSignal
  /** Resolves when no turn, no test run and no call to the live-agent system is under way in this process. */
  idle(): Promise<void>
  /**
   * Stops waking conversations, gives test runs and turns to embed back, waits for the agent's answers and the webhooks
   * under way, and closes the store, unless another platform of this process has it too. Transports are closed before.
   * Answers that take longer than `drainTimeout` are given again by the process that wakes the conversation next.
   */
  close(): Promise<void>
}

/**
 * Wires the use cases to the host's ports, and begins to wake conversations whose time has come. It is a list, and
 * therefore long: each line is made of those before it. The one circle is in the engine: those who act on it hear of
 * its effects (`Engine.onEffect`).
 *
 * @throws SCHEMA_VALIDATION_FAILED for options that it does not know, or that are not what they must be (EM4, EM5), and
 * for a function that cannot be called (FN2, FN3)
 */
export function createPlatform(options: PlatformOptions): Platform {
  checkOptions(options)
  const { liveAgents, workers = true } = options
  const context = createContext(options)
  let closed = false
  const secrets = beginSecretsCheck(context)
  const { guardCalls, guardPart } = createCallGuards({
    isClosed: () => closed,
    before: context.settings.secretsKey === null ? null : secrets.checked,
  })

  // The machine, and what lives beside it.
  // Another live-agent system has its own waiting line, and reports positions itself.
  const ownDesk = liveAgents === undefined
  const services = createConversationServices(
    context,
    ownDesk ? state => positionInLine(context, state) : null,
  )
  const { engine } = services

  // The parts of which some calls note who made them.
  const memory = createAgentsMemory()
  const uses = createCredentialUses(context)
  const tokenKeys = createTokenKeys(context)
  const apiKeyWatch = createApiKeyWatch(context)
  const access = guardPart('access', createAccess(context, { uses, tokenKeys, apiKeyWatch }))
  const hooks: AgentHooks = {
    withdraw: (caller, agentId) => withdrawAgent({ access, context, engine }, caller, agentId),
    testRunsDue: () => context.scheduler.due('tests', context.clock.now()),
  }
  const agents = guardPart('agents', createAgents(context, hooks, memory))
  const { find: findAgent } = agents.common
  const pinningOf = (agentId: AgentId, environment: Environment, variantId: string | null) =>
    resolvePinning({ ...memory, context }, agentId, environment, variantId)
  const contents = { ...memory, context }
  const recording = { engine, findAgent, resolvePinning: pinningOf }
  const attendance = createAttendance(context, engine)
  const partsOf = bindParts({
    desk: guardPart('desk', createDesk(context, services, attendance)),
    agents,
    access,
    telephony: guardPart('telephony', createTelephony(context)),
    voices: guardPart('voices', createVoices(context)),
    webhooks: guardPart('webhooks', createWebhooks(context)),
    alerts: guardPart('alerts', createAlerts(context)),
    conversations: guardPart('conversations', createConversationRecords(context, recording)),
    audit: guardPart('audit', createAuditLog(context)),
  })

  // The other parts.
  const callbacks = guardCalls(
    'liveAgents',
    createLiveAgentCallbacks(engine, context.settings.limits.replyLength),
  )
  const debugChat = guardCalls(
    'debugChat',
    createDebugChat(context, {
      engine,
      resolvePinning: ({ id }, environment, variantId) => pinningOf(id, environment, variantId),
      resolveBranchPinning: (agent, branchId, variantId) =>
        resolveBranchPinning(contents, agent, branchId, variantId),
    }),
  )
  const chat = guardCalls('chat', createChat(context, { engine, resolvePinning: pinningOf }))
  const telephoning = { engine, resolvePinning: pinningOf, ...textLines(context) }
  const texts = guardCalls('texts', createTexts(context, telephoning))
  const calls = guardCalls('calls', createCalls(context, telephoning))
  const streams = createStreams(context.clock)
  const messaging = guardCalls(
    'messaging',
    createMessaging(
      context,
      services,
      { access: access.common, tokenKeys, streams },
      ({ agentId, environment, record }) => pinningOf(agentId, environment, record.variantId),
    ),
  )
  const reading = guardCalls('reading', createReading(context))
  const externalEvents = guardCalls('externalEvents', createExternalEvents(context, engine))

  // Carriers of effects, and background workers.
  const waitingLine = createLineAnnouncer(context, engine)
  const runner = createConversationRunner(context, services, {
    agents,
    turnContent: {
      atHand: (state, deploymentId) => turnContentAtHand(contents, state, deploymentId),
      read: (state, deploymentId) => readTurnContent(contents, state, deploymentId),
    },
    liveAgents: ownDesk
      ? createDeskLiveAgents(callbacks, context.rooms)
      : guardLiveAgents(liveAgents(callbacks)),
    lineChanged: waitingLine.changed,
  })
  if (workers) runner.start()
  if (workers && ownDesk) waitingLine.start()
  const webhookWorker = workers ? startWebhookWorker(context) : null
  const alertEvaluator = workers ? startAlertEvaluator(context) : null
  const callSweeper = workers && context.callProvider !== null ? startCallSweeper(context, telephoning) : null
  const turnEmbedder = workers ? startTurnEmbedder(context) : null
  const branchContent = (agentId: AgentId, branchId: BranchId) =>
    readBranchContent(contents, agentId, branchId)
  const testing = { context, engine, agents: agents.common, branchContent }
  const testRunner = workers ? startTestRunner(testing) : null
  const release = holdStore(options.store)

  const platform: Platform = {
    settings: context.settings,
    closing: memory.closing.signal,
    ...partsOf(LIBRARY),
    ...{ chat, debugChat, messaging, texts, calls, reading, externalEvents },
    on: context.observers.on,
    readiness: () => checkReadiness(context, memory.closing.signal.aborted, secrets),
    liveAgents: callbacks,
    async idle() {
      await testRunner?.idle()
      await runner.idle()
    },
    async close() {
      memory.closing.abort()
      await streams.endAll()
      waitingLine.stop()
      await attendance.stop()
      await testRunner?.stop()
      await Promise.all([runner.stop(), webhookWorker?.stop(), turnEmbedder?.stop(), uses.settled()])
      await alertEvaluator?.stop()
      await callSweeper?.stop()
      context.scheduler.stop()
      await context.counting.stop()
      closed = true
      await release()
    },
    as(caller) {
      refuseFields('as', caller, CALLER_FIELDS)
      return { ...platform, ...partsOf({ ...LIBRARY, ...caller }) }
    },
  }
  keepContext(platform, { ...context, uses, streams })
  return platform
}

/** The parts of which some calls note who made them. */
interface PartsOfCallers {
  readonly agents: AgentsCalls
  readonly access: AccessCalls
  readonly telephony: TelephonyCalls
  readonly voices: VoicesCalls
  readonly webhooks: WebhooksCalls
  readonly alerts: AlertsCalls
  readonly conversations: ConversationRecordsCalls
  readonly audit: AuditLogCalls
  readonly desk: DeskCalls
}

/** The parts as each caller has them. */
function bindParts(parts: PartsOfCallers) {
  const { agents, access, telephony, voices, webhooks, alerts, conversations, audit, desk } = parts
  const agentsOf = partFor(agents)
  const accessOf = partFor(access)
  const telephonyOf = partFor(telephony)
  const voicesOf = partFor(voices)
  const webhooksOf = partFor(webhooks)
  const alertsOf = partFor(alerts)
  const conversationsOf = partFor(conversations)
  const auditOf = partFor(audit)
  const deskOf = partFor(desk)
  return (caller: Caller) => ({
    agents: agentsOf(caller),
    access: accessOf(caller),
    telephony: telephonyOf(caller),
    voices: voicesOf(caller),
    webhooks: webhooksOf(caller),
    alerts: alertsOf(caller),
    conversations: conversationsOf(caller),
    audit: auditOf(caller),
    desk: deskOf(caller),
  })
}
