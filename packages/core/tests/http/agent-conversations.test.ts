import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import type { RecordingWanted } from '../../src/ports/recordings.ts'
import { aConversation, anAccount } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const PATH = '/v1/agents/PROJECT-A/conversations'
const START = Date.UTC(2026, 0, 1)

async function serve(options: Partial<PlatformOptions> = {}) {
  const made = await createPopulatedPlatform(options)
  const dispatcher = createDispatcher(made.platform, routes)
  const call = async (line: string, key = made.keys.workspace) => {
    const answer = await dispatcher.handle(request(line, { headers: { 'x-api-key': key } }))
    const parts: string[] = []
    for await (const chunk of answer.chunks ?? [])
      parts.push(typeof chunk === 'string' ? chunk : `<${chunk.join(' ')}>`)
    return { ...answer, text: answer.body ?? parts.join('') }
  }
  const json = async (line: string, key?: string) => {
    const { status, text } = await call(line, key)
    return { status, json: JSON.parse(text) }
  }
  return { ...made, call, json }
}

/** Records a call of two minutes, in which a function was called. */
async function record(
  { platform, clock }: Awaited<ReturnType<typeof serve>>,
  id: string,
  environment = 'live' as const,
) {
  const call = {
    agentId: 'PROJECT-A',
    conversationId: id,
  }
  await platform.conversations.start({
    ...call,
    accountId: 'ws-one',
    environment,
    channel: 'VOICE-SIP',
    fromNumber: '+4420',
    toNumber: '+4421',
  })
  await platform.conversations.recordTurn({
    ...call,
    turnId: 'turn-1',
    userInput: 'Hello',
    userInputAt: clock.now(),
    agentResponse: 'Good day',
  })
  await clock.advance(120_000)
  await platform.conversations.finish(call)
}

