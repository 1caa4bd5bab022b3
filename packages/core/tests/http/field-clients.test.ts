import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import type { AgentRuntime } from '../../src/ports/agent-runtime.ts'
import { createScriptedSpeech } from '../../src/testing/index.ts'
import { defineFunction } from '../../src/usecases/conversation/functions/define-function.ts'
import { request } from '../support/request.ts'

const BRAND = { events: 'POLY', headers: 'PolyAI' }
const RECORD = { agentId: 'PROJECT-A', conversationId: 'VOICE-1' }

/** A platform with a recorded call of two minutes. */
async function serve(options: Partial<PlatformOptions> = {}) {
  const made = await createPopulatedPlatform({ speechProvider: createScriptedSpeech(), ...options })
  const { platform, clock, keys } = made
  const dispatcher = createDispatcher(platform, routes)
  const call = async (line: string, key: string | null = keys.project, body?: unknown) => {
    const headers = { host: 'a.example', ...(key === null ? {} : { 'x-api-key': key }) }
    const answer = await dispatcher.handle(request(line, { headers, body }))
    let text = answer.body ?? ''
    for await (const chunk of answer.chunks ?? []) text += chunk
    return { status: answer.status, text, json: JSON.parse(text) }
  }
  const start = { ...RECORD, accountId: 'ws-one', environment: 'live' as const, channel: 'Voice-Sip' }
  await platform.conversations.start(start)
  for (const turnId of ['1', '2'])
    await platform.conversations.recordTurn({
      ...{ ...RECORD, turnId, userInput: 'Hello', userInputAt: clock.now(), agentResponse: 'x'.repeat(900) },
      ...{ agentResponseAt: clock.now() + 1_500 },
    })
  await clock.advance(120_000)
  await platform.conversations.finish(RECORD)
  return { ...made, call }
}

const V1 = 'GET /v1/ws-one/PROJECT-A/conversations'
const V3 = 'GET /v3/ws-one/PROJECT-A/conversations'
const OWN = 'GET /v1/agents/PROJECT-A/conversations'

describe.each([
  ['short', {}],
  ['long', { limits: { sliceBytes: 1_000 } }],
])('records with %s turns', (_, limits) => {
  test('have the field with the brand’s word beside the usual one', async () => {
    const { call, keys } = await serve({ ...limits, brand: BRAND })
    for (const line of [V1, V3]) {
      const [record] = (await call(line)).json.conversations
      expect(record).toMatchObject({ ai_duration: 120, polyai_duration: 120 })
    }
    expect((await call(`${V3}/VOICE-1`)).json).toMatchObject({ ai_duration: 120, polyai_duration: 120 })
    expect((await call(V1)).json.descriptions.conversations).toHaveProperty('polyai_duration')
    const [own] = (await call(OWN, keys.workspace)).json.conversations
    expect(own).toMatchObject({ aiDuration: 120, polyaiDuration: 120 })
    expect((await call(`${OWN}/VOICE-1`, keys.workspace)).json).toMatchObject({ polyaiDuration: 120 })
  })

  test('have no more fields without a brand, nor a second one of a name that is there', async () => {
    const usual = await serve(limits)
    for (const brand of ['ai', 'total']) {
      const branded = await serve({ ...limits, brand })
      for (const line of [V1, V3, `${V3}/VOICE-1`])
        expect((await branded.call(line)).text).toBe((await usual.call(line)).text)
    }
  })

  test('RC1 leave out latencies where they are not wanted', async () => {
    const { call } = await serve(limits)
    for (const line of [V3, `${V3}/VOICE-1`]) {
      const [whole, without] = [await call(line), await call(`${line}?include_latency=false`)]
      expect(whole.text).toContain('"latency":1.5')
      expect(without.text).toBe(whole.text.replaceAll(/"latency":1\.5,?/g, '').replaceAll(',}', '}'))
      expect((await call(`${line}?include_latency=true`)).text).toBe(whole.text)
      expect((await call(`${line}?include_latency=maybe`)).status).toBe(400)
    }
  })
})

test('RC16 channels compare in any case', async () => {
  const { call } = await serve()
  for (const [channel, found] of [
    ['voice-sip', 1],
    ['VOICE-SIP', 1],
    ['Voice-Sip', 1],
    ['VOICE', 0],
  ] as const)
    expect((await call(`${V3}?channel=${channel}`)).json.conversations, channel).toHaveLength(found)
})

