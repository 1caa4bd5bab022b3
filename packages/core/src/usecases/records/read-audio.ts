import { PlatformError } from '../../errors.ts'
import type { RecordingWanted } from '../../ports/recordings.ts'
import type { Context } from '../context.ts'
import { recordKey } from './read-record.ts'

/** Limits a recording to the size that the host allows, so that an endless one does not hold a connection for ever. */
async function* bounded(audio: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of audio) {
    bytes += piece.length
    if (bytes > limit) throw new Error(`A recording is longer than limits.audioBytes, ${limit} bytes.`)
    yield piece
  }
}

/** See `Reading.audio`. */
export async function readAudio(
  context: Context,
  wanted: RecordingWanted,
): Promise<AsyncIterable<Uint8Array>> {
  const { store, settings, recordings } = context
  const { accountId, agentId, conversationId } = wanted
  const key = await recordKey(context, accountId, agentId, conversationId)
  const record = await store.conversations.records.find(accountId, agentId, key, 0)
  if (record === null)
    throw new PlatformError('CONVERSATIONS_NOT_FOUND', 'The agent has no conversation of that id.')
  const audio = (await recordings?.open(wanted)) ?? null
  if (audio === null)
    throw new PlatformError('CONVERSATIONS_RECORDING_NOT_FOUND', 'The conversation has no such recording.')
  return bounded(audio, settings.limits.audioBytes)
}
