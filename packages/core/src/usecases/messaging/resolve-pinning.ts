import type { Pinning } from '../../domain/conversation/command.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'

/**
 * The deployment that is active for a conversation now, and the variant it is to speak as: the one that the state's
 * record names, otherwise the default one. Null when no deployment is active.
 */
export type ResolvePinning = (state: ConversationState) => Promise<Pinning | null>
