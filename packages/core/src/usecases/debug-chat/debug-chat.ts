import * as z from 'zod'
import type { Agent } from '../../domain/agent/agent.ts'
import type { Pinning } from '../../domain/conversation/command.ts'
import type { ConversationState, GivenWithMessage } from '../../domain/conversation/state.ts'
import type { Environment } from '../../domain/environment.ts'
import { isBranchId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { checked } from '../shared/checked.ts'
import { refuseAttributes } from '../shared/refuse-attributes.ts'
import type { DebugTurn, MaybeDebugTurn } from './debug-turn.ts'
import { type ChatOfAgent, chatEnded, findDebugChat } from './find-debug-chat.ts'
import { type DebugChatRead, readDebugChat } from './read-debug-chat.ts'
import { say } from './say.ts'
import {
  type DebugChatParts,
  type DebugChatStart,
  debugMessageFields,
  startDebugChat,
} from './start-debug-chat.ts'

/** A tester's message. */
export interface DebugChatMessage {
  /** The id of the chat. */
  readonly environment: Environment
  /** At most `limits.messageBytes` of UTF-8. */
  readonly message: string
  /** From this message on, like the next one. */
  readonly asrLangCode?: string
  readonly ttsLangCode?: string
  /** What functions read of this message alone; at most `limits.variableBytes` of JSON. */
  readonly metadata?: JsonObject
}

const messageSchema = z.object(debugMessageFields)

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
   * The newest turn, including one caused by an external event.
   * @throws CONVERSATIONS_NOT_FOUND, CHAT_ENVIRONMENT_MISMATCH
   */
  read(agent: Agent, conversationId: string, input: DebugChatRead): Promise<MaybeDebugTurn>
}

/** Debug chats over the context's store; `engine` runs them. */
export const createDebugChat = (context: Context, parts: DebugChatParts): DebugChat => ({
  start: (agent, input) => startDebugChat(context, parts, agent, input),
  send: (agent, conversationId, input) => sendToDebugChat(context, parts, { agent, conversationId }, input),
  read: (agent, conversationId, input) =>
    readDebugChat(context, parts.engine, { agent, conversationId }, input),
})

async function sendToDebugChat(
  context: Context,
  parts: DebugChatParts,
  chat: ChatOfAgent,
  input: DebugChatMessage,
): Promise<DebugTurn> {
  const { environment, message, metadata } = input
  const { messageBytes, variableBytes } = context.settings.limits
  refuseLength(message, messageBytes)
  // Before the schema, which would not terminate on a circular value.
  refuseAttributes(metadata, 'metadata', variableBytes)
  checked(messageSchema, input)
  const { engine } = parts
  const state = await findDebugChat(context, engine, chat, environment)
  if (state.endedAt !== null) throw chatEnded()
  const pinning = await pinningOfTurn(context, parts, chat.agent, state)
  const given = languagesOf(input)
  return say(context, engine, state.id, {
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

/** What the next turn runs; null: what the chat runs already. A branch may have been edited since (DC17). */
async function pinningOfTurn(
  { settings }: Context,
  { resolvePinning, resolveBranchPinning }: DebugChatParts,
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
