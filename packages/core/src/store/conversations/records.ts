import { projectRecord } from '../../domain/conversation/project-record.ts'
import type { RecordJson } from '../../domain/conversation/record.ts'
import { jsonOf } from '../../domain/stored-json.ts'
import { jsonBytes } from '../../domain/utf8-bytes.ts'
import type { RecordFilter, RecordPage, RecordPageStart, RecordStore } from '../../ports/store/records.ts'
import type { Guarded } from '../guarded.ts'
import { heldConversations } from './held.ts'
import {
  FINISHED_RECORD,
  type FinishedRecord,
  LISTED_CONVERSATION,
  type ListedConversation,
  TURN,
} from './kinds.ts'
import { READ_AT_ONCE } from './placing.ts'
import { selected } from './selected.ts'

/** The number of records to read at a time. */
const RECORDS_AT_ONCE = 50

const toJson = (
  { details, summary, turns }: Omit<FinishedRecord, 'id' | 'version'>,
  bytes: number,
): RecordJson => ({
  summary: jsonOf(summary),
  details: jsonOf(details),
  turns: jsonBytes(turns) > bytes ? null : jsonOf(turns as NonNullable<RecordJson['turns']>['value']),
})

/** Returns the records of these conversations, if they still exist. */
async function recordsOf(
  over: Guarded,
  ids: readonly string[],
  bytes: number,
): Promise<readonly (RecordJson | null)[]> {
  const finished = await over.get(FINISHED_RECORD, ids)
  const others = ids.filter((_, at) => finished[at] === null)
  const held = others.length === 0 ? [] : await heldConversations(over, others)
  const made = await Promise.all(
    held.map(async one => {
      if (one === null) return null
      const turns = await over.scan(TURN, 'log', { prefix: [one.log], through: one.turns })
      return { ...projectRecord(one.state), turns: turns.map(({ record }) => record) }
    }),
  )
  const byId = new Map(others.map((id, at) => [id, made[at] ?? null]))
  return ids.map((id, at) => {
    const record = finished[at] ?? byId.get(id) ?? null
    return record === null ? null : toJson(record, bytes)
  })
}

async function page(
  over: Guarded,
  given: { readonly filter: RecordFilter; readonly from: RecordPageStart; readonly limit: number },
  bytes: number,
  descending: boolean,
): Promise<RecordPage> {
  const { filter, from, limit } = given
  const records: RecordPage['records'][number][] = []
  let length = 0
  let waiting: ListedConversation[] = []
  /** Moves waiting rows into the page; false if there is no room for all. */
  async function take(): Promise<boolean> {
    const found = await recordsOf(
      over,
      waiting.map(({ id }) => id),
      bytes,
    )
    for (const [at, { id, startedAt }] of waiting.entries()) {
      const json = found[at]
      if (json == null) continue
      length += jsonBytes(json.summary.value) + jsonBytes(json.details.value)
      if (json.turns !== null) length += jsonBytes(json.turns.value)
      if (records.length > 0 && length > bytes) return false
      records.push({ id, startedAt, json })
    }
    waiting = []
    return true
  }
  let count = 0
  for await (const one of selected(over, filter, from, { descending, most: limit + 1 })) {
    if (count++ === limit) {
      await take()
      return { records, more: true }
    }
    waiting.push(one)
    if (waiting.length === RECORDS_AT_ONCE && !(await take())) return { records, more: true }
  }
  return { records, more: !(await take()) }
}

/** Returns the records of listed conversations. */
export function recordsOver(over: Guarded, random: () => number): RecordStore {
  return {
    list: (filter, from, limit, bytes = Number.POSITIVE_INFINITY) =>
      page(over, { filter, from, limit }, bytes, false),
    newest: (filter, from, limit, bytes = Number.POSITIVE_INFINITY) =>
      page(over, { filter, from, limit }, bytes, true),
    async sample(filter, limit, rest) {
      const drawn: { readonly nth: number; readonly one: ListedConversation }[] = []
      let nth = 0
      for await (const one of selected(over, filter, { offset: 0 }, { most: Number.POSITIVE_INFINITY })) {
        // Each of those that came so far is drawn with the same chance.
        const lot = nth < limit ? nth : Math.floor(random() * (nth + 1))
        if (lot < limit) drawn[lot] = { nth, one }
        nth++
        if (nth % READ_AT_ONCE === 0) await rest?.()
      }
      return drawn
        .toSorted((one, other) => one.nth - other.nth)
        .map(({ one: { id, startedAt } }) => ({ id, startedAt }))
    },
    async find(accountId, agentId, id, bytes = Number.POSITIVE_INFINITY) {
      const listed = await over.one(LISTED_CONVERSATION, id)
      if (listed?.accountId !== accountId || listed.agentId !== agentId) return null
      return (await recordsOf(over, [id], bytes))[0] ?? null
    },
  }
}
