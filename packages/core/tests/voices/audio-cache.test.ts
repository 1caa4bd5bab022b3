import { createPopulatedPlatform, createTestPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { wavOf } from '../../src/domain/voice/wav.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { contextOf } from '../../src/platform-context.ts'
import { createFakeClock, createScriptedSpeech, type ScriptedSpeech } from '../../src/testing/index.ts'
import type { AgentSpeech } from '../../src/usecases/voices/audio-fields.ts'
import { request } from '../support/request.ts'

const VOICE = { provider: 'SCRIPTED', providerVoiceId: 'ada', config: { speed: 1 } }
const HELLO: AgentSpeech = { ...VOICE, text: 'Hello there.' }
/** Half a second. */
const WAV = wavOf(new Int16Array(4_000), 8_000)
const AS_WAV = { 'content-type': 'audio/wav' }

async function serve(
  speechProvider: ScriptedSpeech | null = createScriptedSpeech(),
  settings: { readonly audioCacheBytes?: number; readonly speechDeadline?: number } = {},
) {
  const clock = createFakeClock()
  const made = await createPopulatedPlatform({
    ...{ workers: false, clock, onError: () => {}, ...settings },
    ...(speechProvider === null ? {} : { speechProvider }),
  })
  const { platform } = made
  const agent = { id: 'PROJECT-A' }
  const cache = `/v1/agents/${agent.id}/audio-cache`
  const dispatcher = createDispatcher(platform, routes)
  const ask = async (
    line: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
    key = made.keys.workspace,
  ) => {
    const response = await dispatcher.handle(
      request(line, { headers: { 'x-api-key': key, ...headers }, body }),
    )
    const parts: Uint8Array[] = []
    for await (const chunk of response.chunks ?? []) if (chunk instanceof Uint8Array) parts.push(chunk)
    return {
      ...{ status: response.status, type: response.headers['Content-Type'] },
      ...{ json: JSON.parse(response.body ?? 'null'), bytes: parts[0] },
    }
  }
  const say = (speech: Partial<AgentSpeech> = {}) => platform.voices.say(agent.id, { ...HELLO, ...speech })
  const entries = async (query = '') => (await ask(`GET ${cache}${query}`)).json.entries
  return {
    ...{ ...made, agent, ask, cache, clock, entries, say, speechProvider },
    /** Has it said, and answers with the entry. */
    async keep(speech: Partial<AgentSpeech> = {}) {
      await clock.advance(1)
      await say(speech)
      return (await entries())[0]
    },
    actions: async () =>
      (await platform.audit.list({ limit: 100 })).entries
        .filter(({ action }) => action.startsWith('cached_audio.'))
        .map(({ action, resource }) => `${action} ${resource.id}`),
  }
}

const refusal = (code: string) => expect.objectContaining({ success: false, error_code: code, data: null })

const form = async (values: Readonly<Record<string, string | File>>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(values)) data.set(name, value)
  const response = new Response(data)
  const type = response.headers.get('content-type') ?? ''
  return { body: new Uint8Array(await response.arrayBuffer()), headers: { 'content-type': type } }
}

const wavFile = (name = 'greeting.wav') => new File([new Uint8Array(WAV)], name, { type: 'audio/wav' })

