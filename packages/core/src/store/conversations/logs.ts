import type { JsonObject } from '../../domain/json.ts'
import { jsonOf, jsonText } from '../../domain/stored-json.ts'
import { jsonBytes, utf8Bytes } from '../../domain/utf8-bytes.ts'
import type { ConversationStore } from '../../ports/store/conversations.ts'
import type { Guarded } from '../guarded.ts'
import { statedConversation } from './held.ts'
import { EVENT, PROGRESS, TURN } from './kinds.ts'
import { READ_AT_ONCE, toTurn } from './placing.ts'

/** How logs are read. A page holds what its conversation says that the log has: both are of one instant. */
export function logsOver(
  over: Guarded,
): Pick<ConversationStore, 'load' | 'version' | 'eventPage' | 'turns' | 'turnPage'> {
  const { each, one } = over
  return {
    async load(id) {
      const held = await statedConversation(over, id)
      return held && { state: held.state, version: held.version, pendingExternalEvents: held.pending }
    },
    version: async id => (await one(PROGRESS, id))?.version ?? null,
    async eventPage(id, after, { bytes, count }) {
      const held = await one(PROGRESS, id)
      if (held === null) return { events: [], more: false, version: null }
      const { version } = held
      const events = []
      let length = 0
      const limit = Math.min(Math.max(count, 1), READ_AT_ONCE)
      const range = { prefix: [held.log], from: after + 1, through: held.events, limit }
      for await (const { event, payload, sequence } of each(EVENT, 'log', range)) {
        length += jsonBytes({ ...event, sequence, payload: null }) - 'null'.length + utf8Bytes(payload)
        if (events.length > 0 && (events.length >= count || length > bytes))
          return { events, more: true, version }
        events.push({ ...event, sequence, payload: jsonText<JsonObject>(payload) })
      }
      return { events, more: false, version }
    },
    async turns(id, limit = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY) {
      const newest = []
      let length = 0
      const held = limit <= 0 ? null : await one(PROGRESS, id)
      if (held === null) return []
      const range = {
        prefix: [held.log],
        through: held.turns,
        descending: true,
        limit: Math.min(limit, READ_AT_ONCE),
      }
      for await (const one of each(TURN, 'log', range)) {
        const turn = toTurn(one)
        length += jsonBytes(turn.record) + jsonBytes(turn.details)
        if (newest.length === limit || (newest.length > 0 && length > bytes)) break
        newest.push(turn)
      }
      return newest.reverse()
    },
    async turnPage(id, after, bytes) {
      const held = await one(PROGRESS, id)
      if (held === null) return { turns: [], more: false }
      const turns = []
      let length = 0
      const range = { prefix: [held.log], from: after + 1, through: held.turns, limit: READ_AT_ONCE }
      for await (const { details, record } of each(TURN, 'log', range)) {
        length += jsonBytes(record) + jsonBytes(details)
        if (turns.length > 0 && length > bytes) return { turns, more: true }
        turns.push({ record: jsonOf(record), details: jsonOf(details) })
      }
      return { turns, more: false }
    },
  }
}
