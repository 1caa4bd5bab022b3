import * as z from 'zod'
import type { Principal } from '../../domain/access/principal.ts'
import type { AlertRule } from '../../domain/alert/alert-rule.ts'
import { watchedData } from '../../domain/alert/decide.ts'
import {
  alertMetricSchema,
  alertRuleChangeSchema,
  alertRuleIdSchema,
  alertStateSchema,
} from '../../domain/alert/schemas.ts'
import type { AgentId } from '../../domain/ids.ts'
import { isoTime, isoTimeOrNull } from '../../domain/time.ts'
import { PlatformError } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import { accountOfPrincipal } from '../principal-account.ts'
import { defineRoute, type Route } from '../route.ts'
import { boolean, text } from './query-values.ts'
import { strictBody } from './strict-body.ts'

const common = { family: 'alerts', credential: 'workspace', invalid: 'ALERT_RULE_INVALID' } as const
const byId = z.object({ rule_id: alertRuleIdSchema })

const { name, agentId, deploymentId, metric, operator, threshold, window, enabled } =
  alertRuleChangeSchema.shape

const changeBody = strictBody({
  name,
  project_id: agentId,
  deployment_id: deploymentId,
  metric,
  operator,
  threshold_value: threshold,
  window_duration: window,
  enabled,
})
const newBody = changeBody.required({
  name: true,
  metric: true,
  operator: true,
  threshold_value: true,
  window_duration: true,
})

const ruleOnWire = (rule: AlertRule) => ({
  id: rule.id,
  ...watchedData(rule),
  enabled: rule.enabled,
  current_state: rule.state,
  since: isoTimeOrNull(rule.since),
  last_evaluated_at: isoTimeOrNull(rule.lastEvaluatedAt),
  current_value: rule.currentValue,
  created_at: isoTime(rule.createdAt),
  updated_at: isoTime(rule.updatedAt),
})

/** A rule whose alert is active: its state has begun at some time. */
const activeOnWire = (rule: AlertRule, since: number) => ({
  alert_rule_id: rule.id,
  ...watchedData(rule),
  since: isoTime(since),
  last_evaluated_at: isoTimeOrNull(rule.lastEvaluatedAt),
  current_value: rule.currentValue,
})

/** Returns the agent to whose rules the request is limited; null for all of the account. */
const agentOf = (principal: Principal): AgentId | null =>
  principal.type === 'api_key' ? principal.key.agentId : null

/** A key for one agent sees and makes rules of that agent alone. @throws USER_ACCESS_FORBIDDEN */
function requireAgent(principal: Principal, agentId: AgentId | null): void {
  const own = agentOf(principal)
  if (own === null || own === agentId) return
  const message = 'The API key is for one agent, and this concerns another one or the whole account.'
  throw new PlatformError('USER_ACCESS_FORBIDDEN', message)
}

/** Returns the agent whose rules a list has. */
function listedAgent(principal: Principal, asked: string | undefined): { readonly agentId?: AgentId } {
  if (asked !== undefined) requireAgent(principal, asked)
  const wanted = asked ?? agentOf(principal)
  return wanted === null ? {} : { agentId: wanted }
}

async function ruleOf(platform: Platform, principal: Principal, id: string): Promise<AlertRule> {
  const rule = await platform.alerts.rule(accountOfPrincipal(principal), id)
  requireAgent(principal, rule.agentId)
  return rule
}

/** The body's fields in the library's words. */
const inputOf = <Given extends z.output<typeof changeBody>>({
  deployment_id,
  project_id,
  threshold_value,
  window_duration,
  ...rest
}: Given) => ({
  ...rest,
  ...(project_id === undefined ? {} : { agentId: project_id }),
  ...(deployment_id === undefined ? {} : { deploymentId: deployment_id }),
  ...(threshold_value === undefined ? {} : { threshold: threshold_value }),
  ...(window_duration === undefined ? {} : { window: window_duration }),
})

const ruleRoutes = [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/alert-rules',
    operation: 'createAlertRule',
    summary: 'Add an alert rule, for an agent or the whole account',
    body: newBody,
    async handle({ platform, principal, body }) {
      const { threshold_value: threshold, window_duration: window } = body
      const input = { ...inputOf(body), threshold, window, agentId: body.project_id ?? null }
      requireAgent(principal, input.agentId)
      const rule = await platform.alerts.createRule(accountOfPrincipal(principal), input)
      return { status: 201, json: ruleOnWire(rule) }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/alert-rules',
    operation: 'listAlertRules',
    summary: 'List the alert rules of the account, oldest first',
    query: z.object({
      enabled: boolean.exactOptional(),
      metric: alertMetricSchema.exactOptional(),
      project_id: text.exactOptional(),
      state: alertStateSchema.exactOptional(),
    }),
    async handle({ platform, principal, query: { project_id, ...rest } }) {
      const query = { ...rest, ...listedAgent(principal, project_id) }
      const rules = await platform.alerts.rules(accountOfPrincipal(principal), query)
      return { status: 200, json: { data: rules.map(ruleOnWire) } }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/alert-rules/:rule_id',
    operation: 'readAlertRule',
    summary: 'Read an alert rule',
    params: byId,
    async handle({ platform, principal, params }) {
      return { status: 200, json: ruleOnWire(await ruleOf(platform, principal, params.rule_id)) }
    },
  }),
  defineRoute({
    ...common,
    method: 'PATCH',
    path: '/v1/alert-rules/:rule_id',
    operation: 'updateAlertRule',
    summary: 'Change an alert rule; what is left out stays',
    params: byId,
    body: changeBody,
    async handle({ platform, principal, params, body }) {
      await ruleOf(platform, principal, params.rule_id)
      if (body.project_id !== undefined) requireAgent(principal, body.project_id)
      const accountId = accountOfPrincipal(principal)
      const rule = await platform.alerts.updateRule(accountId, params.rule_id, inputOf(body))
      return { status: 200, json: ruleOnWire(rule) }
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: '/v1/alert-rules/:rule_id',
    operation: 'deleteAlertRule',
    summary: 'Delete an alert rule',
    params: byId,
    async handle({ platform, principal, params }) {
      await ruleOf(platform, principal, params.rule_id)
      await platform.alerts.deleteRule(accountOfPrincipal(principal), params.rule_id)
      return { status: 204 }
    },
  }),
]

/** Alert rules and active alerts, `/v1/alert-rules` and `/v1/alerts` (contract/alerts.md). */
export const alertRoutes: readonly Route[] = [
  ...ruleRoutes,
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/alerts',
    operation: 'listAlerts',
    summary: 'List the active alerts: rules whose state is `alert`',
    query: z.object({ metric: alertMetricSchema.exactOptional(), project_id: text.exactOptional() }),
    async handle({ platform, principal, query: { project_id, ...rest } }) {
      const query = { ...rest, ...listedAgent(principal, project_id), state: 'alert' as const }
      const rules = await platform.alerts.rules(accountOfPrincipal(principal), query)
      const data = rules.flatMap(rule => (rule.since === null ? [] : [activeOnWire(rule, rule.since)]))
      return { status: 200, json: { data } }
    },
  }),
]
