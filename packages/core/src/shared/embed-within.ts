import { wellFormedText } from '../domain/cut-text.ts'
import { unitVectors } from '../domain/unit-vectors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Embedder } from '../ports/embedder.ts'
import { within } from './deadline.ts'

/**
 * Embeds texts within a time limit, also when the embedder listens to no signal. The vectors are 1 long. Rejects when
 * the embedder fails, gives what it should not, or takes longer than `limit` milliseconds, and when `signal` aborts.
 */
export async function embedWithin(
  { embedder, clock }: { readonly embedder: Embedder; readonly clock: Clock },
  texts: readonly string[],
  limit: number,
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> {
  signal?.throwIfAborted()
  const wellFormed = texts.map(wellFormedText)
  const late = new Error(`The embedder took longer than ${limit} ms for ${texts.length} texts.`)
  const vectors = await within(clock, { limit, late, outer: signal }, limited =>
    embedder.embed(wellFormed, limited),
  )
  return unitVectors(vectors, texts.length)
}
