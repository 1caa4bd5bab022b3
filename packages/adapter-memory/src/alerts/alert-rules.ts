import type { AccountId, AgentId, AlertRule, AlertRuleId } from '@colloquy/core'
import { type AlertRuleStore, claimReach } from '@colloquy/core/store'
import { oldestFirst } from '../order.ts'
import type { OutboxKeeper } from '../outbox.ts'

/** Alert rules. Every method runs without a pause. */
export function createAlertRules(keeper: OutboxKeeper) {
  const rules = new Map<AlertRuleId, AlertRule>()
  /** Until when an account's rules are held. */
  const held = new Map<AccountId, number>()
  const rulesOf = (accountId: AccountId) =>
    oldestFirst(rules.values()).filter(rule => rule.accountId === accountId)

  const store: AlertRuleStore = {
    async create(rule, limit, outbox) {
      if (rules.has(rule.id)) return 'taken'
      if (rulesOf(rule.accountId).length >= limit) return 'full'
      rules.set(rule.id, rule)
      keeper.keep(outbox)
      return 'created'
    },
    async find(accountId, id) {
      const rule = rules.get(id)
      return rule?.accountId === accountId ? rule : null
    },
    list: async accountId => rulesOf(accountId),
    async update(expectedVersion, next, outbox) {
      if (rules.get(next.id)?.version !== expectedVersion) return 'stale'
      rules.set(next.id, next)
      keeper.keep(outbox)
      return 'written'
    },
    async delete(accountId, id, expectedVersion, outbox) {
      const rule = rules.get(id)
      if (rule?.accountId !== accountId || rule.version !== expectedVersion) return 'stale'
      rules.delete(id)
      keeper.keep(outbox)
      return 'deleted'
    },
    async claimAccounts(now, until) {
      const enabled = [...rules.values()].filter(rule => rule.enabled)
      const accounts = new Set(enabled.map(({ accountId }) => accountId))
      const reach = claimReach(now, until)
      const free = [...accounts].filter(id => {
        const end = held.get(id) ?? now
        return end <= now || end > reach
      })
      for (const id of free) held.set(id, until)
      return free
    },
  }
  return {
    store,
    /** Removes the rules of an agent. */
    forgetAgent(agentId: AgentId): void {
      for (const rule of rules.values()) if (rule.agentId === agentId) rules.delete(rule.id)
    },
  }
}
