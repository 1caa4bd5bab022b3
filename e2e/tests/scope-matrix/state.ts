import type { World } from './world.ts'

const ENVIRONMENTS = ['sandbox', 'pre-release', 'live'] as const

/** Everything that a request could have changed, as text: two are equal when nothing has. */
export async function stateOf({ platform, accounts, agents }: World): Promise<string> {
  const { access, alerts, audit, desk, reading, telephony, webhooks } = platform
  const ofAccounts = [accounts.own, accounts.other].map(async ({ id }) => {
    const { endpoints } = await webhooks.endpoints(id)
    return {
      agents: await platform.agents.list(id),
      // Not all of a key: that it was tried may be noted.
      keys: (await access.apiKeys({ accountId: id, limit: 1000 })).apiKeys.map(key => [
        key.id,
        key.name,
        key.revokedAt,
      ]),
      connectors: await access.connectors({ accountId: id, limit: 1000 }),
      endpoints,
      rules: await alerts.rules(id),
      voices: await platform.voices.list(id),
      deliveries: await Promise.all(
        endpoints.map(endpoint => webhooks.deliveries(id, endpoint.id, { limit: 1000 })),
      ),
      handoffs: [await desk.handoffs(id, 'waiting'), await desk.handoffs(id, 'active')],
    }
  })
  const ofAgents = Object.values(agents).map(async ({ id, account }) => ({
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
      ENVIRONMENTS.map(environment =>
        reading.records({ accountId: account.id, agentId: id, environment }, { offset: 0 }, 1000),
      ),
    ),
  }))
  return JSON.stringify([
    await access.accounts({ limit: 1000 }),
    (await access.apiKeys({ limit: 1000 })).apiKeys.length,
    await Promise.all(ofAccounts),
    await Promise.all(ofAgents),
    await audit.list({ limit: 1000 }),
  ])
}
