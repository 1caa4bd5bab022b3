import type { ConversationState } from '../../domain/conversation/state.ts'
import { withChanges } from '../../domain/conversation/state-changes.ts'
import type { Guarded } from '../guarded.ts'
import {
  CONVERSATION,
  CONVERSATION_STATE,
  type IndexedConversation,
  PROGRESS,
  type Progress,
  type WholeState,
} from './kinds.ts'

/** A conversation with its state. */
export interface StatedConversation extends Progress {
  readonly state: ConversationState
}

/** A conversation without its log. */
export interface HeldConversation
  extends StatedConversation,
    Pick<IndexedConversation, 'index' | 'handoffPlace'> {}

/** Reads documents that belong together, again where somebody has written them meanwhile. */
async function together<Whole>(
  { get }: Pick<Guarded, 'get'>,
  ids: readonly string[],
  belonging: (progress: Progress, at: number) => Promise<Whole | null>,
): Promise<readonly (Whole | null)[]> {
  const found = await get(PROGRESS, ids)
  return Promise.all(
    found.map(async (first, at) => {
      for (let progress = first; progress !== null; ) {
        const whole = await belonging(progress, at)
        if (whole !== null) return whole
        progress = (await get(PROGRESS, [progress.id]))[0] ?? null
      }
      return null
    }),
  )
}

const stated = (progress: Progress, { state }: WholeState): StatedConversation => ({
  ...progress,
  state: withChanges(state, progress.changes),
})

/** Conversations with their states, in the order of their ids; null where there is none. */
export async function statedConversations(
  over: Guarded,
  ids: readonly string[],
): Promise<readonly (StatedConversation | null)[]> {
  const states = over.get(CONVERSATION_STATE, ids)
  // Where both reads fail the first one is told of.
  states.catch(() => undefined)
  return together(over, ids, async (progress, at) => {
    const first = (await states)[at]
    const state = first?.version === progress.whole ? first : await over.one(CONVERSATION_STATE, progress.id)
    return state?.version === progress.whole ? stated(progress, state) : null
  })
}

/** One with its state; null where there is none. */
export const statedConversation = async (over: Guarded, id: string): Promise<StatedConversation | null> =>
  (await statedConversations(over, [id]))[0] ?? null

/** One with all that is held of it; null where there is none. */
export async function heldConversation(over: Guarded, id: string): Promise<HeldConversation | null> {
  for (;;) {
    const [indexed, held] = await Promise.all([over.one(CONVERSATION, id), statedConversation(over, id)])
    if (held === null) return null
    if (indexed?.version !== held.indexed) continue
    return { ...held, index: indexed.index, handoffPlace: indexed.handoffPlace }
  }
}
