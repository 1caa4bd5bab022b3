import type { ConversationIndex, StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationScope } from '../../ports/store/removals.ts'
import type { Batch } from '../documents.ts'
import type { Guarded } from '../guarded.ts'
import type { HeldConversation } from './held.ts'
import { CONVERSATION, type KeptVectors, type ListedConversation, TURN_VECTORS } from './kinds.ts'

/** What is written beside other things. */
export type Puts = NonNullable<Batch['put']>

/** How many documents are read at a time. */
export const READ_AT_ONCE = 200

/** What lists and figures keep of a conversation; null where it is in neither. */
export function listingOf({
  id,
  index,
  version,
}: Pick<HeldConversation, 'id' | 'index' | 'version'>): ListedConversation | null {
  if (!index.listed) return null
  const { handoff: _, shared: __, fromNumber: ___, listed: ____, ...listed } = index
  return { ...listed, environment: index.environment as ListedConversation['environment'], id, version }
}

/** Whether two indexes stand at the same place in lists. */
export const isAtPlace = (one: ConversationIndex, other: ConversationIndex): boolean =>
  one.accountId === other.accountId &&
  one.agentId === other.agentId &&
  one.environment === other.environment &&
  one.startedAt === other.startedAt

/** What searches keep of a conversation that has changed its place: to be put there. */
export async function movedVectors(
  { scan }: Guarded,
  { index, log }: Pick<HeldConversation, 'log' | 'index'>,
): Promise<Puts> {
  const place = {
    accountId: index.accountId,
    agentId: index.agentId,
    environment: index.environment as ConversationScope['environment'],
    startedAt: index.startedAt,
  }
  const vectors = await scan(TURN_VECTORS, 'log', { prefix: [log] })
  return vectors.map((kept: KeptVectors) => ({ kind: TURN_VECTORS, value: { ...kept, ...place } }))
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
