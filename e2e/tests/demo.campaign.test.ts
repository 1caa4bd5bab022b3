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
import { at, listAt, textAt } from '../../examples/quickstart/src/json.ts'

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

test('an external event reaches the visitor when the server was killed while the payment was under way', async () => {
  const settings = await startedBefore()
  const server = await startStandalone(settings)
  const { visitor, sessionId } = await greetedVisitor(server)
  await ask(visitor, 'I want to pay the deposit')
  const eventId = await depositEventId(server, sessionId)
  server.kill('SIGKILL')
  await server.exit
  const next = await startStandalone({ ...settings, PORT: server.port })
  expect(await report(next, eventId, 'paid')).toMatchObject({ status: 'accepted' })
  expect((await visitor.next('AI_AGENT_MESSAGE')).payload.text).toMatch(/went through/)
})

test.each([
  ['application/xml', (id: string) => `<payment><reference>${id}</reference><status>paid</status></payment>`],
  ['application/x-www-form-urlencoded', (id: string) => `payment[reference]=${id}&payment[status]=paid`],
  ['text/plain', (id: string) => `payment.reference=${id}\nstatus=paid`],
])(
  'a result posted as %s completes the turn of a visitor who came back to a server that was killed',
  async (type, write) => {
    const settings = await startedBefore()
    const server = await startStandalone(settings)
    const { visitor, sessionId } = await greetedVisitor(server)
    await ask(visitor, 'I want to pay the deposit')
    const eventId = await depositEventId(server, sessionId)
    server.kill('SIGKILL')
    await server.exit
    const next = await startStandalone({ ...settings, PORT: server.port })
    // Answered: the visitor is connected to the new server.
    expect(await ask(visitor, 'What time is breakfast?')).toContain('6:30')
    const post = () =>
      fetch(
        `${next.url}/v1/external-events/webhook?event_id_location=payload&event_id_path=payment.reference&account_id=demo&project_id=PROJECT-DEMO`,
        {
          method: 'POST',
          headers: { ...withKey(CREDENTIALS.COLLOQUY_EXTERNAL_EVENTS_KEY), 'content-type': type },
          body: write(eventId),
        },
      )
    expect(await (await post()).json()).toMatchObject({ conversation_id: sessionId, status: 'accepted' })
    expect((await visitor.next('AI_AGENT_MESSAGE')).payload.text).toMatch(/went through/)
    expect(await (await post()).json()).toMatchObject({ status: 'duplicate' })
    const record = await readRecord(next, sessionId)
    expect(textAt(record, 'state.deposit_status')).toBe('paid')
    const replies = listAt(record, 'turns').filter(turn =>
      textAt(turn, 'agent_response').includes('went through'),
    )
    expect(replies).toHaveLength(1)
  },
)

test('SS7 the demo agent is live: greeting with attributes, two variants, ten topics and more', async () => {
  const server = await startStandalone(await startedBefore())
  const { greeting, visitor } = await greetedVisitor(server)
  expect(greeting).toContain('Harbour Hotel')
  expect(await ask(visitor, 'What time is breakfast?')).toContain('6:30')

  const api = createApi(server.url)
  const headers = withKey(CREDENTIALS.COLLOQUY_WORKSPACE_KEY)
  const main = '/v1/agents/PROJECT-DEMO/branches/main'
  const variants = listAt(await api(`${main}/variants`, { headers, status: 200 }), 'variants')
  const other = variants.find(variant => at(variant, 'isDefault') === false)
  const body = { clientEnv: 'live', variantId: textAt(other, 'id') }
  const chat = await api('/v1/agents/PROJECT-DEMO/debug-chat', { method: 'POST', headers, body, status: 201 })
  expect(textAt(chat, 'response')).toContain('The Old Mill')
  const topics = await api(`${main}/knowledge-base/topics`, { headers, status: 200 })
  expect(Array.isArray(topics) && topics.length).toBeGreaterThanOrEqual(10)
})

test('SS7 the demo agent hands over to the desk, queue reception', async () => {
  const server = await startStandalone(await startedBefore())
  const { visitor, sessionId } = await greetedVisitor(server)
  visitor.say('I want to speak to a person')
  await visitor.next('HANDOFF_ACCEPTED')
  const waiting = await createApi(server.url)('/desk/v1/handoffs', {
    headers: withKey(CREDENTIALS.COLLOQUY_DESK_KEY),
    status: 200,
  })
  expect(listAt(waiting, 'handoffs')).toMatchObject([{ session_id: sessionId, queue_name: 'reception' }])
})

test('SS10 the time-outs of the environment are in force', async () => {
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

test('SS10 a handoff time-out that is given later changes the connector that is there', async () => {
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
])('SS10 rate limits are %s', async (value, limited) => {
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
