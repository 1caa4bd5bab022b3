import type { ConversationIndex, StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationScope } from '../../ports/store/removals.ts'
import type { Batch } from '../documents.ts'
import type { Guarded } from '../guarded.ts'
import type { HeldConversation } from './held.ts'
import { LOOSE_INTERVAL, type LooseInterval } from './interval-kinds.ts'
import { CONVERSATION, type KeptVectors, type ListedConversation, TURN_VECTORS } from './kinds.ts'

/** Documents that are written beside others. */
export type Puts = NonNullable<Batch['put']>

/** The number of documents to read at a time. */
export const READ_AT_ONCE = 200

/** Returns the entry of a conversation for lists. Null if it is in none. */
export function listingOf({
  id,
  index,
  version,
}: Pick<HeldConversation, 'id' | 'index' | 'version'>): ListedConversation | null {
  if (!index.listed) return null
  const { handoff: _, shared: __, fromNumber: ___, listed: ____, ...listed } = index
  return { ...listed, environment: index.environment as ListedConversation['environment'], id, version }
}

/** Returns the interval that figures count for a conversation. Null if it does not count. */
function countedOf(listed: ListedConversation | null): LooseInterval | null {
  if (!listed?.counted) return null
  const { id: conversationId, accountId, agentId, environment, startedAt, finishedAt } = listed
  const { deploymentId, language, toNumber, variantId, variantName } = listed
  return {
    ...{ conversationId, accountId, agentId, environment, startedAt, finishedAt },
    ...{ variantId, variantName, deploymentId, language, toNumber, gone: false, version: 0 },
  }
}

const UNKNOWN = {
  ...{ finishedAt: null, variantId: null, variantName: null, deploymentId: null, language: null },
  toNumber: '',
}

/**
 * Returns the documents to write for figures if one listing of a conversation follows another. A null listing is in no
 * list.
 */
export function looseBetween(
  before: ListedConversation | null,
  after: ListedConversation | null,
  nextVersion: () => number,
): readonly LooseInterval[] {
  const [was, is] = [countedOf(before), countedOf(after)]
  if (JSON.stringify(was) === JSON.stringify(is)) return []
  const hasLeft = was !== null && (is === null || LOOSE_INTERVAL.id(was) !== LOOSE_INTERVAL.id(is))
  return [...(hasLeft ? [{ ...was, ...UNKNOWN, gone: true }] : []), ...(is === null ? [] : [is])].map(
    one => ({
      ...one,
      version: nextVersion(),
    }),
  )
}

/** Returns loose intervals as documents to put. */
export const putsOf = (loose: readonly LooseInterval[]): Puts =>
  loose.map(value => ({ kind: LOOSE_INTERVAL, value }))

/** Reports whether two indexes have the same place in lists. */
export const isAtPlace = (one: ConversationIndex, other: ConversationIndex): boolean =>
  one.accountId === other.accountId &&
  one.agentId === other.agentId &&
  one.environment === other.environment &&
  one.startedAt === other.startedAt

/** Returns the documents that searches need after a conversation has changed its place. */
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
 * Returns the place of a handoff behind all existing ones of an account: clocks step, and go differently. One that
 * existed before keeps its place.
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

/** Returns a turn as the port has it. */
export const toTurn = ({ details, record }: StoredTurn): StoredTurn => ({ record, details })
