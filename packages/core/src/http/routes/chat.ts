import * as z from 'zod'
import type { ConnectorInfo } from '../../domain/access/access.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { ChatReply } from '../../domain/conversation/replies.ts'
import { PlatformError } from '../../errors.ts'
import { chatMessageFields, chatStartFields } from '../../usecases/chat/chat-fields.ts'
import { defineRoute, type HttpRequest, type Route } from '../route.ts'
import { readingParams, readingScope } from './conversation-query.ts'
import * as value from './query-values.ts'

const common = { family: 'chat', credential: 'key_and_token' } as const

const PATH = '/v1/:account_id/:project_id/chat'

/** The longest time, in seconds, that a caller may wait for a reply. */
const LONGEST_WAIT = 30

/** Fields that have the same name in both calls. */
const given = {
  integration_attributes: chatStartFields.integrationAttributes,
  asr_lang_code: chatStartFields.asrLangCode,
  tts_lang_code: chatStartFields.ttsLangCode,
}

const startBody = z.object({
  ...given,
  variant_id: chatStartFields.variantId,
  channel: chatStartFields.channel,
})

const messageBody = z.object({
  ...given,
  conversation_id: chatMessageFields.conversationId,
  message: chatMessageFields.message,
  metadata: chatMessageFields.metadata,
})

type Given = Pick<z.output<typeof startBody>, 'integration_attributes' | 'asr_lang_code' | 'tts_lang_code'>

/** Returns the fields of both calls, as the library calls them. */
const givenBy = ({ integration_attributes, asr_lang_code, tts_lang_code }: Given) => ({
  ...(integration_attributes === undefined ? {} : { integrationAttributes: integration_attributes }),
  ...(asr_lang_code === undefined ? {} : { asrLangCode: asr_lang_code }),
  ...(tts_lang_code === undefined ? {} : { ttsLangCode: tts_lang_code }),
})

/** Returns the idempotency key, which marks a retried request. */
function keyOf({ headers }: HttpRequest): { readonly idempotencyKey?: string } {
  const key = headers['idempotency-key']
  return key === undefined ? {} : { idempotencyKey: key.trim() }
}

/** The agent must be there: a chat with one that was deleted has ended with it. */
const scope = (input: Parameters<typeof readingScope>[0]) => {
  const { account, agent } = readingScope(input)
  return { account, agent }
}

function connectorOf(principal: Principal): ConnectorInfo {
  const connector = principal.type === 'api_key' ? principal.connector : undefined
  if (connector !== undefined) return connector
  throw new PlatformError('AUTH_USER_UNAUTHORISED', 'The token of a connector is required.')
}

const repliedOnWire = ({ response, ended, handoff }: Omit<ChatReply, 'index'>) => ({
  response,
  end_conversation: ended,
  ...(handoff === null
    ? {}
    : {
        handoff: {
          ...(handoff.destination === '' ? {} : { destination: handoff.destination }),
          ...(handoff.reason === '' ? {} : { reason: handoff.reason }),
        },
      }),
})

/** Chats of other channels, a message a call (contract/chat.md). */
export const chatRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    method: 'POST',
    path: `${PATH}/create`,
    operation: 'createChat',
    summary: 'Begin a chat; answers with the greeting',
    params: readingParams,
    body: startBody,
    scope,
    async handle({ platform, principal, body, request }) {
      const { conversationId, response } = await platform.chat.create(connectorOf(principal), {
        ...givenBy(body),
        ...keyOf(request),
        ...(body.variant_id === undefined ? {} : { variantId: body.variant_id }),
        ...(body.channel === undefined ? {} : { channel: body.channel }),
      })
      return { status: 200, json: { conversation_id: conversationId, response } }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: `${PATH}/respond`,
    operation: 'respondToChat',
    summary: 'Say something in a chat; answers with the reply',
    params: readingParams,
    body: messageBody,
    scope,
    async handle({ platform, principal, body, request }) {
      const { conversationId, ...replied } = await platform.chat.respond(connectorOf(principal), {
        ...givenBy(body),
        ...keyOf(request),
        conversationId: body.conversation_id,
        ...(body.message === undefined ? {} : { message: body.message }),
        ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
      })
      return { status: 200, json: { conversation_id: conversationId, ...repliedOnWire(replied) } }
    },
  }),
  defineRoute({
    ...common,
    method: 'PUT',
    path: `${PATH}/close`,
    operation: 'closeChat',
    summary: 'End a chat',
    params: readingParams,
    body: z.object({ conversation_id: chatMessageFields.conversationId }),
    scope,
    async handle({ platform, principal, body }) {
      await platform.chat.close(connectorOf(principal), body.conversation_id)
      return { status: 200, json: { success: true } }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: `${PATH}/:conversation_id/replies`,
    operation: 'listChatReplies',
    summary: 'Read the replies of a chat after a turn, including late ones',
    params: readingParams.extend({ conversation_id: z.string() }),
    query: z.object({
      after: value.integer(0, Number.MAX_SAFE_INTEGER).exactOptional(),
      wait: value.integer(0, LONGEST_WAIT).exactOptional(),
    }),
    scope,
    async handle({ platform, principal, params, query }) {
      const { replies, next } = await platform.chat.replies(connectorOf(principal), {
        conversationId: params.conversation_id,
        wait: (query.wait ?? 0) * 1000,
        ...(query.after === undefined ? {} : { after: query.after }),
      })
      const shown = replies.map(reply => ({ index: reply.index, ...repliedOnWire(reply) }))
      return { status: 200, json: { replies: shown, next } }
    },
  }),
]
