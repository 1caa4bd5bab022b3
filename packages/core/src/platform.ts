import { createContext } from './create-context.ts'
import type { Agent } from './domain/agent/agent.ts'
import { type Caller, LIBRARY, PLATFORM } from './domain/audit/audit.ts'
import type { OnPlatformEvent } from './domain/conversation/platform-event.ts'
import type { ConversationState } from './domain/conversation/state.ts'
import type { Environment } from './domain/environment.ts'
import type { AccountId, AgentId, BranchId } from './domain/ids.ts'
import { holdStore } from './guarded/hold-store.ts'
import { guardLiveAgents } from './guarded/live-agents.ts'
import { beginSecretsCheck } from './guarded/secrets-check.ts'
import { partsBehind } from './library-calls.ts'
import { keepContext } from './platform-context.ts'
import type { LiveAgentCallbacks } from './ports/live-agent-callbacks.ts'
import { checkOptions } from './settings/check-options.ts'
import type { PlatformOptions } from './settings/platform-options.ts'
import type { Settings } from './settings/settings.ts'
import { refuseUnknown } from './shared/refuse-unknown.ts'
import type { Access } from './usecases/access/access.ts'
import { createTokenKeys } from './usecases/access/create-token-keys.ts'
import { createCredentialUses } from './usecases/access/credential-uses.ts'
import { createApiKeyWatch } from './usecases/access/credential-watch.ts'
import { startTestRunner } from './usecases/agent-tests/test-runner.ts'
import { createTurnsAgain } from './usecases/agent-tests/turn-again.ts'
import type { Agents } from './usecases/agents/agents.ts'
import { readBranchContent } from './usecases/agents/content/branch-content.ts'
import { createContentPreparer } from './usecases/agents/content/prepare-content.ts'
import { readTurnContent, turnContentAtHand } from './usecases/agents/content/turn-content.ts'
import { type AgentHooks, createAgentsMemory } from './usecases/agents/deps.ts'
import { withdrawAgent } from './usecases/agents/releases/withdraw-agent.ts'
import type { Alerts } from './usecases/alerts/alerts.ts'
import { startAlertEvaluator } from './usecases/alerts/evaluator.ts'
import type { AuditLog } from './usecases/audit/audit-log.ts'
import { startCallSweeper } from './usecases/calls/call-sweeper.ts'
import type { Calls } from './usecases/calls/calls.ts'
import type { Chat } from './usecases/chat/chat.ts'
import type { Context } from './usecases/context.ts'
import {
  ConversationRunner,
  createConversationServices,
} from './usecases/conversation/conversation-runner.ts'
import { resolveBranchPinning, resolvePinning } from './usecases/conversation/turn/pinning.ts'
import type { DebugChat } from './usecases/debug-chat/debug-chat.ts'
import { createLineAnnouncer } from './usecases/desk/announce-line.ts'
import { type Assigner, createAssigner } from './usecases/desk/assign.ts'
import { createAttendance } from './usecases/desk/attendance.ts'
import { type Desk, listHandoffs } from './usecases/desk/desk.ts'
import { createDeskFeeds } from './usecases/desk/desk-feed.ts'
import { createDeskLiveAgents } from './usecases/desk/desk-live-agents.ts'
import { readRoster } from './usecases/desk/roster.ts'
import { startSummarizer } from './usecases/desk/summarizer.ts'
import { positionInLine } from './usecases/desk/waiting-line.ts'
import type { ExternalEvents } from './usecases/external-events/external-events.ts'
import { hasBytes, startFileSweeper } from './usecases/files/remove-files.ts'
import { createMessagingDeps, type Messaging } from './usecases/messaging/messaging.ts'
import { createStreams } from './usecases/messaging/streams.ts'
import { checkReadiness, type Readiness } from './usecases/observing/check-readiness.ts'
import { createCountedParts } from './usecases/records/counted-parts.ts'
import { startTurnRecordingSweeper } from './usecases/records/forget-turn-recordings.ts'
import { createListenings } from './usecases/records/listenings.ts'
import type { Reading } from './usecases/records/reading.ts'
import type { ConversationRecords } from './usecases/records/records.ts'
import { startTurnEmbedder } from './usecases/records/turn-embedder.ts'
import { endPresence } from './usecases/room/end-presence.ts'
import { type Pinned, participantOf } from './usecases/shared/pinning.ts'
import type { Telephony } from './usecases/telephony/telephony.ts'
import { textLines } from './usecases/texts/text-lines.ts'
import type { Texts } from './usecases/texts/texts.ts'
import { createSaying } from './usecases/voices/say.ts'
import type { Voices } from './usecases/voices/voices.ts'
import type { Webhooks } from './usecases/webhooks/webhooks.ts'
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
   * Calls `listener` with each event of that name that this process causes, after it is written: never twice, and not
   * for writes that a crash interrupted, which webhooks still report. Returns a function that removes the listener
   * (OB1).
   *
   * @throws SCHEMA_VALIDATION_FAILED for an unknown event
   */
  readonly on: OnPlatformEvent
  /** The callbacks for the host's live-agent system. */
  readonly liveAgents: LiveAgentCallbacks
  /** Reports whether this process can serve: its store answers, and it does not close. Never rejects (OB20). */
  readiness(): Promise<Readiness>
  /** Aborts when `close` is called: from then on requests and sockets are refused with 503 (HT42). */
  readonly closing: AbortSignal
  /** Resolves when no turn, no test run and no call to the live-agent system is in progress in this process. */
  idle(): Promise<void>
  /**
   * Closes the platform. Stops waking conversations, and gives test runs and turns to embed back. Waits for the
   * agent's answers and the webhooks in progress. Then closes the store, unless another platform of this process has
   * it too. Close transports before. Answers that take longer than `drainTimeout` are given again by the process that
   * wakes the conversation next.
   */
  close(): Promise<void>
}

