import * as z from 'zod'
import type { AuditAction, AuditEntry } from '../../domain/audit/audit.ts'
import { AUDIT_LIMITS, auditActionSchema } from '../../domain/audit/schemas.ts'
import { decodeCursor, encodeCursor } from '../../domain/conversation/cursor.ts'
import { PlatformError } from '../../errors.ts'
import type { AuditPosition } from '../../ports/store/audit.ts'
import { findAccount } from '../access/find-owner.ts'
import { type Acting, actingIn, type Context } from '../context.ts'
import type { PartCalls } from '../shared/acts.ts'
import { checked } from '../shared/checked.ts'
import { auditedPurge } from './audited-purge.ts'

/** Which entries, and which page of them. All given conditions hold. */
export interface AuditQuery {
  /** Id or slug. */
  readonly accountId?: string
  /** May be one that was deleted. */
  readonly agentId?: string
  readonly action?: AuditAction
  readonly resourceId?: string
  /** Milliseconds since the epoch: at this moment or later. */
  readonly since?: number
  /** Milliseconds since the epoch: before this moment. */
  readonly until?: number
  /** 1 to 1,000. @default 100 */
  readonly limit?: number
  readonly cursor?: string
}

/** A page of the audit log, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** Marks where the next page begins; null on the last page. */
  readonly cursor: string | null
}

/** Which entries to remove. */
export interface AuditPurgeInput {
  /** Milliseconds since the epoch, not in the future: entries from before this moment, of every account. */
  readonly olderThan: number
  /** Stops between two batches. What is removed by then stays removed. @default never */
  readonly signal?: AbortSignal
}

/** Who did what to which resource. Written by the calls that do it; nothing changes an entry. */
export interface AuditLog {
  /**
   * Newest first. A page does not shift when entries are added meanwhile, and ends at `limits.sliceBytes` (AU14).
   * @throws SCHEMA_VALIDATION_FAILED, ACCOUNT_NOT_FOUND
   */
  list(query?: AuditQuery): Promise<AuditPage>
  /**
   * Removes old entries, in batches that leave others their turn: the one way in which an entry goes. The purge is in
   * the log itself.
   * @throws SCHEMA_VALIDATION_FAILED; the signal's reason when it stops the purge
   */
  purge(input: AuditPurgeInput): Promise<{ readonly entries: number }>
}

const moment = z.int('must be milliseconds since the epoch, a whole number')
const querySchema = z.object({
  accountId: z.string().min(1).exactOptional(),
  agentId: z.string().min(1).exactOptional(),
  action: auditActionSchema.exactOptional(),
  resourceId: z.string().min(1).exactOptional(),
  since: moment.exactOptional(),
  until: moment.exactOptional(),
  limit: z.int().min(1).max(AUDIT_LIMITS.listMaximum).default(AUDIT_LIMITS.listDefault),
  cursor: z.string().exactOptional(),
})

function positionOf(cursor: string): AuditPosition {
  const position = decodeCursor(cursor)
  const sequence = position === null ? Number.NaN : Number(position.id)
  if (position === null || !Number.isSafeInteger(sequence))
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      'The cursor is not valid: it must be one that a page of the audit log ended with.',
    )
  return { at: position.startedAt, sequence }
}

/** See `AuditLog.list`. */
async function listEntries(context: Context, query: AuditQuery): Promise<AuditPage> {
  const { accountId, agentId, cursor, limit, ...conditions } = checked(querySchema, query)
  const filter = {
    ...conditions,
    ...(accountId === undefined ? {} : { accountId: (await findAccount(context, accountId)).id }),
    ...(agentId === undefined ? {} : { agentId: agentId }),
    ...(cursor === undefined ? {} : { after: positionOf(cursor) }),
  }
  const { sliceBytes } = context.settings.limits
  const { values, more } = await context.store.audit.list(filter, limit, sliceBytes)
  const last = more ? values.at(-1) : undefined
  return {
    entries: values.map(({ entry }) => entry),
    cursor: last === undefined ? null : encodeCursor({ startedAt: last.entry.at, id: String(last.sequence) }),
  }
}

/** See `AuditLog.purge`. */
async function purgeEntries(context: Acting, { signal, olderThan }: AuditPurgeInput) {
  const { clock, settings, store } = context
  const before = checked(z.object({ olderThan: moment }), { olderThan }).olderThan
  if (before > clock.now())
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      'The field "olderThan" is not valid: expected a moment that is not in the future.',
    )
  signal?.throwIfAborted()
  const subject = { accountId: null, resourceId: null, details: { olderThan: before } }
  let more = true
  const entries = await auditedPurge(context, 'audit_log', subject, async () => {
    if (!more) return null
    signal?.throwIfAborted()
    const step = await store.audit.remove(before, settings.limits.auditEntriesPerPurge)
    more = step.more
    return step.removed
  })
  return { entries }
}

/** The calls of the audit log, not bound to a caller yet: a purge records its caller. */
export type AuditLogCalls = PartCalls<AuditLog, 'purge'>

/** Binds the use cases of the audit log to a context. */
export const createAuditLog = (context: Context): AuditLogCalls => ({
  acts: { purge: (caller, input) => purgeEntries(actingIn(context, caller), input) },
  common: { list: (query = {}) => listEntries(context, query) },
})
