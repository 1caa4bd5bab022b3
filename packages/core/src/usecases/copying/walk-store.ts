import type {
  ConversationMark,
  CopiedKind,
  CopiedParts,
  CopyKey,
  CopyStore,
} from '../../ports/store/copies.ts'
import { keyOf } from './copy-keys.ts'

/** What is read at a time. */
const PAGE = { count: 500, bytes: 4_194_304 } as const

/** All parts of a kind, in the order of their keys. */
export async function* partsOf<Kind extends CopiedKind>(
  copies: CopyStore,
  kind: Kind,
): AsyncGenerator<CopiedParts[Kind], void> {
  for (let after: CopyKey | null = null; ; ) {
    const page: readonly CopiedParts[Kind][] = await copies.page(kind, after, PAGE)
    const last = page.at(-1)
    if (last === undefined) return
    yield* page
    after = keyOf(kind, last)
  }
}

/** The marks of all conversations, by id. */
export async function* marksOf(copies: CopyStore): AsyncGenerator<ConversationMark, void> {
  for (let after: ConversationMark['id'] | null = null; ; ) {
    const marks: readonly ConversationMark[] = await copies.marks(after, PAGE.count)
    const last = marks.at(-1)
    if (last === undefined) return
    yield* marks
    after = last.id
  }
}
