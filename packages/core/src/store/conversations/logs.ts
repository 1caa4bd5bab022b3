import type { JsonObject } from '../../domain/json.ts'
import { jsonOf, jsonText } from '../../domain/stored-json.ts'
import { jsonBytes, utf8Bytes } from '../../domain/utf8-bytes.ts'
import type { ConversationStore } from '../../ports/store/conversations.ts'
import type { Guarded } from '../guarded.ts'
import { heldConversation, progressOf } from './held.ts'
import { CONVERSATION, STEP, type Step, TURN } from './kinds.ts'
import { READ_AT_ONCE, toTurn } from './placing.ts'
import { eventsOf } from './steps.ts'

/** Reads logs. A page of events holds the events that its conversation says the log has. Both are of one instant. */
export function logsOver(
  over: Guarded,
): Pick<ConversationStore, 'load' | 'version' | 'eventPage' | 'turns' | 'turnPage'> {
  const { each, one, scan } = over
  const progressOfOne = async (id: string) => (await progressOf(over, [id]))[0] ?? null

  /** Returns the steps of a log from that on which has this event, up to the newest one as it was read. */
  async function* stepsFrom(newest: Step, sequence: number, limit: number): AsyncGenerator<Step> {
    const { events, first, log } = newest
    if (first <= sequence) return yield newest
    const before = { prefix: [log], descending: true, through: sequence, limit: 1 }
    const [start] = await scan(STEP, 'log', before)
    yield* each(STEP, 'log', { prefix: [log], from: start?.first, through: events, limit })
  }

  return {
    async load(id) {
      const held = await heldConversation(over, id)
      return held && { state: held.state, version: held.version, pendingExternalEvents: held.pending }
    },
    version: async id => (await progressOfOne(id))?.version ?? null,
    async eventPage(id, after, { bytes, count }) {
      const held = await progressOfOne(id)
      if (held === null) return { events: [], more: false, version: null }
      const { version } = held
      const events = []
      let length = 0
      for await (const step of stepsFrom(held, after + 1, Math.min(Math.max(count, 1), READ_AT_ONCE)))
        for (const { event, payload, sequence } of eventsOf([step])) {
          if (sequence <= after) continue
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
      const held = limit <= 0 ? null : await one(CONVERSATION, id)
      if (held === null) return []
      const range = { prefix: [held.log], descending: true, limit: Math.min(limit, READ_AT_ONCE) }
      for await (const found of each(TURN, 'log', range)) {
        const turn = toTurn(found)
        length += jsonBytes(turn.record) + jsonBytes(turn.details)
        if (newest.length === limit || (newest.length > 0 && length > bytes)) break
        newest.push(turn)
      }
      return newest.reverse()
    },
    async turnPage(id, after, bytes) {
      const held = await one(CONVERSATION, id)
      if (held === null) return { turns: [], more: false }
      const turns = []
      let length = 0
      const range = { prefix: [held.log], from: after + 1, limit: READ_AT_ONCE }
      for await (const { details, record } of each(TURN, 'log', range)) {
        length += jsonBytes(record) + jsonBytes(details)
        if (turns.length > 0 && length > bytes) return { turns, more: true }
        turns.push({ record: jsonOf(record), details: jsonOf(details) })
      }
      return { turns, more: false }
    },
  }
}
