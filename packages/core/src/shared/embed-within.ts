import { unitVectors } from '../domain/unit-vectors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Embedder } from '../ports/embedder.ts'

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
  const cancel = clock.schedule(limit, () => controller.abort(late), { keepAlive: true })
  try {
    const embedding = (async () => embedder.embed(texts, controller.signal))()
    return unitVectors(await Promise.race([embedding, aborted]), texts.length)
  } finally {
    cancel()
    signal?.removeEventListener('abort', pass)
  }
}
