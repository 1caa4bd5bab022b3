/** Returns the product of two vectors of the same dimension; of two that are 1 long their likeness, from -1 to 1. */
export function dot(one: Float32Array, other: Float32Array | Int8Array): number {
  // Four sums that do not wait for each other: twice as fast as one.
  let [a, b, c, d] = [0, 0, 0, 0]
  let index = 0
  for (; index + 3 < one.length; index += 4) {
    a += (one[index] ?? 0) * (other[index] ?? 0)
    b += (one[index + 1] ?? 0) * (other[index + 1] ?? 0)
    c += (one[index + 2] ?? 0) * (other[index + 2] ?? 0)
    d += (one[index + 3] ?? 0) * (other[index + 3] ?? 0)
  }
  for (; index < one.length; index += 1) a += (one[index] ?? 0) * (other[index] ?? 0)
  return a + b + c + d
}

/** Scales vectors to the length 1. Throws when they are not what an embedder promises; the message says in what. */
export function unitVectors(vectors: readonly Float32Array[], count: number): readonly Float32Array[] {
  if (vectors.length !== count)
    throw new Error(`The embedder gave ${vectors.length} vectors for ${count} texts.`)
  const dimension = vectors[0]?.length ?? 0
  return vectors.map(vector => {
    if (vector.length !== dimension)
      throw new Error(`The embedder gave vectors of ${dimension} and of ${vector.length} numbers.`)
    const length = Math.sqrt(dot(vector, vector))
    if (!Number.isFinite(length) || length === 0)
      throw new Error('The embedder gave a vector that is empty, zero or not finite.')
    return vector.map(value => value / length)
  })
}
