import { dot } from './unit-vectors.ts'

/** The length of the packed numbers, as a 32-bit float before them. */
const HEADER = 4
/** The largest number that a signed byte holds. */
const LARGEST = 127

/**
 * Returns a direction with one signed byte a number, the largest of them 127, and before them their length: a quarter
 * of the room, and a likeness that is right to within 0.01 (RC45). Not for zero vectors.
 */
export function packVector(vector: Float32Array): Uint8Array {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const packed = new Uint8Array(HEADER + vector.length)
  const numbers = new Int8Array(packed.buffer, HEADER)
  let squares = 0
  for (let index = 0; index < numbers.length; index += 1) {
    const number = Math.round(((vector[index] ?? 0) / largest) * LARGEST)
    numbers[index] = number
    squares += number * number
  }
  new DataView(packed.buffer).setFloat32(0, Math.sqrt(squares), true)
  return packed
}

/**
 * Returns the similarity of a vector of length 1 to a packed one, from -1 to 1. Throws if their dimensions differ,
 * and names them.
 */
export function likenessOf(packed: Uint8Array, asked: Float32Array): number {
  const { buffer, byteOffset, byteLength } = packed
  const numbers = new Int8Array(buffer, byteOffset + HEADER, byteLength - HEADER)
  if (numbers.length !== asked.length)
    throw new Error(
      `The embedder gave a vector of ${asked.length} numbers where turns have ${numbers.length}: another model needs another id.`,
    )
  return dot(asked, numbers) / new DataView(buffer, byteOffset).getFloat32(0, true)
}
