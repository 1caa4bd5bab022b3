import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { wavSeconds } from '../../src/domain/voice/wav.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { testSpeechProvider } from '../../src/testing/contracts/speech-provider.ts'
import { createFakeClock, createScriptedSpeech, type ScriptedSpeech } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const LIBRARY = '/v1/accounts/one/voice-library'
const NEW = { name: 'Night desk', provider: 'OPENAI', providerVoiceId: 'ash', config: { speed: 0.9 } }
const ADA = {
  ...{ id: 'SCRIPTED:ada', name: 'Ada', provider: 'SCRIPTED', providerVoiceId: 'ada', config: { speed: 1 } },
  ...{ metadata: { language: 'en-GB', gender: 'female' }, isAIVoice: true },
}
const GRACE = {
  ...{ id: 'SCRIPTED:grace', name: 'Grace', provider: 'SCRIPTED', providerVoiceId: 'grace', config: {} },
  isAIVoice: true,
}

async function serve(speechProvider: ScriptedSpeech | null = createScriptedSpeech(), settings: object = {}) {
  const clock = createFakeClock()
  const errors: unknown[] = []
  const speech = speechProvider === null ? {} : { speechProvider }
  const made = await createPopulatedPlatform({
    ...{ workers: false, clock, onError: (error: unknown) => errors.push(error), ...speech },
    ...settings,
  })
  const { access } = made.platform
  const dispatcher = createDispatcher(made.platform, routes)
  const callWith = async (key: string, line: string, body?: unknown) => {
    const response = await dispatcher.handle(request(line, { headers: { 'x-api-key': key }, body }))
    return { status: response.status, json: JSON.parse(response.body ?? 'null') }
  }
  const call = (line: string, body?: unknown) => callWith(made.keys.workspace, line, body)
  return {
    ...{ ...made, access, call, callWith, clock, errors },
    /** Adds a voice, and answers with it. */
    async add(values: object = {}) {
      await clock.advance(1)
      return (await call(`POST ${LIBRARY}`, { ...NEW, ...values })).json.voice
    },
    namesOf: async (query = '') =>
      (await call(`GET ${LIBRARY}${query}`)).json.voices.map(({ name }: { readonly name: string }) => name),
    actions: async () =>
      (await made.platform.audit.list({ limit: 100 })).entries
        .filter(({ action }) => action.startsWith('voice.'))
        .map(({ action, resource, details }) => ({ action, id: resource.id, details })),
  }
}

const failed = (status: number, code: string, message: unknown = expect.any(String)) => ({
  status,
  json: expect.objectContaining({ success: false, error_code: code, error_message: message, data: null }),
})

testSpeechProvider('scripted', {
  async open() {
    const provider = createScriptedSpeech()
    return { provider, config: {}, fault: fault => provider.script(fault) }
  },
})

