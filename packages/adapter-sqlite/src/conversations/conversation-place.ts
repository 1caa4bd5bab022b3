import type { ConversationId } from '@colloquy/core'
import type { ConversationIndex } from '@colloquy/core/domain'
import type { Listed } from '../database/tables.ts'
import type { ConversationStatements } from './conversation-statements.ts'
import { type IntervalPlaces, sameInterval } from './intervals/interval-places.ts'
import type { PlaceColumns, Shared } from './place-statements.ts'
import type { RecordCounts } from './record-counts.ts'
import type { SearchWords } from './search-words.ts'

/** What lists, searches and figures keep beside the conversations. */
export interface Listing {
  readonly counts: RecordCounts
  readonly words: SearchWords
  readonly intervals: IntervalPlaces
}

/** The row of the three ids, which is made when it is not there. */
function scopeRow(
  run: ConversationStatements,
  { accountId, agentId, environment }: ConversationIndex,
): number {
  const key = { accountId, agentId, environment }
  return run.scope.get(key)?.row ?? run.insertScope.run(key).row
}

function variantRow(run: ConversationStatements, { variantId, variantName }: ConversationIndex): number {
  const key = JSON.stringify([variantId, variantName])
  return run.variant.get({ key })?.row ?? run.insertVariant.run({ key, id: variantId, name: variantName }).row
}

const listedOf = ({ listed, counted }: ConversationIndex): Listed => (listed ? (counted ? 1 : 2) : 0)

/** Where lists and figures find a conversation. */
export const placeOf = (run: ConversationStatements, index: ConversationIndex): PlaceColumns => ({
  scope: scopeRow(run, index),
  listed: listedOf(index),
  startedAt: index.startedAt,
  finishedAt: index.finishedAt,
  variant: variantRow(run, index),
  channel: index.channel,
  language: index.language,
  toNumber: index.toNumber,
})

/** By which id of the integrator's a conversation is found. */
export const sharedOf = ({ shared }: ConversationIndex): Shared => ({
  sharedId: shared?.id ?? null,
  sharedAt: shared?.at ?? null,
})

/**
 * Keeps the handoff of a conversation in its own small table, so that a desk's list reads nothing else. The row of one
 * that is there already stays: rows are in the order in which handoffs came.
 */
export function writeHandoff(
  run: ConversationStatements,
  conversation: number,
  conversationId: ConversationId,
  { accountId, handoff }: ConversationIndex,
): void {
  if (handoff === null) {
    run.dropHandoff.run({ conversation })
    return
  }
  const { id, status, queueName, since } = handoff
  const columns = { conversation, accountId, handoffId: id, status, queueName, since }
  if (run.setHandoff.run(columns).changes === 1) return
  run.dropHandoff.run({ conversation })
  run.insertHandoff.run({ ...columns, conversationId })
}

/** Moves a conversation that is there to where its changed index says. Returns where that is. */
export function replace(
  run: ConversationStatements,
  { counts, words, intervals }: Listing,
  { row: conversation, id: conversationId }: { readonly row: number; readonly id: ConversationId },
  index: ConversationIndex,
): PlaceColumns {
  const before = run.place.get({ row: conversation })
  const place = placeOf(run, index)
  if (
    before?.scope !== place.scope ||
    before.listed !== place.listed ||
    before.startedAt !== place.startedAt
  ) {
    if (before !== undefined && before.listed !== 0) counts.add(before.scope, before.startedAt, -1)
    if (place.listed !== 0) counts.add(place.scope, place.startedAt, 1)
    if (before !== undefined) words.move(conversation, before, place)
  }
  if (before === undefined || !sameInterval(before, place)) {
    if (before !== undefined) intervals.remove([{ ...before, row: conversation }])
    intervals.add({ ...place, row: conversation })
  }
  run.setPlace.run({ ...place, ...sharedOf(index), row: conversation })
  writeHandoff(run, conversation, conversationId, index)
  return place
}
