import type { Speaker } from '../../domain/conversation/turn-words.ts'
import { startOf } from '../../domain/cut-text.ts'
import { likenessOf } from '../../domain/packed-vector.ts'
import { PlatformError } from '../../errors.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { RecordFilter, RecordPage, RecordPageStart, RecordPosition } from '../../ports/store/records.ts'
import type { TurnVectors } from '../../ports/store/turn-vectors.ts'
import { embedWithin } from '../../shared/embed-within.ts'
import type { Context } from '../context.ts'
import { bytesOfRecord } from './record-bytes.ts'

/** The text that one turn should mean about the same as. */
export interface SemanticQuery {
  /** At most 1,000 characters, not blank. */
  readonly text: string
  readonly speaker: Speaker
}

/** The dependencies of searching. */
export type SearchContext = Pick<Context, 'store' | 'embedder' | 'clock' | 'settings' | 'log'>

const LONGEST_QUERY = 1_000

/** Conversations, and turns, that are compared at once: other tasks run after about a millisecond. */
const STEP = 256

/**
 * Steps after which a slice is yielded, even an empty one: a search that finds little stops soon after its client left.
 */
const STEPS = 16

function embedderOf({ embedder }: SearchContext): Embedder {
  if (embedder !== null) return embedder
  throw new PlatformError(
    'NOT_IMPLEMENTED',
    'query_type=semantic needs an embedder: give createPlatform the option embedder, or use query_type=transcript.',
  )
}

function refuseQuery({ text }: SemanticQuery, filter: RecordFilter): void {
  const refuse = (message: string): never => {
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
  }
  if (text.trim() === '') refuse('query must not be blank.')
  if (text.length > LONGEST_QUERY) refuse(`query must have at most ${LONGEST_QUERY} characters.`)
  if (filter.words !== undefined) refuse('words and semantic cannot be combined: give one of them.')
}

/** Runs a task that needs the embedder. A failure is logged for the host, and the caller learns only that it failed. */
async function guarded<Result>(
  { log, settings }: SearchContext,
  embedder: Embedder,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    log.warn('A semantic search failed.', { embedder: embedder.id, error: cause })
    const { queryTimeout } = settings.semanticSearch
    const message = `The embedder failed, or took longer than ${queryTimeout} ms. Search again later.`
    throw new PlatformError('EMBEDDER_FAILED', message, { cause, retryAfterSeconds: queryTimeout / 1_000 })
  }
}

/** Returns the likeness of a turn on the requested side. For both sides, the better one. */
function likenessOfTurn({ user, agent }: TurnVectors, asked: Float32Array, speaker: Speaker): number {
  const sides = speaker === 'user' ? [user] : speaker === 'agent' ? [agent] : [user, agent]
  return Math.max(...sides.map(side => (side === null ? Number.NEGATIVE_INFINITY : likenessOf(side, asked))))
}

/** One search, whose query is embedded. */
interface Search {
  readonly embedder: Embedder
  readonly asked: Float32Array
  readonly semantic: SemanticQuery
  readonly filter: RecordFilter
}

/**
 * Returns the positions of the matching records after a position, in order. Yields step by step, also for a step
 * without a match.
 */
async function* matches(
  context: SearchContext,
  { embedder, asked, semantic, filter }: Search,
  after: { readonly startedAt: number; readonly id: string } | null,
): AsyncGenerator<readonly RecordPosition[]> {
  const { settings, store } = context
  const { minLikeness } = settings.semanticSearch
  let from = after
  do {
    const step = await store.conversations.turnVectors.next(embedder.id, filter, from, STEP)
    const found = await guarded(context, embedder, async () =>
      step.conversations.filter(({ turns }) =>
        turns.some(turn => likenessOfTurn(turn, asked, semantic.speaker) >= minLikeness),
      ),
    )
    yield found
    from = step.next
  } while (from !== null)
}

/**
 * Records of the filter one of whose turns means about the same as the query, as pages of at most `slice` (RC45). The
 * query is embedded once. A page before the last may have no records.
 * @throws SCHEMA_VALIDATION_FAILED; NOT_IMPLEMENTED without an embedder; EMBEDDER_FAILED
 */
export async function* semanticSlices(
  context: SearchContext,
  { semantic, ...filter }: RecordFilter & { readonly semantic: SemanticQuery },
  from: RecordPageStart,
  { limit, slice }: { readonly limit: number; readonly slice: number },
): AsyncGenerator<RecordPage> {
  refuseQuery(semantic, filter)
  const embedder = embedderOf(context)
  const { clock, settings } = context
  const { sliceBytes } = settings.limits
  const { queryTimeout, textLength } = settings.semanticSearch
  const text = startOf(semantic.text.trim(), textLength)
  const [asked = new Float32Array()] = await guarded(context, embedder, () =>
    embedWithin({ embedder, clock }, [text], queryTimeout),
  )
  const after = 'after' in from ? from.after : null
  let skipped = 'offset' in from ? from.offset : 0
  let left = limit
  let steps = 0
  let bytes = 0
  let records: RecordPage['records'][number][] = []
  const isFull = () => records.length === Math.min(slice, left)
  const page = (): RecordPage => {
    const given = records
    left -= given.length
    steps = 0
    bytes = 0
    records = []
    return { records: given, more: true }
  }
  for await (const found of matches(context, { embedder, asked, semantic, filter }, after)) {
    for (const { id, startedAt } of found.slice(skipped)) {
      const json = await context.store.conversations.records.find(
        filter.accountId,
        filter.agentId,
        id,
        sliceBytes,
      )
      // Removed a moment ago.
      if (json === null) continue
      // One record beyond the page shows that there are more.
      const added = bytesOfRecord(json)
      if (isFull() || (records.length > 0 && bytes + added > sliceBytes)) yield page()
      if (left === 0) return
      records.push({ id, startedAt, json })
      bytes += added
    }
    skipped = Math.max(0, skipped - found.length)
    steps++
    if (steps < STEPS) continue
    if (!isFull()) yield page()
    else {
      steps = 0
      yield { records: [], more: true }
    }
  }
  yield { records, more: false }
}
