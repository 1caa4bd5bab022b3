import * as z from 'zod'
import { brandedVoice } from '../../domain/brand.ts'
import type { JsonObject } from '../../domain/json.ts'
import { parse } from '../../domain/parse.ts'
import type { LibraryVoice, VoiceFilter } from '../../domain/voice/voice.ts'
import type { Platform } from '../../platform.ts'
import { newVoiceFields, voiceChangeFields, voiceMetadata } from '../../usecases/voices/voice-fields.ts'
import { parseQuery } from '../query.ts'
import { defineRoute, type Route } from '../route.ts'
import { agentsApi } from './agents-api.ts'
import { boolean, text } from './query-values.ts'

const PATH = '/v1/accounts/:accountId/voice-library'

const ofAccount = {
  ...agentsApi,
  params: z.object({ accountId: z.string() }),
  scope: ({ params }: { readonly params: { readonly accountId: string } }) => ({ account: params.accountId }),
}

const ofVoice = { ...ofAccount, params: ofAccount.params.extend({ voiceId: z.string().max(400) }) }

const body = z.object({ ...newVoiceFields, voiceMetadata })
const change = z.object({ ...voiceChangeFields, voiceMetadata })

/** Returns a voice as clients know it (contract/voices.md, Voices): one field is named with the brand's word. */
const voiceOnWire = (
  { settings }: Pick<Platform, 'settings'>,
  { metadata, offered, ...voice }: LibraryVoice,
) => ({
  ...voice,
  ...(metadata === null ? {} : { metadata }),
  [brandedVoice(settings.brand)]: offered,
})

/** Returns the filter of the brand's word, which the schema of the query cannot name. */
function offeredIn({ settings }: Pick<Platform, 'settings'>, query: string): Pick<VoiceFilter, 'offered'> {
  const name = brandedVoice(settings.brand)
  const given = parseQuery(query)[name]
  return given === undefined
    ? {}
    : { offered: parse(z.object({ [name]: boolean }), { [name]: given }, 'query parameter')[name] ?? false }
}

const withoutMetadata = <Given extends { readonly voiceMetadata?: JsonObject }>({
  voiceMetadata: metadata,
  ...given
}: Given) => ({ ...given, ...(metadata === undefined ? {} : { metadata }) })

/** The voices of an account (contract/voices.md). */
export const voiceRoutes: readonly Route[] = [
  defineRoute({
    ...ofAccount,
    method: 'GET',
    path: PATH,
    operation: 'listVoices',
    summary: 'List the voices of an account, and those of the speech provider',
    query: z.object({
      language: text.exactOptional(),
      gender: z.enum(['male', 'female', 'neutral']).exactOptional(),
      provider: text.exactOptional(),
      isAIVoice: boolean.exactOptional(),
    }),
    async handle({ platform, params, query: { isAIVoice: _, ...filter }, request }) {
      const wanted = { ...filter, ...offeredIn(platform, request.query) }
      const voices = await platform.voices.list(params.accountId, wanted)
      return { status: 200, json: { voices: voices.map(voice => voiceOnWire(platform, voice)) } }
    },
  }),
  defineRoute({
    ...ofAccount,
    method: 'POST',
    path: PATH,
    operation: 'createVoice',
    summary: 'Add a voice to the library of an account',
    body,
    async handle({ platform, params, body: given }) {
      const voice = await platform.voices.create(params.accountId, withoutMetadata(given))
      return { status: 200, json: { voice: voiceOnWire(platform, voice) } }
    },
  }),
  defineRoute({
    ...ofVoice,
    method: 'GET',
    path: `${PATH}/:voiceId`,
    operation: 'readVoice',
    summary: 'Read a voice',
    async handle({ platform, params: { accountId, voiceId } }) {
      const voice = await platform.voices.voice(accountId, voiceId)
      return { status: 200, json: { voice: voiceOnWire(platform, voice) } }
    },
  }),
  defineRoute({
    ...ofVoice,
    method: 'PATCH',
    path: `${PATH}/:voiceId`,
    operation: 'updateVoice',
    summary: 'Change a voice that the account has added; what is left out stays',
    body: change,
    async handle({ platform, params: { accountId, voiceId }, body: given }) {
      const voice = await platform.voices.update(accountId, voiceId, withoutMetadata(given))
      return { status: 200, json: { voice: voiceOnWire(platform, voice) } }
    },
  }),
  defineRoute({
    ...ofVoice,
    method: 'GET',
    path: `${PATH}/:voiceId/sample`,
    operation: 'readVoiceSample',
    summary: 'Read the URL of a sample of a voice',
    async handle({ platform, params: { accountId, voiceId } }) {
      const {
        url: sampleUrl,
        expiresInSeconds,
        text: said,
      } = await platform.voices.sample(accountId, voiceId)
      return { status: 200, json: { voiceId, sampleUrl, expiresInSeconds, text: said } }
    },
  }),
]
