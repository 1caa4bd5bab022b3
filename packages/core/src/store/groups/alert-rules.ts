import type { AlertRule } from '../../domain/alert/alert-rule.ts'
import { claimReach } from '../../domain/claim-reach.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { AlertRuleStore } from '../../ports/store/alert-rules.ts'
import type { Versioned } from '../documents.ts'
import { absent, changed, type Guarded, unchanged, versioned } from '../guarded.ts'
import { ALERT_RULE, ALERT_TURN, type AlertTurn } from '../kinds.ts'

/** The turn of an account is due at once. */
const AT_ONCE = 0

/** Returns the part of a batch that gives the account of a written rule its turn. */
async function turnFor(over: Guarded, { accountId, enabled }: AlertRule) {
  if (!enabled) return { when: [], put: [] }
  const turn = await over.one(ALERT_TURN, accountId)
  if (turn !== null && turn.dueAt !== null) return { when: [unchanged(ALERT_TURN, turn)], put: [] }
  const value =
    turn === null ? versioned({ accountId, dueAt: AT_ONCE }) : changed<AlertTurn>(turn, { dueAt: AT_ONCE })
  return {
    when: [turn === null ? absent(ALERT_TURN, accountId) : unchanged(ALERT_TURN, turn)],
    put: [{ kind: ALERT_TURN, value }],
  }
}

/** Takes the turn of an account; null if somebody else has it, or if none of its rules is enabled. */
async function take(over: Guarded, turn: Versioned<AlertTurn>, until: number): Promise<AccountId | null> {
  const { accountId } = turn
  const isOver = (await over.first(ALERT_RULE, 'enabled', [accountId])) === null
  const noRule = { kind: ALERT_RULE, index: 'enabled', prefix: [accountId], atMost: 0 }
  const value = changed<AlertTurn>(turn, { dueAt: isOver ? null : until })
  const refused = await over.write({
    when: [unchanged(ALERT_TURN, turn), ...(isOver ? [noRule] : [])],
    put: [{ kind: ALERT_TURN, value }],
  })
  return refused === null && !isOver ? accountId : null
}

/**
 * Returns the store of alert rules. An account has a turn as long as one of its rules is enabled, and a while longer.
 */
export function alertRulesOver(over: Guarded): AlertRuleStore {
  const { decided, first, one, scan, write } = over
  return {
    create: (rule, limit, outbox) =>
      decided(async () => {
        const turn = await turnFor(over, rule)
        const room = { kind: ALERT_RULE, index: 'account', prefix: [rule.accountId], atMost: limit - 1 }
        return {
          when: [absent(ALERT_RULE, rule.id), room, ...turn.when],
          put: [{ kind: ALERT_RULE, value: rule }, ...turn.put],
          outbox,
          result: 'created',
          refused: place => (['taken', 'full'] as const)[place],
        }
      }),
    async find(accountId, id) {
      const rule = await one(ALERT_RULE, id)
      return rule?.accountId === accountId ? rule : null
    },
    list: accountId => scan(ALERT_RULE, 'account', { prefix: [accountId] }),
    update: (version, next, outbox) =>
      decided(async () => {
        const turn = await turnFor(over, next)
        return {
          when: [{ kind: ALERT_RULE, id: next.id, version }, ...turn.when],
          put: [{ kind: ALERT_RULE, value: next }, ...turn.put],
          outbox,
          result: 'written',
          refused: place => (place === 0 ? 'stale' : undefined),
        }
      }),
    async delete(accountId, id, version, outbox) {
      const rule = await one(ALERT_RULE, id)
      if (rule?.accountId !== accountId || rule.version !== version) return 'stale'
      const of = { kind: ALERT_RULE, id }
      return (await write({ when: [{ ...of, version }], remove: [of], outbox })) === null
        ? 'deleted'
        : 'stale'
    },
    nextDue: async () => (await first(ALERT_TURN, 'due', []))?.dueAt ?? null,
    async claimAccounts(now, until) {
      const reach = claimReach(now, until)
      const due = await scan(ALERT_TURN, 'due', { prefix: [], through: now })
      const tooFar = await scan(ALERT_TURN, 'due', { prefix: [], after: [reach + 1, ''] })
      const taken = await Promise.all([...due, ...tooFar].map(turn => take(over, turn, until)))
      return taken.filter(accountId => accountId !== null)
    },
  }
}
