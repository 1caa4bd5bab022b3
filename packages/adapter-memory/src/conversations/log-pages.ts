import type { ConversationEvent, StoredTurn } from '@colloquy/core/domain'
import {
  type EventJson,
  type EventPage,
  type EventPageBounds,
  jsonOf,
  type TurnJson,
} from '@colloquy/core/store'
import { byteLength } from './slices.ts'

/** The last of them. */
export const newest = <T>(values: readonly T[], limit = values.length): T[] =>
  values.slice(Math.max(0, values.length - limit))

/** The events after the first `after` ones, as many as the bounds allow. */
export function pageOf(
  held: { readonly events: readonly ConversationEvent[]; readonly version: number } | undefined,
  after: number,
  { count, bytes }: EventPageBounds,
): EventPage {
  const { events: log = [], version = null } = held ?? {}
  let end = after
  for (let length = 0; end < log.length; end++) {
    length += byteLength(JSON.stringify(log[end]))
    if (end > after && (end - after >= count || length > bytes)) break
  }
  return { events: log.slice(after, end).map(ofEvent), more: end < log.length, version }
}

/** An event as JSON. */
const ofEvent = ({ payload, ...event }: ConversationEvent): EventJson => ({
  ...event,
  payload: jsonOf(payload),
})

/** A turn as JSON. */
export const ofTurn = ({ record, details }: StoredTurn): TurnJson => ({
  record: jsonOf(record),
  details: jsonOf(details),
})

/** How long these are as text. */
export const bytesOfTurn = ({ record, details }: TurnJson): number =>
  byteLength(record.text) + byteLength(details.text)
