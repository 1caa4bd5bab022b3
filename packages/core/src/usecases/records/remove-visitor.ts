import type { VisitorKey } from '../../domain/conversation/visitor-key.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { TextPair } from '../../domain/text/text-pair.ts'
import type { VisitorConversation } from '../../ports/store/visitors.ts'
import { auditedPurge } from '../audit/audited-purge.ts'
import type { Acting } from '../context.ts'
import { removeFilesNow } from '../files/remove-files.ts'
import { conversationsOf, pairsOf } from './visitor-conversations.ts'
import { keyOfVisitor, type VisitorRemoval, wayOf } from './visitor-input.ts'

/** The result of a removal of a visitor's data. */
export interface RemovedVisitor {
  /** The number of removed conversations. */
  readonly conversations: number
  /** Conversations that stay, since they are in progress or have work left. Remove the visitor again later. */
  readonly inProgress: number
}

type Deps = Pick<Acting, 'caller' | 'clock' | 'files' | 'ids' | 'recordings' | 'settings' | 'store'>

/**
 * Removes the pairs of numbers. One whose user wants no texts keeps the two numbers and that alone: without it they
 * would get texts again.
 */
async function removePairs(context: Deps, accountId: AccountId, visitor: VisitorKey): Promise<void> {
  const { textPairs, visitors } = context.store.conversations
  const leftOf = (pair: TextPair): TextPair | null =>
    pair.optedOut ? { ...pair, conversationId: null, recent: [], version: pair.version + 1 } : null
  for await (const pair of pairsOf(context, accountId, visitor)) {
    let now: TextPair | null = pair
    // A text that comes in between changes the pair.
    while (now !== null && !(await visitors.removePair(now, leftOf(now))))
      now = await textPairs.find(pair.ours, pair.theirs)
  }
}

/**
 * Removes the finished conversations of a visitor, of all agents and environments, with everything stored about them
 * (RC602). The audit log says who did so, and not whom it concerned.
 *
 * @throws SCHEMA_VALIDATION_FAILED; the signal's reason when it stops the removal
 */
export async function removeVisitor(
  context: Deps,
  accountId: AccountId,
  { signal, ...given }: VisitorRemoval,
): Promise<RemovedVisitor> {
  signal?.throwIfAborted()
  const visitor = keyOfVisitor(given)
  const { removals } = context.store.conversations
  const details = { by: wayOf(visitor) }
  const subject = { accountId, agentId: null, resourceId: null, details }
  let inProgress = 0
  const found = conversationsOf(context, accountId, visitor)
  const conversations = await auditedPurge(context, 'visitor', subject, async () => {
    signal?.throwIfAborted()
    const next: IteratorResult<VisitorConversation, unknown> = await found.next()
    if (next.done === true) return null
    const { agentId, id } = next.value
    const result = await removals.remove(accountId, agentId, id)
    if (result === 'in_progress') inProgress++
    return result === 'removed' ? 1 : 0
  })
  await removeFilesNow(context)
  if (inProgress === 0) await removePairs(context, accountId, visitor)
  return { conversations, inProgress }
}
