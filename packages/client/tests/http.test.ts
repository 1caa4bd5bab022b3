import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import {
  createFakeClock,
  createScriptedCallProvider,
  createScriptedCarrier,
  createScriptedRuntime,
  createScriptedSpeech,
} from '@colloquy/core/testing'
import { createRequestListener } from '@colloquy/http-express'
import { listenOn } from '@colloquy/test-support/messaging-host'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'
import { createCallsApi } from '../src/calls/index.ts'
import { OPERATIONS as CALLS } from '../src/calls/operation-table.ts'
import { callsOf } from '../src/http/calls.ts'
import { type Agent, type Api, createApi, isApiError } from '../src/http/index.ts'
import { OPERATIONS } from '../src/http/operation-table.ts'
import { eventsOf } from '../src/sse/index.ts'
import { createTelephonyApi } from '../src/telephony/index.ts'
import { OPERATIONS as TELEPHONY } from '../src/telephony/operation-table.ts'
import { createTextsApi } from '../src/texts/index.ts'
import { OPERATIONS as TEXTS } from '../src/texts/operation-table.ts'
import { createVoicesApi } from '../src/voices/create-voices-api.ts'
import { OPERATIONS as VOICES } from '../src/voices/operation-table.ts'

/** A server below a path of its host, and a client that has every key. */
async function start(options: Parameters<typeof createPopulatedPlatform>[0] = {}) {
  const { keys, platform } = await createPopulatedPlatform(options)
  const listener = createRequestListener(platform)
  const server = createServer((request, response) => {
    request.url = request.url?.replace(/^\/talk/, '') ?? '/'
    listener(request, response)
  })
  const port = await listenOn(server)
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await platform.close()
  })
  const credentials = {
    workspaceKey: keys.workspace,
    projectKey: keys.project,
    externalEventsKey: keys.externalEvents,
    deskKey: keys.desk,
    operatorKey: keys.operator,
  }
  const url = `http://127.0.0.1:${port}/talk`
  return { api: createApi({ server: url, credentials }), platform, url, credentials }
}

const ASKED = { accountId: 'ws-one' }

async function errorOf(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (error: unknown) => error,
  )
  if (!isApiError(error)) throw error ?? new Error('It did not fail.')
  return error
}

test('HC1 calls go by the ids of operations, with parameters of path and query beside the body', async () => {
  const { api } = await start()
  const agents = await api.listAgents(ASKED)
  expectTypeOf(agents).toEqualTypeOf<readonly Agent[]>()
  expect(agents.map(({ agentId }) => agentId).sort()).toEqual(['PROJECT-A', 'PROJECT-B'])
  const branch = await api.createBranch({ agentId: 'PROJECT-A', body: { branchName: 'Summer' } })
  const place = { agentId: 'PROJECT-A', branchId: branch.branchId }
  await api.createTopic({
    ...place,
    body: {
      name: 'Dogs',
      content: 'Dogs are welcome.',
      exampleQueries: { queries: ['May I bring my dog?'] },
    },
  })
  const topics = await api.listTopics(place)
  expect(topics).toMatchObject([{ name: 'Dogs' }])
  expect(await api.deleteTopic({ ...place, topicId: topics[0]?.id ?? '' })).toBeUndefined()
  expect(await api.listDeployments({ agentId: 'PROJECT-A', environment: 'live', limit: 3 })).toMatchObject({
    deployments: [],
  })
  const project = { account_id: 'ws-one', project_id: 'PROJECT-A' }
  expect(await api.listConversations({ ...project, channel: ['chat', 'voice'] })).toMatchObject({
    conversations: [],
  })
})

