import { randomBytes, randomUUID } from 'node:crypto'
import type { Agent } from '../../src/domain/agent/agent.ts'
import { type AccountId, type AgentId, asId } from '../../src/domain/ids.ts'
import type { Platform } from '../../src/platform.ts'
import type { AgentStore } from '../../src/ports/agent-store.ts'
import { silentLog } from '../../src/ports/log.ts'
import type { Settings } from '../../src/settings.ts'
import { createAccess } from '../../src/usecases/access/access.ts'
import { createAccessStore } from './access-store.ts'

/** Stands where a test must not come; any use of it throws. */
const absent = <T extends object>(name: string): T =>
  new Proxy({} as T, {
    get(_, property) {
      throw new Error(`${name}.${String(property)} is not part of this test`)
    },
  })

const SETTINGS: Settings = {
  brand: 'AI',
  hosts: null,
  deploymentPinning: 'conversation',
  rateLimits: null,
  limits: {
    bodyBytes: 1_048_576,
    messageBytes: 131_072,
    frameBytes: 1_048_576,
    connectionsPerSession: 10,
    eventsPerBatch: 500,
    queuedMessages: 50,
    variableBytes: 65_536,
    replyLength: 100_000,
  },
  sessionIdle: 600_000,
  debugChatIdle: 1_800_000,
  turnDeadline: 60_000,
  turnLease: 15_000,
  turnAttempts: 3,
  chunkFlush: 50,
  accessTokenSeconds: 86_400,
  handoffTimeoutSeconds: 300,
  queueStatusInterval: 15_000,
  heartbeatSeconds: 30,
  onError() {},
}

/** A platform with real access, an agent store that only finds agents, a clock that stands, and nothing else. */
export function createTestPlatform(settings: Partial<Settings> = {}) {
  const clock = { at: Date.UTC(2026, 0, 1), now: () => clock.at, schedule: () => () => {} }
  const errors: { error: unknown; where: string }[] = []
  const agents = new Map<string, Agent>()
  const addAgent = (id: string, accountId: AccountId): Agent => {
    const agent = { id: asId<AgentId>(id), accountId, name: id, createdAt: clock.at, updatedAt: clock.at }
    agents.set(id, agent)
    return agent
  }
  const agentStore: AgentStore = new Proxy(absent<AgentStore>('agents'), {
    get: (target, property) =>
      property === 'agent' ? async (id: string) => agents.get(id) ?? null : Reflect.get(target, property),
  })
  const context: Platform['context'] = {
    store: {
      agents: agentStore,
      conversations: absent('conversations'),
      access: createAccessStore(),
      close: async () => {},
    },
    runtime: absent('runtime'),
    functions: {},
    bus: absent('bus'),
    clock,
    ids: {
      uuid: randomUUID,
      short: () => randomBytes(12).toString('base64url'),
      secret: () => randomBytes(32).toString('base64url'),
    },
    log: silentLog,
    settings: { ...SETTINGS, onError: (error, where) => errors.push({ error, where }), ...settings },
  }
  const platform: Platform = {
    context,
    access: createAccess(context),
    agents: absent('agents'),
    messaging: absent('messaging'),
    reading: absent('reading'),
  }
  return { platform, clock, errors, addAgent }
}

/** The same with two accounts, two agents of the first, one of the second, and a key of each kind for the first. */
export async function createPopulatedPlatform(settings: Partial<Settings> = {}) {
  const made = createTestPlatform(settings)
  const { access } = made.platform
  const one = await access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
  const two = await access.createAccount({ accountId: 'ws-two', slug: 'two', name: 'Two' })
  made.addAgent('PROJECT-A', one.id)
  made.addAgent('PROJECT-B', one.id)
  made.addAgent('PROJECT-Z', two.id)
  const issue = async (input: Parameters<typeof access.createApiKey>[0]) =>
    (await access.createApiKey(input)).secret
  return {
    ...made,
    keys: {
      workspace: await issue({ kind: 'workspace', accountId: one.id }),
      project: await issue({ kind: 'project', accountId: one.id, agentId: 'PROJECT-A' }),
      externalEvents: await issue({ kind: 'external_events', accountId: one.id }),
      desk: await issue({ kind: 'desk', accountId: one.id }),
      operator: await issue({ kind: 'operator' }),
    },
  }
}
