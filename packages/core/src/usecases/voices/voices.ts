import { type CallsOf, callsWith } from '../../calls/call.ts'
import type { AccountId, AgentId } from '../../domain/ids.ts'
import type { CachedAudio, CachedAudioId } from '../../domain/voice/cached-audio.ts'
import type { LibraryVoice, VoiceFilter, VoiceId } from '../../domain/voice/voice.ts'
import type { Context } from '../context.ts'
import { accountId, agentId, id } from '../shared/arguments.ts'
import type { Sound } from './ask-provider.ts'
import {
  type CachedAudioPage,
  type DeletedAudio,
  deleteCachedAudio,
  listCachedAudio,
  readCachedSound,
  replaceCachedAudio,
  tryCachedAudio,
} from './audio-cache.ts'
import {
  type AgentSpeech,
  type AudioChange,
  type AudioQuery,
  agentSpeechSchema,
  audioChangeSchema,
  audioIdsSchema,
  audioQuerySchema,
} from './audio-fields.ts'
import {
  createVoice,
  findVoice,
  listVoices,
  sampleVoice,
  updateVoice,
  type VoiceSample,
  voiceFilterSchema,
} from './library.ts'
import type { createSaying } from './say.ts'
import { synthesize } from './synthesize.ts'
import {
  newVoiceSchema,
  type Speech,
  speechSchema,
  type VoiceChange,
  type VoiceInput,
  voiceChangeSchema,
} from './voice-fields.ts'

/**
 * An account's library of voices: those that it has added, and those that the host's speech provider offers
 * (contract/voices.md). Accounts are named by id or slug. Calls about a library throw ACCOUNT_NOT_FOUND, and all
 * throw SPEECH_PROVIDER_FAILED when they have to ask the provider and that fails.
 */
export interface Voices {
  /** Lists the voices that the account has added, oldest first, then those of the provider in its order. */
  list(accountId: AccountId, filter?: VoiceFilter): Promise<readonly LibraryVoice[]>
  /** Returns a voice of either kind. @throws VOICES_NOT_FOUND */
  voice(accountId: AccountId, id: VoiceId): Promise<LibraryVoice>
  /**
   * Adds a voice. It is not tried.
   * @throws SCHEMA_VALIDATION_FAILED
   * @throws VOICES_LIMIT when the account has `Settings.voices` of them
   */
  create(accountId: AccountId, input: VoiceInput): Promise<LibraryVoice>
  /**
   * Changes a voice that the account has added; what is left out stays.
   * @throws VOICES_NOT_FOUND, SCHEMA_VALIDATION_FAILED, WRITE_CONFLICT
   * @throws VOICES_READ_ONLY for one of the provider's
   */
  update(accountId: AccountId, id: VoiceId, change: VoiceChange): Promise<LibraryVoice>
  /** Returns a sample of the voice. @throws VOICES_NOT_FOUND, NOT_IMPLEMENTED without `speechProvider` */
  sample(accountId: AccountId, id: VoiceId): Promise<VoiceSample>
  /**
   * Synthesizes a text for a voice runtime. The provider is called each time.
   *
   * @throws SCHEMA_VALIDATION_FAILED, NOT_IMPLEMENTED without `speechProvider`
   */
  synthesize(speech: Speech): Promise<Sound>
  /**
   * Returns the speech of an agent. If it is in the agent's audio cache with the same voice, `config` and language, no
   * `speechProvider` is needed. Otherwise the provider is called, once for all concurrent requests of this process, and
   * the sound is cached.
   *
   * @throws SCHEMA_VALIDATION_FAILED, PROJECT_NOT_FOUND, NOT_IMPLEMENTED without `speechProvider`
   */
  say(agentId: AgentId, speech: AgentSpeech): Promise<Sound>
  /** Returns a page of the agent's audio cache. @throws SCHEMA_VALIDATION_FAILED */
  cachedAudio(agentId: AgentId, query?: AudioQuery): Promise<CachedAudioPage>
  /** Returns the sound of an entry of the cache. This does not count as its use. @throws AUDIO_CACHE_NOT_FOUND */
  cachedSound(agentId: AgentId, id: CachedAudioId): Promise<Sound>
  /**
   * Replaces a sound in the cache: the agent says the new one from then on instead of the old one. With `text` and
   * `config` it counts as made again, without them as imported.
   * @throws AUDIO_CACHE_NOT_FOUND, SCHEMA_VALIDATION_FAILED, WRITE_CONFLICT
   * @throws BODY_TOO_LARGE above 6 MiB, and above `Settings.audioCacheBytes`
   */
  replaceCachedAudio(agentId: AgentId, id: CachedAudioId, change: AudioChange): Promise<CachedAudio>
  /** Deletes 1 to 20 entries of the cache, and says which were there. @throws SCHEMA_VALIDATION_FAILED */
  deleteCachedAudio(agentId: AgentId, ids: readonly CachedAudioId[]): Promise<DeletedAudio>
  /**
   * Synthesizes a text with the voice of an entry of the cache; nothing is stored. Without `language` it uses
   * the entry's language.
   *
   * @throws AUDIO_CACHE_NOT_FOUND, SCHEMA_VALIDATION_FAILED, NOT_IMPLEMENTED without `speechProvider`
   */
  tryCachedAudio(agentId: AgentId, id: CachedAudioId, speech: Speech): Promise<Sound>
}

/** The dependencies of the calls about voices. */
export interface VoiceDeps extends Context {
  readonly saying: ReturnType<typeof createSaying>
}
const { call, act } = callsWith<VoiceDeps>()

/** The implementations of the calls about voices. */
export const voiceCalls = {
  list: call(() => [accountId, voiceFilterSchema], listVoices),
  voice: call(() => [accountId, id], findVoice),
  create: act(() => [accountId, newVoiceSchema], createVoice),
  update: act(() => [accountId, id, voiceChangeSchema], updateVoice),
  sample: call(() => [accountId, id], sampleVoice),
  synthesize: call(() => [speechSchema], synthesize),
  say: call(
    () => [agentId, agentSpeechSchema],
    ({ saying }, ...input) => saying(...input),
  ),
  cachedAudio: call(() => [agentId, audioQuerySchema], listCachedAudio),
  cachedSound: call(() => [agentId, id], readCachedSound),
  replaceCachedAudio: act(() => [agentId, id, audioChangeSchema], replaceCachedAudio),
  deleteCachedAudio: act(() => [agentId, ['list of ids', audioIdsSchema]], deleteCachedAudio),
  tryCachedAudio: call(() => [agentId, id, speechSchema], tryCachedAudio),
} satisfies CallsOf<Voices, VoiceDeps>
