import type { ConversationIndex, StoredTurn } from '../../domain/conversation/record.ts'
import { turnWords } from '../../domain/conversation/turn-words.ts'
import type { Guarded } from '../guarded.ts'
import {
  CONVERSATION,
  type HeldConversation,
  type HeldTurn,
  type KeptVectors,
  type ListedConversation,
  SAID_WORD,
  type SaidWord,
  TURN_VECTORS,
} from './kinds.ts'

/** How many documents are read at a time. */
export const READ_AT_ONCE = 200

/** What lists and figures keep of a conversation; null where it is in neither. */
export function listingOf({ id, index, version }: HeldConversation): ListedConversation | null {
  if (!index.listed) return null
  const { handoff: _, shared: __, fromNumber: ___, listed: ____, ...listed } = index
  return { ...listed, environment: index.environment as ListedConversation['environment'], id, version }
}

/** Where searches find what was said in a conversation. */
const placeOf = ({ id, index, version }: HeldConversation) => ({
  accountId: index.accountId,
  agentId: index.agentId,
  environment: index.environment as SaidWord['environment'],
  conversationId: id,
  startedAt: index.startedAt,
  version,
})

/** The words of a turn, each once. */
export function wordsOfTurn(held: HeldConversation, { number, ...turn }: HeldTurn): readonly SaidWord[] {
  const { agent, user } = turnWords(turn)
  const [byUser, byAgent] = [new Set(user), new Set(agent)]
  return [...new Set([...user, ...agent])].map(word => ({
    ...placeOf(held),
    turn: number,
    word,
    user: byUser.has(word),
    agent: byAgent.has(word),
  }))
}

/** Whether two indexes stand at the same place in lists. */
const isAtPlace = (one: ConversationIndex, other: ConversationIndex): boolean =>
  one.accountId === other.accountId &&
  one.agentId === other.agentId &&
  one.environment === other.environment &&
  one.startedAt === other.startedAt

/** What searches keep of a conversation, where that has changed its place: to be put there. */
export async function movedWords(
  { scan }: Guarded,
  before: Pick<HeldConversation, 'index'>,
  held: HeldConversation,
) {
  if (isAtPlace(before.index, held.index)) return []
  const prefix = [held.id]
  const { version: _, ...place } = placeOf(held)
  const words = await scan(SAID_WORD, 'conversation', { prefix })
  const vectors = await scan(TURN_VECTORS, 'conversation', { prefix })
  return [
    ...words.map((word: SaidWord) => ({ kind: SAID_WORD, value: { ...word, ...placeOf(held) } })),
    ...vectors.map((kept: KeptVectors) => ({ kind: TURN_VECTORS, value: { ...kept, ...place } })),
  ]
}

/**
 * Behind all handoffs of an account that are there: clocks step, and go differently. One that was there before stays
 * where it is.
 */
export async function handoffPlace(
  { scan }: Guarded,
  index: ConversationIndex,
  before: Pick<HeldConversation, 'index' | 'handoffPlace'> | null,
): Promise<number | null> {
  const { accountId, handoff } = index
  if (handoff === null) return null
  if (before?.index.handoff?.id === handoff.id) return before.handoffPlace
  const last = (status: 'waiting' | 'active') =>
    scan(CONVERSATION, 'handoff', { prefix: [accountId, status], descending: true, limit: 1 })
  const newest = [...(await last('waiting')), ...(await last('active'))]
  return Math.max(handoff.since, ...newest.map(one => (one.handoffPlace ?? 0) + 1))
}

/** A turn as the port has it. */
export const toTurn = ({ details, record }: StoredTurn): StoredTurn => ({ record, details })
