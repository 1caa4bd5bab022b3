import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { isTextNumber } from '../../domain/telephony/phone-number.ts'
import { pairOfOwner, withSession } from '../../domain/text/text-pair.ts'
import { utf8Bytes } from '../../domain/utf8-bytes.ts'
import { PlatformError } from '../../errors.ts'
import { refuseOver } from '../access/limiters.ts'
import type { OutboundText } from './text-fields.ts'
import type { TextParts } from './text-parts.ts'
import { pinText, type SessionStart, startTextSession } from './text-session.ts'

/** A session that the agent's side has opened. */
export interface TextOpened {
  /** Null: the user wants no texts of that number, and none was sent. */
  readonly conversationId: ConversationId | null
}

/** The most attempts at a decision that a text of the same pair forestalled. */
const MOST_ATTEMPTS = 50

const refused = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)

/**
 * Opens a session with a text (TX1): a new one each time, in place of one that is open between the two numbers. The
 * text goes out over the road of all others. An agent opens as many as `rateLimits.text` allows (TX40).
 */
export async function openTextSession(
  deps: TextParts,
  connector: TelephonyConnector,
  text: OutboundText,
): Promise<TextOpened> {
  const { messageBytes } = deps.settings.limits
  if (utf8Bytes(text.text) > messageBytes)
    throw refused(`The message has more than ${messageBytes} bytes of UTF-8, which is the limit.`)
  if (text.channel === 'RCS' && text.service === undefined)
    throw refused('messaging_service_sid is missing. RCS needs it.')
  const { ours, service } = await senderOf(deps, connector, text)
  if (deps.textCarrier === null)
    throw new PlatformError(
      'NOT_IMPLEMENTED',
      'This server sends no texts: it was started without textCarrier.',
    )
  const { channel = 'SMS', to: theirs } = text
  const id = `CONV-${deps.ids.uuid()}`
  const pinning = await pinText(deps, connector, { conversationId: id, visitor: theirs, runs: null })
  refuseOver(await deps.limiters.texts.take(connector.agentId), 'texts of the agent')
  const before = await begin(deps, {
    ...{ id, connector, direction: 'outbound', pair: { ours, theirs, channel, service }, pinning },
    first: { type: 'open_text', text: text.text },
  })
  if (before === 'opted out') return { conversationId: null }
  // Texts of the user come to the new session from now on: no one would hear the old one.
  if (before !== null) await deps.engine.execute(before, { type: 'close', reason: 'REASON_NATURAL_END' })
  return { conversationId: id }
}

/** The sender of a text. */
interface Sender {
  /** The number, or the carrier's sender if there is none: the agent's end of the pair. */
  readonly ours: string
  /** The carrier's sender over which it goes; null for none. */
  readonly service: string | null
}

/**
 * Returns the sender: the given number or one of the agent's, over RCS the carrier's sender. Both are the agent's own
 * (TX5, TX57).
 */
async function senderOf(
  { numbersOf }: TextParts,
  connector: TelephonyConnector,
  { channel, from, service: given }: OutboundText,
): Promise<Sender> {
  const { environment } = connector
  const service = given ?? null
  const senders = await numbersOf(connector)
  const usual = channel === 'RCS' ? undefined : senders.find(isTextNumber)
  const ours = from ?? usual ?? service
  if (senders.length === 0 || ours === null)
    throw new PlatformError(
      'PHONE_NUMBERS_NOT_FOUND',
      `The agent has no phone numbers in the environment ${environment}. Import one first.`,
    )
  if (channel === 'RCS' && from !== undefined) throw refused('agent_number is not for RCS. Leave it out.')
  if (from !== undefined && !senders.includes(from))
    throw refused(`agent_number is no number of the agent in the environment ${environment}.`)
  if (service !== null && !senders.includes(service))
    throw refused(
      `messaging_service_sid is no sender of the agent in the environment ${environment}. The operator of this server registers senders.`,
    )
  return { ours, service }
}

/** Begins the pair's session; answers with the one before it, or that the user wants no texts. */
async function begin(
  deps: TextParts,
  session: Omit<SessionStart, 'textPair'>,
): Promise<ConversationId | null | 'opted out'> {
  const { accountId, agentId } = session.connector
  const { ours, theirs } = session.pair
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const stored = await deps.store.conversations.textPairs.find(ours, theirs)
    const known = pairOfOwner(stored, { ours, theirs, accountId, agentId })
    if (known.optedOut) return 'opted out'
    const textPair = withSession(known, session.id)
    if ((await startTextSession(deps, { ...session, textPair })).status !== 'done') continue
    // A session of the account that had the sender before is none of this one's.
    return stored?.accountId === accountId ? stored.conversationId : null
  }
  throw new PlatformError('WRITE_CONFLICT', 'Too many texts of these numbers come at once. Try again.')
}
