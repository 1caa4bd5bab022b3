import type { Clock, Embedder, Log } from '@colloquy/core'
import { embedWithin, systemBackground } from '@colloquy/core/runtime'
import { LRUCache } from 'lru-cache'
import { examplesOf } from '../index/examples.ts'
import type { TopicIndex } from '../index/topic-index.ts'
import { likenesses, middle } from './unit-vectors.ts'

/** Options of an embedder. */
export interface EmbeddingSettings {
  /** Milliseconds that a question's vector may take; the question is answered without it then. @default 300 */
  readonly questionTimeout: number
  /** Milliseconds that a batch of topics' texts may take. @default 60000 */
  readonly batchTimeout: number
  /** About how many texts a batch has. @default 32 */
  readonly batchSize: number
  /**
   * Milliseconds after which topics that could not be embedded are tried again, at the next question.
   * @default 60000
   */
  readonly retryAfter: number
  /** Texts of one topic that are embedded: its name and its first examples. @default 21 */
  readonly textsOfTopic: number
  /** Topics whose vectors are kept from one revision to the next. @default 20000 */
  readonly cachedTopics: number
}

/** The defaults. */
export const EMBEDDING_DEFAULTS: EmbeddingSettings = {
  questionTimeout: 300,
  batchTimeout: 60_000,
  batchSize: 32,
  retryAfter: 60_000,
  textsOfTopic: 21,
  cachedTopics: 20_000,
}

/** The numbers that they are. */
export const EMBEDDING_NUMBERS = {
  questionTimeout: { least: 0 },
  batchTimeout: { least: 1 },
  batchSize: { least: 1 },
  retryAfter: { least: 0 },
  textsOfTopic: { least: 1 },
  cachedTopics: { least: 1 },
}

/** The dependencies of topic vectors. */
export interface EmbeddingPorts {
  readonly embedder: Embedder
  readonly clock: Clock
  readonly log: Log
}

/**
 * The similarity of each topic of an index to a question, in the index's order, from -1 to 1; or the reason why it is
 * not known.
 */
export type Likeness =
  | { readonly known: true; readonly likeness: Float64Array }
  | { readonly known: false; readonly why: 'preparing' | 'failed' }

/** The vectors of the topics of revisions, embedded in the background. */
export interface TopicVectors {
  /** Begins to embed the topics of a revision, unless that has begun or was tried a moment ago. Never throws. */
  prepare(key: string, index: TopicIndex): void
  /** Compares a question. Rejects only with the signal's reason; any other failure is in the result (EB4). */
  compare(key: string, index: TopicIndex, question: string, signal: AbortSignal): Promise<Likeness>
}

/** The vectors of a revision's topics; null while they are made, or until `retryAt` when that failed. */
interface Revision {
  vectors: readonly Float32Array[] | null
  retryAt: number | null
}

/** Returns the vectors of topics; those that are known already are not made again. */
async function vectorsOf(
  ports: EmbeddingPorts,
  settings: EmbeddingSettings,
  known: LRUCache<string, Float32Array>,
  { topics }: TopicIndex,
): Promise<readonly Float32Array[]> {
  const texts = topics.map(topic => examplesOf(topic).slice(0, settings.textsOfTopic))
  const found = texts.map(list => known.get(JSON.stringify(list)) ?? null)
  const missing = texts.flatMap((list, at) => (found[at] === null ? [{ list, at }] : []))
  for (const batch of batches(missing, settings.batchSize)) {
    const vectors = await embedWithin(
      ports,
      batch.flatMap(({ list }) => list),
      settings.batchTimeout,
    )
    let from = 0
    for (const { list, at } of batch) {
      const vector = middle(vectors.slice(from, from + list.length))
      from += list.length
      found[at] = vector
      known.set(JSON.stringify(list), vector)
    }
  }
  const vectors = found.flatMap(vector => (vector === null ? [] : [vector]))
  const [first] = vectors
  const other = vectors.find(vector => vector.length !== first?.length)
  if (other === undefined) return vectors
  known.clear()
  throw new Error(`The embedder gave vectors of ${first?.length} and of ${other.length} numbers.`)
}

/**
 * Keeps the vectors of `most` revisions; topics that did not change share theirs (EB1).
 */
export function createTopicVectors(
  ports: EmbeddingPorts,
  settings: EmbeddingSettings,
  most: number,
): TopicVectors {
  const { embedder, clock, log } = ports
  const known = new LRUCache<string, Float32Array>({ max: settings.cachedTopics })
  const revisions = new LRUCache<string, Revision>({ max: most })
  let queue: Promise<void> = Promise.resolve()

  async function embedRevision(key: string, index: TopicIndex, revision: Revision): Promise<void> {
    // A revision that was evicted meanwhile is not worth the work.
    if (revisions.peek(key) !== revision) return
    try {
      revision.vectors = await vectorsOf(ports, settings, known, index)
      log.info('Topics are embedded.', { content: key, embedder: embedder.id, topics: index.topics.length })
    } catch (error) {
      revision.retryAt = clock.monotonic() + settings.retryAfter
      log.warn('Topics could not be embedded; they are found by their words.', {
        content: key,
        embedder: embedder.id,
        error,
      })
    }
  }

  function prepare(key: string, index: TopicIndex): Revision {
    const begun = revisions.get(key)
    if (begun !== undefined && (begun.retryAt === null || clock.monotonic() < begun.retryAt)) return begun
    const revision: Revision = { vectors: null, retryAt: null }
    revisions.set(key, revision)
    queue = queue.then(() => embedRevision(key, index, revision))
    return revision
  }

  return {
    prepare(key, index) {
      prepare(key, index)
    },
    async compare(key, index, question, signal) {
      const { vectors, retryAt } = prepare(key, index)
      if (vectors === null) return { known: false, why: retryAt === null ? 'preparing' : 'failed' }
      try {
        const [asked] = await embedWithin(ports, [question], settings.questionTimeout, signal)
        const dimension = vectors[0]?.length ?? 0
        if (asked === undefined || (vectors.length > 0 && asked.length !== dimension))
          throw new Error(
            `The embedder gave a vector of ${asked?.length} numbers where topics have ${dimension}.`,
          )
        return { known: true, likeness: await systemBackground.run(likenesses(vectors, asked)) }
      } catch (error) {
        signal.throwIfAborted()
        log.warn('A question could not be embedded; it is answered by its words.', {
          embedder: embedder.id,
          error,
        })
        return { known: false, why: 'failed' }
      }
    },
  }
}

/** In batches of about `size` texts; the texts of one topic stay together. */
function* batches<Item extends { readonly list: readonly string[] }>(
  items: readonly Item[],
  size: number,
): Generator<readonly Item[]> {
  let batch: Item[] = []
  let texts = 0
  for (const item of items) {
    if (batch.length > 0 && texts + item.list.length > size) {
      yield batch
      batch = []
      texts = 0
    }
    batch.push(item)
    texts += item.list.length
  }
  if (batch.length > 0) yield batch
}
