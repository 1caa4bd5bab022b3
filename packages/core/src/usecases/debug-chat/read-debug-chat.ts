import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { Context } from '../context.ts'
import { keyOf } from '../conversation/engine/conversation-key.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { lookUntil } from '../conversation/reply/look-until.ts'
import { environmentSchema } from '../shared/environment.ts'
import { type MaybeDebugTurn, newestTurn, RECENT_TURNS } from './debug-turn.ts'
import { type ChatOfAgent, findDebugChat } from './find-debug-chat.ts'

/** The schema of {@link DebugChatRead}. */
export const debugChatReadSchema = z.object({
  environment: environmentSchema,
  /** Milliseconds. @default 0 */
  wait: z.number().exactOptional(),
})

/** The chat to read, and the time to wait for its next reply. */
export type DebugChatRead = InputOf<typeof debugChatReadSchema>

/** Returns the newest turn. Waits for a reply that is still to come, if asked to (DC11). */
export async function readDebugChat(
  context: Pick<Context, 'clock' | 'rooms' | 'settings' | 'store'>,
  engine: Pick<Engine, 'load'>,
  chat: ChatOfAgent,
  { environment, wait = 0 }: DebugChatRead,
): Promise<MaybeDebugTurn> {
  const { settings, store } = context
  return lookUntil(context, await keyOf(engine, chat.agent.id, chat.conversationId), {
    async look() {
      const state = await findDebugChat(context, engine, chat, environment)
      const turns = await store.conversations.turns(state.id, RECENT_TURNS, settings.limits.sliceBytes)
      return newestTurn(state, turns)
    },
    isEnough: newest => !isToCome(newest),
    wait,
  })
}

/** Reports whether the agent is answering, or has announced that its reply comes later. */
const isToCome = ({ state, turn }: MaybeDebugTurn): boolean =>
  state.endedAt === null &&
  (state.turn !== null || state.pending.length > 0 || turn?.details.delayed === true)
