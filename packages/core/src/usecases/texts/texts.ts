import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { SettledText } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { conversationId, made } from '../shared/arguments.ts'
import { openTextSession, type TextOpened } from './open-text.ts'
import { receiveText, type TextReceipt } from './receive-text.ts'
import {
  type InboundText,
  inboundTextSchema,
  type OutboundText,
  outboundTextSchema,
  type TextStatusReport,
  textStatusSchema,
} from './text-fields.ts'
import { namedText } from './text-ids.ts'
import type { TextParts } from './text-parts.ts'

/** The status of a session's texts. */
export interface TextStanding {
  /** The number of texts that wait for the carrier, including the one in progress. */
  readonly waiting: number
  /** The newest 20 that wait no more, oldest first. */
  readonly settled: readonly SettledText[]
}

/** Text sessions (contract/texts.md). */
export interface Texts {
  /**
   * Receives a user's text: it takes effect once for each id of the carrier's, in the session of the two numbers (TX1).
   *
   * @throws PHONE_NUMBERS_NOT_FOUND, CHAT_DRAFT_NOT_EXIST, RATE_LIMITED, SCHEMA_VALIDATION_FAILED
   */
  received(text: InboundText): Promise<TextReceipt>
  /** Applies the carrier's report on the status of a text (TX32). Returns false for an unknown text. */
  status(report: TextStatusReport): Promise<boolean>
  /**
   * Opens a session with a text of the agent's side (TX1).
   * @throws PHONE_NUMBERS_NOT_FOUND, CHAT_DRAFT_NOT_EXIST, NOT_IMPLEMENTED, SCHEMA_VALIDATION_FAILED, RATE_LIMITED
   */
  open(connector: TelephonyConnector, text: OutboundText): Promise<TextOpened>
  /** Returns the status of a session's texts. Null for a conversation that is no text session. */
  standing(conversationId: ConversationId): Promise<TextStanding | null>
}

const { call } = callsWith<TextParts>()
const connector = [
  'connector',
  made<TelephonyConnector>('what access gives', 'id', 'accountId', 'agentId', 'environment'),
] as const

/** The implementations of the calls about text sessions. */
export const textCalls = {
  received: call(() => [inboundTextSchema], receiveText),
  status: call(
    () => [textStatusSchema],
    async ({ engine }, { carrierId, id, status }) => {
      const named = namedText(id)
      if (named === null) return false
      const { number } = named
      const told = { type: 'text_status', number, carrierId, status } as const
      return (await engine.execute(named.id, told)).status === 'done'
    },
  ),
  open: call(() => [connector, outboundTextSchema], openTextSession),
  standing: call(
    () => [conversationId],
    async ({ engine }, id) => {
      const text = (await engine.load(id))?.text ?? null
      return text === null ? null : { waiting: text.outgoing.length, settled: text.settled }
    },
  ),
} satisfies CallsOf<Texts, TextParts>
