import { describe, expect, it } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import type { ScriptedCallProvider } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'
import { HOUR, startCalls, THEIRS } from './support.ts'

type Headers = Readonly<Record<string, string>>

const NOBODY = 'OUT-00000000-0000-4000-8000-00000000ffff'

/** A platform with an agent that calls, and its routes. */
async function serve(options: Partial<PlatformOptions> = {}, provider?: ScriptedCallProvider | null) {
  const started = await startCalls(options, provider)
  const { account, agent, line, platform } = started
  const dispatcher = createDispatcher(platform, routes)
  const key = async (input: Partial<Parameters<typeof platform.access.createApiKey>[0]> = {}) =>
    (await platform.access.createApiKey({ kind: 'workspace', accountId: account.id, ...input })).secret
  const workspace = await key()
  async function ask(target: string, headers: Headers, body?: unknown) {
    const sent = {
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
    }
    const answer = await dispatcher.handle(request(target, sent))
    const json = JSON.parse(answer.body ?? 'null')
    return { status: answer.status, json, headers: answer.headers }
  }
  const path = `/v1/agents/${agent.id}/telephony/outbound-calls`
  const own = { 'x-ai-auth-token': workspace, 'x-token-id': line.id }
  return {
    ...{ ...started, ask, key, own, path, workspace },
    call: (body: object = {}, headers: Headers = { 'x-api-key': workspace }) =>
      ask(`POST ${path}`, headers, { toNumber: THEIRS, environment: 'live', ...body }),
    read: (id: string, query = '?environment=live', headers: Headers = { 'x-api-key': workspace }) =>
      ask(`GET ${path}/${id}/status${query}`, headers),
    start: (body: object = {}, headers: Headers = own) =>
      ask('POST /v1/outbound-calling', headers, { to_number: THEIRS, ...body }),
    look: (id: string, headers: Headers = own) => ask(`GET /v1/outbound-calling/${id}/status`, headers),
    /** Another agent of the account, with a connector of its own. */
    async otherAgent() {
      const made = { accountId: account.id, name: 'Other', greeting: 'Hello', agentId: 'PROJECT-B' }
      const { id } = await platform.agents.create(made)
      const of = { accountId: account.id, agentId: id, environment: 'live' as const }
      return { id, line: await platform.access.createTelephonyConnector({ ...of, name: 'Other line' }) }
    },
  }
}

const refused = (status: number, code: string) => ({
  status,
  json: { success: false, error_code: code, data: null, error: expect.any(String) },
})

