import { PlatformError } from '../../errors.ts'
import {
  type CopiedKind,
  type CopiedParts,
  type CopyableStore,
  type CopyKey,
  type CopyReads,
  type CopySource,
  type CopyStore,
  UNFINISHED_COPY_REFUSAL,
} from '../../store/copies.ts'
import { copyConversations } from './copy-conversations.ts'
import type { CopyCounts, Tally } from './copy-counts.ts'
import { COPIED_KINDS, compareKeys, keyOf } from './copy-keys.ts'
import { examineTarget, type TargetState } from './examine-target.ts'
import { partText } from './part-text.ts'
import { dropPurgedEntries } from './purged-entries.ts'
import { sideBySide } from './side-by-side.ts'
import { isUnfinished, markFinished, markUnfinished, partsOf } from './walk-store.ts'

/** The number of parts to write at a time, and their length as JSON. A longer part is written alone. */
const BATCH = { count: 200, length: 4_194_304 } as const

/** Options of a copy. */
export interface CopyOptions {
  /** Called with the progress: after each kind of part, and before that about every hundred parts. */
  readonly onProgress?: (counts: CopyCounts) => void
}

const compareParts =
  <Kind extends CopiedKind>(kind: Kind) =>
  (one: CopiedParts[Kind], other: CopiedParts[Kind]): number =>
    compareKeys(keyOf(kind, one), keyOf(kind, other))

async function copyKind<Kind extends CopiedKind>(
  from: CopyReads,
  to: CopyStore,
  kind: Kind,
  tell: (counts: CopyCounts) => void,
): Promise<CopyCounts> {
  const tally: Tally = { part: kind, same: 0, copied: 0, dropped: 0 }
  let taken: CopiedParts[Kind][] = []
  let gone: CopyKey[] = []
  let length = 0
  const write = async (): Promise<void> => {
    if (gone.length > 0) await to.drop(kind, gone)
    if (taken.length > 0) await to.take(kind, taken)
    tally.copied += taken.length
    tally.dropped += gone.length
    taken = []
    gone = []
    length = 0
    tell({ ...tally })
  }
  for await (const { one, other } of sideBySide(partsOf(from, kind), partsOf(to, kind), compareParts(kind))) {
    const text = one === null ? '' : partText(one)
    if (one !== null && other !== null && text === partText(other)) tally.same++
    else if (one !== null) {
      taken.push(one)
      length += text.length
    } else if (other !== null && kind !== 'audit_entry') gone.push(keyOf(kind, other))
    if (taken.length + gone.length >= BATCH.count || length >= BATCH.length) await write()
  }
  await write()
  return tally
}

const OBJECTIONS: Readonly<Partial<Record<TargetState, string>>> = {
  another: '"to" holds the data of another store. Name one that is empty, or that is a copy of "from".',
  later:
    '"to" was written to after it was copied, so that to copy again would lose what it has got since. Name an empty store.',
}

/** @throws SCHEMA_VALIDATION_FAILED when a copy would take something away that is in that store alone */
async function refuseOthers(from: CopySource, to: CopyableStore): Promise<void> {
  if (await isUnfinished(from.copies))
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', `"from" is not whole: ${UNFINISHED_COPY_REFUSAL}.`)
  const objection = OBJECTIONS[(await examineTarget(from, to)).state]
  if (objection !== undefined) throw new PlatformError('SCHEMA_VALIDATION_FAILED', objection)
}

/**
 * Makes the content of `to` equal to that of `from`. It may be repeated, also after an interruption: existing parts are
 * not copied again. `from` may be in use meanwhile: a copy after its last write is complete. `to` is not in use (CY1 to
 * CY2). Until the copy is complete, `to` is marked as unfinished (CY28).
 *
 * @throws SCHEMA_VALIDATION_FAILED when `to` holds another store's data, or was written to after it was copied (CY28),
 * and when `from` is an unfinished copy itself
 */
export async function copyStore(
  from: CopySource,
  to: CopyableStore,
  { onProgress = () => {} }: CopyOptions = {},
): Promise<readonly CopyCounts[]> {
  await refuseOthers(from, to)
  await markUnfinished(to.copies)
  const counts: CopyCounts[] = []
  for (const kind of COPIED_KINDS) {
    // Events of webhooks and entries of the audit log may tell of conversations, which come first.
    if (kind === 'audit_entry') {
      counts.push(await copyConversations(from.copies, to.copies, onProgress))
      await dropPurgedEntries(from, to)
    }
    counts.push(await copyKind(from.copies, to.copies, kind, onProgress))
  }
  await markFinished(to.copies)
  return counts
}
