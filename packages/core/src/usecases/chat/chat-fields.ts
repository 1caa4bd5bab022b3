import * as z from 'zod'
import { idempotencyKey } from './idempotency.ts'

const languageCode = z.string().min(2).max(35)

const attributes = z.record(z.string(), z.json())

/** Fields of both calls. */
const common = {
  integrationAttributes: attributes.exactOptional(),
  asrLangCode: languageCode.exactOptional(),
  ttsLangCode: languageCode.exactOptional(),
  idempotencyKey: idempotencyKey.exactOptional(),
}

/** The channels that a caller may name, and what the record says of each (TC5). */
export const CHAT_CHANNELS = { webchat: 'CHAT', api: 'CHAT', whatsapp: 'WHATSAPP', sms: 'SMS' } as const
export type ChatChannel = keyof typeof CHAT_CHANNELS

/** What a chat begins with. */
export const chatStartFields = {
  ...common,
  variantId: z.string().min(1).max(200).exactOptional(),
  channel: z.enum(['webchat', 'whatsapp', 'sms', 'api']).exactOptional(),
}

/** What a message brings. */
export const chatMessageFields = {
  ...common,
  conversationId: z.string().min(1).max(200),
  message: z.string().exactOptional(),
  metadata: attributes.exactOptional(),
}
