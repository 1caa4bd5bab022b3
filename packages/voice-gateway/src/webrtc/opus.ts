import { Decoder, Encoder } from '@evan/opus/wasm/index.mjs'
import { DOWN_RATE, UP_RATE } from '../audio/pcm.ts'

/** The codec of one call. */
export interface OpusCodec {
  /** Returns PCM at 16,000 Hz. Null for what is no Opus. */
  decode(packet: Uint8Array): Uint8Array | null
  /** @param pcm 20 milliseconds at 24,000 Hz */
  encode(pcm: Uint8Array): Uint8Array
  /** Frees its memory. */
  close(): void
}

/** Settings of the encoder, by the numbers of libopus: good speech at little work. */
const SETTINGS = { bitrate: [4002, 32_000], complexity: [4010, 5] } as const

/**
 * Opens the codec of a call. Opus knows no rate of its own: each side codes at the rate that it works with, and stereo
 * becomes mono inside.
 */
export function openOpus(): OpusCodec {
  const decoder = new Decoder({ channels: 1, sample_rate: UP_RATE })
  const encoder = new Encoder({ channels: 1, sample_rate: DOWN_RATE, application: 'voip' })
  for (const [command, value] of Object.values(SETTINGS)) encoder.ctl(command, value)
  return {
    decode(packet) {
      try {
        return decoder.decode(packet)
      } catch {
        return null
      }
    },
    encode: pcm => encoder.encode(pcm),
    close() {
      decoder.drop()
      encoder.drop()
    },
  }
}