test('HC1 calls about telephony have a client of their own', async () => {
  const { credentials, platform, url } = await start({ verifyNumber: () => true })
  const [agentId, number, other] = ['PROJECT-A', '+442079460018', '+442079460019']
  const line = await platform.access.createTelephonyConnector({
    ...{ accountId: 'ws-one', agentId, environment: 'live', name: 'Line' },
  })
  const telephony = createTelephonyApi({ server: url, credentials })
  await telephony.importPhoneNumbers({ agentId, body: { phoneNumbers: [number, other] } })
  const body = { connectorId: line.id }
  expect(await telephony.updatePhoneNumber({ agentId, phoneNumber: number, body })).toMatchObject(body)
  const { found } = await telephony.findPhoneNumbers({ agentId, body: { phoneNumbers: [number] } })
  expect(found).toMatchObject([{ number, connectorId: line.id }])
  const removed = { phoneNumbers: [other, other, 'x'] }
  expect(await telephony.deletePhoneNumbers({ agentId, body: removed })).toMatchObject({
    deleted: [other],
    errors: [{ phoneNumber: 'x' }],
  })
  expect(await telephony.deleteTelephonyConnector({ agentId, connectorId: line.id })).toEqual({
    deletedConnector: line.id,
    deletedPhoneNumbers: [number],
  })
})

test('HC1 calls about texts have a client of their own, with the header of the brand', async () => {
  const textCarrier = createScriptedCarrier()
  const { credentials, platform, url } = await start({ brand: 'Acme', textCarrier })
  const [agentId, number] = ['PROJECT-A', '+442079460018']
  await platform.agents.publish(agentId, { environment: 'live' })
  const { id: connectorId } = await platform.access.createTelephonyConnector({
    ...{ accountId: 'ws-one', agentId, environment: 'live', name: 'Line' },
  })
  await platform.telephony.importNumbers(agentId, { phoneNumbers: [number], connectorId })
  const authToken = credentials.workspaceKey
  const options = { server: url, credentials: { authToken, connectorId }, brand: 'Acme' }
  const body = { user_number: '+442079460030', message: 'Your table is ready.' }
  expect(await createTextsApi(options).sendText({ body })).toBeUndefined()
  await platform.idle()
  expect(textCarrier.taken).toMatchObject([{ from: number, to: body.user_number, text: body.message }])
  const missing = await errorOf(createTextsApi({ ...options, brand: 'AI' }).sendText({ body }))
  expect(missing).toMatchObject({ status: 401, code: 'HTTP_401' })
  expect(missing.message).toContain('An API key is required in the header x-acme-auth-token.')
  const echo = async (_: string, { headers }: { readonly headers: Record<string, string> }) =>
    new Response(JSON.stringify({ detail: `Not ${headers['x-Acme-auth-token']}.` }), {
      status: 403,
      headers: { 'content-type': 'application/json' },
    })
  const shown = await errorOf(createTextsApi({ ...options, fetch: echo }).sendText({ body }))
  expect(`${shown.message}${JSON.stringify(shown.body)}`).not.toContain(authToken)
})

test('HC1 calls about voices have a client of their own', async () => {
  const { credentials, url } = await start()
  const voices = createVoicesApi({ server: url, credentials })
  const accountId = 'ws-one'
  const body = { name: 'Night desk', provider: 'OPENAI', providerVoiceId: 'ash', config: { speed: 1 } }
  const { voice } = await voices.createVoice({ accountId, body })
  expect(voice).toEqual({ id: voice.id, ...body, isAIVoice: false })
  const changed = await voices.updateVoice({ accountId, voiceId: voice.id, body: { name: 'Day desk' } })
  expect(changed.voice).toEqual({ ...voice, name: 'Day desk' })
  expect(await voices.listVoices({ accountId, provider: 'openai' })).toEqual({ voices: [changed.voice] })
  const missing = await errorOf(voices.readVoiceSample({ accountId, voiceId: voice.id }))
  expect(missing).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' })
})

