import * as z from 'zod'
import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts'
import type { AccountId, AgentId } from '../../domain/ids.ts'
import type { ConversationScope } from '../../ports/store/removals.ts'
import { auditedPurge } from '../audit/audited-purge.ts'
import type { Acting } from '../context.ts'
import { checked } from '../shared/checked.ts'

/** Which conversations to remove. All given conditions must hold. */
export interface PurgeInput {
  /** Milliseconds since the epoch: conversations that finished before this moment. */
  readonly olderThan: number
  /** The prefixed form. @default every account */
  readonly accountId?: AccountId
  /** May be one that was deleted. @default every agent */
  readonly agentId?: AgentId
  /** @default every environment */
  readonly environment?: Environment
  /** Stops between two batches. Conversations removed by then stay removed. @default never */
  readonly signal?: AbortSignal
}

/** What a purge has removed. */
export interface PurgeResult {
  readonly conversations: number
}

// A condition of undefined or null is a mistake of the caller, and must not remove all records.
const purgeSchema = z.object({
  olderThan: z.int('must be milliseconds since the epoch, a whole number'),
  accountId: z.string().min(1).exactOptional(),
  agentId: z.string().min(1).exactOptional(),
  environment: z.enum(ENVIRONMENTS).exactOptional(),
})

const isSelected = (scope: ConversationScope, wanted: z.output<typeof purgeSchema>): boolean =>
  (wanted.accountId ?? scope.accountId) === scope.accountId &&
  (wanted.agentId ?? scope.agentId) === scope.agentId &&
  (wanted.environment ?? scope.environment) === scope.environment

/**
 * Removes finished conversations, a batch of `Settings.limits.conversationsPerPurge` after the other (RC20 to RC24).
 * @throws SCHEMA_VALIDATION_FAILED; the signal's reason when it stops the purge
 */
export async function purgeConversations(
  context: Pick<Acting, 'caller' | 'clock' | 'ids' | 'store' | 'settings'>,
  { signal, ...input }: PurgeInput,
): Promise<PurgeResult> {
  const wanted = checked(purgeSchema, input)
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
    return step.removed
  })
  return { conversations }
}
