import * as z from 'zod'
import { properNameSchema } from '../agent/proper-name.ts'
import {
  ALERT_METRICS,
  ALERT_OPERATORS,
  ALERT_STATES,
  ALERT_WINDOWS,
  type AlertWindow,
} from './alert-rule.ts'

/** The limits of a rule's settings. */
const ALERT_RULE_LIMITS = { nameLength: 255, idLength: 255 } as const

const isWindow = (name: string): name is AlertWindow => Object.hasOwn(ALERT_WINDOWS, name)

/** One metric, by its name. */
export const alertMetricSchema = z.enum(ALERT_METRICS)

/** One state, by its name. */
export const alertStateSchema = z.enum(ALERT_STATES)

/** The id of a rule. */
export const alertRuleIdSchema = z
  .string()
  .max(255)
  .regex(/^ar_[A-Za-z0-9]+$/, 'expected ar_ and letters or digits')

const idSchema = z.string().min(1).max(ALERT_RULE_LIMITS.idLength).nullable().exactOptional()

/** A rule's changeable part as it is given. */
export const alertRuleChangeSchema = z.object({
  name: properNameSchema(ALERT_RULE_LIMITS.nameLength).exactOptional(),
  agentId: idSchema,
  deploymentId: idSchema,
  metric: alertMetricSchema.exactOptional(),
  operator: z.enum(ALERT_OPERATORS).exactOptional(),
  threshold: z.int().min(0).exactOptional(),
  window: z.enum(Object.keys(ALERT_WINDOWS).filter(isWindow)).exactOptional(),
  enabled: z.boolean().exactOptional(),
})

/** A new rule. */
export const newAlertRuleSchema = alertRuleChangeSchema.required({
  name: true,
  metric: true,
  operator: true,
  threshold: true,
  window: true,
})

/** The input of a change of a rule. */
export type AlertRuleChange = z.input<typeof alertRuleChangeSchema>
/** The input of a new rule. */
export type NewAlertRule = z.input<typeof newAlertRuleSchema>