test('HC1 outbound calls have a client of their own, in both forms', async () => {
  const callProvider = createScriptedCallProvider()
  const { credentials, platform, url } = await start({ brand: 'Acme', callProvider })
  const agentId = 'PROJECT-A'
  await platform.agents.publish(agentId, { environment: 'live' })
  const { id: connectorId } = await platform.access.createTelephonyConnector({
    ...{ accountId: 'ws-one', agentId, environment: 'live', name: 'Line' },
  })
  const { workspaceKey } = credentials
  const keys = { workspaceKey, authToken: workspaceKey, connectorId }
  const options = { server: url, credentials: keys, brand: 'Acme' }
  const calls = createCallsApi(options)
  const body = { toNumber: '020 7946 0030', countryCode: 'GB', environment: 'live' } as const
  const { callSid, status } = await calls.placeOutboundCall({ agentId, body })
  expect(status).toBe('QUEUED')
  expect(await calls.readOutboundCall({ agentId, callSid, environment: 'live' })).toEqual({
    ...{ callSid, status: 'QUEUED', reason: '' },
  })
  const { call_sid } = await calls.startOutboundCall({ body: { to_number: '+442079460030' } })
  await platform.calls.failed({ id: call_sid, reason: 'Busy.' })
  expect(await calls.readOutboundCallStatus({ call_sid })).toEqual({ status: 'failure', reason: 'Busy.' })
  expect(callProvider.taken.map(({ id, to }) => [id, to])).toEqual([
    [callSid, '+442079460030'],
    [call_sid, '+442079460030'],
  ])
  const missing = await errorOf(
    createCallsApi({ ...options, brand: 'AI' }).readOutboundCallStatus({ call_sid }),
  )
  expect(missing).toMatchObject({ status: 401 })
  expect(`${missing.message}${JSON.stringify(missing.body)}`).not.toContain(workspaceKey)
})

test('HC1 sounds of agents go out as files, and come as bytes', async () => {
  const { credentials, platform, url } = await start({ speechProvider: createScriptedSpeech() })
  const voices = createVoicesApi({ server: url, credentials })
  const agentId = 'PROJECT-A'
  const voice = { provider: 'SCRIPTED', providerVoiceId: 'ada', config: {} }
  await platform.voices.say(agentId, { ...voice, text: 'Hello.' })
  const { entries, totalCount } = await voices.listCachedAudio({ agentId, sort: 'hitCount:desc' })
  expect(totalCount).toBe(1)
  const at = { agentId, entryId: entries[0]?.id ?? '' }
  const said = await voices.synthesizeCachedAudio({ ...at, body: { text: 'Hello, sir.', config: {} } })
  expect(said.byteLength).toBeGreaterThan(44)
  const headers = { 'x-filename': 'sir.wav' }
  expect(await voices.updateCachedAudioFile({ ...at, body: said }, { headers })).toBeUndefined()
  expect(await voices.readCachedAudioFile(at)).toEqual(said)
  const imported = (await voices.listCachedAudio({ agentId })).entries[0]
  expect(imported).toMatchObject({ imported: true, audioFilename: 'sir.wav', transcript: 'Hello.' })
  const settings = { text: 'Hello, sir.', config: { speed: 2 } }
  expect(await voices.replaceCachedAudioDetails({ ...at, body: { file: said, settings } })).toBeUndefined()
  const { audioFilename, ...regenerated } = (await voices.listCachedAudio({ agentId })).entries[0] ?? {}
  expect(regenerated).toMatchObject({ imported: false, regenerated: true, transcript: 'Hello, sir.' })
  expect(audioFilename).toBeUndefined()
  const refused = await errorOf(voices.updateCachedAudioFile({ ...at, body: new ArrayBuffer(8) }))
  expect(refused).toMatchObject({ status: 400, code: 'SCHEMA_VALIDATION_FAILED' })
  expect(await voices.bulkDeleteCachedAudio({ agentId, body: { ids: [at.entryId, '17'] } })).toEqual({
    ...{ deleted: [at.entryId], failed: ['17'] },
  })
  const missing = await errorOf(voices.deleteCachedAudio(at))
  expect(missing).toMatchObject({ status: 404, code: 'AUDIO_CACHE_NOT_FOUND' })
})

