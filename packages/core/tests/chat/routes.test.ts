import { describe, expect, test } from 'vitest'
import { contextOf } from '../../src/platform-context.ts'
import { aNewEndpoint } from '../../src/testing/index.ts'
import { startChats } from './support.ts'

const TURNS = { response: expect.any(String), end_conversation: false }

describe('a chat', () => {
  test('CM5 begins with the greeting, with a body and without one', async () => {
    const chats = await startChats()
    const first = await chats.call(`POST ${chats.path}/create`)
    expect(first).toEqual({
      status: 200,
      json: { conversation_id: expect.stringMatching(/^CONV-/), response: 'Welcome.' },
    })
    expect((await chats.create()).json.conversation_id).not.toBe(first.json.conversation_id)
  })

  test('CM5 answers each message with its own reply', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    expect(await chats.respond(id, 'hello')).toEqual({
      status: 200,
      json: { conversation_id: id, response: 'You said hello.', end_conversation: false },
    })
    expect((await chats.respond(id, 'you')).json).toMatchObject({ response: 'You said you.' })
  })

  test('TC4 is closed, again and again; an id that never was is 404', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    for (let times = 0; times < 3; times++)
      expect(await chats.close(id)).toEqual({ status: 200, json: { success: true } })
    expect(await chats.record(id)).toMatchObject({ endReason: 'REASON_USER_END' })
    for (const unknown of ['CONV-none', 'none', 'a b', '\u0000', '../x'])
      expect(await chats.close(unknown)).toMatchObject({
        status: 404,
        json: { error_code: 'CONVERSATIONS_NOT_FOUND', success: false, data: null },
      })
  })

  test('TC4 that has ended takes no message: 410; one that was never there: 404', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    expect((await chats.respond(id, 'bye')).json).toMatchObject({
      response: 'Goodbye.',
      end_conversation: true,
    })
    expect(await chats.respond(id, 'hello')).toMatchObject({
      status: 410,
      json: { error_code: 'CHAT_CONVERSATION_ENDED' },
    })
    expect(await chats.respond('CONV-none', 'hello')).toMatchObject({
      status: 404,
      json: { error_code: 'CONVERSATIONS_NOT_FOUND' },
    })
    expect(await chats.replies('CONV-none')).toMatchObject({ status: 404 })
  })

  test('TC4 that is closed while a reply is made answers that message with 410', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    const asked = chats.respond(id, 'slow')
    await chats.clock.settle()
    await chats.close(id)
    await chats.clock.advance(5_000)
    expect(await asked).toMatchObject({ status: 410, json: { error_code: 'CHAT_CONVERSATION_ENDED' } })
  })

  test('TC4 that is closed while its greeting is made answers its creation with 410', async () => {
    const script = { greeting: [{ type: 'wait', milliseconds: 2_000 } as const, 'Slowly.'], messages: {} }
    const chats = await startChats({}, script)
    const created = chats.create()
    await chats.clock.settle()
    const of = { accountId: chats.account.id, agentId: chats.agent.id, environment: 'live' as const }
    const { records } = await chats.platform.reading.records(of, { offset: 0 }, 1)
    expect((await chats.close(String(records[0]?.json.summary.value.id))).status).toBe(200)
    await chats.clock.advance(5_000)
    expect(await created).toMatchObject({ status: 410, json: { error_code: 'CHAT_CONVERSATION_ENDED' } })
  })

  test.each([
    [{}, 'CHAT'],
    [{ channel: 'webchat' }, 'CHAT'],
    [{ channel: 'api' }, 'CHAT'],
    [{ channel: 'whatsapp' }, 'WHATSAPP'],
    [{ channel: 'sms' }, 'SMS'],
  ])('TC12 with %j has the channel %s', async (body, channel) => {
    const chats = await startChats()
    const id = await chats.begin(body)
    expect(JSON.parse((await chats.respond(id, 'heard')).json.response)).toMatchObject({ channel })
    expect((await chats.record(id))?.record.channel).toBe(channel)
  })

  test('TC6 without a call for the idle time is over: CHAT_TIMEOUT; calls of either kind put that off', async () => {
    const chats = await startChats({ chatIdle: 60_000, workers: false })
    const id = await chats.begin()
    await chats.clock.advance(59_000)
    expect((await chats.respond(id, 'hello')).status).toBe(200)
    await chats.clock.advance(59_000)
    expect((await chats.replies(id)).status).toBe(200)
    await chats.clock.advance(59_000)
    expect((await chats.respond(id, 'hello')).status).toBe(200)
    await chats.clock.advance(60_000)
    const refused = { status: 400, json: { error_code: 'CHAT_TIMEOUT' } }
    expect(await chats.respond(id, 'hello')).toMatchObject(refused)
    expect(await chats.record(id)).toMatchObject({ endReason: 'REASON_USER_ABANDONED' })
    expect(await chats.respond(id, 'hello')).toMatchObject(refused)
    expect((await chats.close(id)).status).toBe(200)
  })

  test('TC6 the worker ends it as well, and an hour is the default', async () => {
    const chats = await startChats({ wakeInterval: 1_000 })
    const id = await chats.begin()
    await chats.clock.advance(3_599_000)
    expect((await chats.record(id))?.endedAt).toBeNull()
    await chats.clock.advance(2_000)
    expect((await chats.record(id))?.endReason).toBe('REASON_USER_ABANDONED')
  })

  test('TC7 runs what is deployed in the environment of the connector, as its variant or the given one', async () => {
    const chats = await startChats()
    const { platform, agent, account } = chats
    const variants = await platform.agents.variants(agent.id, 'main')
    const known = variants[0]?.id ?? ''
    expect((await chats.create({ variant_id: known })).status).toBe(200)
    expect(await chats.create({ variant_id: 'none' })).toMatchObject({
      status: 404,
      json: { error_code: 'VARIANTS_NOT_FOUND' },
    })
    const { token } = await platform.access.createConnector({
      ...{ accountId: account.id, agentId: agent.id, environment: 'pre-release', hosts: [] },
    })
    const early = await chats.call(`POST ${chats.path}/create`, { headers: { 'x-token': token } })
    expect(early).toMatchObject({ status: 400, json: { error_code: 'CHAT_DRAFT_NOT_EXIST' } })
  })

  test('DC4 speaks the language that was given, until another one is', async () => {
    const chats = await startChats()
    const id = await chats.begin({ asr_lang_code: 'de-DE', tts_lang_code: 'de-AT' })
    const heard = async (more: object = {}) =>
      JSON.parse((await chats.respond(id, 'heard', more)).json.response)
    expect(await heard()).toMatchObject({ language: 'de-AT' })
    expect(await heard({ asr_lang_code: 'fr-FR' })).toMatchObject({ language: 'fr-FR' })
    expect(await heard()).toMatchObject({ language: 'fr-FR' })
    expect(await chats.record(id)).toMatchObject({ asrLanguage: 'fr-FR', ttsLanguage: 'de-AT' })
  })

  test('TC7 goes on with another connector of its agent and environment, and is 404 for others', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    const { platform, agent, account, connector } = chats
    const token = async (environment: 'live' | 'sandbox') =>
      (
        await platform.access.createConnector({
          ...{ accountId: account.id, agentId: agent.id, environment, hosts: [] },
        })
      ).token
    const headers = { 'x-token': await token('live') }
    await platform.access.revokeConnector(connector.id)
    const body = { conversation_id: id, message: 'hello' }
    expect((await chats.call(`POST ${chats.path}/respond`, { headers, body })).status).toBe(200)
    const other = { 'x-token': await token('sandbox') }
    expect((await chats.call(`POST ${chats.path}/respond`, { headers: other, body })).status).toBe(404)
    expect((await chats.respond(id, 'hello')).status).toBe(401)
  })
})

