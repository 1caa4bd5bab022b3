import { type AgentId, type Clock, eachPage, type Platform, systemClock } from '@colloquy/core'
import type { Store } from '@colloquy/core/store'
import { PATIENCE } from '../../scripts/patience.ts'
import type { Tenant } from './tenant.ts'

/** Counts of the things that were open when everything was ended, and are gone now. */
export interface Ended {
  readonly agents: number
  readonly keys: number
  readonly connectors: number
  readonly endpoints: number
  readonly conversations: number
}

/** The process's clock, which can be put forward. Timers keep their time. */
export function createShiftedClock(): Clock & { forward(milliseconds: number): void } {
  let shift = 0
  return {
    now: () => systemClock.now() + shift,
    monotonic: () => systemClock.monotonic() + shift,
    schedule: systemClock.schedule,
    forward(milliseconds) {
      shift += milliseconds
    },
  }
}

/** Longer than any time limit: silence of visitors, turns, queues, access tokens, events of webhooks. Milliseconds. */
const LONG_AFTER = 40 * 86_400_000

const pause = () => new Promise(resolve => setTimeout(resolve, 50))

/** Whether a conversation waits for its time. One that does is made due at once, since time is over here. */
async function oneWaits({ conversations: { timers } }: Store): Promise<boolean> {
  const now = await timers.claimDue(0, 1, 1)
  return now.length + (await timers.hasten(0, 0, 1)) > 0
}

/** Resolves when no conversation is waiting for anything any more. @throws Error when that takes too long */
async function untilAtRest({ idle }: Platform, store: Store): Promise<void> {
  const deadline = performance.now() + PATIENCE
  for (;;) {
    await idle()
    if (!(await oneWaits(store))) return
    if (performance.now() > deadline) throw new Error('A conversation still waits.')
    await pause()
  }
}

/**
 * Ends and removes everything that visitors, users and operators have made, as a host can. The accounts and their seeds
 * stay. The clock is put forward until everything with a time limit has ended.
 */
export async function endAll(
  platform: Platform,
  store: Store,
  clock: ReturnType<typeof createShiftedClock>,
  tenants: readonly Tenant[],
): Promise<Ended> {
  const { access, agents, alerts, audit, conversations, webhooks } = platform
  const keptAgents = new Set(tenants.map(({ agentId }) => agentId))
  const keptKeys = new Set(tenants.flatMap(({ keyIds }) => keyIds))
  const keptConnectors = new Set(tenants.map(({ connectorId }) => connectorId))
  const made: AgentId[] = []
  const ended = { endpoints: 0, keys: 0, connectors: 0 }
  for await (const { accounts } of eachPage(access.accounts)) {
    for (const { id } of accounts) {
      for (const agent of await agents.list(id)) if (!keptAgents.has(agent.id)) made.push(agent.id)
      for await (const { endpoints } of eachPage(page => webhooks.endpoints(id, page))) {
        for (const endpoint of endpoints) await webhooks.deleteEndpoint(id, endpoint.id)
        ended.endpoints += endpoints.length
      }
      for (const rule of await alerts.rules(id)) await alerts.deleteRule(id, rule.id)
    }
  }
  for (const id of made) await agents.delete(id)
  for await (const { apiKeys } of eachPage(access.apiKeys)) {
    const open = apiKeys.filter(({ id, kind }) => !keptKeys.has(id) && kind !== 'operator')
    for (const { id } of open) await access.revokeApiKey(id)
    ended.keys += open.length
  }
  for await (const { connectors } of eachPage(access.connectors)) {
    const open = connectors.filter(({ id }) => !keptConnectors.has(id))
    for (const { id } of open) await access.revokeConnector(id)
    ended.connectors += open.length
  }
  clock.forward(LONG_AFTER)
  await untilAtRest(platform, store)
  const removed = await conversations.purge({ olderThan: clock.now() })
  await audit.purge({ olderThan: clock.now() })
  return { ...ended, agents: made.length, conversations: removed.conversations }
}
