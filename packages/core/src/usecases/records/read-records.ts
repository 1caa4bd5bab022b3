import { wordsOf } from '../../domain/conversation/turn-words.ts'
import { PlatformError } from '../../errors.ts'
import type { RecordFilter, RecordPage, RecordPageStart } from '../../ports/store/records.ts'
import type { Context } from '../context.ts'
import { bytesOfRecord } from './record-bytes.ts'
import { checkedFilter, refusePage } from './refuse-filter.ts'
import { type SearchContext, type SemanticQuery, semanticSlices } from './semantic-search.ts'

/** The filter of records to read. All given conditions hold. */
export interface RecordQuery extends RecordFilter {
  /** A semantic search: one turn means about the same as a text; not together with `words`. */
  readonly semantic?: SemanticQuery
}

/**
 * Returns the filter for the store: its words are normalised as the words of stored turns are (RC54).
 * @throws SCHEMA_VALIDATION_FAILED
 */
function settled<Filter extends RecordFilter>(given: Filter): Filter {
  const filter = checkedFilter(given)
  if (filter.words === undefined) return filter
  const words = wordsOf(filter.words.words.join(' '))
  if (words.length === 0)
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', 'words must hold a letter or digit.')
  return { ...filter, words: { ...filter.words, words } }
}

/**
 * Returns a page of conversation records, of at most `limits.sliceBytes` (contract/conversations.md; RC44).
 * @throws as `semanticSlices` for a semantic search; SCHEMA_VALIDATION_FAILED
 */
export async function readRecords(
  context: SearchContext,
  { semantic, ...given }: RecordQuery,
  from: RecordPageStart,
  limit: number,
): Promise<RecordPage> {
  refusePage(from, limit)
  const filter = settled(given)
  const { sliceBytes } = context.settings.limits
  if (semantic === undefined) return context.store.conversations.records.list(filter, from, limit, sliceBytes)
  const records: RecordPage['records'][number][] = []
  let bytes = 0
  let more = false
  for await (const page of semanticSlices(context, { ...filter, semantic }, from, { limit, slice: limit })) {
    records.push(...page.records)
    more = page.more
    bytes += page.records.reduce((sum, { json }) => sum + bytesOfRecord(json), 0)
    if (bytes >= sliceBytes / 2) break
  }
  return { records, more }
}

/** Records that are read at once: more of them would delay other tasks. */
const SLICE = 100

/**
 * Returns a page of conversation records as consecutive pages of at most 100, and `limits.sliceBytes`. The last one's
 * `more` is that of the whole (RC44). Conversations that are added or removed meanwhile never make a record
 * appear twice or hide another one. @throws as `readRecords`
 */
export async function* recordSlices(
  context: SearchContext,
  { semantic, ...filter }: RecordQuery,
  from: RecordPageStart,
  limit: number,
): AsyncGenerator<RecordPage> {
  refusePage(from, limit)
  if (semantic !== undefined) {
    yield* semanticSlices(context, { ...checkedFilter(filter), semantic }, from, { limit, slice: SLICE })
    return
  }
  let position = from
  for (let left = limit; left > 0; ) {
    const page = await readRecords(context, filter, position, Math.min(left, SLICE))
    yield page
    const last = page.records.at(-1)
    if (!page.more || last === undefined) return
    position = { after: { startedAt: last.startedAt, id: last.id } }
    left -= page.records.length
  }
}

/**
 * Records drawn at random, as pages like those of `recordSlices` (contract/conversations.md; RC70).
 * @throws SCHEMA_VALIDATION_FAILED
 */
export async function* sampleSlices(
  { breather, store, settings }: Pick<Context, 'breather' | 'store' | 'settings'>,
  filter: RecordFilter,
  limit: number,
): AsyncGenerator<RecordPage> {
  refusePage({ offset: 0 }, limit)
  const { sliceBytes } = settings.limits
  let records: RecordPage['records'][number][] = []
  let bytes = 0
  const drawn = await store.conversations.records.sample(settled(filter), limit, () => breather.rest())
  for (const found of drawn) {
    const json = await store.conversations.records.find(
      filter.accountId,
      filter.agentId,
      found.id,
      sliceBytes,
    )
    // Removed a moment ago.
    if (json === null) continue
    const added = bytesOfRecord(json)
    if (records.length === SLICE || (records.length > 0 && bytes + added > sliceBytes)) {
      yield { records, more: true }
      records = []
      bytes = 0
    }
    records.push({ ...found, json })
    bytes += added
  }
  yield { records, more: false }
}