describe('the voice library', () => {
  test('VL1 added voices come oldest first, then those that the provider offers', async () => {
    const { add, call } = await serve()
    const first = await add()
    const second = await add({ name: 'Day desk' })
    expect(await call(`GET ${LIBRARY}`)).toEqual({
      status: 200,
      json: { voices: [first, second, ADA, GRACE] },
    })
    expect((await call('GET /v1/accounts/ws-one/voice-library')).json.voices).toHaveLength(4)
  })

  test('VL1 without a provider the library holds what was added', async () => {
    const { add, namesOf } = await serve(null)
    expect(await namesOf()).toEqual([])
    await add()
    expect(await namesOf()).toEqual(['Night desk'])
  })

  test('VL1 a voice is added, read and changed; what is left out stays, and the audit log says what was done', async () => {
    const { actions, call } = await serve()
    const made = await call(`POST ${LIBRARY}`, { ...NEW, voiceMetadata: { language: 'de-DE' } })
    const voice = {
      ...{ id: expect.stringMatching(/^VOICE-/), ...NEW, metadata: { language: 'de-DE' } },
      isAIVoice: false,
    }
    expect(made).toEqual({ status: 200, json: { voice } })
    const { id } = made.json.voice
    const path = `${LIBRARY}/${id}`
    expect(await call(`GET ${path}`)).toEqual({ status: 200, json: { voice } })
    const change = { config: { pitch: [2] }, voiceMetadata: {}, name: 'Desk' }
    const changed = { ...voice, name: 'Desk', config: { pitch: [2] }, metadata: {} }
    expect(await call(`PATCH ${path}`, change)).toEqual({ status: 200, json: { voice: changed } })
    expect(await call(`PATCH ${path}`, { name: 'Desk' })).toEqual({ status: 200, json: { voice: changed } })
    expect(await call(`PATCH ${path}`, {})).toEqual({ status: 200, json: { voice: changed } })
    expect(await call(`GET ${path}`)).toEqual({ status: 200, json: { voice: changed } })
    expect(await actions()).toEqual([
      {
        ...{ action: 'voice.changed', id },
        details: { changes: { name: { from: 'Night desk', to: 'Desk' } } },
      },
      {
        ...{ action: 'voice.created', id },
        details: { name: 'Night desk', provider: 'OPENAI', providerVoiceId: 'ash' },
      },
    ])
  })

  test('VL1 changes that come at once are all made', async () => {
    const { add, call } = await serve()
    const { id } = await add()
    const changes = [{ name: 'A' }, { provider: 'B' }, { providerVoiceId: 'C' }, { config: { d: 1 } }]
    await Promise.all(changes.map(change => call(`PATCH ${LIBRARY}/${id}`, change)))
    expect((await call(`GET ${LIBRARY}/${id}`)).json.voice).toMatchObject(Object.assign({}, ...changes))
  })

  test('VL1 filters hold together, and compare in any case', async () => {
    const { add, namesOf } = await serve()
    await add({ name: 'one', voiceMetadata: { language: 'de-DE', gender: 'male' } })
    await add({ name: 'two', provider: 'GOOGLE', voiceMetadata: { language: 'en-gb', gender: 'neutral' } })
    await add({ name: 'three', voiceMetadata: { language: 7, gender: null } })
    for (const [query, names] of [
      ['?language=EN-GB', ['two', 'Ada']],
      ['?gender=female', ['Ada']],
      ['?gender=male&language=de-de', ['one']],
      ['?provider=openai', ['one', 'three']],
      ['?language=en-GB&provider=GOOGLE', ['two']],
      ['?isAIVoice=true', ['Ada', 'Grace']],
      ['?isAIVoice=false&language=en-GB', ['two']],
      ['?language=en-GB&isAIVoice=TRUE', ['Ada']],
      ['?language=fr-FR', []],
    ] as const)
      expect([query, await namesOf(query)]).toEqual([query, names])
  })

  test('VL5 the brand names the field and the parameter', async () => {
    const { add, call, namesOf } = await serve(undefined, { brand: 'Acme' })
    expect(await add()).toMatchObject({ isAcmeVoice: false })
    const { isAIVoice: _, ...grace } = GRACE
    expect((await call(`GET ${LIBRARY}/SCRIPTED:grace`)).json).toEqual({
      voice: { ...grace, isAcmeVoice: true },
    })
    expect(await namesOf('?isAcmeVoice=false')).toEqual(['Night desk'])
    // Another brand's is no parameter, and is ignored as others are.
    expect(await namesOf('?isAIVoice=false')).toEqual(['Night desk', 'Ada', 'Grace'])
    // The word is that of events, with its first letter large.
    const shouting = await serve(undefined, { brand: { events: 'POLY', headers: 'PolyAI' } })
    expect(await shouting.add()).toMatchObject({ isPolyVoice: false })
    expect(await shouting.namesOf('?isPolyVoice=true')).toEqual(['Ada', 'Grace'])
    expect(await call(`GET ${LIBRARY}?isAcmeVoice=maybe`)).toEqual(
      failed(400, 'SCHEMA_VALIDATION_FAILED', expect.stringContaining('isAcmeVoice')),
    )
  })

  test('VL5 an offered voice is found by provider and id, and cannot be changed', async () => {
    const { call, access, callWith, platform } = await serve()
    expect(await call(`GET ${LIBRARY}/${encodeURIComponent('SCRIPTED:ada')}`)).toEqual({
      ...{ status: 200, json: { voice: ADA } },
    })
    expect(await call(`PATCH ${LIBRARY}/SCRIPTED:ada`, { name: 'Eve' })).toEqual(
      failed(403, 'VOICES_READ_ONLY'),
    )
    const { secret } = await access.createApiKey({ kind: 'workspace', accountId: 'ws-two' })
    const { id } = await platform.voices.create('ws-two', NEW)
    for (const unknown of [id, 'VOICE-none', 'SCRIPTED:none', 'ada'])
      for (const line of [`GET ${LIBRARY}/${unknown}`, `GET ${LIBRARY}/${unknown}/sample`])
        expect(await call(line)).toEqual(failed(404, 'VOICES_NOT_FOUND'))
    expect(await call(`PATCH ${LIBRARY}/${id}`, { name: 'Mine' })).toEqual(failed(404, 'VOICES_NOT_FOUND'))
    expect((await callWith(secret, `GET /v1/accounts/two/voice-library/${id}`)).status).toBe(200)
  })

  test.each([
    [{}, 'name'],
    [{ ...NEW, name: '' }, 'name'],
    [{ ...NEW, name: 'x'.repeat(201) }, 'name'],
    [{ ...NEW, provider: 7 }, 'provider'],
    [{ ...NEW, providerVoiceId: '' }, 'providerVoiceId'],
    [{ ...NEW, config: [] }, 'config'],
    [{ ...NEW, config: { text: 'x'.repeat(65_536) } }, 'config'],
    [{ ...NEW, voiceMetadata: 'x' }, 'voiceMetadata'],
    [{ ...NEW, voiceMetadata: { text: 'x'.repeat(65_536) } }, 'voiceMetadata'],
  ])('VL6 what does not fit is 400 and adds nothing: %#', async (body, field) => {
    const { call, add, namesOf } = await serve(null)
    const invalid = failed(400, 'SCHEMA_VALIDATION_FAILED', expect.stringContaining(field))
    expect(await call(`POST ${LIBRARY}`, body)).toEqual(invalid)
    expect(await namesOf()).toEqual([])
    const { id } = await add()
    if (Object.keys(body).length > 0) expect(await call(`PATCH ${LIBRARY}/${id}`, body)).toEqual(invalid)
    expect(await namesOf('?gender=male')).toEqual([])
    expect(await call(`GET ${LIBRARY}?gender=other`)).toEqual(failed(400, 'SCHEMA_VALIDATION_FAILED'))
  })

  test('VL6 an account adds as many voices as it may, and values that are no JSON are refused', async () => {
    const { add, call, platform } = await serve(null, { voices: 1 })
    await add()
    expect(await call(`POST ${LIBRARY}`, NEW)).toEqual(failed(409, 'VOICES_LIMIT'))
    const circle: { self?: object } = {}
    circle.self = circle
    for (const config of [circle, { count: 1n }])
      await expect(
        Reflect.apply(platform.voices.create, platform.voices, ['one', { ...NEW, config }]),
      ).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    await expect(platform.voices.list('none')).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' })
  })

  test('VL8 a sample says where a voice can be heard, of an added and of an offered one', async () => {
    const { add, call } = await serve()
    const { id } = await add()
    for (const [voiceId, file] of [
      [id, 'OPENAI-ash'],
      ['SCRIPTED:ada', 'SCRIPTED-ada'],
    ])
      expect(await call(`GET ${LIBRARY}/${voiceId}/sample`)).toEqual({
        status: 200,
        json: {
          ...{ voiceId, sampleUrl: `https://voices.example.com/${file}.wav` },
          ...{ expiresInSeconds: 3_600, text: 'Good day.' },
        },
      })
  })

  test('VL8 without a provider a sample is 501 that names the option, of a voice that is there', async () => {
    const { add, call } = await serve(null)
    const { id } = await add()
    expect(await call(`GET ${LIBRARY}/${id}/sample`)).toEqual(
      failed(501, 'NOT_IMPLEMENTED', expect.stringContaining('speechProvider')),
    )
    expect(await call(`GET ${LIBRARY}/VOICE-none/sample`)).toEqual(failed(404, 'VOICES_NOT_FOUND'))
  })

  test.each(['fails', 'answers nonsense'] as const)(
    'VL8 a provider that %s is 502 without its words, and the host hears them',
    async step => {
      const speech = createScriptedSpeech()
      const { add, call, errors } = await serve(speech)
      const { id } = await add()
      const gone = failed(502, 'SPEECH_PROVIDER_FAILED', expect.not.stringMatching(/sk-secret|nonsense/))
      for (const path of ['', '/SCRIPTED:ada', `/${id}/sample`]) {
        speech.script(step)
        expect(await call(`GET ${LIBRARY}${path}`)).toEqual(gone)
      }
      speech.script(step)
      expect(await call(`PATCH ${LIBRARY}/SCRIPTED:ada`, { name: 'x' })).toEqual(gone)
      expect(errors).toHaveLength(4)
      speech.script(step)
      expect((await call(`GET ${LIBRARY}?isAIVoice=false`)).status).toBe(200)
      expect((await call(`GET ${LIBRARY}/${id}`)).status).toBe(200)
      expect((await call(`PATCH ${LIBRARY}/${id}`, { name: 'x' })).status).toBe(200)
      expect(errors).toHaveLength(4)
    },
  )

  test('VL8 a provider that does not answer within its deadline is 502', async () => {
    const speech = createScriptedSpeech()
    const { call, clock, errors } = await serve(speech, { speechDeadline: 100 })
    speech.script('hangs')
    const asking = call(`GET ${LIBRARY}`)
    await clock.advance(100)
    expect(await asking).toEqual(failed(502, 'SPEECH_PROVIDER_FAILED'))
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('100 ms') })])
  })

  test('VP2 a text is said with a config, and its length told', async () => {
    const speech = createScriptedSpeech()
    const { platform } = await serve(speech)
    const { audio, seconds } = await platform.voices.synthesize({
      text: 'x'.repeat(150),
      config: { speed: 2 },
    })
    expect([wavSeconds(audio), seconds]).toEqual([1.5, 1.5])
    await platform.voices.synthesize({ text: 'Moin.', config: {}, language: 'de-DE' })
    expect(speech.spoken).toEqual([
      { text: 'x'.repeat(150), config: { speed: 2 }, language: null },
      { text: 'Moin.', config: {}, language: 'de-DE' },
    ])
  })

  test.each(['fails', 'answers nonsense'] as const)(
    'VL8 VP2 a provider that %s says nothing, and the host hears why',
    async step => {
      const speech = createScriptedSpeech()
      const { errors, platform } = await serve(speech)
      speech.script(step)
      await expect(platform.voices.synthesize({ text: 'Hello.', config: {} })).rejects.toMatchObject({
        ...{ code: 'SPEECH_PROVIDER_FAILED', message: expect.not.stringContaining('sk-secret') },
      })
      expect(errors).toHaveLength(1)
    },
  )

  test('VP2 without a provider nothing is said, and what does not fit is refused', async () => {
    const without = await serve(null)
    const hello = { text: 'Hello.', config: {} }
    await expect(without.platform.voices.synthesize(hello)).rejects.toMatchObject({
      ...{ code: 'NOT_IMPLEMENTED', message: expect.stringContaining('speechProvider') },
    })
    const speech = createScriptedSpeech()
    const { platform } = await serve(speech)
    const circle: { self?: object } = {}
    circle.self = circle
    for (const values of [
      ...[{ text: '' }, { text: 'x'.repeat(10_001) }, { text: 7 }, { config: circle }, { config: null }],
      ...[{ config: { text: 'x'.repeat(65_536) } }, { language: '' }, { voice: 'ada' }],
    ])
      await expect(
        Reflect.apply(platform.voices.synthesize, platform.voices, [{ ...hello, ...values }]),
      ).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    expect(speech.spoken).toEqual([])
  })

  test('VL5 a workspace key of the account opens the library, and no other', async () => {
    const { access, callWith, keys } = await serve()
    const key = async (input: Partial<Parameters<typeof access.createApiKey>[0]>) =>
      (await access.createApiKey({ kind: 'workspace', accountId: 'ws-one', ...input })).secret
    for (const secret of [
      await key({ agentId: 'PROJECT-A' }),
      await key({ accountId: 'ws-two' }),
      await key({ permissions: ['webhooks'] }),
      keys.project,
    ])
      expect(await callWith(secret, `GET ${LIBRARY}`)).toEqual(failed(403, 'USER_ACCESS_FORBIDDEN'))
    expect(await callWith('nothing', `GET ${LIBRARY}`)).toEqual(failed(401, 'AUTH_USER_UNAUTHORISED'))
    expect((await callWith(keys.workspace, 'GET /v1/accounts/none/voice-library')).status).toBe(404)
  })
})
