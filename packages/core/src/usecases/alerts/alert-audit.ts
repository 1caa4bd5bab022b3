import type { AlertRule } from '../../domain/alert/alert-rule.ts'
import { changedFields } from '../../domain/audit/details.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Subject } from '../audit/audit-entry.ts'

/** Returns the rule as entries of the audit log name it. */
export const ruleSubject = ({ accountId, agentId, id }: AlertRule): Subject => ({
  accountId,
  agentId,
  resourceId: id,
})

/** Returns a rule's settings as the audit log shows them. */
export const ruleSettings = ({
  name,
  agentId,
  deploymentId,
  metric,
  operator,
  threshold,
  window,
  enabled,
}: AlertRule): JsonObject => ({
  ...{ name, agentId, ...(deploymentId && { deploymentId }), metric, operator, threshold, window, enabled },
})

/** Returns the audit subject of a change, with the changed fields. */
export const ruleChange = (before: AlertRule, after: AlertRule): Subject => ({
  ...ruleSubject(after),
  details: { changes: changedFields(ruleSettings(before), ruleSettings(after)) },
})
