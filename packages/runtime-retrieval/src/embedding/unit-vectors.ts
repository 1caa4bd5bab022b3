import { dot } from '@colloquy/core/runtime'

/** Vectors that are compared in one step: well under a millisecond. */
const VECTORS_A_STEP = 256

/** Computes the similarity of a unit vector to each of other unit vectors, in small steps. */
export function* likenesses(
  vectors: readonly Float32Array[],
  asked: Float32Array,
): Generator<void, Float64Array> {
  const likeness = new Float64Array(vectors.length)
  for (const [at, vector] of vectors.entries()) {
    if (at > 0 && at % VECTORS_A_STEP === 0) yield
    likeness[at] = dot(vector, asked)
  }
  return likeness
}

/** Returns the direction in the middle of vectors that are 1 long; itself 1 long, or nought when they cancel out. */
export function middle(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) {
    for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) + (vector[index] ?? 0)
  }
  const length = Math.sqrt(dot(sum, sum)) || 1
  return sum.map(value => value / length)
}
