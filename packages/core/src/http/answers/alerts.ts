import * as z from 'zod'
import {
  ALERT_METRICS,
  ALERT_OPERATORS,
  ALERT_STATES,
  ALERT_WINDOWS,
  type AlertWindow,
} from '../../domain/alert/alert-rule.ts'
import { answers, list, time } from './answer.ts'

const isWindow = (name: string): name is AlertWindow => Object.hasOwn(ALERT_WINDOWS, name)

const watched = {
  name: z.string(),
  project_id: z.string().nullable(),
  deployment_id: z.string().optional(),
  metric: z.enum(ALERT_METRICS),
  operator: z.enum(ALERT_OPERATORS),
  threshold_value: z.int().min(0),
  window_duration: z.enum(Object.keys(ALERT_WINDOWS).filter(isWindow)),
}

const rule = z
  .object({
    id: z.string(),
    ...watched,
    enabled: z.boolean(),
    current_state: z.enum(ALERT_STATES),
    since: time.nullable(),
    last_evaluated_at: time.nullable(),
    current_value: z.int().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'AlertRule' })

const active = z
  .object({
    alert_rule_id: z.string(),
    ...watched,
    since: time,
    last_evaluated_at: time.nullable(),
    current_value: z.int().nullable(),
  })
  .meta({ id: 'ActiveAlert' })

/** The responses of the routes about alerts (contract/alerts.md). */
export const alertAnswers = {
  createAlertRule: answers({ 201: rule }, 'PROJECT_NOT_FOUND', 'DEPLOYMENT_NOT_FOUND', 'ALERT_RULE_LIMIT'),
  listAlertRules: answers({ 200: z.object({ data: list(rule) }) }),
  readAlertRule: answers({ 200: rule }, 'ALERT_RULE_NOT_FOUND'),
  updateAlertRule: answers(
    { 200: rule },
    'ALERT_RULE_NOT_FOUND',
    'PROJECT_NOT_FOUND',
    'DEPLOYMENT_NOT_FOUND',
  ),
  deleteAlertRule: answers({ 204: null }, 'ALERT_RULE_NOT_FOUND'),
  listAlerts: answers({ 200: z.object({ data: list(active) }) }),
}
