import { type AlertRuleStore, claimReach } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import { type AlertStatements, fromRule, toRule } from './alert-statements.ts'

/** Alert rules in SQLite. */
export function ruleMethods(
  { read, write }: Session,
  run: AlertStatements,
  keeper: OutboxKeeper,
): AlertRuleStore {
  return {
    async create(rule, limit, outbox) {
      const keep = keeper.keeping(outbox)
      const row = fromRule(rule)
      return write('create an alert rule', () => {
        if (run.rule.get({ id: row.id }) !== undefined) return 'taken'
        if (run.insertRule.run({ ...row, limit }).changes !== 1) return 'full'
        keep()
        return 'created'
      })
    },
    find: (accountId, id) =>
      read('read an alert rule', () => {
        const row = run.rule.get({ id })
        return row?.account_id === accountId ? toRule(row) : null
      }),
    list: accountId => read('list alert rules', () => run.rules.all({ accountId }).map(toRule)),
    async update(expectedVersion, next, outbox) {
      const keep = keeper.keeping(outbox)
      const row = fromRule(next)
      return write('update an alert rule', () => {
        if (run.updateRule.run({ ...row, expectedVersion }).changes !== 1) return 'stale'
        keep()
        return 'written'
      })
    },
    async delete(accountId, id, expectedVersion, outbox) {
      const keep = keeper.keeping(outbox)
      return write('delete an alert rule', () => {
        if (run.deleteRule.run({ accountId, id, expectedVersion }).changes !== 1) return 'stale'
        keep()
        return 'deleted'
      })
    },
    async claimAccounts(now, until) {
      const operation = 'claim alert rules'
      // Most looks find nothing, and need not wait for the lock that writes need.
      const reach = claimReach(now, until)
      const some = await read(operation, () => run.freeAccounts.get({ now, reach }) !== undefined)
      if (!some) return []
      return write(operation, () => {
        const free = run.freeAccounts.all({ now, reach }).map(({ accountId }) => accountId)
        for (const accountId of free) run.holdAccount.run({ accountId, until })
        return free
      })
    },
  }
}
