import type { CallRecording } from '../../domain/conversation/call-recording.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { RecordingWanted } from '../../ports/recordings.ts'
import type { Context } from '../context.ts'
import { keptSound } from './kept-sound.ts'
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

/** See `Reading.audio`. */
export async function readAudio(
  context: Reader,
  wanted: RecordingWanted,
): Promise<AsyncIterable<Uint8Array>> {
  const { accountId, agentId, conversationId } = wanted
  const { store, settings, recordings } = context
  const key = await listedKey(context, accountId, agentId, conversationId)
  // Nothing confidential is removed from what was kept.
  const found = wanted.redacted ? [] : await store.conversations.recordings.list(key)
  const kept = found.filter(({ bytes }) => bytes > 0)
  if (kept.length > 0) return keptSound(context, kept, wanted.direction)
  const audio = (await recordings?.open?.(wanted)) ?? null
  if (audio === null)
    throw new PlatformError('CONVERSATIONS_RECORDING_NOT_FOUND', 'The conversation has no such recording.')
  return bounded(audio, settings.limits.audioBytes)
}
