import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { ConversationId } from '../../domain/ids.ts'
import {
  keywordOf,
  pairOfOwner,
  receivedBefore,
  type TextKeyword,
  type TextPair,
  withKeyword,
  withReceived,
} from '../../domain/text/text-pair.ts'
import { PlatformError } from '../../errors.ts'
import type { Context } from '../context.ts'
import type { Outcome } from '../conversation/engine/engine.ts'
import { tooManyWait } from '../conversation/reply/open-turn.ts'
import type { InboundText } from './text-fields.ts'
import type { TextParts } from './text-parts.ts'
import { pinText, startTextSession, textEventId } from './text-session.ts'

/** The result of a text. */
export interface TextReceipt {
  /** The session that has it; null for a keyword. */
  readonly conversationId: ConversationId | null
  readonly keyword: TextKeyword | null
  /** It had come before, and changed nothing now. */
  readonly repeated: boolean
}

/** The most attempts at a decision about a pair that another text of the same pair forestalled. */
const MOST_ATTEMPTS = 50

/**
 * Receives a user's text: once, in the session of its pair of numbers (TX1, TX31 and TX32). One write adds it to the
 * pair and to the session, which it may begin.
 */
export async function receiveText(deps: TextParts, text: InboundText): Promise<TextReceipt> {
  const found = await pairOf(deps, text)
  const keyword = await keywordIn(deps, text, found)
  return keyword === null ? say(deps, text, found) : note(deps, text, found, keyword)
}

/** Returns the keyword in a text: as the carrier reports it, else by its words (TX31). */
async function keywordIn(context: Context, text: InboundText, found: Found): Promise<TextKeyword | null> {
  if (text.keyword != null) return text.keyword
  // A word that only those can mean who have opted out: for no other is the pair read.
  if (keywordOf(text.text, { optedOut: true }) === null) return null
  return keywordOf(text.text, await load(context, found))
}

/** The pair of numbers that a text belongs to, and the connector that answers it. */
interface Found {
  readonly ours: string
  readonly theirs: string
  readonly connector: TelephonyConnector
}

/**
 * Returns the pair of a session that a sender of the carrier's began, if the account of that session still has the
 * sender.
 */
async function begunOver(
  deps: TextParts,
  { service, theirs }: { readonly service: string; readonly theirs: string },
): Promise<Found | null> {
  const sender = await deps.senderOf(service)
  const begun = sender === null ? null : await deps.store.conversations.textPairs.find(sender.number, theirs)
  const session = begun?.conversationId == null ? null : await deps.engine.load(begun.conversationId)
  if (session?.connectorId == null || session.accountId !== sender?.accountId) return null
  const connector = await deps.connectorOfId(session.connectorId)
  return connector === null ? null : { ours: sender.number, theirs, connector }
}

/**
 * Returns the pair of a text. A text over a sender of the carrier's belongs to the session that the sender began.
 * Otherwise the connector that answers its number has it, or the one that answers the sender (TX57).
 */
async function pairOf(deps: TextParts, text: InboundText): Promise<Found> {
  const { from: theirs, service = null } = text
  const begun = service === null ? null : await begunOver(deps, { service, theirs })
  if (begun !== null) return begun
  for (const ours of [text.to, service]) {
    const connector = ours === null ? null : await deps.connectorOf(ours)
    if (ours !== null && connector !== null) return { ours, theirs, connector }
  }
  throw new PlatformError('PHONE_NUMBERS_NOT_FOUND', `No agent has the number ${text.to}. Import it first.`)
}

async function load(context: Context, { connector, ours, theirs }: Found): Promise<TextPair> {
  const { accountId, agentId } = connector
  const stored = await context.store.conversations.textPairs.find(ours, theirs)
  return pairOfOwner(stored, { ours, theirs, accountId, agentId })
}

const save = (context: Context, pair: TextPair) =>
  context.store.conversations.textPairs.save(pair, pair.version - 1)

const conflict = (): PlatformError =>
  new PlatformError('WRITE_CONFLICT', 'Too many texts of these numbers come at once. Try again.')

async function note(
  context: Context,
  { id }: InboundText,
  found: Found,
  keyword: TextKeyword,
): Promise<TextReceipt> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const pair = await load(context, found)
    if (receivedBefore(pair, id) !== null) return { conversationId: null, keyword, repeated: true }
    if ((await save(context, withKeyword(pair, id, keyword))) === 'saved')
      return { conversationId: null, keyword, repeated: false }
  }
  throw conflict()
}

async function say(deps: TextParts, text: InboundText, found: Found): Promise<TextReceipt> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const pair = await load(deps, found)
    const received = receivedBefore(pair, text.id)
    if (received !== null) {
      const { conversationId } = received
      // A word that opted the user in again, which means something else by now.
      return { conversationId, keyword: conversationId === null ? 'START' : null, repeated: true }
    }
    const { conversationId } = pair
    const outcome = conversationId === null ? null : await goOn(deps, conversationId, { text, pair })
    if (outcome?.status === 'done' || outcome?.status === 'duplicate')
      return { conversationId, keyword: null, repeated: outcome.status === 'duplicate' }
    const refusal = outcome?.status === 'refused' ? outcome.refusal : null
    if (refusal === 'overloaded') throw tooManyWait()
    if (refusal === 'text_forestalled') continue
    const begun = await begin(deps, pair, { text, found })
    if (begun !== null) return { conversationId: begun, keyword: null, repeated: false }
  }
  throw conflict()
}

/** Adds a text to the pair's session, which refuses it once it is over. */
const goOn = (
  { engine }: TextParts,
  conversationId: ConversationId,
  { text, pair }: { readonly text: InboundText; readonly pair: TextPair },
): Promise<Outcome> =>
  engine.execute(conversationId, messageOf(text), { textPair: withReceived(pair, text.id, conversationId) })

/** Begins a session with a text. Null: decide again. */
async function begin(
  deps: TextParts,
  pair: TextPair,
  { text, found: { connector, ours, theirs } }: { readonly text: InboundText; readonly found: Found },
): Promise<ConversationId | null> {
  const id = `CONV-${deps.ids.uuid()}`
  const pinning = await pinText(deps, connector, { conversationId: id, visitor: theirs, runs: null })
  const { channel = 'SMS', service = null } = text
  // A reply goes out from the number that was texted, over a sender where the text came to that.
  const numbers = { ours, theirs, channel, service: ours === text.to && channel === 'SMS' ? null : service }
  const started = await startTextSession(deps, {
    ...{ id, connector, direction: 'inbound', pair: numbers, pinning },
    integrationAttributes: await deps.attributesOf(text.to, connector.agentId),
    first: messageOf(text),
    textPair: withReceived(pair, text.id, id),
  })
  return started.status === 'done' ? id : null
}

const messageOf = ({ id, text }: InboundText) => ({
  ...{ type: 'message' as const, text, pinning: null },
  ...{ sender: null, custom: null, clientEventId: textEventId(id) },
})