test('HC1 types hold calls to what the contract takes', () => {
  const check = (api: Api) => [
    // @ts-expect-error a parameter of the path is missing
    api.readAgent({}),
    // @ts-expect-error there is no such environment
    api.listAgentConversations({ agentId: 'PROJECT-A', clientEnv: 'moon' }),
    // @ts-expect-error a field of the body is missing
    api.createAccount({ body: { slug: 'one' } }),
  ]
  expectTypeOf<Api['listAgents']>().not.toHaveProperty('each')
  expect(check).toBeTypeOf('function')
})

test('HC2 each family is opened by its own credential, given once', async () => {
  const { api, platform, url } = await start()
  expect(await api.listHandoffs()).toEqual({ handoffs: [] })
  expect((await api.listApiKeys({ accountId: 'ws-one' })).apiKeys).toHaveLength(4)
  const agent = await platform.agents.create({ accountId: 'ws-one', name: 'Desk', greeting: 'Welcome.' })
  await platform.agents.publish(agent.id, { environment: 'live' })
  const { token } = await api.createConnector({
    body: { accountId: 'ws-one', agentId: agent.id, environment: 'live', hosts: ['shop.example'] },
  })
  const visitor = createApi({
    server: url,
    credentials: {
      connectorToken: token,
      connectorHost: 'shop.example',
      accessToken: async () => (await visitor.issueAccessToken()).access_token,
    },
  })
  const { session_id } = await visitor.createSession({ body: { streaming_enabled: true } })
  expect(session_id).toMatch(/./)
})

test('HC2 a credential may be a function, and is asked for each attempt; without one nothing is sent', async () => {
  const { credentials, url } = await start()
  let asked = 0
  const api = createApi({
    server: url,
    credentials: {
      workspaceKey: async () => {
        asked += 1
        return credentials.workspaceKey
      },
    },
  })
  await api.listAgents(ASKED)
  await api.readAgent({ agentId: 'PROJECT-A' })
  expect(asked).toBe(2)
  const missing = await errorOf(api.listAccounts())
  expect(missing).toMatchObject({ code: 'NO_CREDENTIAL', status: 0, operation: 'listAccounts' })
  expect(missing.message).toBe('listAccounts: `credentials.operatorKey` is missing.')
})

test('HC3 an error has the code, the status and the correlation id of the server', async () => {
  const { api } = await start()
  const error = await errorOf(
    api.readBranch({ agentId: 'PROJECT-A', branchId: 'none' }, { correlationId: 'order-7' }),
  )
  expect(error).toMatchObject({
    operation: 'readBranch',
    code: 'BRANCH_NOT_FOUND',
    status: 404,
    correlationId: 'order-7',
    retryAfter: null,
    body: { success: false, error_code: 'BRANCH_NOT_FOUND' },
  })
  expect([error.is('BRANCH_NOT_FOUND'), error.is('AGENT_FAILED', 'TIMEOUT')]).toEqual([true, false])
  // This family's errors have no code.
  const old = await errorOf(api.listConversationsV1({ account_id: 'ws-one', project_id: 'PROJECT-Z' }))
  expect(old).toMatchObject({ code: `HTTP_${old.status}` })
  expect(old.correlationId).toMatch(/.+/)
})

test('a list in pages is walked entry by entry, and no page is asked for before it is needed', async () => {
  const { api, platform, url, credentials } = await start()
  for (let number = 0; number < 5; number++)
    await platform.access.createAccount({ slug: `more-${number}`, name: `More ${number}` })
  const slugs: string[] = []
  for await (const { slug } of api.listAccounts.each({ limit: 2 })) slugs.push(slug)
  expect(slugs.sort()).toEqual(['more-0', 'more-1', 'more-2', 'more-3', 'more-4', 'one', 'two'])
  let calls = 0
  const counted = createApi({
    server: url,
    credentials,
    fetch: (address, request) => {
      calls += 1
      return fetch(address, request)
    },
  })
  for await (const { slug } of counted.listAccounts.each({ limit: 2 })) if (slug !== '') break
  expect(calls).toBe(1)
})

