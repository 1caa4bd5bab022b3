import type { Caller } from '../../domain/audit/audit.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { LibraryVoice, VoiceFilter, VoiceId } from '../../domain/voice/voice.ts'
import { type Acting, actingIn, type Context } from '../context.ts'
import type { PartCalls } from '../shared/acts.ts'
import type { Sound } from './ask-provider.ts'
import { createVoice, findVoice, listVoices, sampleVoice, updateVoice, type VoiceSample } from './library.ts'
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
}

/** The calls of voices, not bound to a caller yet: those that change a voice record their caller. */
export type VoicesCalls = PartCalls<Voices, 'create' | 'update'>

/** Binds the use cases of voices to a context. */
export function createVoices(context: Context): VoicesCalls {
  const by = (caller: Caller): Acting => actingIn(context, caller)
  return {
    acts: {
      create: (caller, accountId, input) => createVoice(by(caller), accountId, input),
      update: (caller, accountId, id, change) => updateVoice(by(caller), accountId, id, change),
    },
    common: {
      list: (accountId, filter = {}) => listVoices(context, accountId, filter),
      voice: (accountId, id) => findVoice(context, accountId, id),
      sample: (accountId, id) => sampleVoice(context, accountId, id),
      synthesize: speech => synthesize(context, speech),
    },
  }
}
