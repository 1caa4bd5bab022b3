import type { Pinning } from '../../domain/conversation/command.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'

/**
 * The active deployment for a conversation, and its variant: the one that the state's record names, otherwise the
 * default one. Null when no deployment is active.
 */
export type ResolvePinning = (state: ConversationState) => Promise<Pinning | null>
