import * as z from 'zod'
import { AUDIT_ACTIONS, isAuditAction } from './audit.ts'

/** Limits of lists of the audit log. */
export const AUDIT_LIMITS = {
  /** Entries of a page that names no limit. */
  listDefault: 100,
  /** Most entries a page may ask for. */
  listMaximum: 1_000,
} as const

/** The name of an action; anything else is refused, so that a slip of the pen does not read as "nothing was done". */
export const auditActionSchema = z
  .string()
  .refine(isAuditAction, 'expected an action of the audit log, such as api_key.created')
  .meta({ enum: Object.keys(AUDIT_ACTIONS) })
