import { randomBytes, randomUUID } from 'node:crypto'
import { createMemoryStore } from '@colloquy/core/memory'
import { LIBRARY } from '../../packages/core/src/domain/audit/audit.ts'
import type { Pinning } from '../../packages/core/src/domain/conversation/command.ts'
import type { ConversationId } from '../../packages/core/src/domain/ids.ts'
import type { Platform } from '../../packages/core/src/platform.ts'
import { keepContext } from '../../packages/core/src/platform-context.ts'
import type { AgentRuntime } from '../../packages/core/src/ports/agent-runtime.ts'
import type { Ids } from '../../packages/core/src/ports/ids.ts'
import { silentLog } from '../../packages/core/src/ports/log.ts'
import type { Store } from '../../packages/core/src/ports/store/store.ts'
import { Scheduler } from '../../packages/core/src/schedule/scheduler.ts'
import { resolveSettings } from '../../packages/core/src/settings/resolve-settings.ts'
import type { SettingsInput } from '../../packages/core/src/settings/settings-input.ts'
import { createBreather } from '../../packages/core/src/shared/breather.ts'
import { createGate, EVENTS_AT_ONCE } from '../../packages/core/src/shared/gate.ts'
import { createLine } from '../../packages/core/src/shared/line.ts'
import { createPlainVisitor } from '../../packages/core/src/shared/plain-visitor.ts'
import { nextTurn } from '../../packages/core/src/system/system.ts'
import { createFakeClock } from '../../packages/core/src/testing/fake-clock.ts'
import { connectSocketPair, type SocketPair } from '../../packages/core/src/testing/socket-pair.ts'
import { createTokenKeys } from '../../packages/core/src/usecases/access/create-token-keys.ts'
import { createCredentialUses } from '../../packages/core/src/usecases/access/credential-uses.ts'
import { createApiKeyWatch } from '../../packages/core/src/usecases/access/credential-watch.ts'
import { createLimiters } from '../../packages/core/src/usecases/access/limiters.ts'
import type { Context } from '../../packages/core/src/usecases/context.ts'
import { createUploads } from '../../packages/core/src/usecases/files/uploads.ts'
import { createMessagingDeps } from '../../packages/core/src/usecases/messaging/messaging.ts'
import type { ResolvePinning } from '../../packages/core/src/usecases/messaging/resolve-pinning.ts'
import { createStreams } from '../../packages/core/src/usecases/messaging/streams.ts'
import { createLogCache } from '../../packages/core/src/usecases/room/log-cache.ts'
import { createRooms } from '../../packages/core/src/usecases/room/rooms.ts'
import { createFakeEngine, createManualNotices, type FakeEngine } from './fake-engine.ts'
import { part } from './library-calls.ts'

/** Stands where a test must not come; any use of it throws. */
const absent = <T extends object>(name: string, known: Partial<T> = {}): T =>
  new Proxy({ ...known } as T, {
    get(target, property) {
      if (property in target) return Reflect.get(target, property)
      throw new Error(`${name}.${String(property)} is not part of this test`)
    },
  })

export const PINNING: Pinning = {
  deploymentId: 'DEPLOYMENT-1',
  revision: 3,
  languageCode: 'en-GB',
  agentName: 'Front desk',
  variantId: 'v1',
  variantName: 'Default',
}

const ids: Ids = {
  uuid: randomUUID,
  short: () => randomBytes(12).toString('base64url'),
  secret: () => randomBytes(32).toString('base64url'),
}

/**
 * Messaging over a fake engine, with real access, a bus and a clock that the test drives. Long because all parts of the
 * bench share one clock and one store.
 *
 * @param readLog wraps the reading of the log, to delay it
 */