describe('what agents say', () => {
  test('VA1 what was said is said again without the provider, and each use is counted', async () => {
    const { clock, entries, say, speechProvider } = await serve()
    const first = await say()
    expect(first.seconds).toBeCloseTo(0.12)
    await clock.advance(5)
    expect(await say()).toEqual(first)
    expect(await say({ language: null })).toEqual(first)
    expect(speechProvider?.spoken).toEqual([
      {
        ...{ text: 'Hello there.', config: { speed: 1 }, language: null },
        voice: { provider: 'SCRIPTED', providerVoiceId: 'ada' },
      },
    ])
    expect(await entries()).toEqual([
      {
        ...{ id: expect.stringMatching(/^\d+$/), transcript: 'Hello there.', hitCount: 2, duration: 0.12 },
        ...{ cachedAt: expect.stringMatching(/Z$/), provider: 'SCRIPTED', providerVoiceId: 'ada' },
        ...{ regenerated: false, imported: false, languageCode: '' },
      },
    ])
  })

  test('VA1 another text, voice, config, language or agent is another entry; the order of a config is not', async () => {
    const { agent, platform, say, speechProvider } = await serve()
    const other = { id: 'PROJECT-B' }
    await say({ config: { a: 1, b: [2] } })
    await say({ config: { b: [2], a: 1 } })
    expect(speechProvider?.spoken).toHaveLength(1)
    const others: Partial<AgentSpeech>[] = [
      ...[{ text: 'hello there.' }, { provider: 'OPENAI' }, { providerVoiceId: 'grace' }],
      ...[{ config: {} }, { language: 'en-GB' }, { language: 'de-DE' }],
    ]
    for (const one of others) await say(one)
    await platform.voices.say(other.id, HELLO)
    expect(speechProvider?.spoken).toHaveLength(2 + others.length)
    expect((await platform.voices.cachedAudio(agent.id)).totalCount).toBe(1 + others.length)
    expect((await platform.voices.cachedAudio(other.id)).totalCount).toBe(1)
  })

  test('VA1 who wants the same at once asks the provider once, and leaves one entry', async () => {
    const { entries, say, speechProvider } = await serve()
    const said = await Promise.all(Array.from({ length: 8 }, () => say()))
    expect(new Set(said.map(({ seconds }) => seconds)).size).toBe(1)
    expect(speechProvider?.spoken).toHaveLength(1)
    expect(await entries()).toEqual([expect.objectContaining({ hitCount: 7 })])
  })

  test('VA1 a failure is that of all who wait, and leaves nothing behind', async () => {
    const { entries, say, speechProvider } = await serve()
    speechProvider?.script('fails')
    const said = await Promise.allSettled([say(), say()])
    for (const one of said)
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'SPEECH_PROVIDER_FAILED' } })
    expect(await entries()).toEqual([])
    await say()
    expect(await entries()).toHaveLength(1)
  })

  test('VA1 without a provider what is kept is said, and nothing else', async () => {
    const { agent, ask, cache, platform, say } = await serve(null)
    await expect(say()).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED' })
    await expect(platform.voices.say('PROJECT-none', HELLO)).rejects.toMatchObject({
      code: 'PROJECT_NOT_FOUND',
    })
    for (const wrong of [
      { text: '' },
      { text: 'x'.repeat(10_001) },
      { provider: '' },
      { config: { a: 'x'.repeat(70_000) } },
    ])
      await expect(say(wrong)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    expect(await ask(`GET ${cache}`)).toMatchObject({ status: 200, json: { entries: [], totalCount: 0 } })
    expect(await platform.voices.cachedAudio(agent.id)).toEqual({ entries: [], totalCount: 0 })
  })

  test('VA5 what was not used the longest goes first, and what is too large is said but not kept', async () => {
    // 0.1 s are 1,644 bytes.
    const { clock, entries, say, speechProvider } = await serve(createScriptedSpeech(), {
      audioCacheBytes: 4_000,
    })
    for (const text of ['0123456789', '1234567890']) {
      await clock.advance(1)
      await say({ text })
    }
    await clock.advance(1)
    await say({ text: '0123456789' })
    await clock.advance(1)
    await say({ text: '2345678901' })
    const texts = async () =>
      (await entries('?sort=cachedAt:asc')).map((one: { transcript: string }) => one.transcript)
    expect(await texts()).toEqual(['0123456789', '2345678901'])
    const long = 'x'.repeat(100)
    expect((await say({ text: long })).seconds).toBe(1)
    expect((await say({ text: long })).seconds).toBe(1)
    expect(await texts()).toEqual(['0123456789', '2345678901'])
    expect(speechProvider?.spoken).toHaveLength(5)
  })

  test('VA5 the cache goes with its agent, also what is said while it goes', async () => {
    const speech = createScriptedSpeech()
    let open = () => {}
    const gate = new Promise<void>(resolve => {
      open = resolve
    })
    const { agent, keep, platform, say } = await serve({
      ...speech,
      async synthesize(asked) {
        if (asked.text === 'Goodbye.') await gate
        return speech.synthesize(asked)
      },
    })
    await keep()
    const saying = say({ text: 'Goodbye.' })
    const heard = expect(saying).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' })
    await platform.agents.delete(agent.id)
    open()
    await heard
    expect((await platform.voices.cachedAudio(agent.id)).totalCount).toBe(0)
    await expect(say()).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' })
  })
})

