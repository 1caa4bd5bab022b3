import {
  type CallRecording,
  RECORDED_FRAME,
  RECORDED_RATE,
  recordingPartId,
} from '../../domain/conversation/call-recording.ts'
import { PlatformError } from '../../errors.ts'
import type { RecordingDirection } from '../../ports/recordings.ts'
import type { Context } from '../context.ts'
import { askFiles } from '../files/file-port.ts'

type SoundContext = Pick<Context, 'clock' | 'recordings' | 'settings'>

/** The place of a voice within a moment, bytes, and how many there are of it. */
const VOICES = {
  combined: { at: 0, bytes: RECORDED_FRAME },
  user: { at: 0, bytes: 2 },
  agent: { at: 2, bytes: 2 },
} as const satisfies Record<RecordingDirection, { readonly at: number; readonly bytes: number }>

/** Bytes before the samples of a WAV. */
const HEAD = 44

/** Returns the beginning of a WAV of 16-bit PCM. */
function wavHead(channels: number, bytes: number): Uint8Array {
  const head = new Uint8Array(HEAD)
  const view = new DataView(head.buffer)
  const name = (at: number, text: string): void => {
    for (const [index, character] of [...text].entries()) head[at + index] = character.charCodeAt(0)
  }
  name(0, 'RIFF')
  view.setUint32(4, HEAD - 8 + bytes, true)
  name(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, channels, true)
  view.setUint32(24, RECORDED_RATE, true)
  view.setUint32(28, RECORDED_RATE * channels * 2, true)
  view.setUint16(32, channels * 2, true)
  view.setUint16(34, 16, true)
  name(36, 'data')
  view.setUint32(40, bytes, true)
  return head
}

/** Reads a recording part by part. @throws Error if a part is not there whole, so that nobody takes the rest for all */
async function* soundOf(
  context: SoundContext,
  { bytes, id, parts }: CallRecording,
): AsyncGenerator<Uint8Array> {
  const keep = context.recordings?.keep
  if (keep === undefined)
    throw new PlatformError(
      'NOT_IMPLEMENTED',
      'The sound is not read here: the host gave no `recordings.keep`.',
    )
  let read = 0
  for (let part = 1; part <= parts; part++) {
    const wanted = { id: recordingPartId(id, part) }
    const chunks = await askFiles(context, signal => keep.get({ ...wanted, signal }))
    if (chunks === null) throw new Error('A part of a recording is missing.')
    for await (const chunk of chunks) {
      read += chunk.length
      if (read > bytes) throw new Error('A part of a recording is longer than what was kept.')
      yield chunk
    }
  }
  if (read !== bytes) throw new Error('A part of a recording is shorter than what was kept.')
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

/** Returns recordings as one WAV, one after the other, each part read on demand (RC613). */
export async function* keptSound(
  context: SoundContext,
  recordings: readonly CallRecording[],
  direction: RecordingDirection,
): AsyncGenerator<Uint8Array> {
  const voice = VOICES[direction]
  const total = recordings.reduce((sum, { bytes }) => sum + bytes, 0)
  yield wavHead(voice.bytes / 2, (total / RECORDED_FRAME) * voice.bytes)
  for (const recording of recordings) {
    const sound = soundOf(context, recording)
    if (direction === 'combined') yield* sound
    else yield* voiceOf(sound, voice)
  }
}
