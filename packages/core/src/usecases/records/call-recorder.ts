import {
  type CallRecording,
  type Consent,
  type RecordingEnd,
  recordingPartId,
} from '../../domain/conversation/call-recording.ts'
import type { AccountId, ConversationId } from '../../domain/ids.ts'
import type { Files } from '../../ports/files.ts'
import type { Context } from '../context.ts'
import { askFiles } from '../files/file-port.ts'
import { type RemovingContext, removeBytes, removeFilesNow } from '../files/remove-files.ts'

/** A recording that goes on. */
export interface KeptRecording {
  /**
   * Keeps the next part: 16-bit PCM of 16,000 Hz, the visitor left and the agent right. It is as long as the
   * first, or the last one and shorter. It is durable when this resolves.
   *
   * - `kept`
   * - `full`: the conversation has as much sound as it may have
   * - `gone`: the recording has ended, its conversation is removed, or the part is of another length
   *
   * @throws FILES_FAILED
   */
  keep(sound: Uint8Array): Promise<'kept' | 'full' | 'gone'>
  end(end: Exclude<RecordingEnd, 'withdrawn'>): Promise<void>
}

/** Keeps the sound of a conversation's calls. A gateway calls it once there is consent. */
export interface CallRecorder {
  /** Begins a recording. Null if the conversation has as many as it may have, or is removed. */
  begin(of: {
    readonly call: string
    readonly at: number
    readonly consent: Consent
  }): Promise<KeptRecording | null>
  /** The visitor no longer consents: every recording of the conversation ends, and its sound is removed. */
  withdraw(): Promise<void>
}

/** The recordings of a conversation: a call has one for each line over which it was spoken. */
const MOST_RECORDINGS = 100

type RecordingContext = RemovingContext & Pick<Context, 'ids'>

function keptRecording(
  context: RecordingContext,
  keep: Files,
  recording: CallRecording,
  room: number,
): KeptRecording {
  const { clock, settings, store } = context
  const { files, recordings } = store.conversations
  let [parts, bytes] = [0, 0]
  return {
    async keep(sound) {
      if (bytes + sound.byteLength > room) return 'full'
      const id = recordingPartId(recording.id, parts + 1)
      // Before its bytes: whatever happens then, they do not stay.
      await files.expect(id, clock.now() + settings.fileRules.unnamedFor)
      await askFiles(context, signal => keep.put({ id, type: 'audio/pcm', content: sound, signal }))
      if (!(await recordings.keep(recording.id, parts + 1, sound.byteLength))) {
        await removeBytes(context, [id])
        return 'gone'
      }
      parts++
      bytes += sound.byteLength
      return 'kept'
    },
    end: end => recordings.end(recording.id, end, clock.now()),
  }
}

/**
 * Returns what keeps the sound of a conversation's calls; null if the host keeps none (RC610).
 *
 * @param accountOf returns the conversation's account; null if it is removed
 */
export function callRecorder(
  context: RecordingContext,
  conversationId: ConversationId,
  accountOf: () => Promise<AccountId | null>,
): CallRecorder | null {
  const { clock, ids, recordings: port, settings, store } = context
  const keep = port?.keep
  if (keep === undefined) return null
  const { recordings } = store.conversations
  return {
    async begin({ at, call, consent }) {
      const accountId = await accountOf()
      if (accountId === null) return null
      const before = await recordings.list(conversationId)
      const had = before.reduce((sum, { bytes }) => sum + bytes, 0)
      const recording: CallRecording = {
        ...{ id: ids.uuid(), conversationId, accountId, call, at, consent },
        ...{ parts: 0, partBytes: 0, bytes: 0, end: null, endedAt: null },
      }
      if ((await recordings.begin(recording, MOST_RECORDINGS)) !== 'begun') return null
      return keptRecording(context, keep, recording, settings.limits.audioBytes - had)
    },
    async withdraw() {
      await recordings.withdraw(conversationId, clock.now())
      await removeFilesNow(context)
    },
  }
}