/** Another live-agent system assigns visitors itself. */
const NO_ASSIGNER: Assigner = {
  changed() {},
  async assign() {},
  round: async () => null,
  async stop() {},
}

/** Makes the machine, and what the calls are carried out with. */
function assemble(context: Context, ownDesk: boolean) {
  // Another live-agent system has its own waiting line, and reports positions itself.
  const position = ownDesk ? (state: ConversationState) => positionInLine(context, state) : null
  const services = createConversationServices(context, position)
  const assigner = ownDesk ? createAssigner(context) : NO_ASSIGNER
  const { engine } = services
  const contents = { ...createAgentsMemory(), context }
  const resolved = (agentId: AgentId, environment: Environment, pinned: Pinned) =>
    resolvePinning(contents, agentId, environment, pinned)
  const conversing = { ...context, engine, resolvePinning: resolved }
  return {
    ...{ context, services, engine, contents, resolved, conversing },
    telephoning: { ...conversing, ...textLines(context) },
    uses: createCredentialUses(context),
    tokenKeys: createTokenKeys(context),
    ...{ assigner, attendance: createAttendance(context, engine, assigner) },
    streams: createStreams(context.clock),
  }
}
type Assembled = ReturnType<typeof assemble>
type PartOf = ReturnType<typeof partsBehind<Platform>>

/** Makes the parts of which some calls note who made them. */
function makeOwnedParts(part: PartOf, assembled: Assembled) {
  const { assigner, attendance, contents, context, conversing, engine, tokenKeys, uses } = assembled
  const access = part('access', { ...context, uses, tokenKeys, apiKeyWatch: createApiKeyWatch(context) })
  const hooks: AgentHooks = {
    withdraw: (caller, agentId) => withdrawAgent({ access: access(caller), context, engine }, agentId),
    testRunsDue: () => context.scheduler.due('tests', context.clock.now()),
  }
  const agentDeps = { ...contents, hooks }
  const agents = part(
    'agents',
    { ...agentDeps, prepare: createContentPreparer(agentDeps) },
    (deps, caller) => ({ ...deps, context: { ...context, caller } }),
  )
  const telephony = part('telephony', context)
  const voices = part('voices', { ...context, saying: createSaying(context) })
  const webhooks = part('webhooks', context)
  const alerts = part('alerts', context)
  const conversations = part('conversations', { ...conversing, findAgent: agents(LIBRARY).find })
  const audit = part('audit', context)
  const counted = createCountedParts(context.settings.limits.cachedFigures)
  const reading = part('reading', { ...context, counted, listenings: createListenings(context.clock) })
  const handoffs = (accountId: AccountId, status: 'waiting' | 'active') =>
    listHandoffs(conversing, accountId, status)
  const lines = createDeskFeeds({
    context,
    engine,
    desk: { handoffs, roster: id => readRoster(context, id) },
  })
  const contentOf = async (state: ConversationState) =>
    state.deploymentId === null ? null : readTurnContent(contents, state, state.deploymentId)
  const desk = part('desk', { ...conversing, assigner, attendance, lines, contentOf })
  return (caller: Caller) => ({
    ...{ agents: agents(caller), access: access(caller), telephony: telephony(caller) },
    ...{ voices: voices(caller), webhooks: webhooks(caller), alerts: alerts(caller) },
    ...{ conversations: conversations(caller), audit: audit(caller), desk: desk(caller) },
    reading: reading(caller),
  })
}

