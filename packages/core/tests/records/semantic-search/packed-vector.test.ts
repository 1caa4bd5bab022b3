import fc from 'fast-check'
import { expect, it } from 'vitest'
import { likenessOf, packVector } from '../../../src/domain/packed-vector.ts'
import { unitVectors } from '../../../src/domain/unit-vectors.ts'

const number = fc.float({ min: -1, max: 1, noNaN: true })
const pair = fc
  .integer({ min: 1, max: 80 })
  .chain(size =>
    fc.tuple(
      fc.array(number, { minLength: size, maxLength: size }),
      fc.array(number, { minLength: size, maxLength: size }),
    ),
  )
  .map(vectors => vectors.map(vector => Float32Array.from(vector)))
  .filter(vectors => vectors.every(vector => vector.some(value => Math.abs(value) > 0.001)))

it('RC45 a packed vector is as like another one as the vector itself, to within 0.01', () => {
  fc.assert(
    fc.property(pair, vectors => {
      const [one = new Float32Array(), other = new Float32Array()] = unitVectors(vectors, 2)
      const plain = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
      const packed = packVector(one)
      expect(packed).toHaveLength(4 + one.length)
      expect(Math.abs(likenessOf(packed, other) - plain)).toBeLessThan(0.01)
      // As part of a larger buffer, where no number stands at a round place.
      const within = new Uint8Array(packed.length + 3)
      within.set(packed, 3)
      expect(likenessOf(within.subarray(3), other)).toBe(likenessOf(packed, other))
    }),
    { numRuns: 500 },
  )
})

it('RC50 vectors of different dimensions are not compared', () => {
  expect(() => likenessOf(packVector(Float32Array.of(1, 2, 3)), Float32Array.of(1, 0))).toThrow(
    'a vector of 2 numbers where turns have 3',
  )
})
