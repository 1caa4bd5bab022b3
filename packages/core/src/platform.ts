import { CALL_FIELDS, CALLER_FIELDS } from './calls/call-fields.ts'
import { guardCalls, guardPart, refuseFields } from './calls/guard-calls.ts'
import { type Caller, LIBRARY } from './domain/audit/audit.ts'
import { holdStore } from './guarded/hold-store.ts'
import { guardLiveAgents } from './guarded/live-agents.ts'
import { guardLog } from './guarded/log.ts'
import { guardOnError } from './guarded/on-error.ts'
import { guardPorts } from './guarded/ports.ts'
import type { LiveAgentCallbacks } from './ports/live-agent-callbacks.ts'
import { topics } from './ports/notices.ts'
import { checkOptions } from './settings/check-options.ts'
import type { PlatformOptions } from './settings/platform-options.ts'
import { resolveSettings } from './settings/resolve-settings.ts'
import { type Access, type AccessCalls, createAccess } from './usecases/access/access.ts'
import { createTokenKeys } from './usecases/access/create-token-keys.ts'
import { createCredentialUses } from './usecases/access/credential-uses.ts'
import { createApiKeyWatch } from './usecases/access/credential-watch.ts'
import { createLimiters } from './usecases/access/limiters.ts'
import { revokeCredentialsOf } from './usecases/access/revoke-credentials.ts'
import { startTestRunner } from './usecases/agent-tests/test-runner.ts'
import { type Agents, type AgentsCalls, createAgents } from './usecases/agents/agents.ts'
import { type AgentHooks, createAgentsMemory } from './usecases/agents/scope.ts'
import { type AuditLog, type AuditLogCalls, createAuditLog } from './usecases/audit/audit-log.ts'
import type { Context } from './usecases/context.ts'
import { type Conversations, createConversations } from './usecases/conversation/conversations.ts'
import { endConversations } from './usecases/conversation/engine/end-conversations.ts'
import { registerFunctions } from './usecases/conversation/functions/register-functions.ts'
import { resolvePinning } from './usecases/conversation/turn/pinning.ts'
import { createDebugChat, type DebugChat } from './usecases/debug-chat/debug-chat.ts'
import { createQueueAnnouncer } from './usecases/desk/announce-queue.ts'
import { createAttendance } from './usecases/desk/attendance.ts'
import { createDesk, type Desk } from './usecases/desk/desk.ts'
import { createDeskLiveAgents } from './usecases/desk/desk-live-agents.ts'
import { createLiveAgentCallbacks } from './usecases/desk/live-agent-callbacks.ts'
import { placeInQueue } from './usecases/desk/waiting-line.ts'
import { createExternalEvents, type ExternalEvents } from './usecases/external-events/external-events.ts'
import { createMessaging, type Messaging } from './usecases/messaging/messaging.ts'
import { createReading, type Reading } from './usecases/records/reading.ts'
import {
  type ConversationRecords,
  type ConversationRecordsCalls,
  createConversationRecords,
} from './usecases/records/records.ts'
import { startTurnEmbedder } from './usecases/records/turn-embedder.ts'
import { partFor } from './usecases/shared/acts.ts'
import { createWebhooks, type Webhooks, type WebhooksCalls } from './usecases/webhooks/webhooks.ts'
import { startWebhookWorker } from './usecases/webhooks/worker.ts'

export type { PlatformOptions } from './settings/platform-options.ts'

/** The platform as a host holds it; every interface to the outside is made of these calls. */
export interface Platform {
  readonly context: Context
  readonly agents: Agents
  readonly access: Access
  readonly debugChat: DebugChat
  readonly messaging: Messaging
  readonly reading: Reading
  readonly conversations: ConversationRecords
  readonly externalEvents: ExternalEvents
  readonly desk: Desk
  readonly webhooks: Webhooks
  readonly audit: AuditLog
  /**
   * The same platform, whose calls the audit log and deployments ascribe to that caller: a user of the host, a script. What is left
   * out is as without `as`: a call of the library by nobody in particular (AU3).
   */
  as(caller: Partial<Caller>): Platform
  /** What the host's live-agent system reports. */
  readonly liveAgents: LiveAgentCallbacks
  /** Aborts when `close` is called: from then on requests and sockets are refused with 503 (HT42). */
  readonly closing: AbortSignal
  /** Resolves when no turn, no test run and no call to the live-agent system is under way in this process. */
  idle(): Promise<void>
  /**
   * Stops waking conversations, gives test runs and turns to embed back, waits for the agent's answers and the webhooks under way, and closes the store, unless another platform of this process has it too. Transports are
   * closed before.
   * Answers that take longer than `drainTimeout` are given again by whichever process wakes the conversation next.
   */
  close(): Promise<void>
}

/**
 * Wires the use cases to the host's ports, and begins to wake conversations whose time has come.
 * @throws SCHEMA_VALIDATION_FAILED for options that it does not know, or that are not what they must be (EM4, EM5), and for a function that cannot be called (FN2, FN3)
 */