export async function createMessagingBench(
  input: SettingsInput = {},
  readLog: (read: FakeEngine['eventPage']) => FakeEngine['eventPage'] = read => read,
) {
  const clock = createFakeClock()
  const notices = createManualNotices()
  const errors: { readonly error: unknown; readonly where: string }[] = []
  const engine = createFakeEngine(notices, clock, ids)
  const settings = resolveSettings(
    { rateLimits: null, onError: (error, where) => errors.push({ error, where }), ...input },
    silentLog,
  )
  const store: Store = {
    agents: absent<Store['agents']>('agents', {
      find: async id => ({ id, accountId: 'ws-one', name: 'Desk', createdAt: 0, updatedAt: 0 }),
    }),
    access: createMemoryStore().access,
    conversations: absent<Store['conversations']>('conversations', {
      eventPage: readLog(engine.eventPage),
    }),
    webhooks: absent<Store['webhooks']>('webhooks'),
    alerts: absent<Store['alerts']>('alerts'),
    audit: absent<Store['audit']>('audit'),
    close: async () => {},
  }
  const rooms = createRooms({ clock, notices, settings, store })
  const context: Context = {
    store,
    rooms,
    logCache: createLogCache(store.conversations, rooms),
    runtime: absent<AgentRuntime>('runtime'),
    functions: () => new Map(),
    hasDesk: true,
    notices,
    clock,
    ids,
    observers: { on: () => () => undefined, tell: () => undefined },
    telemetry: null,
    webhookSender: null,
    recordings: null,
    files: null,
    uploads: createUploads(1),
    textCarrier: null,
    speechProvider: null,
    callProvider: null,
    deskAssistant: null,
    embedder: null,
    redactor: null,
    guard: null,
    testVisitor: createPlainVisitor(),
    testJudge: null,
    replayJudge: null,
    log: silentLog,
    written: async () => undefined,
    settings,
    scheduler: new Scheduler({ clock, log: silentLog, notices, settings }),
    sharedLimits: null,
    counting: absent<Context['counting']>('counting'),
    line: createLine(nextTurn),
    gate: createGate(EVENTS_AT_ONCE, nextTurn),
    breather: createBreather({ now: clock.monotonic, othersTurn: nextTurn }),
    limiters: createLimiters(settings.rateLimits, clock),
  }
  const tokenKeys = createTokenKeys(context)
  const uses = createCredentialUses(context)
  const access = part('access', {
    ...{ ...context, uses, tokenKeys, apiKeyWatch: createApiKeyWatch(context) },
  })(LIBRARY)
  let pinning: Pinning | null = PINNING
  const resolved: Parameters<ResolvePinning>[0][] = []
  const streams = createStreams(context.clock)
  const conversations = { engine, ephemeral: engine }
  const deps = createMessagingDeps(context, conversations, { access, tokenKeys, streams }, async state => {
    resolved.push(state)
    return pinning
  })
  const messaging = part('messaging', deps)(LIBRARY)
  await access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
  const { connector, token } = await access.createConnector({
    accountId: 'ws-one',
    agentId: 'PROJECT-A',
    environment: 'live',
    hosts: ['example.com'],
  })
  const issue = () =>
    messaging.issueAccessToken({
      connectorToken: token,
      host: 'shop.example.com',
      remoteAddress: '192.0.2.1',
    })
  const { accessToken } = await issue()

  const session = async (streaming = false): Promise<ConversationId> =>
    (await messaging.createSession({ authorization: `Bearer ${accessToken}`, streaming })).sessionId
  const connect = (sessionId: string, cursor?: string): Promise<SocketPair> =>
    connectSocketPair(messaging, { sessionId, accessToken, ...(cursor === undefined ? {} : { cursor }) })

  const closing = new AbortController().signal
  keepContext({ closing }, { ...context, uses, streams })

  return {
    /** A platform with messaging alone. */
    platform: absent<Platform>('platform', {
      ...{ messaging, access, settings, closing },
    }),
    messaging,
    settings,
    closing,
    access,
    tokenKeys,
    connector,
    connectorToken: token,
    accessToken,
    context,
    engine,
    notices,
    clock,
    errors,
    resolved,
    issue,
    session,
    connect,
    setPinning(next: Pinning | null) {
      pinning = next
    },
    /** A session with a connection that has had its replay; joined unless told otherwise. */
    async live(options: { readonly joined?: boolean; readonly streaming?: boolean } = {}) {
      const sessionId = await session(options.streaming)
      const pair = await connect(sessionId)
      if (options.joined !== false) pair.send({ type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} })
      await pair.flush()
      return { sessionId, pair }
    },
  }
}
