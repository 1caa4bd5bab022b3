import { createSqliteStore } from '@colloquy/adapter-sqlite'
import {
  type Account,
  type AgentId,
  createPlatform,
  type Platform,
  type PlatformOptions,
  type Recordings,
  type WebhookSender,
} from '@colloquy/core'
import {
  createFakeClock,
  createMemoryFiles,
  createScriptedAssistant,
  createScriptedCallProvider,
  createScriptedCarrier,
  createScriptedRuntime,
  createScriptedSpeech,
  type FakeClock,
} from '@colloquy/core/testing'
import { contextOf } from '@colloquy/test-support/context-of'
import { NOON, seedAgent } from '../../scope-matrix/seeded-agent.ts'
import { CREDENTIALS, type Credential, HOSTS, KEY_KINDS, type KeyKind } from '../../scope-matrix/table.ts'

/** Says nothing to anybody: no test here sends a webhook. */
const NO_SENDER: WebhookSender = {
  objection: () => null,
  send: () => Promise.reject(new Error('nothing is due while the clock stands')),
}

/** Greets, expects an external event, hands off; says the same to all else. Tells which events it expects. */
function createAgent(clock: FakeClock, expected: Map<string, string>) {
  return createScriptedRuntime(
    {
      greeting: 'Hello.',
      messages: {
        async pay(turn) {
          const id = await turn.expectExternalEvent()
          expected.set(turn.agentId, id)
          return [`One moment, says ${turn.agentId}.`]
        },
        person: ({ agentId }) => [
          'One moment.',
          { type: 'handoff', destination: `${agentId} desk`, reason: `asked ${agentId}` },
        ],
      },
      otherwise: ({ agentId }) => `I am ${agentId}.`,
    },
    clock,
  )
}

/** Every conversation was recorded, and what can be heard is its id. */
const SPOKEN: Recordings = {
  open: async ({ conversationId }) =>
    (async function* () {
      yield new TextEncoder().encode(conversationId)
    })(),
}

export type World = Awaited<ReturnType<typeof createWorld>>

/**
 * Two accounts with two agents each, everything that can be named in a path, and every credential of the matrix. The clock
 * stands, so nothing happens by itself.
 */
export async function createWorld(settings: Partial<PlatformOptions> = {}) {
  const clock = createFakeClock(NOON)
  const expectedEvents = new Map<string, string>()
  const errors: unknown[] = []
  const platform = createPlatform({
    store: createSqliteStore({ filename: ':memory:' }),
    runtime: createAgent(clock, expectedEvents),
    clock,
    webhookSender: NO_SENDER,
    recordings: SPOKEN,
    files: createMemoryFiles(),
    textCarrier: createScriptedCarrier(),
    speechProvider: createScriptedSpeech(),
    callProvider: createScriptedCallProvider(),
    deskAssistant: createScriptedAssistant(),
    // As a host would that knows whose every number is: those of the other account are not offered.
    verifyNumber: () => true,
    hosts: HOSTS,
    rateLimits: null,
    talksAtOnce: 1_000,
    webhooks: { endpoints: 10_000 },
    alerts: { rules: 10_000 },
    onError: error => errors.push(error),
    ...settings,
  })
  const account = (name: string) =>
    platform.access.createAccount({ accountId: `ws-${name}`, slug: name, name: `The ${name}` })
  const own = await account('orchard')
  const other = await account('meadow')
  const seed = (owner: Account, name: string) =>
    seedAgent(platform, owner, name, { eventOf: id => expectedEvents.get(id) ?? '' })
  // Live agents at the desks, by the names of the agents.
  const atDesk = (account: Account, id: string) =>
    platform.desk.watch(account.id, () => {}, { liveAgentId: `PROJECT-${id}` })
  for (const id of ['quince', 'medlar']) await atDesk(own, id)
  for (const id of ['sorrel', 'yarrow']) await atDesk(other, id)
  const agents = {
    own: await seed(own, 'quince'),
    another: await seed(own, 'medlar'),
    foreign: await seed(other, 'sorrel'),
    foreignToo: await seed(other, 'yarrow'),
  }
  const keyring = createKeyring(platform, own, agents.own.id)
  await keyring.issueClosed()
  await keyring.issueOpen(({ region }) => region === null || settings.hosts !== null)
  const { secrets } = keyring
  await clock.advance(1)
  return {
    platform,
    clock,
    errors,
    accounts: { own, other },
    agents,
    keys: ({ name }: Pick<Credential, 'name'>): string => secrets.get(name) ?? '',
    /** Issues the keys of one agent anew, once the agent they were for is deleted and there again. */
    reissueAgentKeys: () => keyring.issueOpen(({ oneAgent }) => oneAgent),
    /** Of all keys, but for two that were never issued. */
    secrets: [...secrets.values()].slice(2),
    close: () => platform.close(),
  }
}

type Opens = NonNullable<Credential['opens']>

/** The secrets of all credentials, by name; those that were never issued first. */
function createKeyring(platform: Platform, { id: accountId }: Account, agentId: AgentId) {
  const { access } = platform
  const secrets = new Map<string, string>([
    ['garbage', 'x'],
    ['never issued', 'cq_ws_000000000000000000000000000000000000'],
  ])
  const issue = async (kind: KeyKind, more: Partial<Parameters<typeof access.createApiKey>[0]> = {}) =>
    access.createApiKey({ kind, ...(kind === 'operator' ? {} : { accountId }), name: 'orchard key', ...more })
  return {
    secrets,
    /** Those that open nothing any more. */
    async issueClosed(): Promise<void> {
      for (const kind of KEY_KINDS) {
        const { key, secret } = await issue(kind)
        await access.revokeApiKey(key.id)
        secrets.set(`${kind}, revoked`, secret)
        const ending = await issue(kind, { expiresAt: contextOf(platform).clock.now() + 1 })
        secrets.set(`${kind}, expired`, ending.secret)
      }
    },
    async issueOpen(isMeant: (opens: Opens) => boolean = () => true): Promise<void> {
      for (const { name, opens } of CREDENTIALS) {
        if (opens === null || !isMeant(opens)) continue
        const { secret } = await issue(opens.kind, {
          ...(opens.region === null ? {} : { region: opens.region }),
          ...(opens.oneAgent ? { agentId } : {}),
          ...(opens.permission === null ? {} : { permissions: [opens.permission] }),
        })
        secrets.set(name, secret)
      }
    },
  }
}
