/** By feature: the topics that have it, ascending, with their weights. */
export interface Postings {
  readonly starts: Int32Array
  readonly topics: Uint16Array | Int32Array
  /** In parts of `SCALE`. */
  readonly weights: Int16Array
}

/** A weight of 1. */
export const SCALE = 2 ** 14

/** Adds the weights of a feature to the scores of the topics that have it, times `value`. */
export function addWeights(
  scores: Float64Array,
  { starts, topics, weights }: Postings,
  id: number,
  value: number,
): void {
  const factor = value / SCALE
  const end = starts[id + 1] ?? 0
  for (let entry = starts[id] ?? 0; entry < end; entry += 1) {
    const topic = topics[entry] ?? 0
    scores[topic] = (scores[topic] ?? 0) + factor * (weights[entry] ?? 0)
  }
}

/** Moves the weight of a feature for a topic that has it. */
export function moveWeight(
  { starts, topics, weights }: Postings,
  id: number,
  topic: number,
  by: number,
): void {
  let low = starts[id] ?? 0
  const end = starts[id + 1] ?? 0
  let high = end
  while (low < high) {
    const middle = (low + high) >> 1
    if ((topics[middle] ?? 0) < topic) low = middle + 1
    else high = middle
  }
  if (low === end || topics[low] !== topic) return
  const moved = (weights[low] ?? 0) + Math.round(by * SCALE)
  weights[low] = Math.max(1 - 2 * SCALE, Math.min(2 * SCALE - 1, moved))
}
