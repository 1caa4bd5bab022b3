import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { Agent } from '../../domain/agent/agent.ts'
import type { Pinning } from '../../domain/conversation/command.ts'
import { publicId } from '../../domain/conversation/conversation-key.ts'
import { initialState } from '../../domain/conversation/initial-state.ts'
import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts'
import type { BranchId, ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { keyOf } from '../conversation/engine/conversation-key.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { jsonObject } from '../shared/json-object.ts'
import { refuseAttributes } from '../shared/refuse-attributes.ts'
import { awaitTurn } from './await-turn.ts'
import type { DebugTurn } from './debug-turn.ts'
import { turnOf } from './say.ts'

/** The dependencies of debug chats. */
export interface DebugChatParts extends Context {
  readonly engine: Engine
  resolvePinning(agent: Agent, environment: Environment, variantId: string | null): Promise<Pinning | null>
  /** @throws BRANCH_NOT_FOUND */
  resolveBranchPinning(agent: Agent, branchId: BranchId, variantId: string | null): Promise<Pinning>
}

/** A language code of plausible length. */
const languageCode = z.string().min(2).max(35)

/** Fields that have the same names on the wire and in the library. */
export const chatFields = {
  /** Unique within the agent: other agents may have conversations of the same id. @default `AS_CHAT_<uuid>` */
  conversationId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,128}$/, 'expected 1 to 128 letters, digits, hyphens or underscores')
    .exactOptional(),
  /**
   * Runs what this branch holds at each turn, and not what is deployed; functions and the real-time config are those of
   * the environment (DC8). @default what is deployed in the environment
   */
  branchId: z.string().min(1).max(200).exactOptional(),
  /** @default the default variant of the deployed agent */
  variantId: z.string().min(1).max(200).exactOptional(),
  /** @default "CHAT" */
  channel: z.string().min(1).max(100).exactOptional(),
  /** The conversation's attributes for functions, at most `limits.variableBytes` of JSON. @default {} */
  integrationAttributes: jsonObject.exactOptional(),
  /** @default the language of the deployed agent */
  asrLangCode: languageCode.exactOptional(),
  /** The language that the agent speaks. @default `asrLangCode`, else the language of the deployed agent */
  ttsLangCode: languageCode.exactOptional(),
}

/** The fields of a message beside its text, by the same names. */
export const debugMessageFields = {
  /** From this message on, like the next one. */
  asrLangCode: languageCode.exactOptional(),
  ttsLangCode: languageCode.exactOptional(),
  /** Metadata for functions, of this message alone. At most `limits.variableBytes` of JSON. */
  metadata: jsonObject.exactOptional(),
}

/** The schema of {@link DebugChatStart}. */
export const debugChatStartSchema = z.object({
  ...chatFields,
  environment: z.enum(ENVIRONMENTS),
})

/** The options of a new debug chat. */
export type DebugChatStart = InputOf<typeof debugChatStartSchema>

/** Opens a debug chat and waits for its greeting (CM5). @throws SCHEMA_VALIDATION_FAILED among others (DC6) */
export async function startDebugChat(
  deps: DebugChatParts,
  agent: Agent,
  input: DebugChatStart,
): Promise<DebugTurn> {
  const { clock, ids, settings } = deps
  refuseAttributes(input.integrationAttributes, 'integrationAttributes', settings.limits.variableBytes)
  const pinning = await pin(deps, agent, input)
  const initial = initialState(
    {
      id: await chatKey(deps.engine, agent, input.conversationId, ids),
      kind: 'debug',
      listed: settings.listDebugChats,
      accountId: agent.accountId,
      agentId: agent.id,
      environment: input.environment,
      channel: input.channel ?? 'CHAT',
      idleTimeout: settings.debugChatIdle,
      handoffSettings: { mode: 'server', queueName: '', timeoutSeconds: settings.handoffTimeoutSeconds },
      pinning,
      integrationAttributes: input.integrationAttributes ?? {},
      asrLanguage: input.asrLangCode ?? null,
      ttsLanguage: input.ttsLangCode ?? null,
    },
    clock.now(),
  )
  return awaitTurn(deps, deps.engine, initial.id, async () => {
    const first = { type: 'join', pinning, sender: null, custom: null, clientEventId: null } as const
    const begun = await deps.engine.start(initial, { first })
    if (begun.status !== 'taken') return turnOf(begun)
    throw new PlatformError(
      'CONVERSATION_ID_ALREADY_EXISTS',
      `The agent has a conversation ${publicId(initial.id)} already.`,
    )
  })
}

const chatKey = async (
  engine: DebugChatParts['engine'],
  agent: Agent,
  chosen: string | undefined,
  ids: Context['ids'],
): Promise<ConversationId> =>
  chosen === undefined ? `AS_CHAT_${ids.uuid()}` : keyOf(engine, agent.id, chosen)

/** Returns the deployment or branch that the chat runs, and the language it speaks (DC4). */
async function pin(
  { resolvePinning, resolveBranchPinning }: DebugChatParts,
  agent: Agent,
  { environment, branchId, variantId, asrLangCode, ttsLangCode }: DebugChatStart,
): Promise<Pinning> {
  const pinning =
    branchId === undefined
      ? await resolvePinning(agent, environment, variantId ?? null)
      : await resolveBranchPinning(agent, branchId, variantId ?? null)
  if (pinning === null) {
    throw new PlatformError(
      'CHAT_DRAFT_NOT_EXIST',
      `Nothing is deployed to ${environment}. Publish or promote first.`,
    )
  }
  if (variantId !== undefined && pinning.variantId !== variantId) {
    throw new PlatformError(
      'VARIANT_NOT_FOUND',
      `The ${branchId === undefined ? 'deployed agent' : 'branch'} has no variant ${variantId}.`,
    )
  }
  return { ...pinning, languageCode: ttsLangCode ?? asrLangCode ?? pinning.languageCode }
}
