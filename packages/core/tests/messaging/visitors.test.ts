import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, onTestFinished, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { FunctionConversation } from '../../src/ports/agent-function.ts'
import type { RuntimeTurn } from '../../src/ports/agent-runtime.ts'
import { openSocketPair } from '../../src/testing/index.ts'
import { does } from '../conversation/functions/support.ts'
import { request } from '../support/request.ts'

const ADA = { id: 'guest-7', name: 'Ada', language: 'de-AT' }
const TOKEN = 'connector-token-of-the-tests'
const ATTRIBUTES = { room: 12, tags: ['early'] }

type Seen = Pick<FunctionConversation, 'visitor' | 'integrationAttributes' | 'language'>

/** A platform whose agent calls a function before it hands over, and what both of them saw. */
async function setUp() {
  const turns: RuntimeTurn[] = []
  const calls: Seen[] = []
  const made = await createPopulatedPlatform({
    runtime: {
      async *respond(turn) {
        turns.push(turn)
        await turn.callFunction('look', {})
        yield { type: 'text' as const, text: 'Welcome.' }
        if (turn.input.type === 'message')
          yield { type: 'handoff' as const, destination: 'reception', reason: 'asked' }
      },
    },
    functions: {
      look: does(({ visitor, integrationAttributes, language }) => {
        calls.push({ visitor, integrationAttributes, language })
      }),
    },
  })
  const { clock, platform } = made
  onTestFinished(() => platform.close())
  await platform.agents.publish('PROJECT-A', { environment: 'live' })
  await platform.access.createConnector({
    accountId: 'ws-one',
    agentId: 'PROJECT-A',
    environment: 'live',
    hosts: ['example.com'],
    token: TOKEN,
    handoff: { mode: 'server', queueName: 'reception', timeoutSeconds: 300 },
  })
  const { accessToken } = await platform.messaging.issueAccessToken({
    connectorToken: TOKEN,
    host: 'example.com',
    remoteAddress: '203.0.113.9',
  })
  const authorization = `Bearer ${accessToken}`
  const dispatcher = createDispatcher(platform, routes)
  return {
    ...{ ...made, turns, calls, authorization },
    async start(body: unknown, headers: Readonly<Record<string, string>> = {}) {
      const { status, body: text } = await dispatcher.handle(
        request('POST /api/v1/sessions', { body, headers: { authorization, ...headers } }),
      )
      return { status, json: JSON.parse(text ?? 'null') }
    },
    /** The visitor joins, and says something. */
    async talk(sessionId: string) {
      const handshake = await platform.messaging.handshake({ sessionId, accessToken, cursor: null })
      if ('status' in handshake) throw new Error(handshake.message)
      const pair = openSocketPair(handshake)
      for (const frame of [
        { type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} },
        { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'A person, please.' } },
      ]) {
        pair.send(frame)
        await pair.flush()
        await clock.advance(100)
      }
    },
  }
}

test('MS45 functions, the runtime, live agents and the record see who the host has said that the visitor is', async () => {
  const { authorization, calls, platform, talk, turns } = await setUp()
  const { sessionId } = await platform.messaging.createSession({
    ...{ authorization, streaming: false, visitor: ADA, integrationAttributes: ATTRIBUTES },
  })
  await talk(sessionId)
  const seen = { visitor: ADA, integrationAttributes: ATTRIBUTES, language: 'de-AT' }
  expect(calls).toEqual([seen, seen])
  expect(turns.map(({ visitor, language }) => ({ visitor, language }))).toEqual([
    { visitor: ADA, language: 'de-AT' },
    { visitor: ADA, language: 'de-AT' },
  ])
  const [handoff] = await platform.desk.handoffs('ws-one', 'waiting')
  expect(handoff).toMatchObject({ sessionId, visitor: ADA })
  const record = await platform.reading.record('ws-one', 'PROJECT-A', sessionId)
  expect(record?.details.value).toMatchObject({ visitor: ADA, language: 'de-AT' })
})

test('MS45 a visitor without a name is null, and stands in no record', async () => {
  const { authorization, calls, platform, talk } = await setUp()
  const { sessionId } = await platform.messaging.createSession({ authorization, streaming: false })
  await talk(sessionId)
  expect(calls[0]).toEqual({ visitor: null, integrationAttributes: {}, language: 'en-GB' })
  const record = await platform.reading.record('ws-one', 'PROJECT-A', sessionId)
  expect(Object.keys(record?.details.value ?? {})).not.toContain('visitor')
})

