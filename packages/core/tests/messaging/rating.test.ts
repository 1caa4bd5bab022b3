import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DEFAULT_RULES } from '../../src/domain/conversation/default-rules.ts'
import { keepingRating, withRating } from '../../src/domain/conversation/rating.ts'
import { transition } from '../../src/domain/conversation/transition.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { AgentRuntime } from '../../src/ports/agent-runtime.ts'
import type { SettingsInput } from '../../src/settings/settings-input.ts'
import { conversationHistories } from '../../src/testing/arbitraries/index.ts'
import { openSocketPair } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const ORIGIN = 'https://shop.example'

/** A platform, a session of it that talks, and its rating over HTTP. */
async function setUp(settings: SettingsInput = {}, respond?: AgentRuntime['respond']) {
  const made = await createPopulatedPlatform({ ...settings, ...(respond && { runtime: { respond } }) })
  const { clock, platform } = made
  onTestFinished(() => platform.close())
  await platform.agents.publish('PROJECT-A', { environment: 'live' })
  const { connector, token } = await platform.access.createConnector({
    ...{ accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', hosts: ['shop.example'] },
  })
  const tokenFor = async () => {
    const input = { connectorToken: token, host: 'shop.example', remoteAddress: '203.0.113.9' }
    return (await platform.messaging.issueAccessToken(input)).accessToken
  }
  const accessToken = await tokenFor()
  const { sessionId } = await platform.messaging.createSession({
    ...{ authorization: `Bearer ${accessToken}`, streaming: false },
  })
  const handshake = await platform.messaging.handshake({ sessionId, accessToken, cursor: null })
  if ('status' in handshake) throw new Error(handshake.message)
  const pair = openSocketPair(handshake)
  const send = async (type: string, payload: object): Promise<void> => {
    pair.send({ type: `EVENT_TYPE_${type}`, payload })
    await pair.flush()
    await clock.settle()
    await pair.flush()
  }
  const dispatcher = createDispatcher(platform, routes)
  const rate = (body: unknown, headers: Readonly<Record<string, string>> = {}, id: string = sessionId) =>
    dispatcher.handle(
      request(`PUT /api/v1/sessions/${id}/rating`, {
        headers: { authorization: `Bearer ${accessToken}`, origin: ORIGIN, ...headers },
        body,
      }),
    )
  const metrics = async (): Promise<unknown> =>
    JSON.parse((await platform.reading.record('ws-one', 'PROJECT-A', sessionId))?.summary.text ?? '{}')
      .metrics
  await send('REQUEST_AI_AGENT_JOIN', {})
  return { ...made, connector, metrics, rate, send, sessionId, tokenFor }
}

describe('a visitor', () => {
  test('VC25 rates a session that is open, and once more when it is over: the newest rating counts', async () => {
    const { metrics, rate, send } = await setUp()
    expect(await rate({ score: 2, comment: '  Slow.  ' })).toMatchObject({ status: 204, body: null })
    expect(await metrics()).toEqual({ visitor_rating: '2', visitor_comment: 'Slow.' })
    await send('USER_END_SESSION', {})
    const answer = await rate({ score: 5 })
    expect(answer.status).toBe(204)
    expect(answer.headers['Access-Control-Allow-Origin']).toBe(ORIGIN)
    expect(await metrics()).toEqual({ visitor_rating: '5' })
  })

  test('VC25 who rates is still there: an open session does not end by silence', async () => {
    const { clock, platform, rate, sessionId } = await setUp()
    await clock.advance(590_000)
    await rate({ score: 4 })
    await clock.advance(590_000)
    const state = await platform.reading.record('ws-one', 'PROJECT-A', sessionId)
    expect(JSON.parse(state?.summary.text ?? '{}').in_progress).toBe(true)
  })

  test('VC25 a turn that runs does not undo what the visitor says of it meanwhile', async () => {
    let go = (): void => {}
    const waits = new Promise<void>(resolve => {
      go = resolve
    })
    const { clock, metrics, rate, send } = await setUp({}, async function* ({ input }) {
      if (input.type !== 'message') return
      yield { type: 'metric', name: 'asked', value: 'yes' }
      await waits
      yield { type: 'text', text: 'Here.' }
    })
    await send('USER_MESSAGE', { text: 'Where?' })
    await rate({ score: 1, comment: 'Too slow.' })
    go()
    await clock.settle()
    expect(await metrics()).toEqual({ asked: 'yes', visitor_rating: '1', visitor_comment: 'Too slow.' })
  })
})

describe('a rating', () => {
  test.each([
    {},
    { score: 0 },
    { score: 6 },
    { score: 2.5 },
    { score: '5' },
    { score: 5, comment: 'x'.repeat(2_001) },
    { score: 5, comment: 5 },
    [],
  ])('VC25 is a whole number from 1 to 5 and a comment of at most 2,000 characters: not %j', async body => {
    const { metrics, rate } = await setUp()
    expect(await rate(body)).toMatchObject({ status: 400 })
    expect(await metrics()).toEqual({})
  })

  test('VC25 takes the access token of its session, and a page of the connector', async () => {
    const { metrics, platform, connector, rate, sessionId, tokenFor } = await setUp()
    const other = { authorization: `Bearer ${await tokenFor()}` }
    expect((await rate({ score: 5 }, other)).status).toBe(401)
    expect((await rate({ score: 5 }, { authorization: 'Bearer x' })).status).toBe(401)
    expect((await rate({ score: 5 }, { authorization: '' })).status).toBe(400)
    expect((await rate({ score: 5 }, { origin: 'https://other.example' })).status).toBe(403)
    expect(
      (
        await rate(
          { score: 5 },
          {},
          sessionId.replace(/^./, one => (one === '0' ? '1' : '0')),
        )
      ).status,
    ).toBe(404)
    expect((await rate({ score: 5 }, {}, 'none')).status).toBe(404)
    expect(await metrics()).toEqual({})
    await platform.access.revokeConnector(connector.id)
    expect((await rate({ score: 5 })).status).toBe(401)
  })

  test('VC25 counts against the rate of what a session sends, and finds no room where metrics have none', async () => {
    const { rate } = await setUp({ rateLimits: { session: { perSecond: 0.01, burst: 1 } } })
    const answers = []
    for (let count = 0; count < 20; count += 1) answers.push((await rate({ score: 3 })).status)
    expect(answers[0]).toBe(204)
    expect(answers.at(-1)).toBe(429)
    const small = await setUp({ limits: { variableBytes: 1_024 } })
    expect(await small.rate({ score: 3, comment: 'x'.repeat(1_500) })).toMatchObject({ status: 400 })
    expect((await small.rate({ score: 3 })).status).toBe(204)
  })
})

test('VC25 in every state of a conversation a rating changes nothing but itself and the signs of life', () => {
  fc.assert(
    fc.property(conversationHistories(), fc.integer({ min: 1, max: 5 }), ({ end: state, steps }, score) => {
      const now = (steps.at(-1)?.asked.now ?? state.startedAt) + 1
      const asked = { now, id: 'id', rules: DEFAULT_RULES }
      const decision = transition(state, { type: 'rate', rating: { score, comment: 'So.' } }, asked)
      if (decision.refused !== null) throw new Error(`It was refused: ${decision.refused}.`)
      const seen = state.endedAt === null ? { seenAt: asked.now, idleWarned: false } : {}
      expect(decision.state).toEqual({
        ...state,
        ...seen,
        metrics: { ...state.metrics, visitor_rating: String(score), visitor_comment: 'So.' },
      })
      expect([decision.events, decision.turns, decision.effects]).toEqual([[], [], []])
    }),
  )
})

test('VC25 the metrics that an agent has written stay, whatever a rating is called', () => {
  expect(withRating({ asked: 'yes', visitor_comment: 'Old.' }, { score: 3, comment: '' })).toEqual({
    ...{ asked: 'yes', visitor_rating: '3' },
  })
  const written = { asked: 'yes', visitor_rating: ['1', '2'] }
  expect(keepingRating(written, {})).toBe(written)
})
