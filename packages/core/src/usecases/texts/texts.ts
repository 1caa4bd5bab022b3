import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { SettledText } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { checked } from '../shared/checked.ts'
import { openTextSession, type TextOpened } from './open-text.ts'
import { receiveText, type TextReceipt } from './receive-text.ts'
import {
  type InboundText,
  type OutboundText,
  type TextStatusReport,
  textStatusSchema,
} from './text-fields.ts'
import { namedText } from './text-ids.ts'
import type { TextParts } from './text-parts.ts'

/** How the texts of a session stand. */
export interface TextStanding {
  /** How many wait for the carrier, the one under way included. */
  readonly waiting: number
  /** The newest 20 that wait no more, oldest first. */
  readonly settled: readonly SettledText[]
}

/** Text sessions (contract/texts.md). */
export interface Texts {
  /**
   * A user has texted: takes effect once for each id of the carrier's, in the session of the two numbers (TX1).
   * @throws PHONE_NUMBERS_NOT_FOUND, CHAT_DRAFT_NOT_EXIST, RATE_LIMITED, SCHEMA_VALIDATION_FAILED
   */
  received(text: InboundText): Promise<TextReceipt>
  /** The carrier tells how a text stands (TX25). False for one that is not known. */
  status(report: TextStatusReport): Promise<boolean>
  /**
   * Opens a session with a text of the agent's side (TX2).
   * @throws PHONE_NUMBERS_NOT_FOUND, CHAT_DRAFT_NOT_EXIST, NOT_IMPLEMENTED, SCHEMA_VALIDATION_FAILED, RATE_LIMITED
   */
  open(connector: TelephonyConnector, text: OutboundText): Promise<TextOpened>
  /** How the texts of a session stand; null for a conversation that is no text session. */
  standing(conversationId: ConversationId): Promise<TextStanding | null>
}

/** The text sessions over the context's store. */
export const createTexts = (context: Context, parts: TextParts): Texts => ({
  received: text => receiveText(context, parts, text),
  async status(report) {
    const { carrierId, id, status } = checked(textStatusSchema, report)
    const named = namedText(id)
    if (named === null) return false
    const { number } = named
    const told = { type: 'text_status', number, carrierId, status } as const
    return (await parts.engine.execute(named.id, told)).status === 'done'
  },
  open: (connector, text) => openTextSession(context, parts, connector, text),
  async standing(conversationId) {
    const text = (await parts.engine.load(conversationId))?.text ?? null
    return text === null ? null : { waiting: text.outgoing.length, settled: text.settled }
  },
})
