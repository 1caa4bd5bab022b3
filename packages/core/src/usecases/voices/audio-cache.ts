import type * as z from 'zod'
import type { AgentId } from '../../domain/ids.ts'
import type { CachedAudio, CachedAudioId } from '../../domain/voice/cached-audio.ts'
import { wavSeconds } from '../../domain/voice/wav.ts'
import { PlatformError } from '../../errors.ts'
import type { HeldAudio } from '../../ports/store/audio-cache.ts'
import { auditEntry } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { refuseAttributes } from '../shared/refuse-attributes.ts'
import { untilWritten } from '../shared/until-written.ts'
import { askToSay, type Sound } from './ask-provider.ts'
import { type AudioChange, type audioQuerySchema, MAX_AUDIO_BYTES } from './audio-fields.ts'
import { MAX_VOICE_JSON, type Speech } from './voice-fields.ts'

/** A page of an agent's cached sounds. */
export interface CachedAudioPage {
  readonly entries: readonly CachedAudio[]
  /** The number of all entries of the agent. */
  readonly totalCount: number
}

/** The result of deleting cached sounds. */
export interface DeletedAudio {
  readonly deleted: readonly CachedAudioId[]
  /** Ids that do not exist. */
  readonly failed: readonly CachedAudioId[]
}

const SECOND = 1_000

/** Returns the error for a missing entry. */
export const noAudio = (): PlatformError =>
  new PlatformError('AUDIO_CACHE_NOT_FOUND', 'The audio cache of the agent has no entry of that id.')

const conflict = () => new PlatformError('WRITE_CONFLICT', 'The entry is being changed too often. Try again.')

/** @throws AUDIO_CACHE_NOT_FOUND */
async function existing({ store }: Context, agentId: AgentId, id: CachedAudioId): Promise<CachedAudio> {
  const entry = await store.access.audioCache.find(agentId, id)
  if (entry === null) throw noAudio()
  return entry
}

/** See `Voices.cachedAudio`. */
export async function listCachedAudio(
  { store }: Context,
  agentId: AgentId,
  query: z.output<typeof audioQuerySchema>,
): Promise<CachedAudioPage> {
  return store.access.audioCache.list(agentId, query)
}

/** See `Voices.cachedSound`. */
export async function readCachedSound(
  { store }: Context,
  agentId: AgentId,
  id: CachedAudioId,
): Promise<Sound> {
  const held = await store.access.audioCache.read(agentId, id)
  if (held === null) throw noAudio()
  return { audio: held.audio, seconds: held.entry.milliseconds / SECOND }
}

/** @throws SCHEMA_VALIDATION_FAILED, BODY_TOO_LARGE */
function soundIn({ settings }: Context, audio: Uint8Array): Pick<CachedAudio, 'milliseconds' | 'bytes'> {
  const most = Math.min(MAX_AUDIO_BYTES, settings.audioCacheBytes)
  if (audio.length > most)
    throw new PlatformError('BODY_TOO_LARGE', `The sound is larger than ${most} bytes, which is the limit.`)
  const seconds = wavSeconds(audio)
  if (seconds === null) throw new PlatformError('SCHEMA_VALIDATION_FAILED', 'The sound must be a WAV.')
  return { milliseconds: Math.round(seconds * SECOND), bytes: audio.length }
}

/** See `Voices.replaceCachedAudio`. */
export async function replaceCachedAudio(
  context: Acting,
  agentId: AgentId,
  id: CachedAudioId,
  { audio, filename, text, config }: AudioChange,
): Promise<CachedAudio> {
  refuseAttributes(config, 'config', MAX_VOICE_JSON)
  const sound = soundIn(context, audio)
  const isMadeAnew = text !== undefined && config !== undefined
  const { audioCache } = context.store.access
  return untilWritten(conflict, async () => {
    const before = await existing(context, agentId, id)
    const entry: CachedAudio = {
      ...before,
      ...sound,
      ...(isMadeAnew && { transcript: text, config }),
      ...{ regenerated: isMadeAnew, imported: !isMadeAnew, audioFilename: filename ?? null },
      ...{ cachedAt: context.clock.now(), version: before.version + 1 },
    }
    const { accountId } = before
    const audit = auditEntry(context, 'cached_audio.changed', {
      ...{ accountId, agentId, resourceId: id },
      details: { regenerated: isMadeAnew, imported: !isMadeAnew },
    })
    const next: HeldAudio = { entry, audio }
    const written = await audioCache.replace(before.version, next, context.settings.audioCacheBytes, {
      audit,
    })
    return written === 'written' ? entry : 'stale'
  })
}

/** See `Voices.deleteCachedAudio`. */
export async function deleteCachedAudio(
  context: Acting,
  agentId: AgentId,
  ids: readonly CachedAudioId[],
): Promise<DeletedAudio> {
  const deleted: CachedAudioId[] = []
  const failed: CachedAudioId[] = []
  for (const id of new Set(ids)) {
    const isGone = await deleteOne(context, agentId, id)
    if (isGone) deleted.push(id)
    else failed.push(id)
  }
  return { deleted, failed }
}

async function deleteOne(context: Acting, agentId: AgentId, id: CachedAudioId): Promise<boolean> {
  const { audioCache } = context.store.access
  const entry = await audioCache.find(agentId, id)
  if (entry === null) return false
  const { accountId } = entry
  const audit = auditEntry(context, 'cached_audio.deleted', { accountId, agentId, resourceId: id })
  return audioCache.remove(agentId, id, { audit })
}

/** See `Voices.tryCachedAudio`. */
export async function tryCachedAudio(
  context: Context,
  agentId: AgentId,
  id: CachedAudioId,
  { text, config, language }: Speech,
): Promise<Sound> {
  refuseAttributes(config, 'config', MAX_VOICE_JSON)
  const { provider, providerVoiceId, languageCode } = await existing(context, agentId, id)
  const spoken = language === undefined ? languageCode || null : language
  return askToSay(context, { text, config, language: spoken, voice: { provider, providerVoiceId } })
}
