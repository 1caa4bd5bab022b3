import type { FeatureVector } from './features.ts'
import type { LinearModel, TrainingSet } from './linear-model.ts'

/** Smoothing: how much of every feature every class is assumed to have. */
const SMOOTHING = 0.1

/** Examples that are processed in one step. */
const EXAMPLES_A_STEP = 256

/**
 * Multinomial naive Bayes over weighed features: scores every class by how likely it is to have said the vector, as a
 * logarithm, the likeliest one at 0. Values count by their square root in learning: a loud feature of one example
 * should not drown the quiet ones of many. Classes are taken to be equally likely. Examples of no class, and the
 * constant feature, which is the last one, play no part.
 */
export function* trainNaiveBayes(set: TrainingSet): Generator<void, LinearModel> {
  const { starts, targets, amounts } = yield* countSightings(set)
  const totals = new Float64Array(set.classCount)
  for (const [entry, amount] of amounts.entries()) {
    totals[targets[entry] ?? 0] = (totals[targets[entry] ?? 0] ?? 0) + amount
  }
  yield
  const sightings = { starts, targets, amounts: amounts.map(amount => Math.log(1 + amount / SMOOTHING)) }
  const rarities = totals.map(total => Math.log(total + SMOOTHING * set.featureCount))
  return vector => fromBest(score(vector, sightings, rarities))
}

/** By feature: the classes that have shown it, ascending, and how much of it. The constant feature is in none. */
interface Sightings {
  /** Where the classes of each feature begin; those of the next one begin where they end. */
  readonly starts: Int32Array
  readonly targets: Int32Array
  readonly amounts: Float64Array
}

function* countSightings(set: TrainingSet): Generator<void, Sightings> {
  const { vectors, featureCount } = set
  const order = byClass(set)
  const starts = new Int32Array(featureCount + 1)
  const last = new Int32Array(featureCount).fill(-1)
  for (const [index, { example, target }] of order.entries()) {
    for (const id of vectors[example]?.ids ?? []) {
      if (id === featureCount - 1 || last[id] === target) continue
      last[id] = target
      starts[id + 1] = (starts[id + 1] ?? 0) + 1
    }
    if (index % EXAMPLES_A_STEP === 0) yield
  }
  for (let id = 0; id < featureCount; id += 1) starts[id + 1] = (starts[id + 1] ?? 0) + (starts[id] ?? 0)
  const targets = new Int32Array(starts[featureCount] ?? 0)
  const amounts = new Float64Array(targets.length)
  const next = starts.slice()
  for (const [index, { example, target }] of order.entries()) {
    const { ids, values } = vectors[example] ?? EMPTY
    for (let at = 0; at < ids.length; at += 1) {
      const id = ids[at] ?? 0
      if (id === featureCount - 1) continue
      const end = next[id] ?? 0
      const known = end > (starts[id] ?? 0) && targets[end - 1] === target
      const entry = known ? end - 1 : end
      targets[entry] = target
      amounts[entry] = (amounts[entry] ?? 0) + Math.sqrt(values[at] ?? 0)
      if (!known) next[id] = end + 1
    }
    if (index % EXAMPLES_A_STEP === 0) yield
  }
  return { starts, targets, amounts }
}

const EMPTY: FeatureVector = { ids: new Int32Array(), values: new Float32Array() }

/** Examples that belong to a class, class by class. */
function byClass({ classes }: TrainingSet): readonly { readonly example: number; readonly target: number }[] {
  return Array.from(classes, (target, example) => ({ example, target }))
    .filter(({ target }) => target >= 0)
    .sort((a, b) => a.target - b.target)
}

function score(vector: FeatureVector, sightings: Sightings, rarities: Float64Array): Float64Array {
  const { starts, targets, amounts } = sightings
  const constant = starts.length - 2
  const scores = new Float64Array(rarities.length)
  let length = 0
  for (let index = 0; index < vector.ids.length; index += 1) {
    const feature = vector.ids[index] ?? 0
    const value = vector.values[index] ?? 0
    if (feature === constant) continue
    length += value
    const end = starts[feature + 1] ?? 0
    for (let entry = starts[feature] ?? 0; entry < end; entry += 1) {
      const target = targets[entry] ?? 0
      scores[target] = (scores[target] ?? 0) + value * (amounts[entry] ?? 0)
    }
  }
  return scores.map((sum, target) => sum - length * (rarities[target] ?? 0))
}

const fromBest = (scores: Float64Array): Float64Array => {
  const best = scores.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY)
  return scores.map(one => one - best)
}
