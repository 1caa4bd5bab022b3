import type { Account, Platform } from '@colloquy/core'
import { contextOf } from '@colloquy/test-support/context-of'
import type { SeededAgent } from './seeded-agent.ts'

const ENVIRONMENTS = ['sandbox', 'pre-release', 'live'] as const

/** A platform with two accounts, and their agents. */
interface World {
  readonly platform: Platform
  readonly accounts: Readonly<Record<'own' | 'other', Pick<Account, 'id'>>>
  readonly agents: Readonly<Record<string, SeededAgent>>
}

/** Everything of an account that a request could have changed, as text: two are equal when nothing has. */
export async function accountState(world: World, which: 'own' | 'other'): Promise<string> {
  const { platform, accounts } = world
  const { access, alerts, desk, reading, telephony, webhooks } = platform
  const { files } = contextOf(platform).store.conversations
  const { id: accountId } = accounts[which]
  const ofAccount = async (id: string) => {
    const { endpoints } = await webhooks.endpoints(id)
    return {
      colleagues: await desk.colleagues(id),
      queues: [await desk.queues.list(id), await desk.assignments.list(id)],
      replies: await desk.replies.list(id),
      // Not all of a key: that it was tried may be noted.
      keys: (await access.apiKeys({ accountId: id, limit: 1000 })).apiKeys.map(key => [
        key.id,
        key.name,
        key.revokedAt,
      ]),
      connectors: (await access.connectors({ accountId: id, limit: 1000 })).connectors.map(
        ({ lastUsedAt: _, ...connector }) => connector,
      ),
      endpoints,
      // Evaluations go on meanwhile.
      rules: (await alerts.rules(id)).map(rule => [
        rule.id,
        rule.name,
        rule.metric,
        rule.threshold,
        rule.enabled,
      ]),
      voices: await platform.voices.list(id),
      deliveries: await Promise.all(
        endpoints.map(endpoint => webhooks.deliveries(id, endpoint.id, { limit: 1000 })),
      ),
      handoffs: [await desk.handoffs(id, 'waiting'), await desk.handoffs(id, 'active')],
    }
  }
  const ofAgent = async ({ id, account, ids }: SeededAgent) => ({
    agent: await platform.agents.find(id),
    files: [await files.find(ids.fileId ?? ''), await files.find(ids.handoffFileId ?? '')],
    telephonyConnectors: await access.telephonyConnectors(id),
    phoneNumbers: await telephony.numbers(id),
    pool: await telephony.pool(id),
    sounds: await platform.voices.cachedAudio(id, { limit: 200 }),
    branches: await Promise.all(
      (await platform.agents.branches(id)).map(branch => platform.agents.branch(id, branch.id)),
    ),
    deployments: await Promise.all(
      ENVIRONMENTS.map(environment => platform.agents.deployments(id, environment, 1000)),
    ),
    rollouts: await platform.agents.rollouts.list(id),
    testRuns: await platform.agents.testRuns.list(id, { limit: 1000 }),
    configs: await platform.agents.realTimeConfigs(id),
    records: await Promise.all(
      ENVIRONMENTS.map(async environment => {
        const filter = { accountId: account.id, agentId: id, environment }
        const { records } = await reading.records(filter, { offset: 0 }, 1000)
        // Stores hold JSON as texts or as values: what they say is compared, not how they hold it.
        return records.map(({ json, ...at }) => [at, json.summary.text, json.details.text, json.turns?.text])
      }),
    ),
  })
  const agents = Object.values(world.agents).filter(({ account }) => account.id === accountId)
  return JSON.stringify([await ofAccount(accountId), await Promise.all(agents.map(ofAgent))])
}

/** The same of all that there is. */
export async function stateOf(world: World): Promise<string> {
  const { access, audit } = world.platform
  return JSON.stringify([
    await access.accounts({ limit: 1000 }),
    (await access.apiKeys({ limit: 1000 })).apiKeys.length,
    [await accountState(world, 'own'), await accountState(world, 'other')],
    await audit.list({ limit: 1000 }),
  ])
}
