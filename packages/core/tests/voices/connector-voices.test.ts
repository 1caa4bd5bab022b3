import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { createScriptedSpeech, type ScriptedSpeech } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const LINE = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', name: 'Line' } as const
const CONNECTORS = '/v1/agents/PROJECT-A/telephony/connectors'

async function serve(speechProvider: ScriptedSpeech | null = createScriptedSpeech()) {
  const speech = speechProvider === null ? {} : { speechProvider }
  const made = await createPopulatedPlatform({ workers: false, onError: () => undefined, ...speech })
  const { access, voices } = made.platform
  const dispatcher = createDispatcher(made.platform, routes)
  const line = await access.createTelephonyConnector(LINE)
  await voices.create('ws-one', {
    ...{ name: 'Nachtdienst', provider: 'OPENAI', providerVoiceId: 'ash', config: {} },
    metadata: { language: 'de-DE' },
  })
  const patch = async (body: object, id = line.id) => {
    const headers = { 'x-api-key': made.keys.workspace }
    const response = await dispatcher.handle(request(`PATCH ${CONNECTORS}/${id}`, { headers, body }))
    return { status: response.status, json: JSON.parse(response.body ?? 'null') }
  }
  const create = async (body: object) => {
    const headers = { authorization: `Bearer ${made.keys.operator}` }
    const asked = request('POST /operator/v1/telephony-connectors', { headers, body: { ...LINE, ...body } })
    const response = await dispatcher.handle(asked)
    return { status: response.status, json: JSON.parse(response.body ?? 'null') }
  }
  return { access, create, line, patch }
}

const failed = (status: number, code: string) => ({
  status,
  json: expect.objectContaining({ error_code: code }),
})

test('VL11 a connector takes a voice of the library, and its language with it', async () => {
  const { patch } = await serve()
  for (const [voiceName, ttsLangCode] of [
    ['ADA', 'en-GB'],
    ['nachtdienst', 'de-DE'],
    ['SCRIPTED:ada', 'en-GB'],
    ['ash', 'de-DE'],
    // Nothing is known of her language.
    ['grace', 'de-DE'],
    ['', 'de-DE'],
  ]) {
    const { json, status } = await patch({ voiceName })
    expect([status, json.voiceName, json.ttsLangCode]).toEqual([200, voiceName, ttsLangCode])
  }
})

test('VL11 a name that no voice has is refused and changes nothing, and a missing connector is told first', async () => {
  const { access, create, line, patch } = await serve()
  expect(await patch({ voiceName: 'Eve', asrLangCode: 'fr-FR' })).toEqual(
    failed(400, 'CONNECTORS_VALIDATION_FAILED'),
  )
  expect(await patch({ voiceName: 'Eve' }, 'CONNECTOR-none')).toEqual(failed(404, 'CONNECTORS_NOT_FOUND'))
  expect(await create({ voiceName: 'Eve', agentId: 'PROJECT-none' })).toEqual(
    failed(404, 'PROJECT_NOT_FOUND'),
  )
  expect(await access.telephonyConnector('PROJECT-A', line.id)).toEqual(line)
  await expect(access.createTelephonyConnector({ ...LINE, voiceName: 'Eve' })).rejects.toMatchObject({
    code: 'SCHEMA_VALIDATION_FAILED',
  })
})

test('VL11 a provider that fails is 502, unless the voice stays as it is', async () => {
  const speech = createScriptedSpeech()
  const { create, patch } = await serve(speech)
  expect((await patch({ voiceName: 'Ada' })).status).toBe(200)
  speech.script('fails')
  expect(await create({ voiceName: 'Grace' })).toEqual(failed(502, 'SPEECH_PROVIDER_FAILED'))
  speech.script('fails')
  expect(await patch({ voiceName: 'Grace' })).toEqual(failed(502, 'SPEECH_PROVIDER_FAILED'))
  speech.script('fails')
  expect((await patch({ voiceName: 'Ada', asrLangCode: 'fr-FR' })).status).toBe(200)
})

test('VL11 a new connector speaks the language of its voice, unless it says another', async () => {
  const { access } = await serve()
  const languagesOf = async (more: object) => {
    const { asrLangCode, ttsLangCode } = await access.createTelephonyConnector({ ...LINE, ...more })
    return [asrLangCode, ttsLangCode]
  }
  expect(await languagesOf({ voiceName: 'Ada' })).toEqual(['en-US', 'en-GB'])
  expect(await languagesOf({ voiceName: 'Ada', ttsLangCode: 'fr-FR' })).toEqual(['en-US', 'fr-FR'])
  expect(await languagesOf({ voiceName: 'Grace', asrLangCode: 'it-IT' })).toEqual(['it-IT', 'it-IT'])
})

test('VL11 without a provider every name is kept as it is given', async () => {
  const { line, patch } = await serve(null)
  expect((await patch({ voiceName: 'Eve' })).json).toMatchObject({
    ...{ voiceName: 'Eve', ttsLangCode: line.ttsLangCode },
  })
})