describe('conversations of an agent', () => {
  test('RC16 a record has exactly these fields', async () => {
    const server = await serve()
    await record(server, 'VOICE-1')
    const { status, json } = await server.json(`GET ${PATH}/VOICE-1`)
    const { turns, ...head } = json
    expect(status).toBe(200)
    expect(head).toEqual({
      conversationId: 'VOICE-1',
      accountId: 'ws-one',
      projectId: 'PROJECT-A',
      createdAt: '2026-01-01T00:00:00.000Z',
      startedAt: '2026-01-01T00:00:00.000Z',
      finishedAt: '2026-01-01T00:02:00.000Z',
      channel: 'VOICE-SIP',
      fromNumber: '+4420',
      toNumber: '+4421',
      language: '',
      variantId: '',
      clientEnv: 'live',
      totalDuration: 120,
      aiDuration: 120,
      duration: 120,
      inProgress: false,
      handoff: false,
      handoffDestination: '',
      handoffReason: '',
      direction: 'inbound',
      tags: [],
      shortSummary: '',
      deploymentId: '',
      note: '',
      metrics: {},
      functionEvents: {},
    })
    expect(turns).toMatchObject([{ user_input: 'Hello', agent_response: 'Good day' }])
    const list = await server.json(`GET ${PATH}`)
    expect([list.status, list.json]).toEqual([
      200,
      { conversations: [json], count: 1, limit: 100, offset: 0 },
    ])
  })

  test('RC16 the list is newest first, of one environment, in pages by offset', async () => {
    const { platform, json } = await serve()
    const { conversations } = contextOf(platform).store
    for (let index = 0; index < 45; index++)
      await conversations.create(
        aConversation(`C-${String(index).padStart(2, '0')}`, {
          ...{
            startedAt: START + Math.floor(index / 2),
            accountId: 'ws-one',
            agentId: 'PROJECT-A',
          },
        }),
      )
    await conversations.create(
      aConversation('C-sandbox', {
        ...{ environment: 'sandbox', accountId: 'ws-one', agentId: 'PROJECT-A' },
      }),
    )
    const page = async (query: string) => (await json(`GET ${PATH}${query}`)).json
    const newest = Array.from({ length: 45 }, (_, index) => `C-${String(44 - index).padStart(2, '0')}`)
    expect(await store(newest, platform)).toBe(true)
    const all = await page('')
    expect(Object.keys(all)).toEqual(['conversations', 'count', 'limit', 'offset'])
    expect(all.conversations).toHaveLength(45)
    const first = await page('?limit=25')
    expect([first.conversations.length, first.next_offset]).toEqual([25, 25])
    const rest = await page('?limit=25&offset=25')
    expect([rest.conversations.length, 'next_offset' in rest]).toEqual([20, false])
    expect([...first.conversations, ...rest.conversations]).toEqual(all.conversations)
    expect((await page('?clientEnv=sandbox')).conversations).toHaveLength(1)
    // However the page lies, the count is that of all.
    for (const query of [
      '',
      '?limit=1',
      '?limit=25',
      '?limit=44&offset=1',
      '?limit=3&offset=41',
      '?offset=45',
      '?offset=900',
    ])
      expect((await page(query)).count, query).toBe(45)
    expect(await page('?clientEnv=pre-release')).toEqual({
      conversations: [],
      count: 0,
      limit: 100,
      offset: 0,
    })
    for (const query of ['clientEnv=moon', 'limit=0', 'limit=5001', 'offset=-1', 'offset=x'])
      expect((await json(`GET ${PATH}?${query}`)).status, query).toBe(400)
  })

  test('RC16 a record whose turns are longer than a slice has the same words, in the list too; function events stand under the numbers of their turns', async () => {
    const short = await serve()
    const long = await serve({ limits: { sliceBytes: 1_000 } })
    const answers: unknown[] = []
    for (const server of [short, long]) {
      for (const id of ['VOICE-1', 'VOICE-2', 'VOICE-3']) await record(server, id)
      const call = {
        conversationId: 'VOICE-4',
        accountId: 'ws-one',
        agentId: 'PROJECT-A',
      }
      await server.platform.conversations.start({ ...call, environment: 'live', channel: 'CHAT' })
      for (let turn = 0; turn < 6; turn++)
        await server.platform.conversations.recordTurn({
          agentId: call.agentId,
          conversationId: call.conversationId,
          turnId: `turn-${turn}`,
          userInput: `Hello ${turn} ${'x'.repeat(300)}`,
          userInputAt: server.clock.now(),
          functionEvents: [{ name: `f${turn}`, arguments: {}, result: null, error: null, duration_ms: 1 }],
        })
      answers.push([(await server.json(`GET ${PATH}`)).json, (await server.json(`GET ${PATH}/VOICE-4`)).json])
    }
    expect(answers[1]).toEqual(answers[0])
    const [, one] = JSON.parse(JSON.stringify(answers[0]))
    expect(Object.keys(one.functionEvents)).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(one.functionEvents['2']).toEqual([
      {
        name: 'f1',
        arguments: {},
        result: null,
        error: null,
        duration: 0.001,
        duration_ms: 1,
        function_id: 'f1',
      },
    ])
    expect(JSON.stringify(answers[0])).toContain('"functionEvents":{"1":[{"duration":0.001,"name":"f0"')
  })

  test('RC16 an unknown conversation, one of another agent and an unknown agent are 404, another key 403', async () => {
    const server = await serve()
    await record(server, 'VOICE-1')
    const refusal = async (line: string, key?: string) => {
      const { status, json } = await server.json(line, key)
      return [status, json.error_code]
    }
    expect(await refusal(`GET ${PATH}/none`)).toEqual([404, 'CONVERSATIONS_NOT_FOUND'])
    const other = '/v1/agents/PROJECT-B/conversations/VOICE-1'
    expect(await refusal(`GET ${other}`)).toEqual([404, 'CONVERSATIONS_NOT_FOUND'])
    expect(await refusal(`GET ${other}/audio`)).toEqual([404, 'CONVERSATIONS_NOT_FOUND'])
    expect(await refusal('GET /v1/agents/none/conversations')).toEqual([404, 'PROJECT_NOT_FOUND'])
    expect(await refusal('GET /v1/agents/PROJECT-Z/conversations')).toEqual([403, 'USER_ACCESS_FORBIDDEN'])
    expect(await refusal(`GET ${PATH}`, server.keys.project)).toEqual([403, 'USER_ACCESS_FORBIDDEN'])
  })

  test('AC8 a path of the Agents API is never read as an account of that name, whatever account there is', async () => {
    const { platform, json, keys } = await serve()
    for (const slug of ['agents', 'accounts'])
      await contextOf(platform).store.access.accounts.create(anAccount(`ws-${slug}`, { slug }))
    for (const line of [`POST ${PATH}`, `DELETE ${PATH}/concurrency`]) {
      const { status, json: body } = await json(line)
      expect([line, status, body.error_code]).toEqual([line, 405, 'METHOD_NOT_ALLOWED'])
    }
    const concurrency = await json(`GET ${PATH}/concurrency`)
    expect([concurrency.status, concurrency.json.error_code]).toEqual([404, 'CONVERSATIONS_NOT_FOUND'])
    for (const word of ['agents', 'accounts']) {
      const { status, json: body } = await json(`GET /v3/${word}/PROJECT-A/conversations`, keys.project)
      expect([status, body.error_code]).toEqual([404, 'ACCOUNT_NOT_FOUND'])
    }
    const only = createDispatcher(platform, routes, { families: ['conversations-v1', 'concurrency'] })
    const answer = await only.handle(request(`GET ${PATH}`, { headers: { 'x-api-key': keys.project } }))
    expect(answer.status).toBe(404)
  })
})

