import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { type AlertRule, type AlertRuleSettings, TURN_METRICS } from '../../domain/alert/alert-rule.ts'
import { changed, ended } from '../../domain/alert/decide.ts'
import {
  type AlertRuleChange,
  alertMetricSchema,
  alertStateSchema,
  type NewAlertRule,
} from '../../domain/alert/schemas.ts'
import type { AccountId, AlertRuleId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { findAccount, findAgent } from '../access/find-owner.ts'
import { requireDeployment } from '../agents/deps.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { untilWritten } from '../shared/until-written.ts'
import { ruleChange, ruleSettings, ruleSubject } from './alert-audit.ts'
import { alertOutbox } from './alert-event.ts'

const invalid = (message: string): PlatformError =>
  new PlatformError('ALERT_RULE_INVALID', message, {
    problems: [{ noun: 'body', path: ['deployment_id'], message, type: 'value_error' }],
  })

type Watched = Pick<AlertRuleSettings, 'agentId' | 'deploymentId' | 'metric'>

/**
 * Refuses to watch what is not there, or what is counted for no deployment.
 * @throws PROJECT_NOT_FOUND, DEPLOYMENT_NOT_FOUND, ALERT_RULE_INVALID
 */
async function checkWatched(
  context: Context,
  accountId: AccountId,
  { agentId, deploymentId = null, metric }: Watched,
): Promise<void> {
  if (agentId !== null) await findAgent(context, await findAccount(context, accountId), agentId)
  if (deploymentId === null) return
  if (agentId === null || !TURN_METRICS.includes(metric))
    throw invalid(
      `deployment_id needs the agent in project_id, and one of these metrics: ${TURN_METRICS.join(', ')}.`,
    )
  await requireDeployment({ context }, agentId, deploymentId)
}

/** See `Alerts.createRule`. */
export async function createRule(
  context: Acting,
  accountId: string,
  input: NewAlertRule,
): Promise<AlertRule> {
  const { store, ids, clock, settings } = context
  const { agentId = null, enabled = true, ...rest } = input
  const account = await findAccount(context, accountId)
  await checkWatched(context, account.id, { ...rest, agentId })
  const now = clock.now()
  const rule: AlertRule = {
    ...rest,
    ...{ id: `ar_${ids.short()}`, accountId: account.id, agentId, enabled },
    ...{ state: 'unknown', since: null, lastEvaluatedAt: null, currentValue: null },
    ...{ version: 1, createdAt: now, updatedAt: now },
  }
  const entry = auditEntry(context, 'alert_rule.created', {
    ...ruleSubject(rule),
    details: ruleSettings(rule),
  })
  const limit = settings.alerts.rules
  const result = await store.alerts.rules.create(rule, limit, { audit: entry })
  if (result === 'created') return rule
  if (result === 'taken') throw new Error(`The id ${rule.id} came twice.`)
  const message = `The account has ${limit} alert rules, and more are not allowed. Delete one first.`
  throw new PlatformError('ALERT_RULE_LIMIT', message)
}

/** The schema of {@link AlertRuleQuery}. */
export const alertRuleQuerySchema = z.object({
  /** @default both */
  enabled: z.boolean().exactOptional(),
  /** @default all */
  metric: alertMetricSchema.exactOptional(),
  /** Only rules of this agent. @default all, also those of the whole account */
  agentId: z.string().exactOptional(),
  /** @default all */
  state: alertStateSchema.exactOptional(),
})

/** The filter of an account's rules. All given conditions hold. */
export type AlertRuleQuery = InputOf<typeof alertRuleQuerySchema>

/** See `Alerts.rules`. */
export async function listRules(
  { store }: Context,
  accountId: AccountId,
  query: AlertRuleQuery,
): Promise<readonly AlertRule[]> {
  const { enabled, metric, agentId, state } = query
  const rules = await store.alerts.rules.list(accountId)
  return rules.filter(
    rule =>
      (enabled === undefined || rule.enabled === enabled) &&
      (metric === undefined || rule.metric === metric) &&
      (agentId === undefined || rule.agentId === agentId) &&
      (state === undefined || rule.state === state),
  )
}

/** Returns the account's rule. @throws ALERT_RULE_NOT_FOUND also for one of another account */
export async function findRule(
  { store }: Context,
  accountId: AccountId,
  id: AlertRuleId,
): Promise<AlertRule> {
  const rule = await store.alerts.rules.find(accountId, id)
  if (rule !== null) return rule
  throw new PlatformError('ALERT_RULE_NOT_FOUND', 'The account has no alert rule of that id.')
}

const conflict = () =>
  new PlatformError('WRITE_CONFLICT', 'The alert rule is being changed too often. Try again.')

/** See `Alerts.updateRule`. */
export async function updateRule(
  context: Acting,
  accountId: AccountId,
  id: AlertRuleId,
  change: AlertRuleChange,
): Promise<AlertRule> {
  const isOfSame = (['agentId', 'deploymentId', 'metric'] as const).every(name => change[name] === undefined)
  return untilWritten(conflict, async () => {
    const before = await findRule(context, accountId, id)
    if (!isOfSame) await checkWatched(context, accountId, { ...before, ...change })
    const now = context.clock.now()
    const { rule, event } = changed(before, change, now)
    const audit = auditEntry(context, 'alert_rule.changed', ruleChange(before, rule))
    const outbox = { audit, ...alertOutbox(context, before, event, now) }
    const written = await context.store.alerts.rules.update(before.version, rule, outbox)
    return written === 'written' ? rule : 'stale'
  })
}

/** See `Alerts.deleteRule`. */
export async function deleteRule(context: Acting, accountId: AccountId, id: AlertRuleId): Promise<void> {
  await untilWritten(conflict, async () => {
    const rule = await findRule(context, accountId, id)
    const audit = auditEntry(context, 'alert_rule.deleted', {
      ...ruleSubject(rule),
      details: { name: rule.name },
    })
    const outbox = { audit, ...alertOutbox(context, rule, ended(rule), context.clock.now()) }
    return context.store.alerts.rules.delete(accountId, id, rule.version, outbox)
  })
}
