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

const damaged = (id: string): Error =>
  new Error(`The store is damaged: documents of the conversation ${id} do not belong together.`)

/**
 * Reads what belongs to the progress of a conversation, again where somebody has written meanwhile.
 *
 * @param belonging null where it belongs to another version
 * @throws Error where nobody has: looking again would never end
 */
async function belongingTo<Whole>(
  { one }: Pick<Guarded, 'one'>,
  first: Progress,
  belonging: (progress: Progress) => Promise<Whole | null>,
): Promise<Whole | null> {
  for (let progress = first; ; ) {
    const whole = await belonging(progress)
    if (whole !== null) return whole
    const next = await one(PROGRESS, progress.id)
    if (next === null) return null
    if (next.version === progress.version && next.log === progress.log) throw damaged(next.id)
    progress = next
  }
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
  const found = await over.get(PROGRESS, ids)
  const states = await over.get(CONVERSATION_STATE, ids)
  return Promise.all(
    found.map((first, at) =>
      first === null
        ? null
        : belongingTo(over, first, async progress => {
            const known = states[at]
            const state =
              known?.version === progress.whole ? known : await over.one(CONVERSATION_STATE, progress.id)
            return state?.version === progress.whole ? stated(progress, state) : null
          }),
    ),
  )
}

/** One with its state; null where there is none. */
export const statedConversation = async (over: Guarded, id: string): Promise<StatedConversation | null> =>
  (await statedConversations(over, [id]))[0] ?? null

/** One with all that is held of it; null where there is none. */
export async function heldConversation(over: Guarded, id: string): Promise<HeldConversation | null> {
  const first = await over.one(PROGRESS, id)
  if (first === null) return null
  return belongingTo(over, first, async progress => {
    const [state, indexed] = await Promise.all([over.one(CONVERSATION_STATE, id), over.one(CONVERSATION, id)])
    if (state?.version !== progress.whole || indexed?.version !== progress.indexed) return null
    return { ...stated(progress, state), index: indexed.index, handoffPlace: indexed.handoffPlace }
  })
}