describe('calls in the Agents API', () => {
  it('TX40 a call is placed, and queued', async () => {
    const { call, line, provider, read } = await serve()
    const body = {
      toNumber: '020 7946 0018',
      countryCode: 'GB',
      encryption: 'tls_srtp',
      metadata: { order: '12' },
    }
    const { status, json } = await call(body)
    expect(status).toBe(200)
    expect(json).toEqual({ callSid: expect.stringMatching(/^OUT-[0-9a-f-]{36}$/), status: 'QUEUED' })
    expect(provider.taken).toMatchObject([
      { id: json.callSid, to: '+442079460018', environment: 'live', metadata: { order: '12' } },
    ])
    expect(line.environment).toBe('live')
    expect((await read(json.callSid)).json).toEqual({ callSid: json.callSid, status: 'QUEUED', reason: '' })
  })

  it('TX40 its state is read as it goes on, with a reason where it failed', async () => {
    const { call, clock, platform, read } = await serve()
    const [one, two] = [(await call()).json.callSid, (await call()).json.callSid]
    const standing = async (id: string) => {
      const { status, reason } = (await read(id)).json
      return [status, reason]
    }
    await platform.calls.ringing({ id: one })
    expect(await standing(one)).toEqual(['CALLING', ''])
    await platform.calls.answered({ id: one })
    expect(await standing(one)).toEqual(['CALLING', ''])
    await platform.calls.ended({ id: one })
    expect(await standing(one)).toEqual(['SUCCESS', ''])
    await platform.calls.failed({ id: two, reason: 'Busy.' })
    expect(await standing(two)).toEqual(['FAILURE', 'Busy.'])
    await clock.advance(2 * HOUR - 1)
    expect(await standing(two)).toEqual(['FAILURE', 'Busy.'])
    await clock.advance(1)
    expect(await read(two)).toMatchObject(refused(404, 'CALLS_NOT_FOUND'))
  })

  it('TX40 what does not fit is 400, and nothing is stored', async () => {
    const { account, agent, call, platform, provider, read } = await serve()
    const number = 'PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT'
    for (const toNumber of ['020 7946 0018', '+44', '', 'nobody'])
      expect(await call({ toNumber })).toMatchObject(refused(400, number))
    expect(await call({ toNumber: '020 7946 0018', countryCode: 'XX' })).toMatchObject(refused(400, number))
    const bodies = [
      ...[{ toNumber: 7 }, { toNumber: undefined }, { environment: 'draft' }, { environment: undefined }],
      ...[{ countryCode: 'GBR' }, { encryption: 'none' }, { variantId: '' }, { metadata: { a: 1 } }],
      { metadata: { a: 'x'.repeat(19_958) } },
    ]
    for (const body of bodies)
      expect(await call(body)).toMatchObject(refused(400, 'SCHEMA_VALIDATION_FAILED'))
    await platform.access.createTelephonyConnector({
      ...{ accountId: account.id, agentId: agent.id, environment: 'sandbox', name: 'Line' },
    })
    expect(await call({ environment: 'sandbox' })).toMatchObject(refused(400, 'CHAT_DRAFT_NOT_EXIST'))
    expect(provider.asked).toEqual([])
    for (const id of ['OUT-1', 'x', `${NOBODY}0`])
      expect(await read(id)).toMatchObject(refused(400, 'SCHEMA_VALIDATION_FAILED'))
    for (const query of ['', '?environment=draft'])
      expect(await read(NOBODY, query)).toMatchObject(refused(400, 'SCHEMA_VALIDATION_FAILED'))
  })

  it('TX40 a key that is missing or opens nothing is 401, one without permission 403', async () => {
    const { call, key, otherAgent, read } = await serve()
    const other = await otherAgent()
    const { callSid } = (await call()).json
    const keys: readonly (readonly [Headers, number])[] = [
      [{}, 401],
      [{ 'x-api-key': 'cq_ws_wrong' }, 401],
      [{ 'x-ai-auth-token': await key() }, 401],
      [{ 'x-api-key': await key({ kind: 'project' }) }, 403],
      [{ 'x-api-key': await key({ permissions: ['calls'] }) }, 403],
      [{ 'x-api-key': await key({ agentId: other.id }) }, 403],
    ]
    for (const [headers, status] of keys) {
      expect((await call({}, headers)).status).toBe(status)
      expect((await read(callSid, '?environment=live', headers)).status).toBe(status)
    }
    const allowed = { 'x-api-key': await key({ permissions: ['agents'] }) }
    expect((await call({}, allowed)).status).toBe(200)
  })

  it('TX40 without a connector, a variant, an agent or such a call it is 404', async () => {
    const { ask, call, otherAgent, read, workspace } = await serve()
    expect(await call({ environment: 'pre-release' })).toMatchObject(refused(404, 'CONNECTORS_NOT_FOUND'))
    expect(await call({ variantId: 'VARIANT-none' })).toMatchObject(refused(404, 'VARIANTS_NOT_FOUND'))
    const headers = { 'x-api-key': workspace }
    const nobody = '/v1/agents/PROJECT-none/telephony/outbound-calls'
    expect(await ask(`POST ${nobody}`, headers, { toNumber: THEIRS, environment: 'live' })).toMatchObject(
      refused(404, 'PROJECT_NOT_FOUND'),
    )
    const { callSid } = (await call()).json
    expect(await read(NOBODY)).toMatchObject(refused(404, 'CALLS_NOT_FOUND'))
    expect(await read(callSid, '?environment=sandbox')).toMatchObject(refused(404, 'CALLS_NOT_FOUND'))
    const other = await otherAgent()
    const elsewhere = `/v1/agents/${other.id}/telephony/outbound-calls/${callSid}/status?environment=live`
    expect(await ask(`GET ${elsewhere}`, headers)).toMatchObject(refused(404, 'CALLS_NOT_FOUND'))
  })

  it('TX40 without a provider it is 501 and names the option; a connector is asked for first', async () => {
    const { agent, call, line, platform } = await serve({}, null)
    const { status, json } = await call()
    expect([status, json.error_code]).toEqual([501, 'NOT_IMPLEMENTED'])
    expect(json.error).toContain('callProvider')
    await platform.access.revokeTelephonyConnector(agent.id, line.id)
    expect(await call()).toMatchObject(refused(404, 'CONNECTORS_NOT_FOUND'))
  })

  it('TX40 a provider that fails, or hangs for 10 seconds, is 502, and the call has failed', async () => {
    const { call, clock, provider, read } = await serve()
    provider.script('refuses', 'hangs')
    expect(await call()).toMatchObject(refused(502, 'CALLS_PROVIDER_FAILED'))
    const hanging = call()
    await clock.settle()
    await clock.advance(10_000)
    expect(await hanging).toMatchObject(refused(502, 'CALLS_PROVIDER_FAILED'))
    for (const { id } of provider.asked) expect((await read(id)).json.status).toBe('FAILURE')
  })

  it('TX40 too many calls of an agent are 429', async () => {
    const { call } = await serve({ rateLimits: { call: { perSecond: 1, burst: 1 } } })
    expect((await call()).status).toBe(200)
    const { status, headers } = await call()
    expect([status, headers['Retry-After']]).toEqual([429, '1'])
  })

  it('TX40 they are on the base hosts, the earlier ones on the platform hosts', async () => {
    const hosts = {
      base: { us: 'api.us.example' },
      platform: { us: 'platform.us.example' },
      messaging: { us: 'talk.us.example' },
    }
    const { ask, key, own, path, workspace } = await serve({ hosts })
    const regional = await key({ region: 'us' })
    const body = { toNumber: THEIRS, environment: 'live', to_number: THEIRS }
    for (const [host, agents, earlier] of [
      ['api.us.example', 200, 404],
      ['platform.us.example', 404, 200],
      ['talk.us.example', 404, 404],
    ] as const) {
      expect((await ask(`POST ${path}`, { host, 'x-api-key': regional }, body)).status).toBe(agents)
      const headers = { ...own, host, 'x-ai-auth-token': regional }
      expect((await ask('POST /v1/outbound-calling', headers, body)).status).toBe(earlier)
    }
    expect(workspace).not.toBe(regional)
  })
})