describe('the credentials of a chat', () => {
  test('TC10 are a key and a token: one that is missing or wrong is 401, in any case of the names', async () => {
    const chats = await startChats()
    const asked = async (headers: Readonly<Record<string, string | undefined>>) => {
      const { status, json } = await chats.call(`POST ${chats.path}/create`, { headers })
      return [status, json.error_code ?? null]
    }
    expect(await asked({ 'x-api-key': undefined })).toEqual([401, 'AUTH_USER_UNAUTHORISED'])
    expect(await asked({ 'x-api-key': 'wrong' })).toEqual([401, 'AUTH_USER_UNAUTHORISED'])
    expect(await asked({ 'x-token': undefined })).toEqual([401, 'AUTH_USER_UNAUTHORISED'])
    expect(await asked({ 'x-token': 'wrong' })).toEqual([401, 'AUTH_USER_UNAUTHORISED'])
    const { secret } = await chats.platform.access.createApiKey({ kind: 'workspace', accountId: 'ws-one' })
    expect(await asked({ 'x-api-key': secret })).toEqual([200, null])
  })

  test('TC10 of different accounts or agents, and keys that may not, are 403; unknown names are 404', async () => {
    const chats = await startChats()
    const { access, agents } = chats.platform
    const status = async (headers: object, path = chats.path) => {
      const { status, json } = await chats.call(`POST ${path}/create`, { headers: { ...headers } })
      return [status, json.error_code]
    }
    const forbidden = [403, 'USER_ACCESS_FORBIDDEN']
    await access.createAccount({ accountId: 'ws-two', slug: 'two', name: 'Two' })
    const other = await agents.create({
      accountId: 'ws-one',
      name: 'Other',
      greeting: 'Hello',
      agentId: 'PROJECT-B',
    })
    const key = async (input: object) =>
      (await access.createApiKey({ kind: 'project', accountId: 'ws-one', ...input })).secret
    expect(await status({ 'x-api-key': await key({ accountId: 'ws-two' }) })).toEqual(forbidden)
    expect(await status({ 'x-api-key': await key({ agentId: other.id }) })).toEqual(forbidden)
    expect(await status({ 'x-api-key': await key({ permissions: ['analytics'] }) })).toEqual(forbidden)
    expect(await status({ 'x-api-key': await key({ kind: 'desk' }) })).toEqual(forbidden)
    expect(await status({}, `/v1/one/${other.id}/chat`)).toEqual(forbidden)
    expect(await status({}, '/v1/one/PROJECT-none/chat')).toEqual([404, 'PROJECT_NOT_FOUND'])
    expect(await status({}, '/v1/none/PROJECT-A/chat')).toEqual([404, 'ACCOUNT_NOT_FOUND'])
    expect(await status({}, '/v1/two/PROJECT-A/chat')).toEqual(forbidden)
  })

  test('TC10 count towards the rates of keys: 429', async () => {
    const rate = { perSecond: 1, burst: 2 }
    const chats = await startChats({ rateLimits: { key: rate } })
    const asked = await Promise.all([1, 2, 3].map(() => chats.create()))
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 200, 429])
  })
})

