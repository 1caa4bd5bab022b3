/** RTP counts Opus in samples of 48,000 a second, whatever the codec's own rate is (RFC 7587). */
export const RTP_RATE = 48_000

/** The longest packet, samples. */
const LONGEST = (RTP_RATE * 120) / 1_000

/** Samples of a frame by the number in the first byte of a packet (RFC 6716, 3.1). */
function frameSamples(config: number): number {
  if (config < 12) return [480, 960, 1_920, 2_880][config % 4] ?? 0
  if (config < 16) return config % 2 === 0 ? 480 : 960
  return [120, 240, 480, 960][config % 4] ?? 0
}

/** Returns the duration of a packet in samples. Null for what is no packet of Opus. */
export function opusSamples(payload: Uint8Array): number | null {
  const [head, count] = payload
  if (head === undefined) return null
  const code = head & 3
  const frames = code === 0 ? 1 : code < 3 ? 2 : count === undefined ? 0 : count & 63
  const samples = frames * frameSamples(head >> 3)
  return samples > 0 && samples <= LONGEST ? samples : null
}
