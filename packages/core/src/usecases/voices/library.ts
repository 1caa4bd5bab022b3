import * as z from 'zod'
import { changedFields } from '../../domain/audit/details.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import {
  isWanted,
  type LibraryVoice,
  offeredVoiceId,
  type Voice,
  type VoiceFilter,
  type VoiceId,
} from '../../domain/voice/voice.ts'
import { PlatformError } from '../../errors.ts'
import type { OfferedVoice, SpokenSample } from '../../ports/speech-provider.ts'
import { findAccount } from '../access/find-owner.ts'
import { auditEntry, type Subject } from '../audit/audit-entry.ts'
import type { Acting, Context } from '../context.ts'
import { refuseAttributes } from '../shared/refuse-attributes.ts'
import { untilWritten } from '../shared/until-written.ts'
import { askForSample, offeredVoices } from './ask-provider.ts'
import { MAX_VOICE_JSON, type VoiceChange, type VoiceInput } from './voice-fields.ts'

/** A sample of a voice. */
export interface VoiceSample extends SpokenSample {
  readonly voiceId: VoiceId
}

const added = ({ accountId: _, createdAt: __, version: ___, ...voice }: Voice): LibraryVoice => ({
  ...voice,
  offered: false,
})

const offered = ({ config = {}, metadata, ...voice }: OfferedVoice): LibraryVoice => ({
  ...{ id: offeredVoiceId(voice), name: voice.name, provider: voice.provider },
  ...{ providerVoiceId: voice.providerVoiceId, config, metadata: metadata ?? null, offered: true },
})

const noVoice = () => new PlatformError('VOICES_NOT_FOUND', 'The account has no voice of that id.')

const conflict = () => new PlatformError('WRITE_CONFLICT', 'The voice is being changed too often. Try again.')

/** Returns the audit subject of a voice. Its settings are the account's affair, and left out. */
const subjectOf = ({ accountId, id }: Voice, details: JsonObject): Subject => ({
  ...{ accountId, details },
  resourceId: id,
})

const shown = ({ name, provider, providerVoiceId }: Voice): JsonObject => ({
  name,
  provider,
  providerVoiceId,
})

function refuseLarge({ config, metadata }: VoiceChange): void {
  refuseAttributes(config, 'config', MAX_VOICE_JSON)
  refuseAttributes(metadata, 'voiceMetadata', MAX_VOICE_JSON)
}

export const voiceFilterSchema = z.object({
  language: z.string().exactOptional(),
  gender: z.enum(['male', 'female', 'neutral']).exactOptional(),
  provider: z.string().exactOptional(),
  offered: z.boolean().exactOptional(),
})

/** See `Voices.list`. */
export async function listVoices(
  context: Context,
  accountId: AccountId,
  filter: VoiceFilter,
): Promise<readonly LibraryVoice[]> {
  const { id } = await findAccount(context, accountId)
  // A caller who wants none of them does not wait for the provider, and does not fail with it (VL8).
  const own = filter.offered === true ? [] : await context.store.access.voices.list(id)
  const others = filter.offered === false ? [] : await offeredVoices(context)
  return [...own.map(added), ...others.map(offered)].filter(voice => isWanted(voice, filter))
}

/** See `Voices.voice`. */
export async function findVoice(context: Context, accountId: AccountId, id: VoiceId): Promise<LibraryVoice> {
  const account = await findAccount(context, accountId)
  const own = await context.store.access.voices.find(account.id, id)
  if (own !== null) return added(own)
  const found = id.includes(':')
    ? (await offeredVoices(context)).find(one => offeredVoiceId(one) === id)
    : undefined
  if (found === undefined) throw noVoice()
  return offered(found)
}

/** See `Voices.create`. */
export async function createVoice(
  context: Acting,
  accountId: AccountId,
  input: VoiceInput,
): Promise<LibraryVoice> {
  refuseLarge(input)
  const { metadata = null, ...given } = input
  const account = await findAccount(context, accountId)
  const { clock, ids, settings, store } = context
  const voice: Voice = {
    ...given,
    ...{ id: `VOICE-${ids.short()}`, accountId: account.id, metadata },
    ...{ createdAt: clock.now(), version: 1 },
  }
  const entry = auditEntry(context, 'voice.created', subjectOf(voice, shown(voice)))
  const result = await store.access.voices.create(voice, settings.voices, { audit: entry })
  if (result === 'created') return added(voice)
  if (result === 'taken') throw new Error(`The id ${voice.id} came twice.`)
  throw new PlatformError('VOICES_LIMIT', `An account has at most ${settings.voices} voices of its own.`)
}

/** See `Voices.update`. */
export async function updateVoice(
  context: Acting,
  accountId: AccountId,
  id: VoiceId,
  change: VoiceChange,
): Promise<LibraryVoice> {
  refuseLarge(change)
  const { offered: isOffered } = await findVoice(context, accountId, id)
  if (isOffered)
    throw new PlatformError('VOICES_READ_ONLY', "The voice is the speech provider's, and cannot be changed.")
  const { id: owner } = await findAccount(context, accountId)
  const { voices } = context.store.access
  return untilWritten(conflict, async () => {
    const before = await voices.find(owner, id)
    if (before === null) throw noVoice()
    const next: Voice = { ...before, ...change, version: before.version + 1 }
    if (JSON.stringify({ ...next, version: 0 }) === JSON.stringify({ ...before, version: 0 }))
      return added(before)
    const changes = changedFields(shown(before), shown(next))
    const entry = auditEntry(context, 'voice.changed', subjectOf(next, { changes }))
    return (await voices.update(before.version, next, { audit: entry })) === 'written' ? added(next) : 'stale'
  })
}

/** See `Voices.sample`. */
export async function sampleVoice(context: Context, accountId: AccountId, id: VoiceId): Promise<VoiceSample> {
  const { config, provider, providerVoiceId } = await findVoice(context, accountId, id)
  return { voiceId: id, ...(await askForSample(context, { config, provider, providerVoiceId })) }
}
