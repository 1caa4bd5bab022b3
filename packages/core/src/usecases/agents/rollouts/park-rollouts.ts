import type { AlertRule } from '../../../domain/alert/alert-rule.ts'
import { PLATFORM } from '../../../domain/audit/audit.ts'
import { isParkedBy, shareOf, withShare } from '../../../domain/rollout/rollout.ts'
import { auditEntry } from '../../audit/audit-entry.ts'
import type { Context } from '../../context.ts'

/**
 * Takes the candidate's share away in every rollout that a firing rule watches (RO9). Whatever another process changes
 * meanwhile is looked at again in the next round of rules.
 */
export async function parkRollouts(
  context: Pick<Context, 'clock' | 'ids' | 'store'>,
  rule: AlertRule,
): Promise<void> {
  const { agentId } = rule
  if (rule.state !== 'alert' || agentId === null) return
  const { rollouts } = context.store.agents
  for (const before of await rollouts.running(agentId)) {
    if (!isParkedBy(before, rule)) continue
    const after = withShare(before, { basisPoints: 0, at: context.clock.now(), by: rule.id })
    const audit = auditEntry({ ...context, caller: PLATFORM }, 'rollout.parked', {
      ...{ accountId: before.accountId, agentId, resourceId: before.id },
      details: { basisPoints: { from: shareOf(before), to: 0 }, alertRuleId: rule.id },
    })
    await rollouts.change({ before, after }, { audit })
  }
}
