import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { request } from '../support/request.ts'

const HOUR = 3_600_000

/** A platform with its HTTP interface, as an operator and the holder of a key call it. */
async function serve() {
  const made = await createPopulatedPlatform()
  const dispatcher = createDispatcher(made.platform, routes)
  const call = async (line: string, headers: Readonly<Record<string, string>>, body?: unknown) => {
    const response = await dispatcher.handle(request(line, { headers, body }))
    return { status: response.status, json: JSON.parse(response.body ?? 'null') }
  }
  const operate = (line: string, body?: unknown) =>
    call(line, { authorization: `Bearer ${made.keys.operator}` }, body)
  return { ...made, call, operate }
}

describe('the end of a key', () => {
  test('CR1 a key works until its end and not from then on, and stays listed with it', async () => {
    const { platform, clock, call } = await serve()
    const expiresAt = clock.now() + HOUR
    const { key, secret } = await platform.access.createApiKey({ kind: 'desk', accountId: 'one', expiresAt })
    expect(key.expiresAt).toBe(expiresAt)
    const open = () => call('GET /desk/v1/handoffs', { 'x-api-key': secret })
    await clock.advance(HOUR - 1)
    expect((await open()).status).toBe(200)
    await clock.advance(1)
    expect(await open()).toMatchObject({ status: 401, json: { error_code: 'AUTH_USER_UNAUTHORISED' } })
    expect(await platform.access.authenticate(secret, ['desk'], null)).toBeNull()
    expect((await platform.access.apiKeys()).apiKeys.find(({ id }) => id === key.id)).toMatchObject({
      expiresAt,
    })
  })

  test('CR1 AC3 a secret is one key with one end: brought with another end it is refused', async () => {
    const { platform, clock } = await serve()
    const expiresAt = clock.now() + HOUR
    const input = { kind: 'desk', accountId: 'one', secret: 'a-secret-of-the-host', expiresAt } as const
    const { key } = await platform.access.createApiKey(input)
    expect((await platform.access.createApiKey(input)).key.id).toBe(key.id)
    for (const other of [
      { ...input, expiresAt: expiresAt + 1 },
      { kind: 'desk', accountId: 'one', secret: input.secret },
    ] as const)
      await expect(platform.access.createApiKey(other)).rejects.toMatchObject({
        code: 'API_KEY_ALREADY_EXISTS',
      })
  })

  test('CR1 the Operator API takes and shows ISO 8601, and says what is allowed', async () => {
    const { operate, call, clock } = await serve()
    const input = { kind: 'desk', accountId: 'one' }
    const make = (expiresAt: unknown) => operate('POST /operator/v1/api-keys', { ...input, expiresAt })
    const made = await make('2026-01-01T02:00:00+01:00')
    expect(made).toMatchObject({
      status: 201,
      json: { expiresAt: '2026-01-01T01:00:00.000Z', lastUsedAt: null, revokedAt: null },
    })
    for (const [given, text] of [
      ['2025-12-31T23:59:59Z', 'expected a moment after now, which is 2026-01-01T00:00:00.000Z'],
      ['2026-01-01T00:00:00Z', 'expected a moment after now'],
      ['soon', 'ISO 8601'],
      [1_800_000_000_000, 'string'],
      [null, 'string'],
    ] as const) {
      const refused = await make(given)
      expect(refused).toMatchObject({ status: 400, json: { error_code: 'SCHEMA_VALIDATION_FAILED' } })
      expect(refused.json.error_message).toContain(text)
      expect(refused.json.error_message).toContain('expiresAt')
    }
    await call('GET /desk/v1/handoffs', { 'x-api-key': made.json.key })
    await clock.settle()
    const listed = (await operate('GET /operator/v1/api-keys')).json.apiKeys
    expect(listed.find(({ id }: { id: string }) => id === made.json.id)).toMatchObject({
      expiresAt: '2026-01-01T01:00:00.000Z',
      lastUsedAt: '2026-01-01T00:00:00.000Z',
    })
  })

  test.each([Number.NaN, 1.5, -1, 9e15])('CR1 the end %d is refused by the library', async expiresAt => {
    const { platform } = await serve()
    await expect(
      platform.access.createApiKey({ kind: 'desk', accountId: 'one', expiresAt }),
    ).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
  })
})

