import type { RecordJson } from '../../domain/conversation/record.ts'
import { addFunctionEvents } from '../../domain/conversation/record-text.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { PlainRecordFilter, RecordPage, RecordPageStart } from '../../ports/store/records.ts'
import type { Context } from '../context.ts'
import { checkedFilter, refusePage } from './refuse-filter.ts'

/** Records that are read at once, with the details of their turns: more of them would delay other tasks. */
const SLICE = 20

/**
 * Adds the function calls of a record's turns. If these are longer than a slice, both are left out, as by `readRecord`.
 */
async function withEvents(
  { store, settings }: Pick<Context, 'store' | 'settings'>,
  id: ConversationId,
  json: RecordJson,
): Promise<RecordJson> {
  if (json.turns === null) return json
  const { turns, more } = await store.conversations.turnPage(id, 0, settings.limits.sliceBytes)
  return more ? { ...json, turns: null } : addFunctionEvents(json, turns)
}

/**
 * Returns a page of the records that a filter selects, newest first, with the function calls of their turns. It comes
 * in consecutive slices. The last one's `more` is that of the whole (RC16). @throws SCHEMA_VALIDATION_FAILED
 */
export async function* newestSlices(
  context: Pick<Context, 'store' | 'settings'>,
  filter: PlainRecordFilter,
  offset: number,
  limit: number,
): AsyncGenerator<RecordPage> {
  const checked = checkedFilter(filter)
  refusePage({ offset }, limit)
  const { sliceBytes } = context.settings.limits
  let from: RecordPageStart = { offset }
  for (let left = limit; left > 0; ) {
    const most = Math.min(left, SLICE)
    const page: RecordPage = await context.store.conversations.records.newest(checked, from, most, sliceBytes)
    const records: RecordPage['records'][number][] = []
    for (const record of page.records)
      records.push({ ...record, json: await withEvents(context, record.id, record.json) })
    yield { records, more: page.more }
    const last = page.records.at(-1)
    if (!page.more || last === undefined) return
    from = { after: { startedAt: last.startedAt, id: last.id } }
    left -= page.records.length
  }
}
