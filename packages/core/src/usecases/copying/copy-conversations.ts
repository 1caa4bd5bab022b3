import { projectIndex } from '../../domain/conversation/project-record.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { ConversationMark, ConversationToTake, CopyReads, CopyStore } from '../../store/copies.ts'
import type { CopyCounts, Tally } from './copy-counts.ts'
import { compareMarks } from './copy-keys.ts'
import { partText } from './part-text.ts'
import { sideBySide } from './side-by-side.ts'
import { marksOf, readAhead } from './walk-store.ts'

/** Conversations that are written at a time, and their events and turns; one that has more is written alone. */
const BATCH = { conversations: 100, entries: 2_000 } as const

const isSame = (one: object, other: object): boolean => partText(one) === partText(other)

/** The work to do for a conversation. */
interface Step {
  readonly id: ConversationId
  readonly drop: boolean
  readonly take: boolean
}

/** Reports whether two conversations of one id differ, because the id was used again. */
const isAnother = (one: ConversationMark, other: ConversationMark): boolean =>
  one.startedAt !== other.startedAt || one.version < other.version

async function* stepsOf(from: CopyReads, to: CopyStore, onSame: () => void): AsyncGenerator<Step, void> {
  for await (const { one, other } of sideBySide(marksOf(from), marksOf(to), compareMarks)) {
    if (one === null) {
      if (other !== null) yield { id: other.id, drop: true, take: false }
    } else if (other === null) yield { id: one.id, drop: false, take: true }
    else if (isSame(one, other)) onSame()
    else yield { id: one.id, drop: isAnother(one, other), take: true }
  }
}

interface Batch {
  readonly gone: ConversationId[]
  readonly taken: ConversationToTake[]
  entries: number
}

const emptyBatch = (): Batch => ({ gone: [], taken: [], entries: 0 })

const isFull = ({ gone, taken, entries }: Batch): boolean =>
  Math.max(gone.length, taken.length) >= BATCH.conversations || entries >= BATCH.entries

/** Copies conversations, many at a time; while some are written the next ones are read. */
export async function copyConversations(
  from: CopyReads,
  to: CopyStore,
  tell: (counts: CopyCounts) => void,
): Promise<CopyCounts> {
  const tally: Tally = { part: 'conversation', same: 0, copied: 0, dropped: 0 }
  const write = async ({ gone, taken }: Batch): Promise<void> => {
    if (gone.length > 0) await to.dropConversations(gone)
    if (taken.length > 0) await to.takeConversations(taken)
    tally.dropped += gone.length
    tally.copied += taken.length
    tell({ ...tally })
  }
  const steps = stepsOf(from, to, () => {
    tally.same++
    if (tally.same % 1_000 === 0) tell({ ...tally })
  })
  const read = async ({ id, drop, take }: Step) => ({
    gone: drop ? id : null,
    found: take ? await from.conversation(id) : null,
  })
  let batch = emptyBatch()
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const { gone, found } of readAhead(steps, read)) {
      if (gone !== null) batch.gone.push(gone)
      if (found !== null) {
        batch.taken.push({ ...found, index: projectIndex(found.state) })
        batch.entries += found.events.length + found.turns.length
      }
      if (!isFull(batch)) continue
      await writing
      writing = write(batch)
      writing.catch(() => undefined)
      batch = emptyBatch()
    }
  } finally {
    await writing
  }
  await write(batch)
  const order = await from.handoffOrder()
  if (!isSame(order, await to.handoffOrder())) await to.orderHandoffs(order)
  return tally
}