describe('the earlier calls', () => {
  const named = (code: string) => ({ error: expect.any(String), code })

  it('TX40 they are the same calls in other words', async () => {
    const { line, look, platform, provider, read, start } = await serve()
    const { status, json } = await start({
      country_code: 'GB',
      to_number: '020 7946 0018',
      metadata: { a: 'b' },
    })
    expect([status, json]).toEqual([200, { call_sid: expect.stringMatching(/^OUT-/) }])
    const id = json.call_sid
    expect(provider.taken).toMatchObject([
      {
        id,
        to: '+442079460018',
        encryption: 'tls_srtp',
        metadata: { a: 'b' },
        environment: line.environment,
      },
    ])
    const states = [(await look(id)).json]
    await platform.calls.ringing({ id })
    states.push((await look(id)).json)
    await platform.calls.answered({ id })
    await platform.calls.ended({ id })
    states.push((await look(id)).json)
    expect(states.map(({ status, reason }) => [status, reason])).toEqual([
      ['queued', ''],
      ['calling', ''],
      ['success', ''],
    ])
    expect((await read(id)).json).toEqual({ callSid: id, status: 'SUCCESS', reason: '' })
    const failed = (await start({ encryption: 'UDP/RTP' })).json.call_sid
    await platform.calls.failed({ id: failed, reason: 'Busy.' })
    expect((await look(failed)).json).toEqual({ status: 'failure', reason: 'Busy.' })
    expect(provider.taken.at(-1)).toMatchObject({ encryption: 'udp_rtp' })
  })

  it('TX40 a key of one agent needs no connector beside it: that of its agent in live calls', async () => {
    const { agent, key, line, look, platform, start, workspace } = await serve()
    const alone = { 'x-ai-auth-token': await key({ kind: 'project', agentId: agent.id }) }
    const { status, json } = await start({}, alone)
    expect(status).toBe(200)
    expect((await look(json.call_sid, alone)).json).toEqual({ status: 'queued', reason: '' })
    expect(await start({}, { 'x-ai-auth-token': workspace })).toMatchObject({
      ...{ status: 401, json: { error: expect.stringMatching(/x-token-id/) } },
    })
    await platform.access.revokeTelephonyConnector(agent.id, line.id)
    expect(await start({}, alone)).toMatchObject({ status: 401, json: named('AUTH_USER_UNAUTHORISED') })
  })

  it('TX40 every refusal has its error and code', async () => {
    const { clock, key, look, otherAgent, own, provider, start } = await serve({ longestCall: HOUR })
    const { 'x-token-id': line } = own
    const other = await otherAgent()
    const ofOther = { ...own, 'x-ai-auth-token': await key({ agentId: other.id }) }
    const limited = { ...own, 'x-ai-auth-token': await key({ permissions: ['texts'] }) }
    const refusals: readonly (readonly [object, Headers, number, string])[] = [
      [{ to_number: '12' }, own, 400, 'PHONE_NUMBERS_INVALID_PHONE_NUMBER_FORMAT'],
      [{ to_number: undefined }, own, 400, 'SCHEMA_VALIDATION_FAILED'],
      [{ encryption: 'tls_srtp' }, own, 400, 'SCHEMA_VALIDATION_FAILED'],
      [{ metadata: { a: 'x'.repeat(19_958) } }, own, 400, 'SCHEMA_VALIDATION_FAILED'],
      [{}, { 'x-token-id': line }, 401, 'AUTH_USER_UNAUTHORISED'],
      [{}, { ...own, 'x-ai-auth-token': 'cq_ws_wrong' }, 401, 'AUTH_USER_UNAUTHORISED'],
      [{}, ofOther, 403, 'USER_ACCESS_FORBIDDEN'],
      [{}, limited, 403, 'USER_ACCESS_FORBIDDEN'],
      [{}, { ...own, 'x-token-id': 'CONNECTOR-none' }, 404, 'CONNECTORS_NOT_FOUND'],
      [{}, { ...own, 'x-token-id': other.line.id }, 400, 'CHAT_DRAFT_NOT_EXIST'],
    ]
    for (const [body, headers, status, code] of refusals)
      expect(await start(body, headers)).toMatchObject({ status, json: named(code) })
    expect(provider.asked).toEqual([])
    provider.script('refuses')
    expect(await start()).toMatchObject({ status: 502, json: named('CALLS_PROVIDER_FAILED') })
    expect(await look('OUT-1')).toMatchObject({ status: 400, json: named('SCHEMA_VALIDATION_FAILED') })
    expect(await look(NOBODY)).toMatchObject({ status: 404, json: named('CALLS_NOT_FOUND') })
    const { call_sid } = (await start()).json
    expect((await look(call_sid)).status).toBe(200)
    const elsewhere = { ...own, 'x-token-id': other.line.id }
    expect(await look(call_sid, elsewhere)).toMatchObject({ status: 404, json: named('CALLS_NOT_FOUND') })
    await clock.advance(4 * HOUR)
    expect(await look(call_sid)).toMatchObject({ status: 404, json: named('CALLS_NOT_FOUND') })
  })

  it('TX40 without a provider it is 501, too many are 429, and a body that is too large is 413', async () => {
    const none = await serve({}, null)
    expect(await none.start()).toMatchObject({ status: 501, json: named('NOT_IMPLEMENTED') })
    const { start } = await serve({ rateLimits: { call: { perSecond: 1, burst: 1 } } })
    expect(await start({ more: 'x'.repeat(65_536) })).toMatchObject({
      status: 413,
      json: named('BODY_TOO_LARGE'),
    })
    expect((await start()).status).toBe(200)
    expect(await start()).toMatchObject({ status: 429, json: named('RATE_LIMITED') })
  })
})
