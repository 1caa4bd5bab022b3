import type { FeatureCounter } from './features.ts'
import type { GrowingList } from './growing-list.ts'
import { addWeights, moveWeight, type Postings } from './postings.ts'

/** Weights that are added up, all passes together: some tenths of a second. */
const MOST_ADDED = 100_000_000
/** Most passes over all texts, how far a topic should be ahead, and the most by which a weight is moved. */
const PASSES = 10
const AHEAD = 0.5
const MOVE = 0.04

/** Weights, and the texts that they were learnt from. */
interface Learnt {
  readonly postings: Postings
  readonly counter: FeatureCounter
  /** The number of texts with each feature. */
  readonly having: Int32Array
  readonly topics: number
  readonly list: GrowingList
  readonly starts: GrowingList
  readonly owners: GrowingList
}

/**
 * Moves weights until each text finds its own topic well ahead of all others (a perceptron with a margin), while that
 * does not take long: a pass is made whole or not at all.
 */
export function* refine({
  postings,
  counter,
  having,
  topics,
  list,
  starts,
  owners,
}: Learnt): Generator<void, void> {
  let cost = owners.length * topics
  for (let id = 0; id < having.length && cost <= MOST_ADDED; id += 1) {
    cost += (having[id] ?? 0) * ((postings.starts[id + 1] ?? 0) - (postings.starts[id] ?? 0))
  }
  // Many topics get no pass, and need no order.
  if (cost > MOST_ADDED) return
  const order = mixedOrder(owners.length)
  const scores = new Float64Array(topics)
  for (let pass = 0; pass < Math.min(PASSES, Math.floor(MOST_ADDED / cost)); pass += 1) {
    let moved = false
    for (const text of order) {
      scores.fill(0)
      counter.countKnown(list, starts.at(text), starts.at(text + 1))
      const { length, ids, values } = counter
      for (let at = 0; at < length; at += 1) addWeights(scores, postings, ids[at] ?? 0, values[at] ?? 0)
      const own = owners.at(text)
      const other = bestBut(scores, own)
      const lack = other < 0 ? 0 : AHEAD - ((scores[own] ?? 0) - (scores[other] ?? 0))
      const step = Math.min(MOVE, lack / 2)
      for (let at = 0; at < length && step > 0; at += 1) {
        moveWeight(postings, ids[at] ?? 0, own, step * (values[at] ?? 0))
        moveWeight(postings, ids[at] ?? 0, other, -step * (values[at] ?? 0))
      }
      counter.clear()
      moved ||= step > 0
      yield
    }
    if (!moved) return
  }
}

function bestBut(scores: Float64Array, but: number): number {
  let best = -1
  for (let topic = 0; topic < scores.length; topic += 1) {
    if (topic !== but && (best < 0 || (scores[topic] ?? 0) > (scores[best] ?? 0))) best = topic
  }
  return best
}

/** Returns all numbers below `count` in a fixed shuffled order, so that no topic comes as one block. */
function mixedOrder(count: number): Int32Array {
  const order = Int32Array.from({ length: count }, (_, index) => index)
  let seed = 12_345
  for (let index = count - 1; index > 0; index -= 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    const other = seed % (index + 1)
    const held = order[index] ?? 0
    order[index] = order[other] ?? 0
    order[other] = held
  }
  return order
}
