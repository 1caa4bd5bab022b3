import { chosenKey, isPublicId, publicId } from '../../domain/conversation/conversation-key.ts'
import { LONGEST_SHARED_ID } from '../../domain/conversation/handed-off.ts'
import { type ConversationState, isGenuine } from '../../domain/conversation/state.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'

/** The id of an agent's conversation, or the integrator's id. The latter takes precedence if both are given. */
export interface HandoffStateQuery {
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly id?: ConversationId
  readonly sharedId?: string
}

/** The data that a conversation left to those to whom its agent has handed it off. */
export interface HandoffState {
  readonly id: ConversationId
  /** Null if the conversation has none. */
  readonly sharedId: string | null
  readonly data: JsonObject
}

type Reader = Pick<Context, 'store'>

/** Returns the state that is stored under a key, if it is one of the agent's. */
async function ownState(
  { store }: Reader,
  { accountId, agentId }: HandoffStateQuery,
  key: ConversationId,
): Promise<ConversationState | null> {
  const stored = await store.conversations.load(key)
  const state = stored?.state
  return state?.accountId === accountId && state.agentId === agentId ? state : null
}

async function stateOf(
  context: Reader,
  query: HandoffStateQuery & { readonly id: ConversationId },
): Promise<ConversationState | null> {
  const { agentId, id } = query
  if (!isPublicId(id)) return null
  return (await ownState(context, query, id)) ?? ownState(context, query, chosenKey(agentId, id))
}

async function sharedState(
  context: Reader,
  query: HandoffStateQuery,
  sharedId: string,
): Promise<ConversationState | null> {
  if (sharedId.length > LONGEST_SHARED_ID) return null
  const { handoffs } = context.store.conversations
  const key = await handoffs.findShared(query.accountId, query.agentId, sharedId)
  return key === null ? null : ownState(context, query, key)
}

/** See `Reading.handoffState`. */
export async function readHandoffState(context: Reader, query: HandoffStateQuery): Promise<HandoffState> {
  const { id, sharedId } = query
  if (id === undefined && sharedId === undefined)
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      'Neither id nor shared_id is given. Name a conversation by one of them.',
    )
  const state =
    sharedId === undefined
      ? await stateOf(context, { ...query, id: id ?? '' })
      : await sharedState(context, query, sharedId)
  if (state === null || state.handedOff === null || !isGenuine(state.kind))
    throw new PlatformError('HANDOFF_STATE_NOT_FOUND', 'The agent has handed off no conversation of that id.')
  const { handedOff } = state
  return { id: publicId(state.id), sharedId: handedOff.sharedId, data: handedOff.data }
}
