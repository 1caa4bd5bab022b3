/**
 * Numbers of which each is greater than those before it, also than those of an earlier process.
 *
 * @param now milliseconds since the epoch with their fractions, so that processes do not give the same ones
 */
export function createSequence(now: () => number): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, Math.floor(now() * 1_000))
    return last
  }
}
