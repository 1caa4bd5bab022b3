import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { ConnectorInfo } from '../../domain/access/access.ts'
import type { Pinning } from '../../domain/conversation/command.ts'
import { initialState } from '../../domain/conversation/initial-state.ts'
import { replyOf } from '../../domain/conversation/replies.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { lookUntil } from '../conversation/reply/look-until.ts'
import { pinningOver } from '../shared/pinning.ts'
import { refuseAttributes } from '../shared/refuse-attributes.ts'
import { CHAT_CHANNELS, chatStartFields } from './chat-fields.ts'
import type { ChatParts } from './chat-parts.ts'
import { chatOver, noSuchChat } from './find-chat.ts'
import { chatIdOf, isInPeriod, keyReused, requestHash } from './idempotency.ts'
import { storedTurn } from './numbered-replies.ts'

/** The fields of a chat's start. */
export type ChatStart = InputOf<typeof chatStartSchema>

/** A chat that has begun. */
export interface ChatBegun {
  readonly conversationId: ConversationId
  /** The greeting; empty if the agent said nothing. */
  readonly response: string
}

/** The schema of {@link ChatStart}. */
export const chatStartSchema = z.object(chatStartFields)

/** Opens a chat and waits for its greeting (CM5). */
export async function createChatConversation(
  deps: ChatParts,
  connector: ConnectorInfo,
  input: ChatStart,
): Promise<ChatBegun> {
  refuseAttributes(input.integrationAttributes, 'integration_attributes', deps.settings.limits.variableBytes)
  const { idempotencyKey: key } = input
  if (key !== undefined) return createOnce(deps, connector, { input, key })
  const id = `CONV-${deps.ids.uuid()}`
  const pinning = await pin(deps, id, connector, input)
  await start(deps, id, connector, { input, pinning, request: null })
  return greet(deps, deps.engine, id)
}

/** Opens it unless it was opened under the key before. @throws IDEMPOTENCY_KEY_REUSED */
async function createOnce(
  deps: ChatParts,
  connector: ConnectorInfo,
  { input, key }: { readonly input: ChatStart; readonly key: string },
): Promise<ChatBegun> {
  const { engine } = deps
  const request = requestHash(contentOf(input))
  for (let generation = 0; ; ) {
    const id = chatIdOf(connector.id, key, generation)
    const known = await engine.load(id)
    if (known === null) {
      const pinning = await pin(deps, id, connector, input)
      const { status } = await start(deps, id, connector, { input, pinning, request })
      // Another call has begun it meanwhile.
      if (status === 'taken') continue
      return greet(deps, engine, id)
    }
    if (isInPeriod(known.startedAt, deps.clock.now())) {
      if (known.chat?.request !== request) throw keyReused()
      return greet(deps, engine, id)
    }
    generation++
  }
}

/** Returns the content that two requests under one key must share. */
const contentOf = (input: ChatStart): JsonObject => ({
  variantId: input.variantId ?? null,
  channel: input.channel ?? null,
  integrationAttributes: input.integrationAttributes ?? null,
  asrLangCode: input.asrLangCode ?? null,
  ttsLangCode: input.ttsLangCode ?? null,
})

/** The parts of a new chat. */
interface Beginning {
  readonly input: ChatStart
  readonly pinning: Pinning
  readonly request: string | null
}

/** Begins a chat, which its caller has joined. */
function start(
  { clock, engine, settings }: ChatParts,
  id: ConversationId,
  connector: ConnectorInfo,
  { input, pinning, request }: Beginning,
): ReturnType<Engine['start']> {
  const { accountId, agentId, environment, handoff } = connector
  const initial = initialState(
    {
      ...{ id, kind: 'chat', accountId, agentId, environment, pinning, request },
      channel: CHAT_CHANNELS[input.channel ?? 'webchat'],
      idleTimeout: settings.chatIdle,
      handoffSettings: handoff,
      connectorId: connector.id,
      integrationAttributes: input.integrationAttributes ?? {},
      asrLanguage: input.asrLangCode ?? null,
      ttsLanguage: input.ttsLangCode ?? null,
    },
    clock.now(),
  )
  const first = { type: 'join', pinning, sender: null, custom: null, clientEventId: null } as const
  return engine.start(initial, { first })
}

/** Returns the deployment that the chat runs, and the language it speaks (TC7, DC4). */
async function pin(
  deps: ChatParts,
  conversationId: ConversationId,
  connector: ConnectorInfo,
  { variantId, asrLangCode, ttsLangCode }: ChatStart,
): Promise<Pinning> {
  const participant = { conversationId, visitor: null, runs: null }
  const pinning = await pinningOver(deps, connector, participant, variantId)
  return { ...pinning, languageCode: ttsLangCode ?? asrLangCode ?? pinning.languageCode }
}

/** Waits for the greeting of a chat that has begun. */
async function greet(context: Context, engine: Engine, id: ConversationId): Promise<ChatBegun> {
  const state = await lookUntil(context, id, {
    look: () => engine.load(id),
    isEnough: state => state === null || !isGreeting(state),
  })
  if (state === null) throw noSuchChat()
  const [first] = (await context.store.conversations.turnPage(id, 0, 1)).turns
  const greeting = first === undefined ? null : replyOf(storedTurn(first))
  if (greeting !== null) return { conversationId: id, response: greeting.response }
  // Closed before the agent could greet.
  if (first === undefined && state.endedAt !== null) throw chatOver(state)
  // No one knows its id, so that no one could go on with it.
  await engine.execute(id, { type: 'close', reason: 'REASON_NATURAL_END' })
  throw new PlatformError(
    'CHAT_DRAFT_DEPLOYMENT_FAILED',
    'The agent could not begin the conversation. Try again.',
  )
}

/** Reports whether a greeting is in progress or pending. */
const isGreeting = ({ turn, pending }: ConversationState): boolean =>
  turn?.input.type === 'greeting' || pending.some(({ type }) => type === 'greeting')
