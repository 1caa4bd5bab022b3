import type { ConversationEvent } from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { whyNoTransfer } from '../../domain/conversation/transfer.ts'
import { PlatformError } from '../../errors.ts'
import type { AgentContent } from '../../ports/agent-runtime.ts'
import { refuseOver } from '../access/limiters.ts'
import type { Acting } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import type { FeedReader } from '../room/feed.ts'
import { AssistantLate, askForReplies, requireAssistant } from './ask-assistant.ts'
import { actorOf, type DeskActing } from './desk-acting.ts'
import { refusalOf } from './desk-handoff.ts'
import { conversationOfHandoff, type NamedHandoff } from './find-handoff.ts'

/** Reads the content of an agent as a conversation runs it; null before it runs any. */
export type ContentOf = (state: ConversationState) => Promise<AgentContent | null>

type Deps = Acting & { readonly engine: Pick<Engine, 'load'>; readonly contentOf: ContentOf }

/** With these a live agent has gone on: what is suggested then comes too late. */
const GONE_ON: ReadonlySet<string> = new Set(['LIVE_AGENT_MESSAGE', 'LIVE_AGENT_LEFT', 'SESSION_END'])

/** Aborts when the live agent of a conversation goes on, in whichever process. */
function goingOn({ rooms }: Pick<Deps, 'rooms'>, state: ConversationState) {
  const controller = new AbortController()
  const room = rooms.of(state.id)
  const feed = room.follow(state)
  const reader: FeedReader = {
    event({ sequence, type }: ConversationEvent) {
      if (sequence > state.sequence && GONE_ON.has(type)) controller.abort()
    },
    ephemeral() {},
    again() {},
    gap() {},
    failed() {},
  }
  feed.join(reader, state.sequence)
  return {
    signal: controller.signal,
    end() {
      feed.leave(reader)
      room.unfollow()
    },
  }
}

/** See `Desk.suggest`. */
export async function suggestReplies(
  deps: Deps,
  named: NamedHandoff,
  acting: DeskActing,
): Promise<readonly string[]> {
  const { caller, contentOf, limiters, log } = deps
  const { accountId, handoffId } = named
  const assistant = requireAssistant(deps)
  const state = await conversationOfHandoff(deps, named)
  const refusal = whyNoTransfer(state, handoffId, actorOf(caller, acting))
  if (refusal !== null) throw refusalOf({ status: 'refused', refusal, state }, handoffId)
  const liveAgentId = state.handoff?.liveAgent?.id ?? ''
  refuseOver(await limiters.assistant.take(`${accountId} ${liveAgentId}`), 'suggestions')
  const { end, signal } = goingOn(deps, state)
  try {
    const content = await contentOf(state).catch(() => null)
    return await askForReplies(deps, assistant, { content, handoffId, signal, state })
  } catch (cause) {
    if (signal.aborted) return []
    log.warn('No replies could be suggested.', { handoffId, error: cause })
    const message = cause instanceof AssistantLate ? cause.message : 'The assistant failed.'
    throw new PlatformError('ASSISTANT_FAILED', `${message} Try again later.`, { cause })
  } finally {
    end()
  }
}