/** Makes the other parts. */
function makeParts(part: PartOf, assembled: Assembled, access: Access) {
  const { contents, context, conversing, resolved, services, streams, telephoning, tokenKeys } = assembled
  const debugging = {
    ...conversing,
    resolvePinning: ({ id }: Agent, environment: Environment, variantId: string | null) =>
      resolved(id, environment, { variantId, participant: null }),
    resolveBranchPinning: (agent: Agent, branchId: BranchId, variantId: string | null) =>
      resolveBranchPinning(contents, agent, branchId, variantId),
  }
  const conversingWithVisitors = createMessagingDeps(
    context,
    services,
    { access, tokenKeys, streams },
    state =>
      resolved(state.agentId, state.environment, {
        variantId: state.record.variantId,
        participant: participantOf(state),
      }),
  )
  return {
    chat: part('chat', conversing)(LIBRARY),
    debugChat: part('debugChat', debugging)(LIBRARY),
    messaging: part('messaging', conversingWithVisitors)(LIBRARY),
    texts: part('texts', telephoning)(LIBRARY),
    calls: part('calls', telephoning)(LIBRARY),
    externalEvents: part('externalEvents', conversing)(LIBRARY),
    liveAgents: part('liveAgents', conversing)(LIBRARY),
  }
}

/** Starts the background workers. */
function startWorkers({ contents, context, engine, telephoning }: Assembled, agents: Agents) {
  const branchContent = (agentId: AgentId, branchId: BranchId) =>
    readBranchContent(contents, agentId, branchId)
  return {
    webhooks: startWebhookWorker(context),
    alerts: startAlertEvaluator(context),
    calls: context.callProvider === null ? null : startCallSweeper(telephoning),
    turns: startTurnEmbedder(context),
    summaries: startSummarizer(context, engine),
    files: hasBytes(context) ? startFileSweeper(context) : null,
    turnRecordings: startTurnRecordingSweeper(context),
    tests: startTestRunner({
      ...{ context, engine, agents, branchContent },
      turnsAgain: createTurnsAgain(context, agents),
    }),
  }
}

/**
 * Wires the use cases to the host's ports, and begins to wake due conversations. Each line depends on those before it.
 * The only cycle is in the engine: use cases that act on it subscribe to its effects (`Engine.onEffect`).
 *
 * @throws SCHEMA_VALIDATION_FAILED for unknown or invalid options (EM4), and for an invalid function (FN2, FN1)
 */
export function createPlatform(options: PlatformOptions): Platform {
  checkOptions(options)
  const { liveAgents, workers: works = true } = options
  const context = createContext(options)
  let closed = false
  const secrets = beginSecretsCheck(context)
  const part = partsBehind<Platform>({
    isClosed: () => closed,
    before: context.settings.secretsKey === null ? null : secrets.checked,
  })
  const assembled = assemble(context, liveAgents === undefined)
  const { assigner, attendance, contents, engine, services, streams, uses } = assembled
  const partsFor = makeOwnedParts(part, assembled)
  const own = partsFor(LIBRARY)
  const common = makeParts(part, assembled, own.access)

  // Carriers of effects, and background workers.
  const waitingLine = createLineAnnouncer(context, engine, assigner)
  const runner = new ConversationRunner(context, services, {
    agents: partsFor(PLATFORM).agents,
    turnContent: {
      atHand: (state, deploymentId) => turnContentAtHand(contents, state, deploymentId),
      read: (state, deploymentId) => readTurnContent(contents, state, deploymentId),
    },
    liveAgents:
      liveAgents === undefined
        ? createDeskLiveAgents(common.liveAgents, context, engine)
        : guardLiveAgents(liveAgents(common.liveAgents)),
    lineChanged(accountId) {
      waitingLine.changed(accountId)
      assigner.changed(accountId)
    },
  })
  if (works) runner.start()
  if (works && liveAgents === undefined) waitingLine.start()
  const workers = works ? startWorkers(assembled, own.agents) : null
  const release = holdStore(options.store)

  const platform: Platform = {
    settings: context.settings,
    closing: contents.closing.signal,
    ...own,
    ...common,
    on: context.observers.on,
    readiness: () => checkReadiness(context, contents.closing.signal.aborted, secrets),
    async idle() {
      await workers?.tests.idle()
      await runner.idle()
    },
    async close() {
      contents.closing.abort()
      await streams.endAll()
      waitingLine.stop()
      await attendance.stop()
      await assigner.stop()
      await workers?.tests.stop()
      await Promise.all([runner.stop(), workers?.webhooks.stop(), workers?.turns?.stop(), uses.settled()])
      await workers?.summaries.stop()
      await workers?.alerts.stop()
      await Promise.all([workers?.calls?.stop(), workers?.files?.stop(), workers?.turnRecordings?.stop()])
      context.scheduler.stop()
      await endPresence(context.rooms)
      await context.counting.stop()
      await context.written()
      closed = true
      await release()
    },
    as(caller) {
      refuseUnknown('as', caller, CALLER_FIELDS, 'field')
      return { ...platform, ...partsFor({ ...LIBRARY, ...caller }) }
    },
  }
  keepContext(platform, { ...context, uses, streams })
  return platform
}

/** The fields that `Platform.as` reads. */
const CALLER_FIELDS = ['type', 'id', 'name', 'correlationId'] satisfies readonly (keyof Caller)[]
