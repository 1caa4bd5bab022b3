import type { AuditAction } from '../../domain/audit/audit.ts'
import type { Acting } from '../context.ts'
import { auditEntry, type Subject } from './audit-entry.ts'

type Purge = 'conversations' | 'visitor' | 'audit_log'

/**
 * Runs a purge, which is many writes, between an entry of its beginning and one of its end. So nothing is ever gone
 * without an entry that says who began to remove it. A beginning without an end is a purge in progress, or one whose
 * process died (AU10).
 *
 * @param step removes a batch and returns how many it has removed, or null when nothing is left
 */
export async function auditedPurge(
  context: Pick<Acting, 'caller' | 'clock' | 'ids' | 'store'>,
  purge: Purge,
  subject: Subject,
  step: () => Promise<number | null>,
): Promise<number> {
  const note = (action: AuditAction, details = {}) =>
    context.store.audit.append(
      auditEntry(context, action, { ...subject, details: { ...subject.details, ...details } }),
    )
  let removed = 0
  await note(`${purge}.purge_started`)
  try {
    for (let batch = await step(); batch !== null; batch = await step()) removed += batch
  } catch (error) {
    // A store that cannot remove may be unable to write too: what stopped the purge is what its caller has to hear.
    await note(`${purge}.purge_ended`, { removed, complete: false }).catch(() => undefined)
    throw error
  }
  await note(`${purge}.purge_ended`, { removed, complete: true })
  return removed
}
