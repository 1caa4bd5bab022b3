import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/domain/environment.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import type { ScriptedCarrier } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'
import { OTHER, OURS, startTexts, THEIRS } from './support.ts'

type Headers = Readonly<Record<string, string>>

const TEXT = { user_number: THEIRS, message: 'Your table is ready.' }

/** A platform with an agent at two numbers, and its routes. */
async function serve(options: Partial<PlatformOptions> = {}, carrier?: ScriptedCarrier | null) {
  const started = await startTexts(options, undefined, carrier)
  const { account, agent, connector, platform } = started
  const dispatcher = createDispatcher(platform, routes)
  const key = async (input: Partial<Parameters<typeof platform.access.createApiKey>[0]> = {}) =>
    (await platform.access.createApiKey({ kind: 'project', accountId: account.id, ...input })).secret
  const own = { 'x-ai-auth-token': await key(), 'x-token-id': connector.id }
  return {
    ...started,
    key,
    own,
    /** Another agent of the account, which is live as well. */
    async otherAgent() {
      const made = { accountId: account.id, name: 'Other', greeting: 'Hello', agentId: 'PROJECT-B' }
      const { id } = await platform.agents.create(made)
      return id
    },
    /** A connector of the agent in an environment. */
    line: (environment: Environment, agentId = agent.id) =>
      platform.access.createTelephonyConnector({
        ...{ accountId: account.id, agentId, environment, name: 'Other line' },
      }),
    async send(body: unknown = TEXT, headers: Headers = own) {
      const sent = { body, headers: { 'content-type': 'application/json', ...headers } }
      const {
        status,
        headers: answered,
        body: text,
      } = await dispatcher.handle(request('POST /v1/outbound-sms', sent))
      await started.settle()
      const json: unknown = text === null ? null : JSON.parse(text)
      return { status, json, headers: answered }
    },
    /** How many conversations the agent has. */
    async sessions() {
      const filter = { accountId: account.id, agentId: agent.id, environment: 'live' as const }
      return (await platform.reading.records(filter, { offset: 0 }, 10)).records.length
    },
  }
}

const detail = (text: string | RegExp) => ({
  detail: expect.stringMatching(text),
})