describe('what comes with a message', () => {
  test('TC12 a missing and a blank message are silence, which the agent answers and the record counts', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    expect((await chats.respond(id)).json).toMatchObject({ response: 'Are you there?' })
    expect((await chats.respond(id, ' \n')).json).toMatchObject({ response: 'Are you there?' })
    await chats.respond(id, 'hello')
    expect((await chats.record(id))?.record).toMatchObject({ turns: 4, silences: 2 })
  })

  test('TC12 attributes merge at the first level and hold; those of a message that waits hold from its turn on', async () => {
    const chats = await startChats()
    const id = await chats.begin({ integration_attributes: { a: 1, b: { c: 1 } } })
    const heard = async (more: object = {}) =>
      JSON.parse((await chats.respond(id, 'heard', more)).json.response).integrationAttributes
    expect(await heard()).toEqual({ a: 1, b: { c: 1 } })
    expect(await heard({ integration_attributes: { b: { d: 2 } } })).toEqual({ a: 1, b: { d: 2 } })
    expect(await heard()).toEqual({ a: 1, b: { d: 2 } })
    const slow = chats.respond(id, 'slow')
    await chats.clock.settle()
    const next = heard({ integration_attributes: { a: 3 } })
    await chats.clock.advance(3_000)
    await slow
    expect(await next).toEqual({ a: 3, b: { d: 2 } })
    expect(await heard()).toEqual({ a: 3, b: { d: 2 } })
  })

  test('TC12 attributes that would be too large together are 400, and the chat goes on', async () => {
    const chats = await startChats({ limits: { variableBytes: 100 } })
    const id = await chats.begin({ integration_attributes: { a: 'x'.repeat(60) } })
    const refused = { status: 400, json: { error_code: 'SCHEMA_VALIDATION_FAILED' } }
    expect(await chats.respond(id, 'hello', { integration_attributes: { b: 'x'.repeat(60) } })).toMatchObject(
      refused,
    )
    expect(await chats.create({ integration_attributes: { a: 'x'.repeat(101) } })).toMatchObject(refused)
    expect((await chats.respond(id, 'hello')).status).toBe(200)
  })

  test('TC12 metadata reaches the functions of its turn alone', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    const heard = async (more: object = {}) =>
      JSON.parse((await chats.respond(id, 'heard', more)).json.response).metadata
    expect(await heard({ metadata: { page: '/pay', deep: { a: [1] } } })).toEqual({
      page: '/pay',
      deep: { a: [1] },
    })
    expect(await heard()).toEqual({})
  })

  test('TC18 bodies that do not fit are refused: 400, 413, 415', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    const codes = async (path: string, bodies: readonly unknown[]) =>
      Promise.all(bodies.map(async body => (await chats.call(`POST ${chats.path}/${path}`, { body })).status))
    expect(
      await codes('create', [
        ...[{ channel: 'fax' }, { channel: 'CHAT' }, { variant_id: 7 }, { integration_attributes: [] }],
        ...[{ asr_lang_code: 'x' }, '{', '[]'],
      ]),
    ).toEqual(Array.from({ length: 7 }, () => 400))
    expect(
      await codes('respond', [
        ...[{}, { conversation_id: 7 }, { conversation_id: id, message: 7 }],
        ...[
          { conversation_id: id, metadata: 'x' },
          { conversation_id: id, message: 'x'.repeat(131_073) },
        ],
      ]),
    ).toEqual(Array.from({ length: 5 }, () => 400))
    expect(await codes('respond', [{ conversation_id: id, message: 'x'.repeat(600_000) }])).toEqual([413])
    const headers = { 'content-type': 'text/plain' }
    expect((await chats.call(`POST ${chats.path}/create`, { headers, body: '{}' })).status).toBe(415)
  })
})

