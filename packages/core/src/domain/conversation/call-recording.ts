import type { ByteRange } from '../byte-range.ts'
import type { AccountId, ConversationId } from '../ids.ts'
import { isoTime } from '../time.ts'

/**
 * The ways in which a call's recording was consented to: the visitor pressed a button or a key, or said so; or the host
 * states that it has the visitor's consent.
 */
export const CONSENT_WAYS = ['button', 'key', 'words', 'host'] as const
export type ConsentWay = (typeof CONSENT_WAYS)[number]

/** A consent to the recording of a call. */
export interface Consent {
  readonly by: 'visitor' | 'host'
  readonly how: ConsentWay
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * The reason for the end of a recording. `complete`: the call or its line ended. `withdrawn`: the visitor no longer
 * consents, and nothing of it is left. `full`: the conversation has as much sound as it may have. `failed`: the sound
 * could not be kept any more.
 */
export type RecordingEnd = 'complete' | 'withdrawn' | 'full' | 'failed'

/** The sound that was kept of a call, over one line. Its bytes are behind `Recordings.keep`, in parts. */
export interface CallRecording {
  /** UUID. */
  readonly id: string
  readonly conversationId: ConversationId
  readonly accountId: AccountId
  /** The id of the call. One that lost its line has several recordings. */
  readonly call: string
  /** The moment of its first sample, milliseconds since the epoch. */
  readonly at: number
  readonly consent: Consent
  /** Number of parts. */
  readonly parts: number
  /** Bytes of each part but the last one, which may be shorter; 0 before there is one. */
  readonly partBytes: number
  /** Bytes of all of them. */
  readonly bytes: number
  /** Null while it goes on, and for one whose process died. */
  readonly end: RecordingEnd | null
  readonly endedAt: number | null
}

/** Samples a second of recorded sound: 16-bit PCM, the visitor left and the agent right. */
export const RECORDED_RATE = 16_000
/** Bytes of a moment: one sample of each side. */
export const RECORDED_FRAME = 4

/** Milliseconds of recorded sound. */
const recordedMs = (bytes: number): number => Math.floor((bytes / RECORDED_FRAME / RECORDED_RATE) * 1_000)

/** Returns a recording as people and exports read it. */
export const recordingOnWire = ({ at, bytes, call, consent, end, endedAt, id }: CallRecording) => ({
  ...{ id, call, started_at: isoTime(at), milliseconds: recordedMs(bytes), bytes, end },
  ended_at: endedAt === null ? null : isoTime(endedAt),
  consent: { by: consent.by, how: consent.how, at: isoTime(consent.at) },
})

const PART = /-r\d{1,9}$/

/** Returns the id under which a part's bytes are kept. Parts count from 1. */
export const recordingPartId = (id: string, part: number): string => `${id}-r${part}`

/** Reports whether bytes are a part of a recording, and no file. */
export const isRecordingPart = (id: string): boolean => PART.test(id)

/** A part of a recording of which some bytes are wanted. */
export interface WantedPart {
  readonly id: string
  readonly bytes: number
  /** The range within the part. */
  readonly range: ByteRange
}

/** Returns the parts of recordings, one after the other, that have bytes of a range of their sound. */
export function partsOf(recordings: readonly CallRecording[], { from, to }: ByteRange): WantedPart[] {
  const found: WantedPart[] = []
  let start = 0
  for (const { bytes, id, partBytes } of recordings) {
    const [begin, end] = [Math.max(0, from - start), Math.min(bytes, to - start)]
    for (let index = Math.floor(begin / partBytes); begin < end && index * partBytes < end; index++) {
      const at = index * partBytes
      const length = Math.min(partBytes, bytes - at)
      const range = { from: Math.max(0, begin - at), to: Math.min(length, end - at) }
      found.push({ id: recordingPartId(id, index + 1), bytes: length, range })
    }
    start += bytes
  }
  return found
}
