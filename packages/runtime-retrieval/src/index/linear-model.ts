import type { FeatureVector } from './features.ts'

/** Scores every class for a vector: about 1 for a sure member, about -1 for anything else. */
export type LinearModel = (vector: FeatureVector) => Float64Array

/** What a model learns from: vectors and the class of each, classes counted from 0; -1 belongs to none. */
export interface TrainingSet {
  readonly vectors: readonly FeatureVector[]
  readonly classes: Int32Array
  readonly classCount: number
  readonly featureCount: number
}

/** How hard the machine tries to fit its examples. */
const COST = 1
/** Most passes over the examples of one class. */
const PASSES = 8
/** A pass that moves no example further than this is the last one. */
const ENOUGH = 0.05
/** Examples that are processed in one step. */
const EXAMPLES_A_STEP = 256
/** Examples that are this far on the safe side are left out of the later passes. */
const SAFE = 0.2

/**
 * One linear support vector machine a class, against all others: squared hinge loss, dual coordinate descent (Hsieh et
 * al. 2008), examples in a fixed order. Deterministic. Time grows with classes × examples.
 */
export function* trainMachines(set: TrainingSet): Generator<void, LinearModel> {
  const { classCount, featureCount } = set
  const weights = new Float32Array(featureCount * classCount)
  const order = mixedOrder(set.vectors.length)
  const squares = Float64Array.from(set.vectors, squaredLength)
  for (let target = 0; target < classCount; target += 1) {
    const learnt = yield* trainOne(set, target, order, squares)
    for (let feature = 0; feature < featureCount; feature += 1) {
      weights[feature * classCount + target] = learnt[feature] ?? 0
    }
    yield
  }
  return vector => {
    const scores = new Float64Array(classCount)
    for (let index = 0; index < vector.ids.length; index += 1) {
      const row = (vector.ids[index] ?? 0) * classCount
      const value = vector.values[index] ?? 0
      for (let target = 0; target < classCount; target += 1) {
        scores[target] = (scores[target] ?? 0) + value * (weights[row + target] ?? 0)
      }
    }
    return scores
  }
}

function* trainOne(
  set: TrainingSet,
  target: number,
  order: Int32Array,
  squares: Float64Array,
): Generator<void, Float64Array> {
  const weights = new Float64Array(set.featureCount)
  const alphas = new Float64Array(set.vectors.length)
  const slack = 1 / (2 * COST)
  let active = order
  for (let pass = 0; pass < PASSES; pass += 1) {
    let furthest = 0
    let kept = 0
    const next = new Int32Array(active.length)
    for (let index = 0; index < active.length; index += 1) {
      if (index % EXAMPLES_A_STEP === 0) yield
      const example = active[index] ?? 0
      const vector = set.vectors[example]
      if (vector === undefined) continue
      const sign = set.classes[example] === target ? 1 : -1
      const alpha = alphas[example] ?? 0
      const gradient = sign * dot(weights, vector) - 1 + slack * alpha
      if (alpha === 0 && gradient > SAFE) continue
      next[kept] = example
      kept += 1
      const moved = Math.max(alpha - gradient / ((squares[example] ?? 0) + slack), 0) - alpha
      if (moved === 0) continue
      alphas[example] = alpha + moved
      furthest = Math.max(furthest, Math.abs(moved))
      add(weights, vector, moved * sign)
    }
    if (furthest < ENOUGH) break
    active = next.subarray(0, kept)
  }
  return weights
}

function dot(weights: Float64Array, vector: FeatureVector): number {
  const { ids, values } = vector
  let sum = 0
  for (let index = 0; index < ids.length; index += 1) {
    sum += (weights[ids[index] ?? 0] ?? 0) * (values[index] ?? 0)
  }
  return sum
}

function add(weights: Float64Array, vector: FeatureVector, factor: number): void {
  const { ids, values } = vector
  for (let index = 0; index < ids.length; index += 1) {
    const id = ids[index] ?? 0
    weights[id] = (weights[id] ?? 0) + factor * (values[index] ?? 0)
  }
}

function squaredLength(vector: FeatureVector): number {
  let sum = 0
  for (const value of vector.values) sum += value * value
  return sum
}

/** All numbers below `count` in a fixed order that mixes them, so that no class comes as one block. */
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
