import type { FeatureVector } from './features.ts'
import type { LinearModel, TrainingSet } from './linear-model.ts'

/** What every feature is taken to have been seen in every class beforehand. */
const SMOOTHING = 0.1

/** How often a class has shown a feature, as what that adds to the logarithm of its likelihood. */
interface Sighting {
  readonly target: number
  readonly weight: number
}

/**
 * Multinomial naive Bayes over weighed features: scores every class by how likely it is to have said the vector, as a
 * logarithm, the likeliest one at 0. Values count by their square root in learning: a loud feature of one example should not
 * drown the quiet ones of many. Classes are taken to be equally likely. Examples of no class, and the constant feature, which
 * is the last one, play no part.
 */
export function trainNaiveBayes(set: TrainingSet): LinearModel {
  const { classCount, featureCount } = set
  const sightings = new Map<number, readonly Sighting[]>()
  const totals = new Float64Array(classCount)
  for (const [feature, seen] of countFeatures(set)) {
    const list = [...seen].map(([target, value]) => ({ target, weight: Math.log(1 + value / SMOOTHING) }))
    sightings.set(feature, list)
    for (const [target, value] of seen) totals[target] = (totals[target] ?? 0) + value
  }
  const rarities = totals.map(total => Math.log(total + SMOOTHING * featureCount))
  return vector => fromBest(score(vector, sightings, rarities, featureCount - 1))
}

function score(
  { ids, values }: FeatureVector,
  sightings: ReadonlyMap<number, readonly Sighting[]>,
  rarities: Float64Array,
  constant: number,
): Float64Array {
  const scores = new Float64Array(rarities.length)
  let length = 0
  for (let index = 0; index < ids.length; index += 1) {
    const feature = ids[index] ?? 0
    const value = values[index] ?? 0
    if (feature === constant) continue
    length += value
    for (const { target, weight } of sightings.get(feature) ?? []) {
      scores[target] = (scores[target] ?? 0) + value * weight
    }
  }
  return scores.map((sum, target) => sum - length * (rarities[target] ?? 0))
}

const fromBest = (scores: Float64Array): Float64Array => {
  const best = scores.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY)
  return scores.map(one => one - best)
}

/** How much of each feature each class has. */
function countFeatures({ vectors, classes, featureCount }: TrainingSet): Map<number, Map<number, number>> {
  const seen = new Map<number, Map<number, number>>()
  vectors.forEach(({ ids, values }, example) => {
    const target = classes[example] ?? -1
    if (target < 0) return
    for (let index = 0; index < ids.length; index += 1) {
      const feature = ids[index] ?? 0
      if (feature === featureCount - 1) continue
      const ofFeature = seen.get(feature) ?? new Map<number, number>()
      seen.set(feature, ofFeature)
      ofFeature.set(target, (ofFeature.get(target) ?? 0) + Math.sqrt(values[index] ?? 0))
    }
  })
  return seen
}
