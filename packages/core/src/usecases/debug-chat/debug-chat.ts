import * as z from 'zod'
import { type CallsOf, callsWith, type InputOf } from '../../calls/call.ts'
import type { Agent } from '../../domain/agent/agent.ts'
import type { Pinning } from '../../domain/conversation/command.ts'
import type { ConversationState, GivenWithMessage } from '../../domain/conversation/state.ts'
import { isBranchId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { conversationId, made } from '../shared/arguments.ts'
import { environmentSchema } from '../shared/environment.ts'
import { refuseAttributes } from '../shared/refuse-attributes.ts'
import type { DebugTurn, MaybeDebugTurn } from './debug-turn.ts'
import { type ChatOfAgent, chatEnded, findDebugChat } from './find-debug-chat.ts'
import { type DebugChatRead, debugChatReadSchema, readDebugChat } from './read-debug-chat.ts'
import { say } from './say.ts'
import {
  type DebugChatParts,
  type DebugChatStart,
  debugChatStartSchema,
  debugMessageFields,
  startDebugChat,
} from './start-debug-chat.ts'

/** The schema of {@link DebugChatMessage}. */
export const debugChatMessageSchema = z.object({
  environment: environmentSchema,
  /** At most `limits.messageBytes` of UTF-8. */
  message: z.string(),
  ...debugMessageFields,
})

/** A tester's message. */
export type DebugChatMessage = InputOf<typeof debugChatMessageSchema>

/** Test conversations with an agent in a chosen environment (contract/debug-chat.md). */
export interface DebugChat {
  /**
   * Opens a conversation; the turn is the greeting. A failed turn rejects with a `TurnFailed`, an AGENT_FAILED that
   * holds the turn.
   * @throws CHAT_DRAFT_NOT_EXIST, BRANCH_NOT_FOUND, CONVERSATION_ID_ALREADY_EXISTS, VARIANT_NOT_FOUND,
   *   SCHEMA_VALIDATION_FAILED, AGENT_FAILED
   */
  start(agent: Agent, input: DebugChatStart): Promise<DebugTurn>
  /**
   * Sends a message; the turn is its answer, or rejects as above.
   * @throws CONVERSATIONS_NOT_FOUND, BRANCH_NOT_FOUND, CHAT_CONVERSATION_ENDED, CHAT_ENVIRONMENT_MISMATCH,
   *   SCHEMA_VALIDATION_FAILED, RATE_LIMITED, AGENT_FAILED
   */
  send(agent: Agent, conversationId: string, input: DebugChatMessage): Promise<DebugTurn>
  /**
   * Returns the newest turn, including one caused by an external event.
   * @throws CONVERSATIONS_NOT_FOUND, CHAT_ENVIRONMENT_MISMATCH
   */
  read(agent: Agent, conversationId: string, input: DebugChatRead): Promise<MaybeDebugTurn>
}

const agent = ['agent', made<Agent>('what agents.find gives', 'id', 'accountId')] as const
const { call } = callsWith<DebugChatParts>()

/** The implementations of the calls about debug chats. */
export const debugChatCalls = {
  start: call(() => [agent, debugChatStartSchema], startDebugChat),
  send: call(
    () => [agent, conversationId, debugChatMessageSchema],
    (deps, of, chat, input) => sendToDebugChat(deps, { agent: of, conversationId: chat }, input),
  ),
  read: call(
    () => [agent, conversationId, debugChatReadSchema],
    (deps, of, chat, input) => readDebugChat(deps, deps.engine, { agent: of, conversationId: chat }, input),
  ),
} satisfies CallsOf<DebugChat, DebugChatParts>

async function sendToDebugChat(
  deps: DebugChatParts,
  chat: ChatOfAgent,
  input: DebugChatMessage,
): Promise<DebugTurn> {
  const { environment, message, metadata } = input
  const { engine, settings } = deps
  const { messageBytes, variableBytes } = settings.limits
  refuseLength(message, messageBytes)
  refuseAttributes(metadata, 'metadata', variableBytes)
  const state = await findDebugChat(deps, engine, chat, environment)
  if (state.endedAt !== null) throw chatEnded()
  const pinning = await pinningOfTurn(deps, chat.agent, state)
  const given = languagesOf(input)
  return say(deps, engine, state.id, {
    ...{ type: 'message', text: message, pinning },
    ...(given === null ? {} : { given }),
    ...(metadata === undefined ? {} : { metadata }),
  })
}

function languagesOf({ asrLangCode, ttsLangCode }: DebugChatMessage): GivenWithMessage | null {
  if (asrLangCode === undefined && ttsLangCode === undefined) return null
  return {
    ...(asrLangCode === undefined ? {} : { asrLanguage: asrLangCode }),
    ...(ttsLangCode === undefined ? {} : { ttsLanguage: ttsLangCode }),
  }
}

/**
 * Returns the deployment or branch that the next turn runs. Null: the one that the chat runs already. A branch may have
 * been edited since (DC8).
 */
async function pinningOfTurn(
  { resolvePinning, resolveBranchPinning, settings }: DebugChatParts,
  agent: Agent,
  { deploymentId, environment, record: { variantId } }: ConversationState,
): Promise<Pinning | null> {
  if (deploymentId !== null && isBranchId(deploymentId))
    return resolveBranchPinning(agent, deploymentId, variantId)
  return settings.deploymentPinning === 'turn' ? resolvePinning(agent, environment, variantId) : null
}

function refuseLength(message: string, limit: number): void {
  if (new TextEncoder().encode(message).length <= limit) return
  throw new PlatformError(
    'SCHEMA_VALIDATION_FAILED',
    `The message has more than ${limit} bytes of UTF-8, which is the limit.`,
  )
}
