import * as z from 'zod'
import { jsonObject } from '../shared/json-object.ts'
import { idempotencyKey } from './idempotency.ts'

const languageCode = z.string().min(2).max(35)

/** The channels that a caller may name, and what the record says of each (TC12). */
export const CHAT_CHANNELS = { webchat: 'CHAT', api: 'CHAT', whatsapp: 'WHATSAPP', sms: 'SMS' } as const
export type ChatChannel = keyof typeof CHAT_CHANNELS

/** The fields of a chat's start. */
export const chatStartFields = {
  /** The conversation's attributes for functions, at most `limits.variableBytes` of JSON. @default {} */
  integrationAttributes: jsonObject.exactOptional(),
  /** @default the language of the deployed agent */
  asrLangCode: languageCode.exactOptional(),
  /** The language that the agent speaks. @default `asrLangCode`, else the language of the deployed agent */
  ttsLangCode: languageCode.exactOptional(),
  /** The same key begins one chat, and has the same answer for 24 hours (TC30). @default none */
  idempotencyKey: idempotencyKey.exactOptional(),
  /** @default the connector's variant, else the default one of the deployed agent */
  variantId: z.string().min(1).max(200).exactOptional(),
  /** @default "webchat" */
  channel: z.enum(['webchat', 'whatsapp', 'sms', 'api']).exactOptional(),
}

/** The fields of a message. */
export const chatMessageFields = {
  conversationId: z.string().min(1).max(200),
  /** At most `limits.messageBytes` of UTF-8. Blank, or left out: silence (TC12). */
  message: z.string().exactOptional(),
  /** Merged over those before, at the first level, from this message on (TC12). */
  integrationAttributes: jsonObject.exactOptional(),
  /** Metadata for functions, of this message alone (TC12). */
  metadata: jsonObject.exactOptional(),
  /** From this message on, like the next one. */
  asrLangCode: languageCode.exactOptional(),
  ttsLangCode: languageCode.exactOptional(),
  /** The same key says the same message once, and has the same answer for 24 hours (TC30). @default none */
  idempotencyKey: idempotencyKey.exactOptional(),
}
