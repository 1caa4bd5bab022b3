import { publicId } from '../../domain/conversation/conversation-key.ts'
import { startOf } from '../../domain/cut-text.ts'
import type { JsonObject } from '../../domain/json.ts'
import type {
  PlainRecordFilter,
  RecordPage,
  RecordPageStart,
  RecordPosition,
} from '../../ports/store/records.ts'
import type { Context } from '../context.ts'
import { checkedFilter, refusePage } from './refuse-filter.ts'

/** A conversation in a few words. */
export interface Overview extends RecordPosition {
  /** Its record without its turns. */
  readonly summary: JsonObject
  /** Fields that only its record of v3 has, such as its language. */
  readonly details: JsonObject
  /** The visitor's first words. Empty if nothing was said yet. */
  readonly firstWords: string
}

/** A page of them, newest first. */
export interface OverviewPage {
  readonly conversations: readonly Overview[]
  readonly more: boolean
}

/** The most characters of a visitor's first words that are shown. */
const FIRST_WORDS = 200

/** The turns in which a visitor's first words are looked for. */
const FIRST_TURNS = 16_384

type Reader = Pick<Context, 'store' | 'settings'>

async function firstWordsOf({ store }: Reader, { id, json }: RecordPage['records'][number]): Promise<string> {
  // The page leaves out turns that are longer than a slice.
  const turns =
    json.turns?.value ??
    (await store.conversations.turnPage(id, 0, FIRST_TURNS)).turns.map(({ record }) => record.value)
  for (const { user_input: said } of turns)
    if (typeof said === 'string' && said !== '') return startOf(said, FIRST_WORDS)
  return ''
}

/**
 * Returns the newest conversations that a filter selects, in a few words each (RC71). Fewer than `limit` if their
 * records are long.
 *
 * @throws SCHEMA_VALIDATION_FAILED
 */
export async function readOverview(
  context: Reader,
  filter: PlainRecordFilter,
  from: RecordPageStart,
  limit: number,
): Promise<OverviewPage> {
  const checked = checkedFilter(filter)
  refusePage(from, limit)
  const { sliceBytes } = context.settings.limits
  const page = await context.store.conversations.records.newest(checked, from, limit, sliceBytes)
  const conversations: Overview[] = []
  for (const record of page.records)
    conversations.push({
      id: publicId(record.id),
      startedAt: record.startedAt,
      summary: record.json.summary.value,
      details: record.json.details.value,
      firstWords: await firstWordsOf(context, record),
    })
  return { conversations, more: page.more }
}