export function createPlatform(options: PlatformOptions): Platform {
  checkOptions(options)
  const context = createContext(options)
  // The engine, the live-agent system and the desk know each other: each is asked for when it is needed.
  const engine = () => conversations.engine
  const callbacks = guardCalls(
    'liveAgents',
    createLiveAgentCallbacks(engine, context.settings.limits.replyLength),
    CALL_FIELDS.liveAgents,
  )
  const uses = createCredentialUses(context)
  const tokenKeys = createTokenKeys(context)
  const parts = { uses, tokenKeys, apiKeyWatch: createApiKeyWatch(context) }
  const memory = createAgentsMemory()
  const access = guardPart('access', createAccess(context, parts), CALL_FIELDS.access)
  const hooks: AgentHooks = {
    async withdraw(caller, agentId) {
      // Visitors hear of the end before their connector stops; what began meanwhile is ended after it.
      await endConversations(context, engine(), agentId)
      await revokeCredentialsOf(access, caller, agentId)
      await endConversations(context, engine(), agentId)
    },
    testRunsDue: () => testRunner?.nudge(),
  }
  const agents = guardPart('agents', createAgents(context, hooks, memory), CALL_FIELDS.agents)
  // Another system knows its own line, and tells places by itself.
  const ownDesk = options.liveAgents === undefined
  const queue = createQueueAnnouncer(context, engine)
  const conversations: Conversations = createConversations(context, {
    agents,
    liveAgents:
      options.liveAgents === undefined
        ? createDeskLiveAgents(callbacks, context.notices)
        : guardLiveAgents(options.liveAgents(callbacks)),
    placeInQueue: ownDesk ? state => placeInQueue(context, state) : null,
    queueChanged: ({ accountId }) => {
      queue.changed(accountId)
      context.notices.publish(topics.line(accountId), { changed: true })
    },
  })
  const attendance = createAttendance(context, conversations.engine)
  const desk = guardCalls('desk', createDesk(context, conversations, attendance), CALL_FIELDS.desk)
  const { workers = true } = options
  if (workers) conversations.start()
  if (workers && ownDesk) queue.start()
  const webhookWorker = workers ? startWebhookWorker(context) : null
  const turnEmbedder = workers ? startTurnEmbedder(context) : null
  const testRunner = workers
    ? startTestRunner({ context, engine: conversations.engine, agents: agents.common })
    : null
  const records = guardPart(
    'conversations',
    createConversationRecords(context, {
      engine: conversations.engine,
      findAgent: agents.common.find,
      resolvePinning: (agentId, environment, variantId) =>
        resolvePinning(agents.common, agentId, environment, variantId),
    }),
    CALL_FIELDS.conversations,
  )
  const partsFor = bindParts({
    agents,
    access,
    webhooks: guardPart('webhooks', createWebhooks(context), CALL_FIELDS.webhooks),
    conversations: records,
    audit: guardPart('audit', createAuditLog(context), CALL_FIELDS.audit),
  })
  const release = holdStore(options.store)
  const platform: Platform = {
    context,
    closing: memory.closing.signal,
    ...partsFor(LIBRARY),
    desk,
    liveAgents: callbacks,
    debugChat: guardCalls(
      'debugChat',
      createDebugChat(context, {
        engine: conversations.engine,
        resolvePinning: (agent, environment, variantId) =>
          resolvePinning(agents.common, agent.id, environment, variantId),
      }),
      CALL_FIELDS.debugChat,
    ),
    messaging: guardCalls(
      'messaging',
      createMessaging(context, conversations, { access: access.common, tokenKeys }, state =>
        resolvePinning(agents.common, state.agentId, state.environment, state.record.variantId),
      ),
      CALL_FIELDS.messaging,
    ),
    reading: guardCalls('reading', createReading(context), CALL_FIELDS.reading),
    externalEvents: guardCalls(
      'externalEvents',
      createExternalEvents(context, conversations.engine),
      CALL_FIELDS.externalEvents,
    ),
    async idle() {
      await testRunner?.idle()
      await conversations.idle()
    },
    async close() {
      memory.closing.abort()
      queue.stop()
      await attendance.stop()
      await testRunner?.stop()
      await Promise.all([conversations.stop(), webhookWorker?.stop(), turnEmbedder?.stop(), uses.settled()])
      await release()
    },
    as(caller) {
      refuseFields('as', caller, CALLER_FIELDS)
      return { ...platform, ...partsFor({ ...LIBRARY, ...caller }) }
    },
  }
  return platform
}

/** The parts of which some calls note who made them. */
interface PartsOfCallers {
  readonly agents: AgentsCalls
  readonly access: AccessCalls
  readonly webhooks: WebhooksCalls
  readonly conversations: ConversationRecordsCalls
  readonly audit: AuditLogCalls
}

/** The parts as each caller has them. */
function bindParts({ agents, access, webhooks, conversations, audit }: PartsOfCallers) {
  const agentsOf = partFor(agents)
  const accessOf = partFor(access)
  const webhooksOf = partFor(webhooks)
  const conversationsOf = partFor(conversations)
  const auditOf = partFor(audit)
  return (caller: Caller) => ({
    agents: agentsOf(caller),
    access: accessOf(caller),
    webhooks: webhooksOf(caller),
    conversations: conversationsOf(caller),
    audit: auditOf(caller),
  })
}

function createContext(options: PlatformOptions): Context {
  const {
    runtime,
    functions = {},
    embedder = null,
    recordings = null,
    liveAgents: _,
    workers: __,
    ...rest
  } = options
  const { store, bus, log: given, clock, ids, webhookSender, ...input } = rest
  const log = guardLog(given)
  const resolved = resolveSettings(input, log)
  const settings = { ...resolved, onError: guardOnError(resolved.onError, log) }
  const ports = guardPorts({ store, bus, clock, ids, webhookSender }, settings.onError)
  return {
    ...ports,
    runtime,
    functions: registerFunctions(functions, settings),
    embedder,
    recordings,
    log,
    settings,
    limiters: createLimiters(settings.rateLimits, ports.clock),
  }
}
