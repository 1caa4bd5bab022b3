import type { KeptAuditEntry } from '../../ports/store/audit.ts'
import type { CopyableStore, CopySource } from '../../store/copies.ts'
import { compareKeys, keyOf } from './copy-keys.ts'
import { sideBySide } from './side-by-side.ts'
import { partsOf } from './walk-store.ts'

/** The number of entries to remove at a time. */
const STEP = 1_000

const compareEntries = (one: KeptAuditEntry, other: KeptAuditEntry): number =>
  compareKeys(keyOf('audit_entry', one), keyOf('audit_entry', other))

/**
 * Removes entries of the audit log that the first store has purged since they were copied. A log is append-only, but
 * for a purge of all entries before a moment: so it is done here.
 */
export async function dropPurgedEntries(from: CopySource, to: CopyableStore): Promise<void> {
  let before = Number.NEGATIVE_INFINITY
  const pairs = sideBySide(
    partsOf(from.copies, 'audit_entry'),
    partsOf(to.copies, 'audit_entry'),
    compareEntries,
  )
  for await (const { one, other } of pairs)
    if (one === null && other !== null) before = Math.max(before, other.entry.at + 1)
  if (before === Number.NEGATIVE_INFINITY) return
  while ((await to.audit.remove(before, STEP)).more);
}
