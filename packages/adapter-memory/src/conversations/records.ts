import { projectRecord } from '@colloquy/core/domain'
import {
  jsonOf,
  type RecordJson,
  type RecordPage,
  type RecordPosition,
  type RecordStore,
} from '@colloquy/core/store'
import type { HeldConversation, HeldConversations } from './held-conversation.ts'
import { drawn, olderThan, selectRecords, startingFrom } from './selections.ts'
import { byteLength, lazily, within } from './slices.ts'

function jsonOfRecord({ state, turns }: HeldConversation, bytes: number): RecordJson {
  const { summary, details } = projectRecord(state)
  const whole = jsonOf(turns.map(turn => turn.record))
  return {
    summary: jsonOf(summary),
    details: jsonOf(details),
    turns: byteLength(whole.text) > bytes ? null : whole,
  }
}

const bytesOfRecord = ({ json: { summary, details, turns } }: RecordPage['records'][number]): number =>
  byteLength(summary.text) + byteLength(details.text) + byteLength(turns?.text ?? '')

const positionOf = ({ id, index }: HeldConversation): RecordPosition => ({ id, startedAt: index.startedAt })

/** Listed conversations as records. */
export function recordMethods({ conversations }: HeldConversations): RecordStore {
  return {
    async list(filter, from, limit, bytes = Number.POSITIVE_INFINITY) {
      const following = startingFrom(selectRecords(conversations.values(), filter), from)
      const recordOf = (held: HeldConversation) => ({ ...positionOf(held), json: jsonOfRecord(held, bytes) })
      const records = within(lazily(following.slice(0, limit), recordOf), bytes, bytesOfRecord)
      return { records, more: following.length > records.length }
    },
    async newest(filter, from, limit, bytes = Number.POSITIVE_INFINITY) {
      const ordered = selectRecords(conversations.values(), filter).toReversed()
      const following = 'offset' in from ? ordered.slice(from.offset) : olderThan(ordered, from.after)
      const recordOf = (held: HeldConversation) => ({ ...positionOf(held), json: jsonOfRecord(held, bytes) })
      const records = within(lazily(following.slice(0, limit), recordOf), bytes, bytesOfRecord)
      return { records, more: following.length > records.length }
    },
    sample: async (filter, limit) =>
      drawn(selectRecords(conversations.values(), filter), limit).map(positionOf),
    async find(accountId, agentId, id, bytes = Number.POSITIVE_INFINITY) {
      const held = conversations.get(id)
      if (!held?.index.listed) return null
      return held.index.accountId === accountId && held.index.agentId === agentId
        ? jsonOfRecord(held, bytes)
        : null
    },
  }
}
