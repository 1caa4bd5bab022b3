import type { EventJson } from '../../domain/conversation/event.ts'
import type { JsonObject } from '../../domain/json.ts'
import { jsonOf, jsonText } from '../../domain/stored-json.ts'
import { jsonBytes, utf8Bytes } from '../../domain/utf8-bytes.ts'
import type { ConversationStore } from '../../ports/store/conversations.ts'
import type { Guarded } from '../guarded.ts'
import { heldConversation, progressOf } from './held.ts'
import { CONVERSATION, STEP, type Step, TURN } from './kinds.ts'
import { READ_AT_ONCE, toTurn } from './placing.ts'
import type { Recent } from './recent.ts'
import { eventsOf } from './steps.ts'

type Found = ReturnType<typeof eventsOf>[number]

const bytesOf = ({ event, payload, sequence }: Found): number =>
  jsonBytes({ ...event, sequence, payload: null }) - 'null'.length + utf8Bytes(payload)

const jsonOfEvent = ({ event, payload, sequence }: Found): EventJson => ({
  ...event,
  sequence,
  payload: jsonText<JsonObject>(payload),
})

/** Returns the steps of a log from that on which has this event, up to the newest one as it was read. */
async function* stepsFrom(
  { each, scan }: Guarded,
  newest: Step,
  sequence: number,
  limit: number,
): AsyncGenerator<Step> {
  const { events, first, log } = newest
  if (first <= sequence) return yield newest
  const within = () => scan(STEP, 'log', { prefix: [log], descending: true, through: sequence, limit: 1 })
  let isFirst = true
  for await (const step of each(STEP, 'log', { prefix: [log], from: sequence, through: events, limit })) {
    // Most steps have one event, and begin with the one that is asked for.
    if (isFirst && step.first > sequence) yield* await within()
    isFirst = false
    yield step
  }
  if (isFirst) yield* await within()
}

/** Reads logs. A page of events holds the events that its conversation says the log has. Both are of one instant. */
export function logsOver(
  over: Guarded,
  recent: Recent,
): Pick<ConversationStore, 'load' | 'version' | 'eventPage' | 'eventsBefore' | 'turns' | 'turnPage'> {
  const { each, one } = over
  const progressOfOne = async (id: string) => (await progressOf(over, [id]))[0] ?? null

  return {
    async load(id) {
      const held = await heldConversation(over, id)
      if (held === null) return null
      const { added: _, changes: __, state, ...before } = held
      recent.remember(before)
      return { state, version: held.version, pendingExternalEvents: held.pending }
    },
    version: async id => (await progressOfOne(id))?.version ?? null,
    async eventPage(id, after, { bytes, count }) {
      const held = await progressOfOne(id)
      if (held === null) return { events: [], more: false, version: null }
      const { version } = held
      const events = []
      let length = 0
      // One more tells whether there are more.
      const limit = Math.min(Math.max(count, 1) + 1, READ_AT_ONCE)
      for await (const step of stepsFrom(over, held, after + 1, limit))
        for (const held of eventsOf([step])) {
          if (held.sequence <= after) continue
          length += bytesOf(held)
          if (events.length > 0 && (events.length >= count || length > bytes))
            return { events, more: true, version }
          events.push(jsonOfEvent(held))
        }
      return { events, more: false, version }
    },
    async eventsBefore(id, before, { bytes, count }) {
      const held = await one(CONVERSATION, id)
      if (held === null || before <= 1) return []
      const events = []
      let length = 0
      const limit = Math.min(Math.max(count, 1), READ_AT_ONCE)
      const range = { prefix: [held.log], descending: true, through: before - 1, limit }
      for await (const step of each(STEP, 'log', range))
        for (const held of eventsOf([step]).toReversed()) {
          if (held.sequence >= before) continue
          length += bytesOf(held)
          if (events.length > 0 && length > bytes) return events
          if (events.push(jsonOfEvent(held)) >= count) return events
        }
      return events
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
        if (newest.length > 0 && length > bytes) break
        if (newest.push(turn) === limit) break
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
