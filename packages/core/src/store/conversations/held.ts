import type { ConversationState } from '../../domain/conversation/state.ts'
import { withChanges } from '../../domain/conversation/state-changes.ts'
import type { Guarded } from '../guarded.ts'
import {
  CONVERSATION,
  CONVERSATION_STATE,
  type IndexedConversation,
  type Step,
  type WholeState,
} from './kinds.ts'
import { newestStep } from './steps.ts'

/** The newest step of a conversation. */
export interface NewestStep extends Step {
  readonly id: string
}

/** A conversation, of whose log it has the newest step. */
export interface HeldConversation extends NewestStep, Pick<IndexedConversation, 'index' | 'handoffPlace'> {
  readonly state: ConversationState
}

const damaged = (id: string): Error =>
  new Error(`The store is damaged: documents of the conversation ${id} do not belong together.`)

/** The documents of a conversation beside its log. */
interface Beside {
  readonly indexed: IndexedConversation | null
  readonly whole: WholeState | null
}

async function besideOf({ get }: Guarded, ids: readonly string[]): Promise<readonly Beside[]> {
  const [found, states] = await Promise.all([get(CONVERSATION, ids), get(CONVERSATION_STATE, ids)])
  return ids.map((_, at) => ({ indexed: found[at] ?? null, whole: states[at] ?? null }))
}

/**
 * Reads a conversation with its newest step, which is read after the documents that it belongs to. Reads all again if
 * another writer came in between.
 *
 * @throws Error if none did: another try would never end
 */
async function heldWith(over: Guarded, id: string, first: Beside): Promise<HeldConversation | null> {
  let seen = ''
  for (let [beside] = [first] as readonly Beside[]; beside?.indexed; [beside] = await besideOf(over, [id])) {
    const { indexed, whole } = beside
    const step = await newestStep(over, indexed.log)
    if (whole !== null && whole.version === step?.whole && indexed.version === step.indexed) {
      const { handoffPlace, index } = indexed
      return { ...step, id, index, handoffPlace, state: withChanges(whole.state, step.changes) }
    }
    const found = `${indexed.log} ${step?.version}`
    if (found === seen) throw damaged(id)
    seen = found
  }
  return null
}

/** Conversations in the order of their ids; null if there is none. */
export const heldConversations = async (
  over: Guarded,
  ids: readonly string[],
): Promise<readonly (HeldConversation | null)[]> =>
  Promise.all((await besideOf(over, ids)).map((beside, at) => heldWith(over, ids[at] ?? '', beside)))

/** Reads a conversation with its state and its newest step. Returns null if there is none. */
export const heldConversation = async (over: Guarded, id: string): Promise<HeldConversation | null> =>
  (await heldConversations(over, [id]))[0] ?? null

/** Returns the progress of conversations in the order of their ids. Null for one that does not exist. */
export async function progressOf(
  over: Guarded,
  ids: readonly string[],
): Promise<readonly (NewestStep | null)[]> {
  const found = await over.get(CONVERSATION, ids)
  return Promise.all(
    found.map(async one => {
      const step = one === null ? null : await newestStep(over, one.log)
      if (one === null) return null
      // It was removed meanwhile, and may have begun again.
      return step === null ? heldConversation(over, one.id) : { ...step, id: one.id }
    }),
  )
}
