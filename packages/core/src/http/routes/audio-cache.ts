import * as z from 'zod'
import type { AudioOrder, CachedAudio } from '../../domain/voice/cached-audio.ts'
import { noAudio } from '../../usecases/voices/audio-cache.ts'
import { audioIdSchema, audioIdsSchema } from '../../usecases/voices/audio-fields.ts'
import { speechSchema } from '../../usecases/voices/voice-fields.ts'
import { defineRoute, type Route } from '../route.ts'
import { agentsApi, ofAgent } from './agents-api.ts'
import { readSoundBody, readSoundForm } from './audio-bodies.ts'
import * as value from './query-values.ts'

const PATH = '/v1/agents/:agentId/audio-cache'

const ofCache = { ...agentsApi, ...ofAgent }
const ofEntry = { ...ofCache, params: ofAgent.params.extend({ entryId: audioIdSchema }) }

/** Orders by their names in a query: two have a second one. */
const ORDERS = {
  ...{ cachedAt: 'cachedAt', cached_at: 'cachedAt' },
  ...{ hitCount: 'hitCount', hit_count: 'hitCount', duration: 'duration' },
} as const satisfies Readonly<Record<string, AudioOrder>>
const SORTS = Object.entries(ORDERS).flatMap(([name, order]) => [
  { sort: `${name}:asc`, order, descending: false },
  { sort: `${name}:desc`, order, descending: true },
])

const SECOND = 1_000

/** Returns an entry as clients know it (contract/voices.md, Audio cache). */
const entryOnWire = ({ audioFilename, cachedAt, milliseconds, ...entry }: CachedAudio) => ({
  ...{ id: entry.id, transcript: entry.transcript, cachedAt: new Date(cachedAt).toISOString() },
  ...{ hitCount: entry.hitCount, duration: milliseconds / SECOND, regenerated: entry.regenerated },
  ...{ provider: entry.provider, providerVoiceId: entry.providerVoiceId },
  ...(audioFilename === null ? {} : { audioFilename }),
  ...{ imported: entry.imported, languageCode: entry.languageCode },
})

async function* wholly(audio: Uint8Array): AsyncGenerator<Uint8Array> {
  yield audio
}

const wav = (audio: Uint8Array) =>
  ({ status: 200, chunks: wholly(audio), headers: { 'Content-Type': 'audio/wav' } }) as const

/** The audio cache of an agent (contract/voices.md, Audio cache). */
export const audioCacheRoutes: readonly Route[] = [
  defineRoute({
    ...ofCache,
    method: 'GET',
    path: PATH,
    operation: 'listCachedAudio',
    summary: 'List the audio cache of an agent',
    query: z.object({
      limit: value.integer(1, 200).default(50),
      offset: value.integer(0, Number.MAX_SAFE_INTEGER).default(0),
      sort: z.enum(SORTS.map(one => one.sort)).default('cachedAt:desc'),
    }),
    async handle({ platform, params, query: { limit, offset, sort } }) {
      const { order = 'cachedAt', descending = true } = SORTS.find(one => one.sort === sort) ?? {}
      const { entries, totalCount } = await platform.voices.cachedAudio(params.agentId, {
        ...{ order, descending, offset, limit },
      })
      const next = offset + entries.length
      const more = entries.length > 0 && next < totalCount ? { next_offset: next } : {}
      return { status: 200, json: { entries: entries.map(entryOnWire), totalCount, ...more } }
    },
  }),
  defineRoute({
    ...ofCache,
    method: 'POST',
    path: `${PATH}/bulk-delete`,
    operation: 'bulkDeleteCachedAudio',
    summary: 'Delete entries of the audio cache of an agent',
    body: z.object({ ids: audioIdsSchema }),
    handle: async ({ platform, params, body: { ids } }) => ({
      status: 200,
      json: await platform.voices.deleteCachedAudio(params.agentId, ids),
    }),
  }),
  defineRoute({
    ...ofEntry,
    method: 'DELETE',
    path: `${PATH}/:entryId`,
    operation: 'deleteCachedAudio',
    summary: 'Delete an entry of the audio cache of an agent',
    async handle({ platform, params: { agentId, entryId } }) {
      const { failed } = await platform.voices.deleteCachedAudio(agentId, [entryId])
      if (failed.length > 0) throw noAudio()
      return { status: 200, json: { success: true } }
    },
  }),
  defineRoute({
    ...ofEntry,
    method: 'GET',
    path: `${PATH}/:entryId/file`,
    operation: 'readCachedAudioFile',
    summary: 'Listen to an entry of the audio cache of an agent, as WAV',
    async handle({ platform, params: { agentId, entryId } }) {
      const { audio } = await platform.voices.cachedSound(agentId, entryId)
      return wav(audio)
    },
  }),
  defineRoute({
    ...ofEntry,
    method: 'PATCH',
    path: `${PATH}/:entryId/file`,
    operation: 'updateCachedAudioFile',
    summary: 'Replace an entry of the audio cache with a WAV of your own',
    body: 'raw',
    async handle({ platform, params: { agentId, entryId }, request }) {
      await platform.voices.replaceCachedAudio(agentId, entryId, await readSoundBody(request))
      return { status: 204 }
    },
  }),
  defineRoute({
    ...ofEntry,
    method: 'PUT',
    path: `${PATH}/:entryId/details`,
    operation: 'replaceCachedAudioDetails',
    summary:
      'Replace an entry of the audio cache with newly made audio, of another text or with other settings',
    body: 'raw',
    async handle({ platform, params: { agentId, entryId }, request }) {
      const form = await readSoundForm(request, platform.settings.limits.jsonDepth)
      await platform.voices.replaceCachedAudio(agentId, entryId, form)
      return { status: 204 }
    },
  }),
  defineRoute({
    ...ofEntry,
    method: 'POST',
    path: `${PATH}/:entryId/synthesize`,
    operation: 'synthesizeCachedAudio',
    summary: 'Listen to an entry with another text or other settings; nothing is stored',
    body: speechSchema,
    async handle({ platform, params: { agentId, entryId }, body }) {
      const { audio } = await platform.voices.tryCachedAudio(agentId, entryId, body)
      return wav(audio)
    },
  }),
]