describe('the end of a connector', () => {
  test('CR1 its token, its access tokens and handshakes end with it, open sessions within `revocationCheck`', async () => {
    const bench = await createMessagingBench()
    const { access, messaging, clock, connector, accessToken } = bench
    const { pair, sessionId } = await bench.live()
    await access.updateConnector(connector.id, { expiresAt: clock.now() + HOUR })
    await clock.advance(HOUR - 1)
    await expect(bench.issue()).resolves.toBeDefined()
    expect(pair.closedBy).toBeNull()
    await clock.advance(1)
    await expect(bench.issue()).rejects.toThrow('Connector token does not exist')
    await expect(
      messaging.createSession({ authorization: `Bearer ${accessToken}`, streaming: false }),
    ).rejects.toThrow('Invalid access token')
    expect(await messaging.handshake({ sessionId, accessToken, cursor: null })).toMatchObject({ status: 401 })
    await clock.advance(15_000)
    expect(pair.closedBy?.code).toBe(4001)
  })

  test('CR1 its end can be moved and taken away after it has come, a revocation cannot', async () => {
    const { access, clock, connector, connectorToken } = await createMessagingBench()
    const end = (expiresAt: number | null) => access.updateConnector(connector.id, { expiresAt })
    await end(clock.now() + 1)
    await clock.advance(1)
    expect(await access.connectorByToken(connectorToken)).toBeNull()
    expect(await access.connector(connector.id)).toMatchObject({ expiresAt: clock.now() })
    await expect(end(clock.now())).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    expect(await access.updateConnector(connector.id, { name: 'Renamed' })).toMatchObject({
      expiresAt: clock.now(),
    })
    await end(clock.now() + 1)
    expect(await access.connectorByToken(connectorToken)).not.toBeNull()
    await clock.advance(1)
    await end(null)
    expect(await access.connectorByToken(connectorToken)).toMatchObject({ expiresAt: null })
    await access.revokeConnector(connector.id)
    await expect(end(null)).rejects.toMatchObject({ code: 'CONNECTOR_NOT_FOUND' })
    expect(await access.connectorByToken(connectorToken)).toBeNull()
  })

  test('CR1 AC3 the token of an expired connector is refused when it is brought again', async () => {
    const { platform, clock } = await serve()
    const input = {
      accountId: 'one',
      agentId: 'PROJECT-A',
      environment: 'live',
      hosts: ['example.com'],
      token: 'a-token-of-the-host',
    } as const
    await platform.access.createConnector({ ...input, expiresAt: clock.now() + 1 })
    await clock.advance(1)
    await expect(platform.access.createConnector(input)).rejects.toMatchObject({
      code: 'CONNECTOR_ALREADY_EXISTS',
      message: expect.stringContaining('expired'),
    })
  })

  test('CR1 the Operator API takes, moves and takes away the end of a connector', async () => {
    const { operate } = await serve()
    const input = { accountId: 'one', agentId: 'PROJECT-A', environment: 'live', hosts: ['example.com'] }
    const made = await operate('POST /operator/v1/connectors', { ...input, expiresAt: '2026-02-01' })
    expect(made).toMatchObject({
      status: 201,
      json: { expiresAt: '2026-02-01T00:00:00.000Z', lastUsedAt: null },
    })
    const change = (expiresAt: unknown) =>
      operate(`PATCH /operator/v1/connectors/${made.json.id}`, { expiresAt })
    expect((await change('2026-03-01')).json.expiresAt).toBe('2026-03-01T00:00:00.000Z')
    expect(await change('2025-03-01')).toMatchObject({ status: 400 })
    expect(await change('never')).toMatchObject({ status: 400 })
    expect(await change(null)).toMatchObject({ status: 200, json: { expiresAt: null } })
  })
})
