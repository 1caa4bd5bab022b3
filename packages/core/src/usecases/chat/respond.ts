import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { ConnectorInfo } from '../../domain/access/access.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ChatReply, NumberedReply } from '../../domain/conversation/replies.ts'
import { replyOf } from '../../domain/conversation/replies.ts'
import type { ConversationState, GivenWithMessage } from '../../domain/conversation/state.ts'
import type { ConversationId, TurnId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { utf8Bytes } from '../../domain/utf8-bytes.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import type { Outcome } from '../conversation/engine/engine.ts'
import { lookUntil } from '../conversation/reply/look-until.ts'
import { isOpenTurn, tooManyWait } from '../conversation/reply/open-turn.ts'
import { participantOf } from '../shared/pinning.ts'
import { refuseAttributes } from '../shared/refuse-attributes.ts'
import { chatMessageFields } from './chat-fields.ts'
import type { ChatParts } from './chat-parts.ts'
import { chatOver, findChat, noSuchChat } from './find-chat.ts'
import { freeUntil, isInPeriod, keyReused, messageIdOf, messageKeyOf, requestHash } from './idempotency.ts'
import { isOf, repliesAfter, turnOf } from './numbered-replies.ts'

/** A message, and what comes with it. */
export type ChatMessage = InputOf<typeof chatMessageSchema>

/** The answer to a message. */
export interface ChatAnswer extends Omit<ChatReply, 'index'> {
  readonly conversationId: ConversationId
}

/** The schema of {@link ChatMessage}. */
export const chatMessageSchema = z.object(chatMessageFields)

/** Sends a message and waits for its reply (CM5). */
export async function respondToChat(
  deps: ChatParts,
  connector: ConnectorInfo,
  message: ChatMessage,
): Promise<ChatAnswer> {
  const { engine } = deps
  refuseLarge(deps, message)
  const named = { connector, conversationId: message.conversationId }
  // A chat that has ended takes no key.
  const chat = await findChat(deps, engine, named, message.idempotencyKey === undefined ? 'find' : 'load')
  const { id } = chat
  let said: Said = { turnId: '', sequence: Number.POSITIVE_INFINITY }
  const recorded: StoredTurn[] = []
  const state = await lookUntil(deps, id, {
    async begin() {
      said = await say(deps, chat, { connector, message })
    },
    recorded: turn => void recorded.push(turn),
    known() {
      const state = engine.remembered(id)
      return state !== null && state.sequence >= said.sequence ? state : null
    },
    look: () => engine.load(id),
    isEnough: state => state === null || !isOpenTurn(state, said.turnId),
  })
  if (state === null) throw noSuchChat()
  const turn = recorded.find(isOf(said.turnId)) ?? (await turnOf(deps, id, said.turnId))
  return { conversationId: id, ...(await answerOf(deps, state, turn)) }
}

function refuseLarge({ settings }: Pick<Context, 'settings'>, input: ChatMessage): void {
  const { messageBytes, variableBytes } = settings.limits
  refuseAttributes(input.integrationAttributes, 'integration_attributes', variableBytes)
  refuseAttributes(input.metadata, 'metadata', variableBytes)
  if (utf8Bytes(input.message ?? '') <= messageBytes) return
  const problem = `The message has more than ${messageBytes} bytes of UTF-8, which is the limit.`
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', problem)
}

/** A message in the log. */
interface Said {
  /** The turn that answers it. */
  readonly turnId: TurnId
  readonly sequence: number
}

/** Sends the message, unless it was sent before. */
async function say(
  deps: ChatParts,
  chat: ConversationState,
  { connector, message }: { readonly connector: ConnectorInfo; readonly message: ChatMessage },
): Promise<Said> {
  const { engine, resolvePinning } = deps
  const { id, agentId, environment, record } = chat
  const { idempotencyKey: key } = message
  if (key !== undefined) await takeKey(deps, chat, messageKeyOf(connector.id, key))
  const given = givenWith(message)
  const pinning =
    deps.settings.deploymentPinning === 'turn'
      ? await resolvePinning(agentId, environment, {
          variantId: record.variantId,
          participant: participantOf(chat),
        })
      : null
  const command = {
    type: 'message',
    text: message.message ?? '',
    pinning,
    ...(given === null ? {} : { given }),
    ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
    ...{ sender: null, custom: null, clientEventId: null },
  } as const
  const outcome =
    key === undefined
      ? await engine.execute(id, command)
      : await once(deps, generation => messageIdOf(connector.id, key, generation), {
          request: requestHash(contentOf(message)),
          act: (clientEventId, request) => engine.execute(id, { ...command, clientEventId, request }),
        })
  const said = saidAs(outcome)
  if (said === null) throw refusalOf(outcome, deps.settings.limits.variableBytes)
  return said
}

/**
 * Reserves the key for the chat, before anything is sent under it: of two chats one gets it (TC30). A chat that has
 * ended reserves none: nothing is sent in it any more.
 *
 * @throws IDEMPOTENCY_KEY_REUSED
 */
async function takeKey(
  { clock, store }: Pick<Context, 'clock' | 'store'>,
  { id, endedAt }: ConversationState,
  key: string,
): Promise<void> {
  if (endedAt !== null) return
  const at = clock.now()
  const { messageKeys } = store.conversations
  const taken = await messageKeys.take({ key, conversationId: id, at, freeUntil: freeUntil(at) })
  if (taken === 'held') throw keyReused()
  if (taken === 'missing') throw noSuchChat()
}

/** Sends the message unless it was sent under the key before. @throws IDEMPOTENCY_KEY_REUSED */
async function once(
  { clock }: Pick<Context, 'clock'>,
  idOf: (generation: number) => string,
  {
    act,
    request,
  }: {
    readonly request: string
    readonly act: (clientEventId: string, request: string) => Promise<Outcome>
  },
): Promise<Outcome> {
  for (let generation = 0; ; generation++) {
    const outcome = await act(idOf(generation), request)
    if (outcome.status !== 'duplicate') return outcome
    if (!isInPeriod(outcome.event.at, clock.now())) continue
    if (outcome.event.payload.request !== request) throw keyReused()
    return outcome
  }
}

/** Returns the content that two requests under one key must share. */
const contentOf = (message: ChatMessage): JsonObject => ({
  conversationId: message.conversationId,
  message: message.message ?? null,
  integrationAttributes: message.integrationAttributes ?? null,
  metadata: message.metadata ?? null,
  asrLangCode: message.asrLangCode ?? null,
  ttsLangCode: message.ttsLangCode ?? null,
})

function givenWith({
  integrationAttributes,
  asrLangCode,
  ttsLangCode,
}: ChatMessage): GivenWithMessage | null {
  const given = {
    ...(integrationAttributes === undefined ? {} : { integrationAttributes }),
    ...(asrLangCode === undefined ? {} : { asrLanguage: asrLangCode }),
    ...(ttsLangCode === undefined ? {} : { ttsLanguage: ttsLangCode }),
  }
  return Object.keys(given).length === 0 ? null : given
}

/** Returns the message of an outcome; its turn has the id of the message. */
function saidAs(outcome: Outcome): Said | null {
  const events =
    outcome.status === 'done' ? outcome.events : outcome.status === 'duplicate' ? [outcome.event] : []
  const event = events.find(({ type }) => type === 'USER_MESSAGE')
  const id = event?.payload.message_id
  return event === undefined || typeof id !== 'string' ? null : { turnId: id, sequence: event.sequence }
}

function refusalOf(outcome: Outcome, variableBytes: number): PlatformError {
  if (outcome.status !== 'refused' || outcome.refusal === 'not_joined') return noSuchChat()
  switch (outcome.refusal) {
    case 'overloaded':
      return tooManyWait()
    case 'too_large':
      return new PlatformError(
        'SCHEMA_VALIDATION_FAILED',
        `The conversation's integration attributes would have more than ${variableBytes} bytes of JSON, which is the limit.`,
      )
    default:
      return chatOver(outcome.state)
  }
}

/** Returns the answer for the call of a turn. It is the same for each retry (TC30). */
async function answerOf(
  context: Context,
  state: ConversationState,
  turn: StoredTurn | null,
): Promise<Omit<ChatAnswer, 'conversationId'>> {
  // Messages behind the reply that ended the chat are never answered.
  if (turn === null) throw chatOver(state)
  const reply = replyOf(turn)
  if (reply === null) throw new PlatformError('AGENT_FAILED', String(turn.details.stated_failure))
  const { ended, handoff } = reply
  return { response: textOf(await toldWith(context, state.id, reply)), ended, handoff }
}

/** Returns the late replies that come before the call's own reply, and that one. */
async function toldWith(
  context: Context,
  id: ConversationId,
  reply: NumberedReply,
): Promise<readonly NumberedReply[]> {
  const late: NumberedReply[] = []
  for (let after = reply.toldAfter; after < reply.index - 1; ) {
    const found = await repliesAfter(context, id, after)
    if (found.length === 0) break
    late.push(...found.filter(({ index }) => index < reply.index))
    after = found.at(-1)?.index ?? reply.index
  }
  return [...late, reply]
}

/** Returns the text of the replies, one paragraph each. Replies without text have none. */
const textOf = (replies: readonly ChatReply[]): string =>
  replies
    .map(({ response }) => response)
    .filter(text => text !== '')
    .join('\n\n')