describe('the audio cache over HTTP', () => {
  test('VA13 pages come in each order, with how many there are', async () => {
    const { ask, cache, keep } = await serve()
    for (const text of ['One.', 'Twenty two.', 'Three.']) await keep({ text })
    await keep({ text: 'One.' })
    const texts = async (query: string) => {
      const { json, status } = await ask(`GET ${cache}${query}`)
      expect(status).toBe(200)
      expect(json.totalCount).toBe(3)
      return [json.entries.map((one: { transcript: string }) => one.transcript), json.next_offset]
    }
    expect(await texts('')).toEqual([['Three.', 'Twenty two.', 'One.'], undefined])
    expect(await texts('?sort=cachedAt:asc&limit=2')).toEqual([['One.', 'Twenty two.'], 2])
    expect(await texts('?sort=cachedAt:asc&limit=2&offset=2')).toEqual([['Three.'], undefined])
    expect(await texts('?offset=9')).toEqual([[], undefined])
    expect((await texts('?sort=hitCount:desc'))[0]?.[0]).toBe('One.')
    expect((await texts('?sort=hit_count:desc'))[0]?.[0]).toBe('One.')
    expect(await texts('?sort=cached_at:asc')).toEqual(await texts('?sort=cachedAt:asc'))
    expect(await texts('?sort=duration:desc')).toEqual([['Twenty two.', 'Three.', 'One.'], undefined])
    for (const query of [
      'limit=0',
      'limit=201',
      'offset=-1',
      'sort=cachedAt',
      'sort=id:asc',
      'sort=cachedAt:up',
    ])
      expect(await ask(`GET ${cache}?${query}`)).toMatchObject({
        ...{ status: 400, json: refusal('SCHEMA_VALIDATION_FAILED') },
      })
  })

  test('VA13 an entry is deleted once, alone or with others', async () => {
    const { actions, ask, cache, entries, keep } = await serve()
    const [one, two, three] = [await keep(), await keep({ text: 'Two.' }), await keep({ text: 'Three.' })]
    expect(await ask(`DELETE ${cache}/${one.id}`)).toMatchObject({ status: 200, json: { success: true } })
    expect(await ask(`DELETE ${cache}/${one.id}`)).toMatchObject({
      ...{ status: 404, json: refusal('AUDIO_CACHE_NOT_FOUND') },
    })
    const ids = [two.id, one.id, two.id, '17']
    expect(await ask(`POST ${cache}/bulk-delete`, { ids })).toMatchObject({
      ...{ status: 200, json: { deleted: [two.id], failed: [one.id, '17'] } },
    })
    expect(await entries()).toEqual([three])
    expect(await actions()).toEqual([`cached_audio.deleted ${two.id}`, `cached_audio.deleted ${one.id}`])
    for (const wrong of [{}, { ids: [] }, { ids: Array(21).fill('1') }, { ids: ['x'] }, { ids: [1] }])
      expect(await ask(`POST ${cache}/bulk-delete`, wrong)).toMatchObject({ status: 400 })
  })

  test('VA13 an entry is heard, which is no use of it', async () => {
    const { ask, cache, entries, keep, say } = await serve()
    const { id } = await keep()
    const heard = await ask(`GET ${cache}/${id}/file`)
    expect(heard).toMatchObject({ status: 200, type: 'audio/wav', bytes: (await say()).audio })
    expect((await entries())[0].hitCount).toBe(1)
    expect(await ask(`GET ${cache}/17/file`)).toMatchObject({
      ...{ status: 404, json: refusal('AUDIO_CACHE_NOT_FOUND') },
    })
  })

  test('VA13 a WAV of your own is said from then on', async () => {
    const { actions, ask, cache, entries, keep, say, speechProvider } = await serve()
    const { id, ...before } = await keep()
    const path = `PATCH ${cache}/${id}/file`
    const named = { ...AS_WAV, 'x-filename': 'mine.wav' }
    expect(await ask(path, WAV, named)).toMatchObject({ status: 204, json: null })
    expect(await say()).toEqual({ audio: WAV, seconds: 0.5 })
    expect(speechProvider?.spoken).toHaveLength(1)
    const changed = { ...before, duration: 0.5, imported: true, audioFilename: 'mine.wav', hitCount: 1 }
    expect(await entries()).toEqual([{ ...changed, id, cachedAt: expect.any(String) }])
    expect(await ask(path, WAV, { 'content-type': 'Audio/X-WAV; a=b' })).toMatchObject({ status: 204 })
    expect((await entries())[0].audioFilename).toBeUndefined()
    expect(await actions()).toEqual(Array(2).fill(`cached_audio.changed ${id}`))
    expect(await ask(`PATCH ${cache}/17/file`, WAV, AS_WAV)).toMatchObject({
      ...{ status: 404, json: refusal('AUDIO_CACHE_NOT_FOUND') },
    })
  })

  test('VA13 what is no WAV, too large or badly named changes nothing', async () => {
    const { ask, cache, entries, keep } = await serve()
    const before = await keep()
    const patch = (body: unknown, headers: Readonly<Record<string, string>> = AS_WAV) =>
      ask(`PATCH ${cache}/${before.id}/file`, body, headers)
    const bad = { status: 400, json: refusal('SCHEMA_VALIDATION_FAILED') }
    expect(await patch('RIFF')).toMatchObject(bad)
    expect(await patch(new Uint8Array())).toMatchObject(bad)
    expect(await patch(WAV, { ...AS_WAV, 'x-filename': 'x'.repeat(256) })).toMatchObject(bad)
    const wrongType = { status: 415, json: refusal('UNSUPPORTED_CONTENT_TYPE') }
    for (const headers of [{}, { 'content-type': 'audio/mpeg' }, { ...AS_WAV, 'content-encoding': 'gzip' }])
      expect(await patch(WAV, headers)).toMatchObject(wrongType)
    const most = 6 * 1_024 * 1_024
    const large = wavOf(new Int16Array((most - 44) / 2), 8_000)
    expect(large).toHaveLength(most)
    const longer = new Uint8Array(most + 1)
    longer.set(large)
    expect(await patch(longer)).toMatchObject({ status: 413, json: refusal('BODY_TOO_LARGE') })
    expect(await entries()).toEqual([before])
    expect(await patch(large)).toMatchObject({ status: 204 })
  })

  test('VA13 a sound that is larger than the bound is refused', async () => {
    const { ask, cache, keep } = await serve(createScriptedSpeech(), { audioCacheBytes: 4_000 })
    const { id } = await keep()
    expect(await ask(`PATCH ${cache}/${id}/file`, WAV, AS_WAV)).toMatchObject({
      ...{ status: 413, json: refusal('BODY_TOO_LARGE') },
    })
  })

  test('VA13 what was made anew has another text and settings, and is said where the first was', async () => {
    const { ask, cache, entries, keep, say } = await serve()
    const { id, ...before } = await keep()
    const settings = JSON.stringify({ text: 'Hello, sir.', config: { speed: 2 } })
    const { body, headers } = await form({ file: wavFile(), settings })
    expect(await ask(`PUT ${cache}/${id}/details`, body, headers)).toMatchObject({ status: 204, json: null })
    const changed = { transcript: 'Hello, sir.', duration: 0.5, regenerated: true, imported: false }
    expect(await entries()).toEqual([
      { ...before, id, ...changed, audioFilename: 'greeting.wav', cachedAt: expect.any(String) },
    ])
    expect((await say()).audio).toEqual(WAV)
    expect(await ask(`PUT ${cache}/17/details`, body, headers)).toMatchObject({ status: 404 })
    const nameless = await form({ file: wavFile('blob'), settings: new File([settings], 's.json') })
    expect(await ask(`PUT ${cache}/${id}/details`, nameless.body, nameless.headers)).toMatchObject({
      status: 204,
    })
    expect((await entries())[0].audioFilename).toBeUndefined()
  })

  test('VA13 a form that lacks something, or is none, changes nothing', async () => {
    const { ask, cache, entries, keep } = await serve()
    const before = await keep()
    const line = `PUT ${cache}/${before.id}/details`
    const settings = JSON.stringify({ text: 'Hello.', config: {} })
    const wrong = [
      ...[{ settings }, { file: wavFile() }, { file: 'text', settings }],
      ...[
        { file: new File(['RIFF'], 'a.wav'), settings },
        { file: wavFile(), settings: '{' },
      ],
      { file: wavFile(), settings: JSON.stringify({ text: 'Hello.' }) },
      { file: wavFile(), settings: JSON.stringify({ text: '', config: {} }) },
      { file: wavFile(), settings: JSON.stringify({ text: 'Hello.', config: { a: 'x'.repeat(70_000) } }) },
    ]
    const bad = { status: 400, json: refusal('SCHEMA_VALIDATION_FAILED') }
    for (const values of wrong) {
      const { body, headers } = await form(values)
      expect(await ask(line, body, headers)).toMatchObject(bad)
    }
    const { body, headers } = await form({ file: wavFile(), settings })
    expect(await ask(line, body.subarray(0, 100), headers)).toMatchObject(bad)
    expect(await ask(line, body, { 'content-type': 'multipart/form-data' })).toMatchObject(bad)
    expect(await ask(line, {}, { 'content-type': 'application/json' })).toMatchObject({ status: 415 })
    const large = await form({ file: new File([new Uint8Array(6_500_000)], 'a.wav'), settings })
    expect(await ask(line, large.body, large.headers)).toMatchObject({ status: 413 })
    expect(await entries()).toEqual([before])
  })

  test('VA13 a text is tried with the voice of an entry, and nothing is kept', async () => {
    const { ask, cache, entries, keep, speechProvider } = await serve()
    const before = await keep({ language: 'en-GB' })
    const line = `POST ${cache}/${before.id}/synthesize`
    const tried = await ask(line, { text: 'Hello, sir.', config: { speed: 2 } })
    expect(tried).toMatchObject({ status: 200, type: 'audio/wav' })
    expect(tried.bytes?.length).toBeGreaterThan(44)
    const voice = { provider: 'SCRIPTED', providerVoiceId: 'ada' }
    expect(speechProvider?.spoken.at(-1)).toEqual({
      ...{ text: 'Hello, sir.', config: { speed: 2 }, language: 'en-GB', voice },
    })
    await ask(line, { text: 'Guten Tag.', config: {}, language: 'de-DE' })
    expect(speechProvider?.spoken.at(-1)).toMatchObject({ language: 'de-DE' })
    expect(await entries()).toEqual([before])
    const said = { text: 'Hello.', config: {} }
    expect(await ask(`POST ${cache}/17/synthesize`, said)).toMatchObject({ status: 404 })
    for (const wrong of [{}, { text: '', config: {} }, { text: 'Hello.' }, { ...said, language: '' }])
      expect(await ask(line, wrong)).toMatchObject({ status: 400 })
  })

  test('VA13 a provider that fails or hangs is 502, and without one it is 501, after the entry was found', async () => {
    const speech = createScriptedSpeech()
    const { ask, cache, clock, keep, keys, platform } = await serve(speech, { speechDeadline: 10 })
    const { id } = await keep()
    const line = `POST ${cache}/${id}/synthesize`
    const said = { text: 'Hello.', config: {} }
    const failed = { status: 502, json: refusal('SPEECH_PROVIDER_FAILED') }
    speech.script('fails', 'answers nonsense', 'hangs')
    expect(await ask(line, said)).toMatchObject(failed)
    expect(await ask(line, said)).toMatchObject(failed)
    const hanging = ask(line, said)
    await clock.advance(10)
    expect(await hanging).toMatchObject(failed)
    expect(await ask(line, said)).toMatchObject({ status: 200 })
    const { platform: mute } = createTestPlatform({ store: contextOf(platform).store, clock, workers: false })
    const askMute = async (path: string) => {
      const headers = { 'x-api-key': keys.workspace }
      const { body, status } = await createDispatcher(mute, routes).handle(
        request(`POST ${cache}/${path}/synthesize`, { headers, body: said }),
      )
      return { status, json: JSON.parse(body ?? 'null') }
    }
    expect(await askMute(id)).toMatchObject({ status: 501, json: refusal('NOT_IMPLEMENTED') })
    expect(await askMute('17')).toMatchObject({ status: 404 })
  })

  test('VA5 an id that is no number is 400', async () => {
    const { ask, cache } = await serve()
    const lines = [
      ...[`DELETE ${cache}/x`, `GET ${cache}/1.5/file`, `PATCH ${cache}/-1/file`],
      ...[`PUT ${cache}/${'1'.repeat(41)}/details`, `POST ${cache}/1x/synthesize`],
    ]
    for (const line of lines)
      expect(await ask(line, { text: 'a', config: {} })).toMatchObject({
        ...{ status: 400, json: refusal('SCHEMA_VALIDATION_FAILED') },
      })
  })

  test('VA5 a key of the account opens the cache, and other agents have none of it', async () => {
    const { ask, cache, keep, keys } = await serve()
    const { id } = await keep()
    expect(await ask(`GET /v1/agents/PROJECT-B/audio-cache/${id}/file`)).toMatchObject({ status: 404 })
    expect(await ask(`GET /v1/agents/PROJECT-none/audio-cache`)).toMatchObject({
      ...{ status: 404, json: refusal('PROJECT_NOT_FOUND') },
    })
    expect(await ask(`GET ${cache}`, undefined, {}, 'wrong')).toMatchObject({ status: 401 })
    expect(await ask(`GET ${cache}`, undefined, {}, keys.project)).toMatchObject({ status: 403 })
  })
})

test('VA5 ids are numbers that clients can read, and say no other agent’s sound', async () => {
  const { keep, platform, say } = await serve()
  const ids = []
  for (let count = 0; count < 20; count++) ids.push((await keep({ text: `Number ${count}.` })).id)
  for (const id of ids) {
    expect(id).toMatch(/^\d{1,16}$/)
    expect(Number.isSafeInteger(Number(id))).toBe(true)
  }
  expect(new Set(ids).size).toBe(20)
  // Another agent has kept a sound under the id that this text has.
  const cache = contextOf(platform).store.access.audioCache
  const kept = await cache.read('PROJECT-A', ids[0])
  if (kept === null) throw new Error('There is no sound.')
  await cache.remove('PROJECT-A', ids[0])
  const foreign = { entry: { ...kept.entry, agentId: 'PROJECT-B' }, audio: Uint8Array.of(9, 9, 9) }
  await cache.add(foreign, 1_000_000)
  expect((await say({ text: 'Number 0.' })).audio).toEqual(kept.audio)
})
