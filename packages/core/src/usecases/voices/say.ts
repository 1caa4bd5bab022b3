import type { AgentId } from '../../domain/ids.ts'
import { type CachedAudioId, cachedAudioId, type SaidByAgent } from '../../domain/voice/cached-audio.ts'
import { PlatformError } from '../../errors.ts'
import type { HeldAudio } from '../../ports/store/audio-cache.ts'
import { findAccount } from '../access/find-owner.ts'
import { refuseOrphan } from '../access/refuse-orphan.ts'
import type { Context } from '../context.ts'
import { refuseAttributes } from '../shared/refuse-attributes.ts'
import { askToSay, type Sound } from './ask-provider.ts'
import type { AgentSpeech } from './audio-fields.ts'
import { MAX_VOICE_JSON } from './voice-fields.ts'

const SECOND = 1_000

const soundOf = ({ entry, audio }: HeldAudio): Sound => ({ audio, seconds: entry.milliseconds / SECOND })

/** Returns the sound of the cache, and counts its use. */
async function cached({ clock, store }: Context, agentId: AgentId, id: CachedAudioId): Promise<Sound | null> {
  const held = await store.access.audioCache.use(id, clock.now())
  // Ids are short enough to be guessed: another agent's sound is none of this one's.
  return held?.entry.agentId === agentId ? soundOf(held) : null
}

/** Synthesizes the speech, and caches it unless it is larger than the whole cache. @throws PROJECT_NOT_FOUND */
async function make(context: Context, id: CachedAudioId, said: SaidByAgent): Promise<Sound> {
  const { clock, settings, store } = context
  const { agentId, text, provider, providerVoiceId, config, languageCode } = said
  const agent = await store.agents.find(agentId)
  if (agent === null) throw new PlatformError('PROJECT_NOT_FOUND', 'There is no agent of that id.')
  const account = await findAccount(context, agent.accountId)
  const sound = await askToSay(context, {
    ...{ text, config, language: languageCode || null, voice: { provider, providerVoiceId } },
  })
  const { audio, seconds } = sound
  if (audio.length > settings.audioCacheBytes) return sound
  const now = clock.now()
  const entry = {
    ...{ id, accountId: account.id, agentId, transcript: text, provider, providerVoiceId, config },
    ...{ languageCode, cachedAt: now, usedAt: now, hitCount: 0, version: 1 },
    ...{ milliseconds: Math.round(seconds * SECOND), bytes: audio.length },
    ...{ regenerated: false, imported: false, audioFilename: null },
  }
  // If another process was first, its sound stays.
  await store.access.audioCache.add({ entry, audio }, settings.audioCacheBytes)
  await refuseOrphan(context, { account, agent }, async () => {
    await store.access.audioCache.remove(agentId, id)
  })
  return sound
}

/**
 * Returns the speech of agents, through the cache. Among concurrent requests for the same, the first one asks for all
 * (VA1).
 */
export function createSaying(context: Context) {
  const under = new Map<string, Promise<Sound>>()

  /** See `Voices.say`. */
  return async (agentId: AgentId, { language, ...given }: AgentSpeech): Promise<Sound> => {
    refuseAttributes(given.config, 'config', MAX_VOICE_JSON)
    const said: SaidByAgent = { ...given, agentId, languageCode: language ?? '' }
    const id = cachedAudioId(said)
    const key = `${agentId} ${id}`
    const before = under.get(key)
    if (before !== undefined) {
      const sound = await before
      return (await cached(context, agentId, id)) ?? sound
    }
    const saying = (async () => (await cached(context, agentId, id)) ?? make(context, id, said))()
    under.set(key, saying)
    try {
      return await saying
    } finally {
      under.delete(key)
    }
  }
}
