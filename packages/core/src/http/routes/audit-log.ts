import * as z from 'zod'
import type { AuditEntry } from '../../domain/audit/audit.ts'
import { AUDIT_LIMITS, auditActionSchema } from '../../domain/audit/schemas.ts'
import { isoTime } from '../../domain/time.ts'
import { defineRoute, type Route } from '../route.ts'
import { integer, text, time } from './query-values.ts'

/** Returns an entry as the Operator API shows it. */
export const auditEntryOnWire = ({ at, ...entry }: AuditEntry) => ({ ...entry, at: isoTime(at) })

/** The audit log over the Operator API (AU7). */
export const auditLogRoutes: readonly Route[] = [
  defineRoute({
    family: 'operator',
    credential: 'operator',
    method: 'GET',
    path: '/operator/v1/audit-log',
    operation: 'listAuditLog',
    summary: 'List the entries of the audit log, newest first',
    query: z.object({
      accountId: text.exactOptional(),
      agentId: text.exactOptional(),
      action: auditActionSchema.exactOptional(),
      resourceId: text.exactOptional(),
      since: time.exactOptional(),
      until: time.exactOptional(),
      limit: integer(1, AUDIT_LIMITS.listMaximum).exactOptional(),
      cursor: text.exactOptional(),
    }),
    async handle({ platform, query }) {
      const { entries, cursor } = await platform.audit.list(query)
      return { status: 200, json: { entries: entries.map(auditEntryOnWire), next_cursor: cursor } }
    },
  }),
]
