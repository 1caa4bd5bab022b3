import { type AlertRuleStore, claimReach } from '@colloquy/core/store'
import { mapped } from '../access/credential-conditions.ts'
import { isViolated } from '../database/failure.ts'
import { outboxOf } from '../outbox/outbox-keeper.ts'
import { type AlertStatements, fromRule, toRule } from './alert-statements.ts'

/** Alert rules in PostgreSQL. */
export function ruleMethods(run: AlertStatements): AlertRuleStore {
  return {
    async create(rule, limit, outbox) {
      try {
        const added = await run.insertRule.get({ ...fromRule(rule), limit, ...outboxOf(outbox) })
        if (added?.done) return 'created'
        return added?.taken ? 'taken' : 'full'
      } catch (error) {
        // Another one took the id in between.
        if (isViolated(error, '23505')) return 'taken'
        throw error
      }
    },
    find: async (accountId, id) => mapped(await run.rule.get({ accountId, id }), toRule),
    list: async accountId => (await run.rules.all({ accountId })).map(toRule),
    async update(expectedVersion, next, outbox) {
      const row = { ...fromRule(next), expectedVersion }
      return (await run.updateRule.get({ ...row, ...outboxOf(outbox) }))?.done ? 'written' : 'stale'
    },
    async delete(accountId, id, expectedVersion, outbox) {
      const deleted = await run.deleteRule.get({ accountId, id, expectedVersion, ...outboxOf(outbox) })
      return deleted?.done ? 'deleted' : 'stale'
    },
    claimAccounts: async (now, until) =>
      (await run.claimAccounts.all({ now, reach: claimReach(now, until), until })).map(
        ({ accountId }) => accountId,
      ),
  }
}
