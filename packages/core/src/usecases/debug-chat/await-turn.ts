import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId, TurnId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine.ts'

/** How many of the newest turns are looked through for the awaited one. */
const RECENT_TURNS = 50

/**
 * Waits for a turn of a conversation, on whatever node it runs. `begin` says which turn; it is called once, when nothing
 * can be missed any more. @throws AGENT_FAILED with the stated failure
 */
export async function awaitTurn(
  context: Context,
  engine: Engine,
  id: ConversationId,
  begin: () => Promise<TurnId>,
): Promise<{ readonly state: ConversationState; readonly turn: StoredTurn }> {
  const waiting = createSignal(context)
  const unsubscribe = context.bus.subscribe(id, waiting.raise)
  try {
    const turnId = await begin()
    while (true) {
      const state = await engine.load(id)
      if (state === null || !isOpen(state, turnId)) return await finished(context, id, turnId, state)
      await waiting.next()
    }
  } finally {
    unsubscribe()
    waiting.close()
  }
}

const isOpen = (state: ConversationState, turnId: TurnId): boolean =>
  state.turn?.id === turnId || state.queue.some(input => input.turnId === turnId)

async function finished(
  context: Context,
  id: ConversationId,
  turnId: TurnId,
  state: ConversationState | null,
): Promise<{ readonly state: ConversationState; readonly turn: StoredTurn }> {
  const turns = await context.store.conversations.turns(id, RECENT_TURNS)
  const turn = turns.find(({ details }) => details.turn_id === turnId)
  if (state === null || turn === undefined) {
    throw new PlatformError(
      'AGENT_FAILED',
      state?.failure?.text ?? 'The conversation ended before the agent had answered.',
    )
  }
  return { state, turn }
}

/** Wakes its waiter when raised, and once a second in case a notice got lost. */
function createSignal({ clock }: Pick<Context, 'clock'>) {
  let raised = false
  let wake: (() => void) | null = null
  let cancel = (): void => undefined
  const raise = (): void => {
    raised = true
    wake?.()
  }
  return {
    raise,
    close: () => cancel(),
    async next(): Promise<void> {
      if (!raised) {
        await new Promise<void>(resolve => {
          wake = resolve
          cancel = clock.schedule(1000, resolve)
        })
        cancel()
        wake = null
      }
      raised = false
    },
  }
}