describe('texts that open a session over HTTP', () => {
  it('TX40 the text goes out, and the answer is 202 without a body; a reply joins the session', async () => {
    const { carrier, record, send, text } = await serve()
    const { status, json, headers } = await send({ ...TEXT, agent_number: OTHER })
    expect([status, json]).toEqual([202, null])
    expect(Object.keys(headers)).not.toContain('Content-Type')
    expect(carrier.taken).toMatchObject([{ from: OTHER, to: THEIRS, text: TEXT.message }])
    const { conversationId } = await text('hello', { to: OTHER })
    expect(await record(conversationId)).toMatchObject({
      kind: 'text',
      record: { channel: 'SMS', direction: 'outbound', fromNumber: OTHER, toNumber: THEIRS },
    })
  })

  it('TX40 without a number the connector has one picked; `rcs:` and the sender of the carrier send it over RCS', async () => {
    const { carrier, record, send, text } = await serve()
    expect((await send()).status).toBe(202)
    const rcs = { ...TEXT, user_number: `rcs:${THEIRS}`, messaging_service_sid: 'MG1' }
    expect((await send(rcs)).status).toBe(202)
    expect(carrier.taken).toMatchObject([
      { from: OURS, to: THEIRS },
      { from: null, to: THEIRS },
    ])
    const { conversationId } = await text('hello', { to: 'agent', channel: 'RCS', service: 'MG1' })
    expect(await record(conversationId)).toMatchObject({
      record: { channel: 'RCS', direction: 'outbound', fromNumber: 'MG1', toNumber: THEIRS },
    })
  })

  it('TX40 to a user who has opted out nothing is sent, and the answer is the same', async () => {
    const { send, sent, sessions, text } = await serve()
    await text('STOP')
    expect(await send()).toMatchObject({ status: 202, json: null })
    expect(sent()).toEqual([])
    expect(await sessions()).toBe(0)
  })

  it('TX40 a key or a connector that is missing, and a key that opens nothing, are 401', async () => {
    const { own, send } = await serve()
    const { 'x-ai-auth-token': key, 'x-token-id': line } = own
    expect(await send(TEXT, { 'x-token-id': line })).toMatchObject({
      status: 401,
      json: detail(/x-ai-auth-token/),
    })
    expect(await send(TEXT, { 'x-ai-auth-token': key })).toMatchObject({
      status: 401,
      json: detail(/x-token-id/),
    })
    expect(await send(TEXT, { ...own, 'x-ai-auth-token': 'cq_pr_wrong' })).toMatchObject({ status: 401 })
    // Where other families have it.
    expect(await send(TEXT, { 'x-api-key': key, 'x-token-id': line })).toMatchObject({ status: 401 })
  })

  it('TX40 the header has the word of the brand', async () => {
    const { key, own, send } = await serve({ brand: 'Acme' })
    expect((await send()).status).toBe(401)
    const branded = { 'x-acme-auth-token': await key(), 'x-token-id': own['x-token-id'] }
    expect((await send(TEXT, branded)).status).toBe(202)
  })

  it('TX40 keys of the project and the workspace do; others, and those of other accounts and agents, are 403', async () => {
    const { agent, key, otherAgent, own, platform, send, sessions } = await serve()
    const with_ = (secret: string) => send(TEXT, { ...own, 'x-ai-auth-token': secret })
    const other = await otherAgent()
    const { id: accountId } = await platform.access.createAccount({
      ...{ accountId: 'ws-two', slug: 'two', name: 'Two' },
    })
    const refused = [
      await key({ accountId }),
      await key({ agentId: other }),
      await key({ permissions: ['conversations'] }),
      await key({ kind: 'desk' }),
      await key({ kind: 'external_events' }),
    ]
    for (const secret of refused)
      expect(await with_(secret)).toMatchObject({ status: 403, json: detail(/API key/) })
    expect(await sessions()).toBe(0)
    const granted = [
      await key({ kind: 'workspace' }),
      await key({ kind: 'workspace', permissions: ['texts'] }),
      await key({ agentId: agent.id, permissions: ['texts'] }),
    ]
    for (const secret of granted) expect((await with_(secret)).status).toBe(202)
  })

  it('TX40 a connector that is not there, or no longer, is 404', async () => {
    const { agent, line, own, platform, send } = await serve()
    const gone = await line('live')
    await platform.access.revokeTelephonyConnector(agent.id, gone.id)
    for (const id of ['CONNECTOR-none', gone.id, '\u0000', 'x'.repeat(5_000)])
      expect(await send(TEXT, { ...own, 'x-token-id': id })).toEqual({
        status: 404,
        json: { detail: 'There is no telephony connector of that id.' },
        headers: expect.anything(),
      })
  })

  it.each([
    ['a body that is no object', [], /body/],
    ['no number', { message: 'Hi' }, /user_number/],
    ['a number that is not E.164', { ...TEXT, user_number: '0203 123' }, /user_number.*E\.164/],
    ['a number behind another word', { ...TEXT, user_number: `mms:${THEIRS}` }, /user_number/],
    ['a number that is none', { ...TEXT, user_number: 12 }, /user_number/],
    ['no message', { user_number: THEIRS }, /message/],
    ['a blank message', { ...TEXT, message: ' \n' }, /message.*not blank/],
    ['a message that is too long', { ...TEXT, message: 'é'.repeat(65_537) }, /131072 bytes/],
    ['another number', { ...TEXT, agent_number: '+12025550199' }, /agent_number is no number of the agent/],
    ['a number of the agent that is not E.164', { ...TEXT, agent_number: '1' }, /agent_number.*E\.164/],
    ['RCS without a sender', { ...TEXT, user_number: `rcs:${THEIRS}` }, /messaging_service_sid is missing/],
    [
      'RCS with a number',
      { ...TEXT, user_number: `rcs:${THEIRS}`, messaging_service_sid: 'MG1', agent_number: OURS },
      /agent_number is not for RCS/,
    ],
    ['an empty sender', { ...TEXT, messaging_service_sid: '' }, /messaging_service_sid/],
  ])('TX40 %s is 400, and nothing is stored', async (_, body, message) => {
    const { carrier, errors, send, sessions } = await serve()
    expect(await send(body)).toMatchObject({ status: 400, json: detail(message) })
    expect(await sessions()).toBe(0)
    expect(carrier.taken).toEqual([])
    expect(errors).toEqual([])
  })

  it('TX40 an agent without numbers is 404; an environment without a deployment 400; a server without a carrier 501', async () => {
    const { account, agent, clock, line, own, send, store } = await serve()
    const { id: connectorId } = await line('sandbox')
    const there = { ...own, 'x-token-id': connectorId }
    expect(await send(TEXT, there)).toMatchObject({ status: 404, json: detail(/no phone numbers/) })
    const of = { accountId: account.id, agentId: agent.id, environment: 'sandbox' as const }
    const number = { ...of, number: '+12025550108', connectorId, createdAt: clock.now() }
    await store.access.phoneNumbers.add([number], 10)
    expect(await send(TEXT, there)).toMatchObject({ status: 400, json: detail(/Nothing is deployed/) })

    const without = await serve({}, null)
    expect(await without.send()).toMatchObject({ status: 501, json: detail(/textCarrier/) })
    expect(await without.sessions()).toBe(0)
    // Of a missing connector and a missing carrier the connector is asked for first.
    const nowhere = { ...without.own, 'x-token-id': 'CONNECTOR-none' }
    expect((await without.send(TEXT, nowhere)).status).toBe(404)
  })

  it('TX40 an agent opens as many sessions as its rate allows, over all keys; other agents have their own', async () => {
    const rateLimits = { text: { perSecond: 0.5, burst: 2 } }
    const { agent, clock, key, own, send, sessions, store } = await serve({ rateLimits })
    const to = (user_number: string, headers: Headers = own) => send({ ...TEXT, user_number }, headers)
    for (let tries = 0; tries < 3; tries++)
      expect((await send({ ...TEXT, agent_number: '+12025550199' })).status).toBe(400)
    expect((await to('+12025550121')).status).toBe(202)
    expect((await to('+12025550122', { ...own, 'x-ai-auth-token': await key() })).status).toBe(202)
    const refused = await to('+12025550123')
    expect(refused).toMatchObject({ status: 429, json: detail(/Too many texts of the agent/) })
    expect(refused.headers['Retry-After']).toBe('2')
    expect(await sessions()).toBe(2)
    expect(await store.conversations.textPairs.find(OURS, '+12025550123')).toBeNull()
    await clock.advance(2_000)
    expect((await to('+12025550123')).status).toBe(202)
    expect(agent.id).toBe('PROJECT-A')
  })

  it('TX40 a connector of another agent is not held up', async () => {
    const rateLimits = { text: { perSecond: 0.5, burst: 1 } }
    const { account, clock, line, otherAgent, own, platform, send, store } = await serve({ rateLimits })
    const other = await otherAgent()
    await platform.agents.publish(other, { environment: 'live', deploymentMessage: 'First' })
    const { id: connectorId } = await line('live', other)
    const of = { accountId: account.id, agentId: other, environment: 'live' as const }
    const number = { ...of, number: '+12025550107', connectorId, createdAt: clock.now() }
    await store.access.phoneNumbers.add([number], 10)
    expect((await send()).status).toBe(202)
    expect((await send()).status).toBe(429)
    expect((await send(TEXT, { ...own, 'x-token-id': connectorId })).status).toBe(202)
  })

  it('TX40 refusals of the body, the host and the server are {detail} alone', async () => {
    const hosts = {
      base: { us: 'api.us.example' },
      platform: { 'us-1': 'platform.example' },
      messaging: { 'us-1': 'chat.example' },
    }
    const { errors, own, platform, send } = await serve({ hosts })
    const at = { ...own, host: 'platform.example' }
    const wrong = await send(TEXT, { ...own, host: 'api.us.example' })
    expect([wrong.status, Object.keys(Object(wrong.json))]).toEqual([404, ['detail']])
    const answers = [
      await send('{', at),
      await send(TEXT, { ...at, 'content-type': 'text/plain' }),
      await send('x'.repeat(600_000), at),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 415, 413])
    for (const { json } of answers) expect(json).toEqual({ detail: expect.any(String) })
    expect((await send(TEXT, at)).status).toBe(202)
    const { connectors } = contextOf(platform).store.access
    Object.assign(connectors, {
      findTelephony: async () => {
        throw new Error('disk full')
      },
    })
    expect(await send(TEXT, at)).toMatchObject({
      status: 500,
      json: { detail: 'Something went wrong on the server.' },
    })
    expect(errors).toHaveLength(1)
  })
})
