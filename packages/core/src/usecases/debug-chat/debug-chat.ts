import type { Agent } from '../../domain/agent/agent.ts'
import type { Pinning } from '../../domain/conversation/command.ts'
import { initialState } from '../../domain/conversation/initial-state.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { Environment } from '../../domain/environment.ts'
import { asId, type ConversationId, type TurnId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine.ts'
import { awaitTurn } from './await-turn.ts'

export interface DebugChatStart {
  readonly environment: Environment
  /** Generated as `AS_CHAT_<uuid>` when omitted. */
  readonly conversationId?: string
  readonly variantId?: string
  /** @default "CHAT" */
  readonly channel?: string
  readonly asrLanguage?: string
  readonly ttsLanguage?: string
  readonly integrationAttributes?: JsonObject
}

/** One answered input: the state after it and the turn as it is kept. */
export interface DebugTurn {
  readonly state: ConversationState
  readonly turn: StoredTurn
}

/** Test conversations with an agent in a chosen environment (platform-api.md, Debug chat; decisions.md section 4). */
export interface DebugChat {
  /** Opens a conversation; the turn is the greeting. @throws CHAT_DRAFT_NOT_EXIST, CONVERSATION_ID_ALREADY_EXISTS, VARIANT_NOT_FOUND, AGENT_FAILED */
  start(agent: Agent, input: DebugChatStart): Promise<DebugTurn>
  /** @throws CONVERSATIONS_NOT_FOUND, CHAT_CONVERSATION_ENDED, CHAT_ENVIRONMENT_MISMATCH, AGENT_FAILED */
  send(
    agent: Agent,
    conversationId: string,
    input: { readonly environment: Environment; readonly message: string },
  ): Promise<DebugTurn>
}

export interface DebugChatParts {
  readonly engine: Engine
  resolvePinning(agent: Agent, environment: Environment, variantId: string | null): Promise<Pinning | null>
}

export const createDebugChat = (context: Context, parts: DebugChatParts): DebugChat => ({
  start: (agent, input) => start(context, parts, agent, input),
  send: (agent, conversationId, input) => send(context, parts, agent, conversationId, input),
})

async function start(
  context: Context,
  { engine, resolvePinning }: DebugChatParts,
  agent: Agent,
  input: DebugChatStart,
): Promise<DebugTurn> {
  const { clock, ids, settings } = context
  const pinning = await resolvePinning(agent, input.environment, input.variantId ?? null)
  if (pinning === null) {
    throw new PlatformError(
      'CHAT_DRAFT_NOT_EXIST',
      'The draft you are attempting to chat with does not exist.',
    )
  }
  if (input.variantId !== undefined && pinning.variantId !== input.variantId) {
    throw new PlatformError('VARIANT_NOT_FOUND', `The deployed agent has no variant ${input.variantId}.`)
  }
  const initial = initialState(
    {
      id: asId<ConversationId>(input.conversationId ?? `AS_CHAT_${ids.uuid()}`),
      kind: 'debug',
      accountId: agent.accountId,
      agentId: agent.id,
      environment: input.environment,
      channel: input.channel ?? 'CHAT',
      idleTimeout: settings.debugChatIdle,
      handoffSettings: { mode: 'server', queueName: '', timeoutSeconds: settings.handoffTimeoutSeconds },
      pinning,
      integrationAttributes: input.integrationAttributes ?? {},
      asrLanguage: input.asrLanguage ?? null,
      ttsLanguage: input.ttsLanguage ?? null,
    },
    clock.now(),
  )
  if ((await engine.start(initial)) === 'taken') {
    throw new PlatformError('CONVERSATION_ID_ALREADY_EXISTS', `A conversation ${initial.id} exists already.`)
  }
  return converse(context, engine, initial.id, { type: 'join', pinning })
}

async function send(
  context: Context,
  { engine, resolvePinning }: DebugChatParts,
  agent: Agent,
  conversationId: string,
  input: { readonly environment: Environment; readonly message: string },
): Promise<DebugTurn> {
  const id = asId<ConversationId>(conversationId)
  const state = await engine.load(id)
  const known = state !== null && state.kind === 'debug' && state.agentId === agent.id
  const expired = state?.endReason === 'REASON_USER_ABANDONED'
  if (!known || expired) {
    throw new PlatformError(
      'CONVERSATIONS_NOT_FOUND',
      'There is no such debug chat, or it has expired. Start a new one.',
    )
  }
  if (state.endedAt !== null) {
    throw new PlatformError('CHAT_CONVERSATION_ENDED', 'The conversation has ended. Start a new one.')
  }
  if (state.environment !== input.environment) {
    throw new PlatformError(
      'CHAT_ENVIRONMENT_MISMATCH',
      `The conversation runs in ${state.environment}; clientEnv must be the same.`,
    )
  }
  const pinning =
    context.settings.deploymentPinning === 'turn'
      ? await resolvePinning(agent, state.environment, state.record.variantId)
      : null
  return converse(context, engine, id, { type: 'message', text: input.message, pinning })
}

type Said =
  | { readonly type: 'join'; readonly pinning: Pinning | null }
  | { readonly type: 'message'; readonly text: string; readonly pinning: Pinning | null }

/** Says something and waits for the turn that answers it. */
async function converse(
  context: Context,
  engine: Engine,
  id: ConversationId,
  said: Said,
): Promise<DebugTurn> {
  return awaitTurn(context, engine, id, async () => {
    const outcome = await engine.execute(id, { ...said, sender: null, custom: null, clientEventId: null })
    if (outcome.status === 'done') {
      const inputs = [outcome.state.turn?.input, ...outcome.state.queue].filter(input => input !== undefined)
      const newest = inputs.at(-1)
      if (newest !== undefined) return newest.turnId satisfies TurnId
    }
    if (outcome.status === 'refused' && outcome.refusal === 'overloaded') {
      throw new PlatformError('RATE_LIMITED', 'Too many messages of this conversation wait for an answer.', {
        retryAfterSeconds: 1,
      })
    }
    throw new PlatformError('CHAT_CONVERSATION_ENDED', 'The conversation has ended. Start a new one.')
  })
}