/** The parts of the OpenAPI document that a call is made from. */
interface Described {
  readonly operationId: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}

test('HC1 every operation of the document is a method of its id, with its credentials, method, path and type', async () => {
  const { api } = await start()
  const document = JSON.parse(readFileSync(new URL('../../core/openapi.json', import.meta.url), 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses, security }]) => {
      const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
      return {
        operation: operationId,
        // The id of a telephony connector is no secret, and set by the client of texts itself.
        kinds: Object.keys(security[0] ?? {}).filter(kind => kind !== 'connectorId'),
        method: method.toUpperCase(),
        path: path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1'),
        type: Object.keys(answer?.content ?? {})[0] ?? '-',
      }
    }),
  )
  expect(described.length).toBeGreaterThan(90)
  const byId = (one: { operation: string }, other: { operation: string }) =>
    one.operation < other.operation ? -1 : 1
  const all = [OPERATIONS, TELEPHONY, TEXTS, VOICES, CALLS]
  expect(all.flatMap(callsOf).sort(byId)).toEqual(described.sort(byId))
  const telephony = createTelephonyApi({ server: 'https://a.example', credentials: {} })
  const texts = createTextsApi({
    server: 'https://a.example',
    credentials: { authToken: 'k', connectorId: 'c' },
  })
  const voices = createVoicesApi({ server: 'https://a.example', credentials: {} })
  const calls = createCallsApi({ server: 'https://a.example', credentials: {} })
  const names = [api, telephony, texts, voices, calls].flatMap(Object.keys)
  expect(names.sort()).toEqual(described.map(({ operation }) => operation).sort())
})

/** A server with an agent that is deployed, and the token of a connector of it. */
async function startDesk() {
  const clock = createFakeClock(Date.UTC(2026, 0, 1))
  const runtime = createScriptedRuntime({ greeting: 'Welcome.', otherwise: 'Of course.' }, clock)
  const started = await start({ clock, runtime })
  const { api, platform } = started
  const agent = await platform.agents.create({ accountId: 'ws-one', name: 'Desk', greeting: 'Welcome.' })
  await platform.agents.publish(agent.id, { environment: 'live' })
  const { token } = await api.createConnector({
    body: { accountId: 'ws-one', agentId: agent.id, environment: 'live', hosts: ['shop.example'] },
  })
  const { key } = await api.createApiKey({
    body: { kind: 'project', accountId: 'ws-one', agentId: agent.id },
  })
  const credentials = { ...started.credentials, projectKey: key }
  return { ...started, credentials, token, project: { account_id: 'ws-one', project_id: agent.id } }
}

test('HC7 a turn-based chat takes a project key and the token of a connector', async () => {
  const { credentials, project, token, url } = await startDesk()
  const api = createApi({ server: url, credentials: { ...credentials, connectorToken: token } })
  const { conversation_id, response } = await api.createChat({ ...project, body: {} })
  expect(response).toBe('Welcome.')
  const body = { conversation_id, message: 'May I bring my dog?' }
  expect(await api.respondToChat({ ...project, body })).toMatchObject({ response: 'Of course.' })
  const { replies } = await api.listChatReplies({ ...project, conversation_id, after: 0 })
  expect(replies.map(({ index }) => index)).toEqual([1, 2])
  expect(await api.closeChat({ ...project, body: { conversation_id } })).toEqual({ success: true })
  const lacking = createApi({ server: url, credentials })
  const missing = await errorOf(lacking.createChat({ ...project, body: {} }))
  expect(missing.message).toBe('createChat: `credentials.connectorToken` is missing.')
})

