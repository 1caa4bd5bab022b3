import { createApi, withKey } from '@colloquy/test-support/api'
import { ask, greetedVisitor, readRecord } from '@colloquy/test-support/demo'
import {
  CREDENTIALS,
  freshDatabase,
  type Standalone,
  startedBefore,
  startStandalone,
} from '@colloquy/test-support/standalone'
import { expect, test } from 'vitest'
import { textAt } from '../../examples/quickstart/src/json.ts'

/** Reports a payment as the provider would. */
const report = (server: Standalone, eventId: string, status: string) =>
  createApi(server.url)(
    '/v1/external-events/webhook?event_id_location=payload&event_id_path=payment.reference&account_id=demo&project_id=PROJECT-DEMO',
    {
      method: 'POST',
      headers: withKey(CREDENTIALS.COLLOQUY_EXTERNAL_EVENTS_KEY),
      body: { status, payment: { reference: eventId } },
      status: 201,
    },
  )

const depositEventId = async (server: Standalone, sessionId: string): Promise<string> =>
  textAt(await readRecord(server, sessionId), 'state.deposit_event_id')

test.each([
  ['paid', /went through/],
  ['declined', /did not go through/],
])('the visitor who pays the deposit hears that it was %s', async (status, answer) => {
  const server = await startStandalone(await startedBefore())
  const { visitor, sessionId } = await greetedVisitor(server)
  await ask(visitor, 'I want to pay the deposit')
  const eventId = await depositEventId(server, sessionId)
  const first = await report(server, eventId, status)
  expect(first).toEqual({ external_event_id: eventId, conversation_id: sessionId, status: 'accepted' })
  const told = await visitor.next('AI_AGENT_MESSAGE')
  expect(told.payload.text).toMatch(answer)
  expect(await report(server, eventId, status)).toMatchObject({ status: 'duplicate' })
  const messages = visitor.journal.flatMap(({ payload }) => ('text' in payload ? [payload.text] : []))
  expect(messages.filter(text => answer.test(String(text)))).toHaveLength(1)
})

test('SS2 the time-outs of the environment are in force', async () => {
  const server = await startStandalone({
    ...(await startedBefore()),
    COLLOQUY_SESSION_IDLE_SECONDS: '2',
    COLLOQUY_HANDOFF_TIMEOUT_SECONDS: '1',
  })
  const { visitor } = await greetedVisitor(server)
  visitor.say('I want to speak to a person')
  await visitor.next('HANDOFF_TIMEOUT')
  const end = await visitor.next('SESSION_END')
  expect(end.payload.reason).toBe('REASON_USER_ABANDONED')
  expect(await visitor.ended()).toBe('silence')
})

test('SS2 a handoff time-out that is given later changes the connector that is there', async () => {
  const server = await startStandalone({
    ...(await startedBefore()),
    COLLOQUY_HANDOFF_TIMEOUT_SECONDS: '1',
  })
  const { visitor } = await greetedVisitor(server)
  visitor.say('I want to speak to a person')
  await visitor.next('HANDOFF_TIMEOUT')
})

test.each([
  ['on', true],
  ['off', false],
])('SS2 rate limits are %s', async (value, limited) => {
  const server = await startStandalone({ ...(await startedBefore()), COLLOQUY_RATE_LIMITS: value })
  const headers = withKey(CREDENTIALS.COLLOQUY_DESK_KEY)
  const answers = await Promise.all(
    Array.from({ length: 300 }, () => fetch(`${server.url}/desk/v1/handoffs`, { headers })),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length > 0).toBe(limited)
  for (const { headers } of refused) expect(headers.get('retry-after')).toMatch(/^\d+$/)
})

test('SS11 access tokens outlive a restart, and a new token secret ends them', async () => {
  const settings = await startedBefore()
  const statusOf = async (server: Standalone, accessToken: string) => {
    const headers = { authorization: `Bearer ${accessToken}` }
    return (await fetch(`${server.url}/api/v1/sessions`, { method: 'POST', headers })).status
  }
  const first = await startStandalone(settings)
  const { accessToken } = await greetedVisitor(first)
  first.kill('SIGTERM')
  await first.exit
  const second = await startStandalone(settings)
  expect(await statusOf(second, accessToken)).toBe(200)
  second.kill('SIGTERM')
  await second.exit
  const third = await startStandalone({ ...settings, COLLOQUY_TOKEN_SECRET: 'another-secret-altogether' })
  expect(await statusOf(third, accessToken)).toBe(401)
})

test('SS11 a token secret over a database that keeps token keys is warned of, and over a new one it is not', async () => {
  const secret = { COLLOQUY_TOKEN_SECRET: 'another-secret-altogether', COLLOQUY_LOG: 'warn' }
  const settings = { ...CREDENTIALS, COLLOQUY_DATABASE: await freshDatabase() }
  for (const [started, warned] of [
    [{ ...settings, ...secret }, false],
    [settings, false],
    [{ ...settings, ...secret }, true],
  ] as const) {
    const server = await startStandalone(started)
    await greetedVisitor(server)
    server.kill('SIGTERM')
    await server.exit
    expect(
      /The database keeps token keys as well \(1\), which sign and verify nothing/.test(
        server.output.stdout + server.output.stderr,
      ),
    ).toBe(warned)
  }
})
