import type { Caller } from '../../domain/audit/audit.ts'
import type { AccountId, AgentId } from '../../domain/ids.ts'
import type { CachedAudio, CachedAudioId } from '../../domain/voice/cached-audio.ts'
import type { LibraryVoice, VoiceFilter, VoiceId } from '../../domain/voice/voice.ts'
import { type Acting, actingIn, type Context } from '../context.ts'
import type { PartCalls } from '../shared/acts.ts'
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
import type { AgentSpeech, AudioChange, AudioQuery } from './audio-fields.ts'
import { createVoice, findVoice, listVoices, sampleVoice, updateVoice, type VoiceSample } from './library.ts'
import { createSaying } from './say.ts'
import { synthesize } from './synthesize.ts'
import type { Speech, VoiceChange, VoiceInput } from './voice-fields.ts'

/**
 * An account's library of voices: those that it has added, and those that the host's speech provider offers
 * (contract/voices.md). Accounts are named by id or slug. Calls about a library throw ACCOUNT_NOT_FOUND, and all
 * throw SPEECH_PROVIDER_FAILED when they have to ask the provider and that fails.
 */
export interface Voices {
  /** Those that the account has added, oldest first, then those of the provider in its order. */
  list(accountId: AccountId, filter?: VoiceFilter): Promise<readonly LibraryVoice[]>
  /** A voice of either kind. @throws VOICES_NOT_FOUND */
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
  /** Where the voice can be heard. @throws VOICES_NOT_FOUND, NOT_IMPLEMENTED without `speechProvider` */
  sample(accountId: AccountId, id: VoiceId): Promise<VoiceSample>
  /**
   * Says a text, as a voice runtime has it said: the provider is asked each time.
   * @throws SCHEMA_VALIDATION_FAILED, NOT_IMPLEMENTED without `speechProvider`
   */
  synthesize(speech: Speech): Promise<Sound>
  /**
   * Says what an agent has to say. What it has said before with the same voice, `config` and language comes out of its
   * audio cache, also without `speechProvider`; else the provider is asked, once for all who want the same at once in
   * this process, and the sound is kept.
   * @throws SCHEMA_VALIDATION_FAILED, PROJECT_NOT_FOUND, NOT_IMPLEMENTED without `speechProvider`
   */
  say(agentId: AgentId, speech: AgentSpeech): Promise<Sound>
  /** A page of the agent's audio cache. @throws SCHEMA_VALIDATION_FAILED */
  cachedAudio(agentId: AgentId, query?: AudioQuery): Promise<CachedAudioPage>
  /** The sound of an entry of the cache; that is no use of it. @throws AUDIO_CACHE_NOT_FOUND */
  cachedSound(agentId: AgentId, id: CachedAudioId): Promise<Sound>
  /**
   * Puts another sound in the place of one in the cache: the agent says it from then on where it said the other. With
   * `text` and `config` it counts as made anew, without them as imported.
   * @throws AUDIO_CACHE_NOT_FOUND, SCHEMA_VALIDATION_FAILED, WRITE_CONFLICT
   * @throws BODY_TOO_LARGE above 6 MiB, and above `Settings.audioCacheBytes`
   */
  replaceCachedAudio(agentId: AgentId, id: CachedAudioId, change: AudioChange): Promise<CachedAudio>
  /** Deletes 1 to 20 entries of the cache, and says which were there. @throws SCHEMA_VALIDATION_FAILED */
  deleteCachedAudio(agentId: AgentId, ids: readonly CachedAudioId[]): Promise<DeletedAudio>
  /**
   * Says a text with the voice of an entry of the cache; nothing is kept. Without `language` in that of the entry.
   * @throws AUDIO_CACHE_NOT_FOUND, SCHEMA_VALIDATION_FAILED, NOT_IMPLEMENTED without `speechProvider`
   */
  tryCachedAudio(agentId: AgentId, id: CachedAudioId, speech: Speech): Promise<Sound>
}

/** The calls of voices, not bound to a caller yet: those that change a voice or a sound record their caller. */
export type VoicesCalls = PartCalls<Voices, 'create' | 'update' | 'replaceCachedAudio' | 'deleteCachedAudio'>

/** Binds the use cases of voices to a context. */
export function createVoices(context: Context): VoicesCalls {
  const by = (caller: Caller): Acting => actingIn(context, caller)
  return {
    acts: {
      create: (caller, accountId, input) => createVoice(by(caller), accountId, input),
      update: (caller, accountId, id, change) => updateVoice(by(caller), accountId, id, change),
      replaceCachedAudio: (caller, agentId, id, change) =>
        replaceCachedAudio(by(caller), agentId, id, change),
      deleteCachedAudio: (caller, agentId, ids) => deleteCachedAudio(by(caller), agentId, ids),
    },
    common: {
      list: (accountId, filter = {}) => listVoices(context, accountId, filter),
      voice: (accountId, id) => findVoice(context, accountId, id),
      sample: (accountId, id) => sampleVoice(context, accountId, id),
      synthesize: speech => synthesize(context, speech),
      say: createSaying(context),
      cachedAudio: (agentId, query = {}) => listCachedAudio(context, agentId, query),
      cachedSound: (agentId, id) => readCachedSound(context, agentId, id),
      tryCachedAudio: (agentId, id, speech) => tryCachedAudio(context, agentId, id, speech),
    },
  }
}
