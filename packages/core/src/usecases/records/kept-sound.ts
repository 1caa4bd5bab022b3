import type { ByteRange } from '../../domain/byte-range.ts'
import {
  type CallRecording,
  partsOf,
  RECORDED_FRAME,
  RECORDED_RATE,
  type WantedPart,
} from '../../domain/conversation/call-recording.ts'
import { WAV_HEAD, wavHead } from '../../domain/voice/wav.ts'
import { PlatformError } from '../../errors.ts'
import type { RecordingDirection } from '../../ports/recordings.ts'
import { sliceOf } from '../../shared/slice-of.ts'
import type { Context } from '../context.ts'
import { askFiles } from '../files/file-port.ts'

type SoundContext = Pick<Context, 'clock' | 'recordings' | 'settings'>

/** The place of a voice within a moment, bytes, and how many there are of it. */
const VOICES = {
  combined: { at: 0, bytes: RECORDED_FRAME },
  user: { at: 0, bytes: 2 },
  agent: { at: 2, bytes: 2 },
} as const satisfies Record<RecordingDirection, { readonly at: number; readonly bytes: number }>

/** Passes a part on, and fails if it is not there whole, so that nobody takes the rest for all. */
async function* checked(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let read = 0
  for await (const chunk of chunks) {
    read += chunk.length
    if (read > bytes) throw new Error('A part of a recording is longer than what was kept.')
    yield chunk
  }
  if (read !== bytes) throw new Error('A part of a recording is shorter than what was kept.')
}

/** Reads parts one by one. @throws Error if one is not there */
async function* soundOf(context: SoundContext, parts: readonly WantedPart[]): AsyncGenerator<Uint8Array> {
  const keep = context.recordings?.keep
  if (keep === undefined)
    throw new PlatformError(
      'NOT_IMPLEMENTED',
      'The sound is not read here: the host gave no `recordings.keep`.',
    )
  for (const { bytes, id, range } of parts) {
    const wanted = range.to - range.from
    // Without a range, one that has become longer is found.
    const of = wanted === bytes ? { id } : { id, range }
    const chunks = await askFiles(context, signal => keep.get({ ...of, signal }))
    if (chunks === null) throw new Error('A part of a recording is missing.')
    yield* checked(chunks, wanted)
  }
}

/** Leaves one voice of two. */
async function* voiceOf(
  sound: AsyncIterable<Uint8Array>,
  { at, bytes }: { readonly at: number; readonly bytes: number },
): AsyncGenerator<Uint8Array> {
  let place = 0
  for await (const chunk of sound) {
    const start = place
    place += chunk.length
    yield chunk.filter((_, index) => {
      const within = (start + index) % RECORDED_FRAME
      return within >= at && within < at + bytes
    })
  }
}

/** Recordings as one WAV, one after the other. */
export interface KeptSound {
  readonly bytes: number
  /** Reads a part of it: only what has bytes of it, on demand. */
  readonly read: (part: ByteRange) => AsyncIterable<Uint8Array>
}

/** Returns the WAV of recordings, of which nothing is read yet (RC613). */
export function keptSound(
  context: SoundContext,
  recordings: readonly CallRecording[],
  direction: RecordingDirection,
): KeptSound {
  const voice = VOICES[direction]
  const moments = recordings.reduce((sum, { bytes }) => sum + bytes, 0) / RECORDED_FRAME
  const sound = moments * voice.bytes
  const head = wavHead({ bytes: sound, channels: voice.bytes / 2, samplesPerSecond: RECORDED_RATE })
  async function* read({ from, to }: ByteRange): AsyncGenerator<Uint8Array> {
    if (from < WAV_HEAD) yield head.subarray(from, to)
    if (to <= WAV_HEAD) return
    const [start, end] = [Math.max(0, from - WAV_HEAD), to - WAV_HEAD]
    const first = Math.floor(start / voice.bytes)
    const last = Math.ceil(end / voice.bytes)
    const range = { from: first * RECORDED_FRAME, to: last * RECORDED_FRAME }
    const both = soundOf(context, partsOf(recordings, range))
    const before = first * voice.bytes
    yield* sliceOf(direction === 'combined' ? both : voiceOf(both, voice), {
      from: start - before,
      to: end - before,
    })
  }
  return { bytes: WAV_HEAD + sound, read }
}
