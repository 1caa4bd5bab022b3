import {
  type ConversationMark,
  type CopiedKind,
  type CopiedParts,
  type CopyKey,
  type CopyReads,
  type CopyStore,
  UNFINISHED_COPY,
} from '../../store/copies.ts'
import type { CopyPart } from './copy-counts.ts'
import { COPIED_KINDS, keyOf } from './copy-keys.ts'

/** The amount to read at a time. */
const PAGE = { count: 500, bytes: 4_194_304 } as const

/** Returns true for what says of the store itself that a copy into it is not whole (CY28). */
const isMark = (kind: CopiedKind, [name]: CopyKey): boolean => kind === 'secret' && name === UNFINISHED_COPY

/** Returns true from the first write of a copy into the store until it is whole. */
export async function isUnfinished(copies: CopyReads): Promise<boolean> {
  for await (const part of everyPart(copies, 'secret'))
    if (isMark('secret', keyOf('secret', part))) return true
  return false
}

/** Marks a store as an unfinished copy. */
export const markUnfinished = (copies: CopyStore): Promise<void> =>
  copies.take('secret', [{ name: UNFINISHED_COPY, value: 'yes', version: 1 }])

/** Removes that mark. */
export const markFinished = (copies: CopyStore): Promise<void> => copies.drop('secret', [[UNFINISHED_COPY]])

/** Returns all parts of a kind behind a key, in the order of their keys. The mark of an unfinished copy is no part. */
export async function* partsOf<Kind extends CopiedKind>(
  copies: CopyReads,
  kind: Kind,
  behind: CopyKey | null = null,
): AsyncGenerator<CopiedParts[Kind], void> {
  for await (const part of everyPart(copies, kind, behind)) if (!isMark(kind, keyOf(kind, part))) yield part
}

async function* everyPart<Kind extends CopiedKind>(
  copies: CopyReads,
  kind: Kind,
  behind: CopyKey | null = null,
): AsyncGenerator<CopiedParts[Kind], void> {
  for (let after = behind; ; ) {
    const page: readonly CopiedParts[Kind][] = await copies.page(kind, after, PAGE)
    const last = page.at(-1)
    if (last === undefined) return
    yield* page
    after = keyOf(kind, last)
  }
}

/** The number of reads in progress at a time. A store on another machine takes a while to answer one. */
const READS_AT_ONCE = 8

const ignore = (): void => {}

/** Reads each item in its order, while the next ones are being read. */
export async function* readAhead<Item, Result>(
  items: AsyncIterable<Item>,
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const underWay: Promise<Result>[] = []
  for await (const item of items) {
    const reading = read(item)
    // It rejects when it is waited for, or never, where an earlier one has rejected.
    reading.catch(ignore)
    underWay.push(reading)
    const first = underWay.length < READS_AT_ONCE ? undefined : underWay.shift()
    if (first !== undefined) yield await first
  }
  for (const reading of underWay) yield await reading
}

/** Returns the marks of all conversations behind an id, by id. */
export async function* marksOf(
  copies: CopyReads,
  behind: ConversationMark['id'] | null = null,
): AsyncGenerator<ConversationMark, void> {
  for (let after = behind; ; ) {
    const marks: readonly ConversationMark[] = await copies.marks(after, PAGE.count)
    const last = marks.at(-1)
    if (last === undefined) return
    yield* marks
    after = last.id
  }
}

async function* conversationsOf(copies: CopyReads, behind: CopyKey | null): AsyncGenerator<object, void> {
  const read = ({ id }: ConversationMark) => copies.conversation(id)
  const id = behind === null ? null : String(behind[0])
  for await (const conversation of readAhead(marksOf(copies, id), read))
    if (conversation !== null) yield conversation
}

/** Every kind of part, in the order in which the content of a store is compared and exported. */
export const COPY_PARTS: readonly CopyPart[] = [...COPIED_KINDS, 'conversation']

/** Returns all parts of a kind behind a key, also whole conversations, in the order of their keys. */
export const contentOf = (
  copies: CopyReads,
  part: CopyPart,
  behind: CopyKey | null = null,
): AsyncIterable<object> =>
  part === 'conversation' ? conversationsOf(copies, behind) : partsOf(copies, part, behind)
