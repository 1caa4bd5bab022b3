import type { ByteRange } from '../../domain/byte-range.ts'
import type { CallRecording } from '../../domain/conversation/call-recording.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { RecordingWanted } from '../../ports/recordings.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { keptSound } from './kept-sound.ts'
import type { Listenings } from './listenings.ts'
import { recordKey } from './read-record.ts'

type Reader = Pick<Context, 'clock' | 'recordings' | 'settings' | 'store'>

/** Limits a recording to the size that the host allows, so that an endless one does not hold a connection for ever. */
async function* bounded(audio: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of audio) {
    bytes += piece.length
    if (bytes > limit) throw new Error(`A recording is longer than limits.audioBytes, ${limit} bytes.`)
    yield piece
  }
}

/** The sound of a conversation as WAV. */
export interface ConversationSound {
  /** Null if only its end tells, as of a host's own voice stack. */
  readonly bytes: number | null
  /** Other sound has another one. Null if nothing tells. */
  readonly tag: string | null
  /**
   * Reads it on demand, or a part of it if its `bytes` are known: no more is read than what has some of the part. The
   * first chunk notes in the audit log who listens (AU14).
   */
  read(part?: ByteRange): AsyncIterable<Uint8Array>
}

/** Returns the key of a conversation that the agent has. @throws CONVERSATIONS_NOT_FOUND */
async function listedKey(
  context: Reader,
  accountId: AccountId,
  agentId: AgentId,
  id: ConversationId,
): Promise<ConversationId> {
  const key = await recordKey(context, accountId, agentId, id)
  const record = await context.store.conversations.records.find(accountId, agentId, key, 0)
  if (record !== null) return key
  throw new PlatformError('CONVERSATIONS_NOT_FOUND', 'The agent has no conversation of that id.')
}

/** See `Reading.recordings`. */
export async function readRecordings(
  context: Reader,
  accountId: AccountId,
  agentId: AgentId,
  id: ConversationId,
): Promise<readonly CallRecording[]> {
  return context.store.conversations.recordings.list(await listedKey(context, accountId, agentId, id))
}

/** Notes who listens before there is anything to hear. */
async function* noted(note: () => Promise<void>, sound: AsyncIterable<Uint8Array>) {
  await note()
  yield* sound
}

/** See `Reading.audio`. */
export async function readAudio(
  context: Acting & { readonly listenings: Listenings },
  wanted: RecordingWanted,
): Promise<ConversationSound> {
  const { accountId, agentId, conversationId, direction, redacted } = wanted
  const { caller, listenings, store, settings, recordings } = context
  const key = await listedKey(context, accountId, agentId, conversationId)
  const subject = { accountId, agentId, resourceId: conversationId, details: { direction, redacted } }
  const note = () =>
    listenings.note(caller, key, () =>
      store.audit.append(auditEntry(context, 'conversation.listened', subject)),
    )
  // Nothing confidential is removed from what was kept.
  const found = redacted ? [] : await store.conversations.recordings.list(key)
  const kept = found.filter(({ bytes }) => bytes > 0)
  const last = kept.at(-1)
  if (last !== undefined) {
    const { bytes, read } = keptSound(context, kept, direction)
    // Sound is only added at its end, and removed as a whole.
    const tag = `${last.id}-${bytes}`
    return { bytes, tag, read: (part = { from: 0, to: bytes }) => noted(note, read(part)) }
  }
  const audio = (await recordings?.open?.(wanted)) ?? null
  if (audio === null)
    throw new PlatformError('CONVERSATIONS_RECORDING_NOT_FOUND', 'The conversation has no such recording.')
  return { bytes: null, tag: null, read: () => noted(note, bounded(audio, settings.limits.audioBytes)) }
}