describe('the sound of a conversation', () => {
  test('RC57 it is what the host has stored, chunk by chunk, as WAV', async () => {
    const asked: RecordingWanted[] = []
    let opened = 0
    const server = await serve({
      recordings: {
        async open(wanted) {
          asked.push(wanted)
          if (wanted.direction === 'agent') return null
          return (async function* () {
            opened++
            yield Uint8Array.of(1, 2)
            yield Uint8Array.of(3)
          })()
        },
      },
    })
    await record(server, 'VOICE-1')
    const audio = `${PATH}/VOICE-1/audio`
    const answer = await server.call(`GET ${audio}?direction=user&redacted=true`)
    expect([answer.status, answer.headers['Content-Type'], answer.text]).toEqual([
      200,
      'audio/wav',
      '<1 2><3>',
    ])
    expect(answer.headers).toMatchObject({
      ...{ 'Content-Disposition': 'attachment; filename="recording.wav"', 'Cache-Control': 'no-store' },
      'X-Content-Type-Options': 'nosniff',
    })
    expect((await server.call(`HEAD ${audio}`)).headers['Content-Type']).toBe('audio/wav')
    expect(opened).toBe(1)
    const ids = { accountId: 'ws-one', agentId: 'PROJECT-A', conversationId: 'VOICE-1' }
    expect(asked).toEqual([
      { ...ids, direction: 'user', redacted: true },
      { ...ids, direction: 'combined', redacted: false },
    ])
    const none = await server.json(`GET ${audio}?direction=agent`)
    expect([none.status, none.json.error_code]).toEqual([404, 'CONVERSATIONS_RECORDING_NOT_FOUND'])
    for (const query of ['direction=all', 'redacted=1'])
      expect((await server.json(`GET ${audio}?${query}`)).status).toBe(400)
    asked.length = 0
    expect((await server.json(`GET ${PATH}/none/audio`)).status).toBe(404)
    expect(asked).toEqual([])
  })

  test('RC57 without recordings there is nothing to listen to, and one without an end is cut off', async () => {
    const mute = await serve()
    await record(mute, 'VOICE-1')
    const silent = await mute.json(`GET ${PATH}/VOICE-1/audio`)
    expect([silent.status, silent.json.error_code]).toEqual([404, 'CONVERSATIONS_RECORDING_NOT_FOUND'])
    let given = 0
    const endless = await serve({
      limits: { audioBytes: 10 },
      recordings: {
        open: async () =>
          (async function* () {
            for (;;) yield new Uint8Array(++given > 0 ? 4 : 0)
          })(),
      },
    })
    await record(endless, 'VOICE-1')
    await expect(endless.call(`GET ${PATH}/VOICE-1/audio`)).rejects.toThrow('longer than limits.audioBytes')
    expect(given).toBe(3)
    expect(endless.errors).toHaveLength(1)
  })
})

/** Whether the store lists those ids, newest first. */
async function store(
  ids: readonly string[],
  platform: Awaited<ReturnType<typeof createPopulatedPlatform>>['platform'],
): Promise<boolean> {
  const context = contextOf(platform)
  const scope = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live' } as const
  const { records } = await context.store.conversations.records.newest(
    { ...scope, accountId: scope.accountId, agentId: scope.agentId },
    { offset: 0 },
    ids.length,
  )
  return records.every(({ id }, index) => id === ids[index])
}
