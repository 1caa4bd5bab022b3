import type { Command, Refusal } from '../../domain/conversation/command.ts'
import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'

/**
 * What became of a command.
 *
 * - `done`: decided and written; `events` are the ones it added to the log, maybe none.
 * - `duplicate`: its `clientEventId` took effect before; `event` is the stored echo.
 * - `refused`: nothing was written.
 * - `missing`: there is no such conversation.
 */
export type Outcome =
  | {
      readonly status: 'done'
      readonly state: ConversationState
      readonly events: readonly ConversationEvent[]
    }
  | { readonly status: 'duplicate'; readonly event: ConversationEvent }
  | { readonly status: 'refused'; readonly refusal: Refusal; readonly state: ConversationState }
  | { readonly status: 'missing' }

/** Runs the conversation machine over the store: load, decide, write once, publish, carry out effects. */
export interface Engine {
  /** Brings a conversation to life with its `SESSION_START`. `taken` when the id exists. */
  start(initial: ConversationState): Promise<'started' | 'taken'>
  /** Decides one command. Resolves after the write is durable; effects such as the agent's reply follow by themselves. */
  execute(id: ConversationId, command: Command): Promise<Outcome>
  /** Null when there is no such conversation. */
  load(id: ConversationId): Promise<ConversationState | null>
  /** What is still true and in no log: thinking, the reply's chunks so far, the queue position, the last stated failure. */
  current(id: ConversationId): Promise<readonly TransientEvent[]>
}