test('HC7 a message whose answer is lost is sent again under the key of its call, and is said once', async () => {
  const { credentials, project, token, url } = await startDesk()
  const keys: (string | undefined)[] = []
  const api = createApi({
    server: url,
    credentials: { ...credentials, connectorToken: token },
    async fetch(address, request) {
      const answer = await fetch(address, request)
      keys.push(request.headers['idempotency-key'])
      // Each call's first answer gets lost.
      if (keys.filter(key => key === keys.at(-1)).length === 1) throw new TypeError('The connection broke.')
      return answer
    },
  })
  const { conversation_id } = await api.createChat({ ...project, body: {} })
  const body = { conversation_id, message: 'May I bring my dog?' }
  await api.respondToChat({ ...project, body })
  await api.respondToChat({ ...project, body }, { headers: { 'idempotency-key': 'order-7' } })
  const [opened, , said] = keys
  expect(keys).toEqual([opened, opened, said, said, 'order-7', 'order-7'])
  expect(new Set(keys).size).toBe(3)
  const read = createApi({ server: url, credentials: { ...credentials, connectorToken: token } })
  const { next } = await read.listChatReplies({ ...project, conversation_id, after: 0 })
  expect(next).toBe(3)
})

/** A client of a visitor, and a session with an agent. */
async function startVisitor() {
  const { token, url } = await startDesk()
  const issuing = createApi({
    server: url,
    credentials: { connectorToken: token, connectorHost: 'shop.example' },
  })
  const { access_token } = await issuing.issueAccessToken()
  const visitor = createApi({ server: url, credentials: { accessToken: access_token } })
  const { session_id } = await visitor.createSession({ body: {} })
  return { visitor, sessionId: session_id }
}

test('HC12 a session is followed as a stream of events, and talked to by posts', async () => {
  const { sessionId, visitor } = await startVisitor()
  const seen: string[] = []
  const ids: string[] = []
  for await (const { name, data, id } of eventsOf(await visitor.streamEvents({ sessionId, cursor: '0' }))) {
    const { stream, type } = JSON.parse(data)
    seen.push(type ?? name)
    ids.push(id)
    if (name === 'open') {
      const body = { type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} }
      expect(await visitor.postEvents({ sessionId, stream, body })).toBeUndefined()
    }
    if (type === 'EVENT_TYPE_AI_AGENT_JOINED') break
  }
  expect(seen[0]).toBe('open')
  expect(seen.at(-1)).toBe('EVENT_TYPE_AI_AGENT_JOINED')
  expect([ids[0], ids.at(-1)]).toEqual(['', '3'])
})

test('HC12 a stream goes on after the time for an answer, and ends with the signal of its caller', async () => {
  const { sessionId, visitor } = await startVisitor()
  const caller = new AbortController()
  const [begun, ended] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')]
  onTestFinished(() => {
    begun.mockRestore()
    ended.mockRestore()
  })
  const timeout = 271_828
  const stream = await visitor.streamEvents({ sessionId }, { signal: caller.signal, timeout })
  const timers = begun.mock.results.filter((_, at) => begun.mock.calls[at]?.[1] === timeout)
  expect(timers).toHaveLength(1)
  // Nothing is left that could end the stream.
  expect(ended.mock.calls.some(([timer]) => timer === timers[0]?.value)).toBe(true)
  const reader = stream.getReader()
  expect((await reader.read()).done).toBe(false)
  await visitor.postEvents({ sessionId, body: { type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} } })
  expect((await reader.read()).done).toBe(false)
  caller.abort(new Error('That is enough.'))
  await expect(
    (async () => {
      while (!(await reader.read()).done);
    })(),
  ).rejects.toThrow('That is enough.')
})

test('HC12 a stream that is refused is an error like any other', async () => {
  const { visitor } = await startVisitor()
  const error = await errorOf(visitor.streamEvents({ sessionId: '00000000-0000-4000-8000-000000000000' }))
  expect(error).toMatchObject({ code: 'HTTP_404', status: 404 })
})
