import { projectIndex } from '../../domain/conversation/project-record.ts'
import { currentState } from '../../domain/conversation/stored-state.ts'
import type {
  ConversationMark,
  CopiedKind,
  CopiedParts,
  CopyableStore,
  CopyKey,
  CopyStore,
} from '../../ports/store/copies.ts'
import { COPIED_KINDS, compareKeys, keyOf } from './copy-keys.ts'
import { partText } from './part-text.ts'
import { sideBySide } from './side-by-side.ts'
import { marksOf, partsOf } from './walk-store.ts'

/** How many parts are written at a time. */
const TAKEN_TOGETHER = 200

/** A kind of what is copied. */
export type CopyPart = CopiedKind | 'conversation'

/** What a copy did with the parts of a kind. */
export interface CopyCounts {
  readonly part: CopyPart
  /** Were the same in the other store already. */
  readonly same: number
  /** Were written. */
  readonly copied: number
  /** Were in the other store alone, and are removed. */
  readonly dropped: number
}

/** How to copy. */
export interface CopyOptions {
  /** Hears how far it is, about every hundred parts. */
  readonly onProgress?: (counts: CopyCounts) => void
}

type Tally = { -readonly [Name in keyof CopyCounts]: CopyCounts[Name] }

const compareParts =
  <Kind extends CopiedKind>(kind: Kind) =>
  (one: CopiedParts[Kind], other: CopiedParts[Kind]): number =>
    compareKeys(keyOf(kind, one), keyOf(kind, other))

const compareMarks = (one: ConversationMark, other: ConversationMark): number =>
  compareKeys([one.id], [other.id])

const isSame = (one: object, other: object): boolean => partText(one) === partText(other)

async function copyKind<Kind extends CopiedKind>(
  from: CopyStore,
  to: CopyStore,
  kind: Kind,
  tell: (counts: CopyCounts) => void,
): Promise<CopyCounts> {
  const tally: Tally = { part: kind, same: 0, copied: 0, dropped: 0 }
  let taken: CopiedParts[Kind][] = []
  let gone: CopyKey[] = []
  const write = async (): Promise<void> => {
    if (gone.length > 0) await to.drop(kind, gone)
    if (taken.length > 0) await to.take(kind, taken)
    tally.copied += taken.length
    tally.dropped += gone.length
    taken = []
    gone = []
    tell({ ...tally })
  }
  for await (const { one, other } of sideBySide(partsOf(from, kind), partsOf(to, kind), compareParts(kind))) {
    if (one !== null && other !== null && isSame(one, other)) tally.same++
    else if (one !== null) taken.push(one)
    else if (other !== null && kind !== 'audit_entry') gone.push(keyOf(kind, other))
    if (taken.length + gone.length >= TAKEN_TOGETHER) await write()
  }
  await write()
  return tally
}

async function copyConversation(
  from: CopyStore,
  to: CopyStore,
  id: ConversationMark['id'],
): Promise<boolean> {
  const found = await from.conversation(id)
  if (found === null) return false
  await to.takeConversation({ ...found, index: projectIndex(currentState(found.state)) })
  return true
}

async function copyConversations(
  from: CopyStore,
  to: CopyStore,
  tell: (counts: CopyCounts) => void,
): Promise<CopyCounts> {
  const tally: Tally = { part: 'conversation', same: 0, copied: 0, dropped: 0 }
  for await (const { one, other } of sideBySide(marksOf(from), marksOf(to), compareMarks)) {
    if (one !== null && other !== null && isSame(one, other)) tally.same++
    else {
      // An id that was used again is another conversation.
      if (
        other !== null &&
        (one === null || one.startedAt !== other.startedAt || one.version < other.version)
      ) {
        await to.dropConversation(other.id)
        tally.dropped++
      }
      if (one !== null && (await copyConversation(from, to, one.id))) tally.copied++
    }
    if ((tally.same + tally.copied + tally.dropped) % 100 === 0) tell({ ...tally })
  }
  const order = await from.handoffOrder()
  if (!isSame(order, await to.handoffOrder())) await to.orderHandoffs(order)
  tell({ ...tally })
  return tally
}

/**
 * Makes `to` hold what `from` holds, and nothing else. It may be repeated, also after it was interrupted: what is there
 * already is not copied again. `from` may be in use meanwhile: copied once more after its last write, all is there.
 * `to` is not in use (CY1 to CY3).
 */
export async function copyStore(
  { copies: from }: CopyableStore,
  { copies: to }: CopyableStore,
  { onProgress = () => {} }: CopyOptions = {},
): Promise<readonly CopyCounts[]> {
  const counts: CopyCounts[] = []
  for (const kind of COPIED_KINDS) {
    // Events of webhooks and entries of the audit log may tell of conversations, which come first.
    if (kind === 'audit_entry') counts.push(await copyConversations(from, to, onProgress))
    counts.push(await copyKind(from, to, kind, onProgress))
  }
  return counts
}
