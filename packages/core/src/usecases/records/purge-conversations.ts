import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import type { ConversationScope } from '../../ports/store/removals.ts'
import { auditedPurge } from '../audit/audited-purge.ts'
import type { Acting } from '../context.ts'
import { removeFilesNow } from '../files/remove-files.ts'
import { stopSignal } from '../shared/arguments.ts'

/** The schema of {@link PurgeInput}. */
export const purgeSchema = z.object({
  /** Milliseconds since the epoch: conversations that finished before this moment. */
  olderThan: z.int('must be milliseconds since the epoch, a whole number'),
  /** The prefixed form. @default every account */
  accountId: z.string().min(1).exactOptional(),
  /** May be one that was deleted. @default every agent */
  agentId: z.string().min(1).exactOptional(),
  /** @default every environment */
  environment: z.enum(ENVIRONMENTS).exactOptional(),
  /** Stops between two batches. Conversations removed by then stay removed. @default never */
  signal: stopSignal.exactOptional(),
})

/** The filter of conversations to remove. All given conditions must hold. */
export type PurgeInput = InputOf<typeof purgeSchema>

/** The number of conversations that a purge has removed. */
export interface PurgeResult {
  readonly conversations: number
}

const isSelected = (scope: ConversationScope, wanted: PurgeInput): boolean =>
  (wanted.accountId ?? scope.accountId) === scope.accountId &&
  (wanted.agentId ?? scope.agentId) === scope.agentId &&
  (wanted.environment ?? scope.environment) === scope.environment

/**
 * Removes finished conversations, a batch of `Settings.limits.conversationsPerPurge` after the other (RC20 to RC22).
 * @throws SCHEMA_VALIDATION_FAILED; the signal's reason when it stops the purge
 */
export async function purgeConversations(
  context: Pick<Acting, 'caller' | 'clock' | 'files' | 'ids' | 'recordings' | 'settings' | 'store'>,
  { signal, ...wanted }: PurgeInput,
): Promise<PurgeResult> {
  signal?.throwIfAborted()
  const { store, settings } = context
  const limit = settings.limits.conversationsPerPurge
  const scopes = (await store.conversations.removals.scopes()).filter(scope => isSelected(scope, wanted))
  const { accountId, agentId, ...details } = wanted
  const subject = { accountId: accountId ?? null, agentId: agentId ?? null, resourceId: null, details }
  const conversations = await auditedPurge(context, 'conversations', subject, async () => {
    const [scope] = scopes
    if (scope === undefined) return null
    signal?.throwIfAborted()
    const step = await store.conversations.removals.removeFinished(scope, wanted.olderThan, limit)
    if (!step.more) scopes.shift()
    await removeFilesNow(context)
    return step.removed
  })
  return { conversations }
}
