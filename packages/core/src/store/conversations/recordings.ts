import { type CallRecording, recordingPartId } from '../../domain/conversation/call-recording.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { RecordingStore } from '../../ports/store/recordings.ts'
import type { Batch, Condition, Versioned } from '../documents.ts'
import { absent, changed, type Guarded, plain, unchanged, versioned } from '../guarded.ts'
import { CALL_RECORDING, FILE_REMOVAL } from '../kinds.ts'
import { CONVERSATION } from './kinds.ts'

/** Bytes that no recording names any more are due at once. */
const AT_ONCE = 0

const scanOf = ({ scan }: Pick<Guarded, 'scan'>, conversationId: ConversationId) =>
  scan(CALL_RECORDING, 'conversation', { prefix: [conversationId] })

/** Returns what makes the bytes of a recording due. */
const bytesGone = ({ id, parts }: CallRecording): NonNullable<Batch['put']> =>
  Array.from({ length: parts }, (_, at) => ({
    kind: FILE_REMOVAL,
    value: versioned({ id: recordingPartId(id, at + 1), due: AT_ONCE }),
  }))

/** Returns the parts of a batch that remove a conversation's recordings, and make their bytes due. */
export async function recordingsGone(
  over: Pick<Guarded, 'scan'>,
  conversationId: ConversationId,
): Promise<{ readonly when: readonly Condition[]; readonly put: NonNullable<Batch['put']> }> {
  const found = await scanOf(over, conversationId)
  return {
    when: [
      // One that begins or goes on meanwhile would leave its bytes.
      { kind: CALL_RECORDING, index: 'conversation', prefix: [conversationId], atMost: found.length },
      ...found.map(recording => unchanged(CALL_RECORDING, recording)),
    ],
    put: found.flatMap(bytesGone),
  }
}

/** See `RecordingStore.begin`. */
const beginRecording = (over: Guarded, recording: CallRecording, most: number) =>
  over.decided<'begun' | 'missing' | 'full'>(async () => {
    const { accountId, conversationId, id } = recording
    const held = await over.one(CONVERSATION, conversationId)
    if (held?.index.accountId !== accountId) return { result: 'missing' }
    const found = await scanOf(over, conversationId)
    if (found.length >= most) return { result: 'full' }
    return {
      when: [
        absent(CALL_RECORDING, id),
        {
          kind: CALL_RECORDING,
          index: 'conversation',
          prefix: [conversationId],
          atMost: found.length,
        },
        // It must not outlive a conversation that is being removed.
        unchanged(CONVERSATION, held),
      ],
      put: [{ kind: CALL_RECORDING, value: versioned(recording) }],
      result: 'begun',
    }
  })

/** Reports whether the places of all parts stay known: each is as long as the first, and the last no longer. */
const fits = ({ bytes: kept, partBytes, parts }: CallRecording, bytes: number): boolean =>
  bytes > 0 && (parts === 0 || (kept === parts * partBytes && bytes <= partBytes))

/** See `RecordingStore.keep`. */
const keepPart = ({ decided, one }: Guarded, id: string, part: number, bytes: number) =>
  decided<boolean>(async () => {
    const partId = recordingPartId(id, part)
    const [recording, removal] = await Promise.all([one(CALL_RECORDING, id), one(FILE_REMOVAL, partId)])
    const isNext = recording !== null && recording.end === null && recording.parts === part - 1
    if (!isNext || !fits(recording, bytes) || removal === null) return { result: false }
    const next = changed<CallRecording>(recording, {
      ...{ parts: part, partBytes: part === 1 ? bytes : recording.partBytes },
      bytes: recording.bytes + bytes,
    })
    return {
      when: [unchanged(CALL_RECORDING, recording), unchanged(FILE_REMOVAL, removal)],
      put: [{ kind: CALL_RECORDING, value: next }],
      remove: [{ kind: FILE_REMOVAL, id: partId }],
      result: true,
    }
  })

const withdrawn = (recording: Versioned<CallRecording>, at: number) =>
  changed<CallRecording>(recording, { end: 'withdrawn', endedAt: at, parts: 0, partBytes: 0, bytes: 0 })

/** Recordings of calls. */
export function recordingsOver(over: Guarded): RecordingStore {
  const { decided, one } = over
  return {
    begin: (recording, most) => beginRecording(over, recording, most),
    keep: (id, part, bytes) => keepPart(over, id, part, bytes),
    end: (id, end, at) =>
      decided<void>(async () => {
        const recording = await one(CALL_RECORDING, id)
        if (recording === null || recording.end !== null) return { result: undefined }
        return {
          when: [unchanged(CALL_RECORDING, recording)],
          put: [{ kind: CALL_RECORDING, value: changed<CallRecording>(recording, { end, endedAt: at }) }],
          result: undefined,
        }
      }),
    withdraw: (conversationId, at) =>
      decided<void>(async () => {
        const found = await scanOf(over, conversationId)
        const left = found.filter(({ end }) => end !== 'withdrawn')
        if (left.length === 0) return { result: undefined }
        return {
          when: left.map(recording => unchanged(CALL_RECORDING, recording)),
          put: left.flatMap(recording => [
            { kind: CALL_RECORDING, value: withdrawn(recording, at) },
            ...bytesGone(recording),
          ]),
          result: undefined,
        }
      }),
    list: async conversationId => (await scanOf(over, conversationId)).map(one => plain<CallRecording>(one)),
  }
}