describe('the end and the order of a chat', () => {
  test('TC4 a handoff is told, ends the chat for the agent, and stands in its record; close succeeds', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    expect(await chats.respond(id, 'person')).toEqual({
      status: 200,
      json: {
        ...{ conversation_id: id, response: 'One moment.', end_conversation: true },
        handoff: { destination: 'reception', reason: 'asked' },
      },
    })
    expect(await chats.respond(id, 'hello')).toMatchObject({ status: 410 })
    expect((await chats.close(id)).status).toBe(200)
    expect(await chats.record(id)).toMatchObject({
      endReason: 'REASON_NATURAL_END',
      record: { handoff: true, handoffDestination: 'reception', handoffReason: 'asked' },
    })
    const other = await chats.begin()
    expect((await chats.respond(other, 'nobody')).json).toMatchObject({ handoff: {}, end_conversation: true })
  })

  test('CM5 messages at once are answered one after the other, in the order of arrival; too many are 429', async () => {
    const chats = await startChats({ limits: { queuedMessages: 3 } })
    const id = await chats.begin()
    const asked = ['slow', 'one', 'two', 'three', 'four'].map(text => chats.respond(id, text))
    await chats.clock.settle()
    await chats.clock.advance(3_000)
    const answers = await Promise.all(asked)
    expect(answers.slice(0, 4).map(({ json }) => json.response)).toEqual([
      ...['Slowly.', 'You said one.', 'You said two.', 'You said three.'],
    ])
    expect(answers[4]).toMatchObject({ status: 429, json: { error_code: 'RATE_LIMITED' } })
    const { json } = await chats.replies(id, '?after=0')
    expect(json.replies.map(({ index }: { index: number }) => index)).toEqual([1, 2, 3, 4, 5])
  })

  test('CM5 messages that wait behind the reply that ends the chat are 410', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    const asked = ['slow', 'bye', 'hello'].map(text => chats.respond(id, text))
    await chats.clock.settle()
    await chats.clock.advance(3_000)
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 410])
  })

  test('TC18 a turn that fails is 500, the same each time, and the chat goes on', async () => {
    const chats = await startChats()
    const id = await chats.begin()
    const failed = await chats.respond(id, 'break', {}, 'k')
    expect(failed).toMatchObject({ status: 500, json: { error_code: 'AGENT_FAILED' } })
    expect((await chats.respond(id, 'hello')).json).toMatchObject(TURNS)
    const again = await chats.respond(id, 'break', {}, 'k')
    expect([again.status, again.json.error_message]).toEqual([500, failed.json.error_message])
    expect(chats.runtime.turns.length).toBe(3)
  })

  test('TC18 an agent that does not greet is 500 CHAT_DRAFT_DEPLOYMENT_FAILED, and nothing stays open', async () => {
    const chats = await startChats(
      {},
      { otherwise: 'Hello.', greeting: [{ type: 'fail', message: 'broken' }] },
    )
    const asked = await chats.create({}, 'k')
    expect(asked).toMatchObject({ status: 500, json: { error_code: 'CHAT_DRAFT_DEPLOYMENT_FAILED' } })
    expect((await chats.create({}, 'k')).json.error_code).toBe('CHAT_DRAFT_DEPLOYMENT_FAILED')
    expect(chats.runtime.turns.length).toBe(1)
    const { conversations } = contextOf(chats.platform).store
    expect(await conversations.listOpen('PROJECT-A')).toEqual([])
  })

  test('a chat is listed, found, counted and removed like every conversation, and tells webhooks', async () => {
    const chats = await startChats()
    const { platform, account, agent } = chats
    const { endpoint } = await platform.webhooks.createEndpoint(account.id, aNewEndpoint())
    const told = async () => {
      const { deliveries } = await platform.webhooks.deliveries(account.id, endpoint.id)
      return deliveries.map(({ event }) => [event.type, event.conversationId])
    }
    const id = await chats.begin({ channel: 'sms' })
    await chats.respond(id, 'hello')
    const list = () => chats.call(`GET /v3/one/${agent.id}/conversations`)
    expect((await list()).json.conversations).toMatchObject([
      { id, channel: 'SMS', in_progress: true, num_turns: 2, turns: [{}, { user_input: 'hello' }] },
    ])
    const range = 'start_time=2025-12-31T23:00:00Z&end_time=2026-01-01T01:00:00Z'
    const counted = await chats.call(`GET /v1/one/${agent.id}/conversations/concurrency?${range}`)
    expect(JSON.stringify(counted.json)).toMatch(/"max_concurrent_conversations":1/)
    const search = (query: string) =>
      chats.call(`GET /v3/one/${agent.id}/conversations?${range}&query_type=transcript&query=${query}`)
    expect((await search('hello')).json.conversations).toMatchObject([{ id }])
    expect((await search('goodbye')).json.conversations).toEqual([])
    expect(await told()).toEqual([])
    await chats.close(id)
    expect(await told()).toEqual([['conversation.completed', id]])
    await platform.conversations.remove(account.id, agent.id, id)
    expect((await list()).json.conversations).toEqual([])
    expect((await search('hello')).json.conversations).toEqual([])
    expect((await chats.respond(id, 'hello')).status).toBe(404)
  })
})