test.each([
  ['web', 'WEBCHAT'],
  ['ios-web', 'WEBCHAT'],
  ['android-web', 'WEBCHAT'],
  ['ios', 'CHAT'],
  ['android', 'CHAT'],
  ['custom', 'CHAT'],
  [null, 'CHAT'],
])('RC58 a session of platform %s has channel %s, and is found by that alone', async (platform, channel) => {
  const { call, platform: made } = await serve()
  await made.agents.publish('PROJECT-A', { environment: 'live' })
  const { token } = await made.access.createConnector({
    ...{ accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', hosts: ['a.example'] },
  })
  const { accessToken } = await made.messaging.issueAccessToken({
    ...{ connectorToken: token, host: 'a.example', remoteAddress: 'test' },
  })
  const dispatcher = createDispatcher(made, routes)
  const headers = { authorization: `Bearer ${accessToken}` }
  const body = { platform }
  expect((await dispatcher.handle(request('POST /api/v1/sessions', { headers, body }))).status).toBe(200)
  for (const one of ['CHAT', 'WEBCHAT'])
    expect((await call(`${V3}?channel=${one}`)).json.conversations).toHaveLength(one === channel ? 1 : 0)
})

test('DC4 a message brings languages that stay, and metadata for that turn alone', async () => {
  const heard: unknown[] = []
  const runtime: AgentRuntime = {
    async *respond(turn) {
      if (turn.input.type === 'message') await turn.callFunction('hear', {})
      yield { type: 'text', text: 'Yes.' }
    },
  }
  const hear = defineFunction({
    description: 'Hears what came with a message.',
    parameters: z.object({}),
    execute: ({ metadata }) => void heard.push(metadata),
  })
  const { call, keys, platform } = await serve({ runtime, functions: { hear } })
  await platform.agents.publish('PROJECT-A', { environment: 'live' })
  const path = 'POST /v1/agents/PROJECT-A/debug-chat'
  const started = await call(path, keys.workspace, { clientEnv: 'live' })
  const say = (more: object) =>
    call(`${path}/${started.json.conversationId}`, keys.workspace, {
      clientEnv: 'live',
      message: 'Hi',
      ...more,
    })
  const first = await say({ asrLangCode: 'de-DE', ttsLangCode: 'fr-FR', metadata: { page: 'rooms' } })
  const second = await say({})
  for (const { json } of [first, second])
    expect(json.metadata).toMatchObject({ asrLangCode: 'de-DE', ttsLangCode: 'fr-FR' })
  expect((await say({ asrLangCode: 'x' })).status).toBe(400)
  expect((await say({ metadata: 'x' })).status).toBe(400)
  expect(heard).toEqual([{ page: 'rooms' }, {}])
})

describe('documents of a server with a brand', () => {
  test('HT61 name its events, headers and fields, and no other brand’s', async () => {
    const { call } = await serve({ brand: BRAND })
    const openapi = await call('GET /openapi.json', null)
    const asyncapi = await call('GET /asyncapi.json', null)
    for (const { text } of [openapi, asyncapi]) expect(text.match(/[^"\\ ]*\bAI_AGENT[^"\\ ]*/g)).toBeNull()
    expect(asyncapi.text).toContain('"EVENT_TYPE_REQUEST_POLY_AGENT_JOIN"')
    expect(asyncapi.text).toContain('"EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK"')
    expect(openapi.text).not.toMatch(/x-ai-|isAIVoice/i)
    expect(openapi.text).toContain('"isPolyVoice"')
    expect(openapi.text).toContain('"x-polyai-auth-token"')
    const { AgentConversation, ConversationRecord } = openapi.json.components.schemas
    expect(ConversationRecord.properties.polyai_duration).toEqual(ConversationRecord.properties.ai_duration)
    expect(AgentConversation.properties.polyaiDuration).toEqual(AgentConversation.properties.aiDuration)
  })

  test('HT61 are as they are packed without a brand, and AsyncAPI names the scheme that is served', async () => {
    const { call, platform } = await serve()
    const { json } = await call('GET /asyncapi.json', null)
    expect(json.channels.visitor.messages).toHaveProperty('EVENT_TYPE_AI_AGENT_JOINED')
    const dispatcher = createDispatcher(platform, routes)
    for (const [secure, remoteAddress, socket, http] of [
      [true, '203.0.113.9', 'wss', 'https'],
      [false, '203.0.113.9', 'ws', 'http'],
      // Loopback counts as secure, and is plain text.
      [true, '127.0.0.1', 'ws', 'http'],
      [true, '::1', 'ws', 'http'],
    ] as const) {
      const asked = {
        ...request('GET /asyncapi.json', { headers: { host: 'a.example' }, remoteAddress }),
        secure,
      }
      const { servers } = JSON.parse((await dispatcher.handle(asked)).body ?? '')
      expect([servers.here.protocol, servers.http.protocol]).toEqual([socket, http])
    }
  })
})
