import * as z from 'zod'
import { type CallsOf, callsWith, type InputOf } from '../../calls/call.ts'
import type { AuditEntry } from '../../domain/audit/audit.ts'
import { AUDIT_LIMITS, auditActionSchema } from '../../domain/audit/schemas.ts'
import { decodeCursor, encodeCursor } from '../../domain/conversation/cursor.ts'
import { PlatformError } from '../../errors.ts'
import type { AuditPosition } from '../../ports/store/audit.ts'
import { findAccount } from '../access/find-owner.ts'
import type { Acting, Context } from '../context.ts'
import { stopSignal } from '../shared/arguments.ts'
import { auditedPurge } from './audited-purge.ts'

const moment = z.int('must be milliseconds since the epoch, a whole number')

/** The schema of {@link AuditQuery}. */
export const auditQuerySchema = z.object({
  /** Id or slug. */
  accountId: z.string().min(1).exactOptional(),
  /** May be one that was deleted. */
  agentId: z.string().min(1).exactOptional(),
  action: auditActionSchema.exactOptional(),
  resourceId: z.string().min(1).exactOptional(),
  /** Milliseconds since the epoch: at this moment or later. */
  since: moment.exactOptional(),
  /** Milliseconds since the epoch: before this moment. */
  until: moment.exactOptional(),
  /** 1 to 1,000. @default 100 */
  limit: z.int().min(1).max(AUDIT_LIMITS.listMaximum).default(AUDIT_LIMITS.listDefault),
  cursor: z.string().exactOptional(),
})

/** The filter of a list of entries, and its page. All given conditions hold. */
export type AuditQuery = InputOf<typeof auditQuerySchema>

/** The schema of {@link AuditPurgeInput}. */
export const auditPurgeSchema = z.object({
  /** Milliseconds since the epoch, not in the future: entries from before this moment, of every account. */
  olderThan: moment,
  /** Stops between two batches. What is removed by then stays removed. @default never */
  signal: stopSignal.exactOptional(),
})

/** The entries to remove. */
export type AuditPurgeInput = InputOf<typeof auditPurgeSchema>

/** A page of the audit log, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** Marks where the next page begins; null on the last page. */
  readonly cursor: string | null
}

/** The log of who did what to which resource. Calls write it when they act. Nothing changes an entry. */
export interface AuditLog {
  /**
   * Lists entries, newest first. A page does not shift when entries are added meanwhile, and ends at
   * `limits.sliceBytes` (AU7).
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
async function listEntries(
  context: Context,
  { accountId, cursor, limit, ...conditions }: z.output<typeof auditQuerySchema>,
): Promise<AuditPage> {
  const filter = {
    ...conditions,
    ...(accountId === undefined ? {} : { accountId: (await findAccount(context, accountId)).id }),
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
async function purgeEntries(context: Acting, { signal, olderThan: before }: AuditPurgeInput) {
  const { clock, settings, store } = context
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

const { call, act } = callsWith<Context>()

/** The implementations of the calls of the audit log. */
export const auditCalls = {
  list: call(() => [auditQuerySchema], listEntries),
  purge: act(() => [auditPurgeSchema], purgeEntries),
} satisfies CallsOf<AuditLog, Context>
