import type { Clock } from '../../ports/clock.ts'
import type { Embedder } from '../../ports/embedder.ts'

/** Scales vectors to the length 1. Throws when they are not what an embedder promises; the message says in what. */
function unitVectors(vectors: readonly Float32Array[], count: number): readonly Float32Array[] {
  if (vectors.length !== count)
    throw new Error(`The embedder gave ${vectors.length} vectors for ${count} texts.`)
  const dimension = vectors[0]?.length ?? 0
  return vectors.map(vector => {
    if (vector.length !== dimension)
      throw new Error(`The embedder gave vectors of ${dimension} and of ${vector.length} numbers.`)
    const length = Math.sqrt(dot(vector, vector))
    if (!Number.isFinite(length) || length === 0)
      throw new Error('The embedder gave a vector that is empty, nought or not finite.')
    return vector.map(value => value / length)
  })
}

/** The product of two vectors of the same dimension; of two that are 1 long their likeness, from -1 to 1. */
export function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}

/** The direction in the middle of vectors that are 1 long; itself 1 long, or nought when they cancel out. */
export function middle(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) {
    for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) + (vector[index] ?? 0)
  }
  const length = Math.sqrt(dot(sum, sum)) || 1
  return sum.map(value => value / length)
}

/**
 * Embeds texts within a time limit, also when the embedder listens to no signal. The vectors are 1 long. Rejects when the
 * embedder fails, gives what it should not, or takes longer than `limit` milliseconds, and when `signal` aborts.
 */
export async function embedWithin(
  { embedder, clock }: { readonly embedder: Embedder; readonly clock: Clock },
  texts: readonly string[],
  limit: number,
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
  })
  const pass = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', pass, { once: true })
  const late = new Error(`The embedder took longer than ${limit} ms for ${texts.length} texts.`)
  const cancel = clock.schedule(limit, () => controller.abort(late))
  try {
    const embedding = (async () => embedder.embed(texts, controller.signal))()
    return unitVectors(await Promise.race([embedding, aborted]), texts.length)
  } finally {
    cancel()
    signal?.removeEventListener('abort', pass)
  }
}
