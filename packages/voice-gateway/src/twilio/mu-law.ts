/** ITU-T G.711, µ-law: what telephones speak. */
const BIAS = 0x84
const CLIP = 32_635

function decodeOne(byte: number): number {
  const value = ~byte & 0xff
  const exponent = (value >> 4) & 7
  const sample = (((value & 0x0f) << 3) + BIAS) << exponent
  return (value & 0x80) === 0 ? sample - BIAS : BIAS - sample
}

const DECODED = Int16Array.from({ length: 256 }, (_, byte) => decodeOne(byte))

function encodeOne(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(sample), CLIP) + BIAS
  const exponent = 31 - Math.clz32(magnitude >> 7)
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f
  return ~(sign | (exponent << 4) | mantissa) & 0xff
}

/** Returns the samples of µ-law. */
export const fromMuLaw = (bytes: Uint8Array): Int16Array => Int16Array.from(bytes, byte => DECODED[byte] ?? 0)

/** Returns samples as µ-law. */
export const toMuLaw = (samples: Int16Array): Uint8Array => Uint8Array.from(samples, encodeOne)
