import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { request } from '../support/request.ts'

async function serve() {
  const made = await createPopulatedPlatform()
  const dispatcher = createDispatcher(made.platform, routes)
  const call = async (line: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${made.keys.operator}` }
    const response = await dispatcher.handle(request(line, { headers, body }))
    return { status: response.status, text: response.body ?? '', json: JSON.parse(response.body ?? 'null') }
  }
  return { ...made, call, dispatcher }
}

describe('Operator API', () => {
  test('SM3 only an operator key as a bearer token opens it', async () => {
    const { dispatcher, keys } = await serve()
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await dispatcher.handle(request('GET /operator/v1/accounts', { headers }))).status
    expect(await status({})).toBe(401)
    expect(await status({ 'x-api-key': keys.operator })).toBe(401)
    expect(await status({ authorization: `Basic ${keys.operator}` })).toBe(401)
    expect(await status({ authorization: 'Bearer' })).toBe(401)
    expect(await status({ authorization: `Bearer ${keys.workspace}` })).toBe(403)
    expect(await status({ authorization: `bearer ${keys.operator}` })).toBe(200)
  })

  test('CR20 AC22 accounts are created and listed', async () => {
    const { call } = await serve()
    const made = await call('POST /operator/v1/accounts', { slug: 'three', name: 'Three', unknown: 1 })
    expect([made.status, made.json]).toEqual([
      201,
      {
        accountId: expect.stringMatching(/^ws-/),
        slug: 'three',
        name: 'Three',
        createdAt: '2026-01-01T00:00:00.000Z',
      },
    ])
    const listed = await call('GET /operator/v1/accounts')
    expect(listed.json.accounts).toHaveLength(3)
    expect(listed.json.accounts).toContainEqual(made.json)
    const again = await call('POST /operator/v1/accounts', { slug: 'three', name: 'Three' })
    expect([again.status, again.json.error_code]).toEqual([409, 'ACCOUNT_ALREADY_EXISTS'])
    expect((await call('POST /operator/v1/accounts', { slug: 'UP' })).json.error_message).toMatch(
      /"slug" is not valid: .*lower-case.*"name" is required/,
    )
  })

  test('CR20 a key is shown once, works, and stops when it is revoked', async () => {
    const { call, platform } = await serve()
    const input = { kind: 'project', accountId: 'one', agentId: 'PROJECT-A', name: 'Reports' }
    const made = await call('POST /operator/v1/api-keys', input)
    expect([made.status, made.json]).toMatchObject([
      201,
      { ...input, accountId: 'ws-one', region: null, permissions: null, revokedAt: null },
    ])
    expect(made.json).not.toHaveProperty('hash')
    const works = () => platform.access.authenticate(made.json.key, ['project'], null)
    expect((await works())?.id).toBe(made.json.id)
    const listed = await call('GET /operator/v1/api-keys?accountId=one')
    expect(listed.json.apiKeys).toHaveLength(5)
    expect(listed.text).not.toContain(made.json.key)
    expect(listed.text).not.toContain('hash')
    expect((await call(`DELETE /operator/v1/api-keys/${made.json.id}`)).status).toBe(204)
    expect(await works()).toBeNull()
    expect((await call(`DELETE /operator/v1/api-keys/${made.json.id}`)).status).toBe(204)
    expect((await call('DELETE /operator/v1/api-keys/none')).json.error_code).toBe('API_KEY_NOT_FOUND')
    expect((await call('GET /operator/v1/api-keys?accountId=two')).json).toEqual({
      apiKeys: [],
      next_cursor: null,
    })
    expect((await call('GET /operator/v1/api-keys?accountId=none')).status).toBe(404)
  })

  test('AC22 no operator keys come out of the API, and no secret goes in', async () => {
    const { call, platform } = await serve()
    const refused = await call('POST /operator/v1/api-keys', { kind: 'operator', accountId: 'one' })
    expect([refused.status, refused.json.error_code]).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
    const secret = 'chosen-by-the-client'
    await call('POST /operator/v1/api-keys', { kind: 'desk', accountId: 'one', secret })
    expect(await platform.access.authenticate(secret, ['desk'], null)).toBeNull()
  })

  test('CR20 connectors are created, read, changed and revoked', async () => {
    const { call, platform } = await serve()
    const made = await call('POST /operator/v1/connectors', {
      accountId: 'one',
      agentId: 'PROJECT-A',
      environment: 'live',
      hosts: ['https://Shop.example.com/'],
      handoff: { mode: 'server', queueName: 'reception', timeoutSeconds: 60 },
    })
    const { token, ...shown } = made.json
    expect([made.status, shown]).toEqual([
      201,
      {
        id: expect.stringMatching(/^CONNECTOR-/),
        prefix: token.slice(0, 8),
        name: '',
        accountId: 'ws-one',
        agentId: 'PROJECT-A',
        environment: 'live',
        hosts: ['shop.example.com'],
        variantId: null,
        handoff: { mode: 'server', queueName: 'reception', timeoutSeconds: 60 },
        contextKeys: [],
        createdAt: '2026-01-01T00:00:00.000Z',
        revokedAt: null,
        expiresAt: null,
        lastUsedAt: null,
      },
    ])
    const path = `/operator/v1/connectors/${shown.id}`
    expect((await call(`GET ${path}`)).json).toEqual(shown)
    const change = { environment: 'sandbox', handoff: { timeoutSeconds: 5 }, agentId: 'PROJECT-B' }
    const changed = (await call(`PATCH ${path}`, change)).json
    const handoff = { ...shown.handoff, timeoutSeconds: 5 }
    expect(changed).toEqual({ ...shown, environment: 'sandbox', handoff })
    expect((await call('GET /operator/v1/connectors?accountId=ws-one')).json).toEqual({
      connectors: [changed],
      next_cursor: null,
    })
    expect((await call(`PATCH ${path}`, { hosts: ['a b'] })).json.error_message).toContain('"hosts.0"')
    expect((await call(`DELETE ${path}`)).status).toBe(204)
    expect(await platform.access.connectorByToken(token)).toBeNull()
    expect((await call(`GET ${path}`)).json.error_code).toBe('CONNECTOR_NOT_FOUND')
  })

  test('MS47 a context key is in the answer that makes it alone; connectors name theirs, newest first', async () => {
    const { call, platform, clock } = await serve()
    const owner = { accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live', hosts: [] } as const
    const { connector } = await platform.access.createConnector(owner)
    const path = `/operator/v1/connectors/${connector.id}`
    const first = await call(`POST ${path}/context-keys`, {})
    expect([first.status, first.json]).toEqual([
      201,
      {
        kid: expect.stringMatching(/^ctx-/),
        secret: expect.stringMatching(/^cq_cx_/),
        createdAt: '2026-01-01T00:00:00.000Z',
        verifiesUntil: null,
      },
    ])
    await clock.advance(1_000)
    const second = await call(`POST ${path}/context-keys`, { overlapSeconds: 60 })
    const shown = await call(`GET ${path}`)
    const { secret, ...newest } = second.json
    expect(newest.createdAt).toBe('2026-01-01T00:00:01.000Z')
    const { secret: earlier, ...oldest } = first.json
    expect(shown.json.contextKeys).toEqual([newest, { ...oldest, verifiesUntil: '2026-01-01T00:01:01.000Z' }])
    const list = await call('GET /operator/v1/connectors')
    const log = await call('GET /operator/v1/audit-log')
    for (const answer of [shown, list, log]) {
      expect(JSON.stringify(answer.json)).not.toContain(secret)
      expect(JSON.stringify(answer.json)).not.toContain(earlier)
    }
    expect((await call(`POST ${path}/context-keys`, { overlapSeconds: -1 })).status).toBe(400)
    expect((await call(`DELETE ${path}/context-keys`)).status).toBe(204)
    expect((await call(`DELETE ${path}/context-keys`)).status).toBe(204)
    expect((await call(`GET ${path}`)).json.contextKeys).toEqual([])
    expect((await call('POST /operator/v1/connectors/none/context-keys', {})).status).toBe(404)
  })

  test.each(['accounts', 'api-keys', 'connectors'])(
    'AC22 %s come page by page, each once, whatever is added or revoked on the way',
    async name => {
      const { call, platform } = await serve()
      const { access } = platform
      const add = async (number: number): Promise<string> => {
        if (name === 'accounts')
          return (await access.createAccount({ slug: `more-${number}`, name: 'More' })).id
        const owner = { accountId: 'ws-two', agentId: 'PROJECT-Z' }
        if (name === 'api-keys') return (await access.createApiKey({ kind: 'project', ...owner })).key.id
        return (await access.createConnector({ ...owner, environment: 'live', hosts: ['a.example'] }))
          .connector.id
      }
      const revoke = async (id: string): Promise<void> => {
        if (name === 'api-keys') await access.revokeApiKey(id)
        if (name === 'connectors') await access.revokeConnector(id)
      }
      const added = await Promise.all(Array.from({ length: 12 }, (_, number) => add(number)))
      const seen: string[] = []
      const sizes: number[] = []
      let cursor: string | null = ''
      for (let number = 100; cursor !== null; number++) {
        const query = cursor === '' ? '' : `&cursor=${cursor}`
        const { status, json } = await call(`GET /operator/v1/${name}?limit=5${query}`)
        expect(status).toBe(200)
        const rows: readonly Record<string, string>[] = json.accounts ?? json.apiKeys ?? json.connectors
        const ids = rows.map(row => (name === 'accounts' ? row.accountId : row.id) ?? '')
        seen.push(...ids)
        sizes.push(ids.length)
        cursor = json.next_cursor
        if (number < 102) await add(number)
        const [first] = added.filter(id => ids.includes(id))
        if (first !== undefined) await revoke(first)
      }
      expect(new Set(seen).size).toBe(seen.length)
      expect(added.filter(id => !seen.includes(id))).toEqual([])
      expect(sizes.slice(0, -1).every(size => size === 5)).toBe(true)
      expect(sizes.length).toBeGreaterThan(2)
    },
  )

  test('AC22 a page has 100 when nothing is said; other limits and cursors are 400, in the library too', async () => {
    const { call, platform } = await serve()
    for (let number = 0; number < 101; number++)
      await platform.access.createAccount({ slug: `more-${number}`, name: 'More' })
    const first = await call('GET /operator/v1/accounts')
    expect([first.json.accounts.length, typeof first.json.next_cursor]).toEqual([100, 'string'])
    const rest = await call(`GET /operator/v1/accounts?cursor=${first.json.next_cursor}`)
    expect([rest.json.accounts.length, rest.json.next_cursor]).toEqual([3, null])
    const all = await call('GET /operator/v1/accounts?limit=103')
    expect([all.json.accounts.length, all.json.next_cursor]).toEqual([103, null])
    for (const name of ['accounts', 'api-keys', 'connectors'])
      for (const query of ['limit=0', 'limit=1001', 'limit=1.5', 'limit=', 'cursor=', 'cursor=none']) {
        const { status, json } = await call(`GET /operator/v1/${name}?${query}`)
        expect([query, status, json.error_code]).toEqual([query, 400, 'SCHEMA_VALIDATION_FAILED'])
      }
    const { access, webhooks } = platform
    const account = 'ws-one'
    for (const query of [{ limit: 0 }, { limit: 1_001 }, { limit: 1.5 }, { cursor: 'none' }])
      for (const refused of [
        access.accounts(query),
        access.apiKeys(query),
        access.connectors(query),
        webhooks.endpoints(account, query),
      ])
        await expect(refused).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
  })
})