test.each([
  ['an empty id', { visitor: { id: '' } }, 'visitor.id'],
  ['a long id', { visitor: { id: 'x'.repeat(201) } }, 'visitor.id'],
  ['a name of blanks', { visitor: { id: 'a', name: '  ' } }, 'visitor.name'],
  ['a name that turns the direction of text', { visitor: { id: 'a', name: 'a\u202eb' } }, 'visitor.name'],
  ['a name of a soft hyphen', { visitor: { id: 'a', name: '\u00ad' } }, 'visitor.name'],
  ['no language tag', { visitor: { id: 'a', language: 'not a tag' } }, 'visitor.language'],
  ['an unknown field', { visitor: { id: 'a', email: 'a@b' } }, 'email'],
  ['too many attributes', { integrationAttributes: { text: 'x'.repeat(70_000) } }, 'integrationAttributes'],
])('MS45 %s is refused, with the name of the field', async (_, options, field) => {
  const { authorization, platform } = await setUp()
  const started = platform.messaging.createSession({ authorization, streaming: false, ...options })
  await expect(started).rejects.toMatchObject({
    code: 'SCHEMA_VALIDATION_FAILED',
    message: expect.stringContaining(field),
  })
})

test('MS45 over HTTP a project key of the agent, or a workspace key of its account, says who the visitor is', async () => {
  const { calls, keys, start, talk } = await setUp()
  for (const key of [keys.project, keys.workspace]) {
    const body = { visitor: ADA, integration_attributes: ATTRIBUTES }
    const { status, json } = await start(body, { 'x-api-key': key })
    expect(status).toBe(200)
    await talk(json.session_id)
    expect(calls.at(-1)).toMatchObject({ visitor: ADA, integrationAttributes: ATTRIBUTES })
  }
})

test.each([{ visitor: ADA }, { integration_attributes: ATTRIBUTES }])(
  'MS45 a page alone is not believed: %j needs a key that opens the agent of the token',
  async body => {
    const { keys, platform, start } = await setUp()
    const { secret: other } = await platform.access.createApiKey({ kind: 'workspace', accountId: 'ws-two' })
    const { secret: sibling } = await platform.access.createApiKey({
      ...{ kind: 'project', accountId: 'ws-one', agentId: 'PROJECT-B' },
    })
    const { secret: limited } = await platform.access.createApiKey({
      ...{ kind: 'workspace', accountId: 'ws-one', permissions: ['agents'] },
    })
    expect(await start(body)).toMatchObject({
      status: 401,
      json: { message: expect.stringContaining('from your server') },
    })
    expect(await start(body, { 'x-api-key': 'wrong' })).toMatchObject({ status: 401 })
    for (const key of [other, sibling, limited, keys.desk, keys.operator, keys.externalEvents])
      expect(await start(body, { 'x-api-key': key })).toMatchObject({ status: 403 })
  },
)

test('MS45 what is wrong with the host’s fields is told; without them no key is asked for', async () => {
  const { keys, start } = await setUp()
  expect(await start({ visitor: { name: 'Ada' } }, { 'x-api-key': keys.project })).toMatchObject({
    status: 400,
    json: { message: expect.stringMatching(/^Error parsing request: visitor\.id: /) },
  })
  expect(await start({ streaming_enabled: true, visitor: null })).toMatchObject({ status: 200 })
})

test('MS278 a host says that a session is a call, and of which numbers; nobody can over HTTP', async () => {
  const { authorization, platform, start } = await setUp()
  const { createSession } = platform.messaging
  const numbers = { fromNumber: '+442079460018', toNumber: '+442079460019' }
  const call = { channel: 'VOICE-SIP', ...numbers } as const
  const record = async (id: string) => {
    const found = await platform.reading.record('ws-one', 'PROJECT-A', id)
    const { channel, from_number: from, to_number: to } = JSON.parse(found?.summary.text ?? '{}')
    return [channel, from, to]
  }
  const { sessionId } = await createSession({ authorization, streaming: true, call })
  expect(await record(sessionId)).toEqual(['VOICE-SIP', '+442079460018', '+442079460019'])
  // What is kept of a caller is found by their number.
  const { conversations } = platform
  expect(await conversations.visitor('ws-one', { phoneNumber: numbers.fromNumber })).toMatchObject({
    conversations: 1,
  })
  const wrongs: readonly object[] = [
    { call: { channel: 'CHAT' } },
    { call: { channel: 'VOICE-SIP', fromNumber: '1'.repeat(101) } },
    { call: {} },
  ]
  for (const wrong of wrongs) {
    const refused = createSession(Object.assign({ authorization, streaming: true }, wrong))
    await expect(refused).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
  }
  const asked = await start({ call, channel: 'VOICE-SIP', ...numbers })
  expect(asked.status).toBe(200)
  expect(await record(asked.json.session_id)).toEqual(['CHAT', '', ''])
  const read = async () => Object.assign({ streaming: true }, { call })
  const { sessionId: outside } = await createSession({ authorization, read, admit: async () => {} })
  expect(await record(outside)).toEqual(['CHAT', '', ''])
})
