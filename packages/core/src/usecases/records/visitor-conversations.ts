import type { VisitorKey } from '../../domain/conversation/visitor-key.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { TextPair } from '../../domain/text/text-pair.ts'
import type { VisitorConversation } from '../../ports/store/visitors.ts'
import type { Context } from '../context.ts'

/** Conversations of one read, and pairs of numbers. */
const PAGE = 100

type Reader = Pick<Context, 'store'>

/** Returns all conversations of a visitor, page by page, each read on demand. */
export async function* conversationsOf(
  { store }: Reader,
  accountId: AccountId,
  visitor: VisitorKey,
): AsyncGenerator<VisitorConversation> {
  const { visitors } = store.conversations
  for (let after: VisitorConversation | null = null; ; ) {
    const page: readonly VisitorConversation[] = await visitors.conversations(accountId, visitor, after, PAGE)
    yield* page
    after = page.at(-1) ?? null
    if (page.length < PAGE) return
  }
}

/** Returns the pairs of numbers of a visitor. There are none for a visitor without a phone number. */
export async function* pairsOf(
  { store }: Reader,
  accountId: AccountId,
  visitor: VisitorKey,
): AsyncGenerator<TextPair> {
  if ('visitorId' in visitor) return
  const { visitors } = store.conversations
  for (let after: string | null = null; ; ) {
    const page: readonly TextPair[] = await visitors.pairs(accountId, visitor.phoneNumber, after, PAGE)
    yield* page
    after = page.at(-1)?.ours ?? null
    if (page.length < PAGE) return
  }
}

/** The data that is kept of a visitor, in numbers. */
export interface VisitorSummary {
  readonly conversations: number
  /** Those that are in progress, or have work left: they cannot be removed yet. */
  readonly inProgress: number
  /** The beginning of the first and of the last one, milliseconds. Null without any. */
  readonly firstAt: number | null
  readonly lastAt: number | null
  /** The account's own numbers that the visitor has exchanged texts with. */
  readonly textNumbers: number
}

/** Counts what is kept of a visitor (RC600). */
export async function summarizeVisitor(
  context: Reader,
  accountId: AccountId,
  visitor: VisitorKey,
): Promise<VisitorSummary> {
  const found: VisitorConversation[] = []
  let inProgress = 0
  for await (const one of conversationsOf(context, accountId, visitor)) {
    found.push(one)
    if (!one.isOver) inProgress++
  }
  let textNumbers = 0
  for await (const _ of pairsOf(context, accountId, visitor)) textNumbers++
  return {
    conversations: found.length,
    inProgress,
    firstAt: found.at(-1)?.startedAt ?? null,
    lastAt: found[0]?.startedAt ?? null,
    textNumbers,
  }
}
