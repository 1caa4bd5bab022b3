import { createPopulatedPlatform, createTestPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { AUDIT_ACTIONS, type AuditEntry, LIBRARY } from '../../src/domain/audit/audit.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { Platform } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import { aNewEndpoint, createScriptedSpeech } from '../../src/testing/index.ts'
import type { AuditPage } from '../../src/usecases/audit/audit-log.ts'
import { purgeConversations } from '../../src/usecases/records/purge-conversations.ts'
import { disableEndpoint } from '../../src/usecases/webhooks/disable-endpoint.ts'
import { request } from '../support/request.ts'
import { everyAction } from './every-action.ts'

const account = 'ws-one'

/** What a host must have for all that is noted. */
const EVERYTHING = {
  speechProvider: createScriptedSpeech(),
  recordings: {
    open: async () =>
      (async function* () {
        yield Uint8Array.of(1)
      })(),
  },
}

const entriesOf = async ({ audit }: Platform, query: Parameters<Platform['audit']['list']>[0] = {}) =>
  (await audit.list({ limit: 1_000, ...query })).entries
const newest = async (platform: Platform): Promise<AuditEntry | undefined> => (await entriesOf(platform))[0]

/** A platform with an account and an agent, and nothing else in its log. */
async function withAgent() {
  const made = createTestPlatform()
  await made.platform.access.createAccount({ accountId: account, slug: 'one', name: 'One' })
  const agent = await made.platform.agents.create({ accountId: account, name: 'Desk', greeting: 'Hello' })
  await made.clock.advance(1_000)
  await made.platform.audit.purge({ olderThan: made.clock.now() })
  await made.clock.advance(1_000)
  return { ...made, agentId: agent.id, since: made.clock.now() }
}

describe('what is noted', () => {
  test('AU1 everything that the table of actions names leaves its entry, and nothing else does', async () => {
    const { platform, clock } = createTestPlatform(EVERYTHING)
    const caller = { id: 'u-1', name: 'Ada', correlationId: 'c-1' }
    await everyAction(platform.as(caller), clock, contextOf(platform).store)
    const entries = await entriesOf(platform)
    expect([...new Set(entries.map(({ action }) => action))].sort()).toEqual(
      Object.keys(AUDIT_ACTIONS).sort(),
    )
    const byAda = { actor: { type: 'library', id: 'u-1', name: 'Ada' }, correlationId: 'c-1' }
    const byPlatform = { actor: { type: 'platform', id: null }, correlationId: null }
    for (const entry of entries) {
      expect(entry).toMatchObject({
        id: expect.stringMatching(/^AUDIT-/),
        ...(entry.action === 'rollout.parked' ? byPlatform : byAda),
      })
      expect(entry.resource.type).toBe(entry.action.split('.')[0])
    }
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  })

  test('AU6 no secret is in an entry, nor a hash of one', async () => {
    const { platform, clock } = createTestPlatform(EVERYTHING)
    const secrets = await everyAction(platform, clock, contextOf(platform).store)
    const { access, webhooks } = contextOf(platform).store
    const hashes = [
      ...(await access.apiKeys.list({}, 100)).map(({ hash }) => hash),
      ...(await access.connectors.list({}, 100)).map(({ tokenHash }) => tokenHash),
    ]
    const signing = (await webhooks.endpoints.list(account, {}, 100)).flatMap(
      ({ secret, previousSecret }) => [secret, previousSecret?.secret ?? secret],
    )
    const text = JSON.stringify(await entriesOf(platform))
    const all = [...secrets, ...hashes, ...signing]
    expect(all.length).toBeGreaterThan(8)
    for (const secret of all) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(secret.slice(-12))
    }
  })

  test('AU1 what changes nothing leaves no entry', async () => {
    const { platform, agentId, since } = await withAgent()
    const { access, agents, webhooks } = platform
    const secret = 'a-secret-of-the-host-itself'
    const { key } = await access.createApiKey({ kind: 'workspace', accountId: account, secret })
    await access.createApiKey({ kind: 'workspace', accountId: account, secret })
    await access.revokeApiKey(key.id)
    await access.revokeApiKey(key.id)
    const { connector } = await access.createConnector({
      ...{ accountId: account, agentId, environment: 'live', hosts: ['a.example'], token: secret },
    })
    await access.createConnector({
      ...{ accountId: account, agentId, environment: 'live', hosts: ['a.example'], token: secret },
    })
    await access.revokeConnector(connector.id)
    await access.revokeConnector(connector.id)
    const refused = [
      () => access.createAccount({ slug: 'one', name: 'One' }),
      () => access.createApiKey({ kind: 'workspace', accountId: account, secret }),
      () => access.revokeApiKey('KEY-none'),
      () => access.updateConnector(connector.id, { name: 'late' }),
      () => agents.create({ accountId: account, agentId, name: 'Taken', greeting: 'Hello' }),
      () => agents.delete('PROJECT-none'),
      () => agents.deleteBranch(agentId, 'BRANCH-none'),
      () => agents.rollback(agentId, 'DEPLOYMENT-none'),
      () => agents.updateRealTimeConfigSchema(agentId, 'live', { type: 'nonsense' }),
      () => webhooks.deleteEndpoint(account, 'WEBHOOK-none'),
      () => platform.conversations.remove(account, agentId, 'AS-none'),
    ]
    for (const call of refused) await expect(call()).rejects.toThrow()
    expect((await entriesOf(platform, { since })).map(({ action }) => action)).toEqual([
      'connector.revoked',
      'connector.created',
      'api_key.revoked',
      'api_key.created',
    ])
  })

  test('AU6 a change says which fields changed, from what to what', async () => {
    const { platform, agentId } = await withAgent()
    const { access, webhooks } = platform
    const { connector } = await access.createConnector({
      ...{ accountId: account, agentId, environment: 'live', hosts: ['a.example'] },
    })
    await access.updateConnector(connector.id, {
      ...{ name: 'Site', hosts: ['b.example'], environment: 'live', handoff: { queueName: 'vip' } },
    })
    expect((await newest(platform))?.details).toEqual({
      changes: {
        name: { from: '', to: 'Site' },
        hosts: { from: ['a.example'], to: ['b.example'] },
        handoff: {
          from: { mode: 'server', queueName: 'default', timeoutSeconds: 300 },
          to: { mode: 'server', queueName: 'vip', timeoutSeconds: 300 },
        },
      },
    })
    const { endpoint } = await webhooks.createEndpoint(account, aNewEndpoint('https://a.example/in/token-1'))
    expect((await newest(platform))?.details).toMatchObject({ url: 'https://a.example', enabled: true })
    await webhooks.updateEndpoint(account, endpoint.id, {
      url: 'https://a.example/in/token-2',
      enabled: false,
    })
    expect((await newest(platform))?.details).toEqual({
      changes: {
        url: { from: 'https://a.example', to: 'https://a.example' },
        enabled: { from: true, to: false },
      },
    })
    await webhooks.updateEndpoint(account, endpoint.id, { headers: { 'X-Key': 'a value of theirs' } })
    expect((await newest(platform))?.details).toEqual({ changes: { headers: { from: [], to: ['X-Key'] } } })
    await platform.agents.updateRealTimeConfigVariables(agentId, 'live', { open: true, closes_at: 'six' })
    expect(await newest(platform)).toMatchObject({
      resource: { type: 'real_time_config', id: 'live' },
      agentId,
      details: { names: ['closes_at', 'open'], count: 2 },
    })
  })

  test('AU3 an endpoint that the platform disables is noted as the platform’s own act', async () => {
    const { platform } = await withAgent()
    const { endpoint } = await platform.webhooks.createEndpoint(account, aNewEndpoint('https://a.example/'))
    const kept = await contextOf(platform).store.webhooks.endpoints.find(account, endpoint.id)
    if (kept === null) throw new Error('The endpoint is not there.')
    await disableEndpoint(contextOf(platform), kept, 'it answered 410')
    expect(await newest(platform)).toMatchObject({
      actor: { type: 'platform', id: null, name: '' },
      action: 'webhook_endpoint.changed',
      details: { changes: { enabled: { from: true, to: false } }, reason: 'it answered 410' },
    })
  })

  test('AU13 AU13 AU13 deleting an agent notes each connector and key that goes with it, by the same actor', async () => {
    const { platform, agentId, since } = await withAgent()
    const hosts = ['a.example']
    const given = { accountId: account, agentId, environment: 'live', hosts } as const
    const connectors = [
      await platform.access.createConnector(given),
      await platform.access.createConnector(given),
    ]
    const { key } = await platform.access.createApiKey({ kind: 'workspace', accountId: account, agentId })
    await platform.as({ name: 'Ada' }).agents.delete(agentId)
    const noted = (await entriesOf(platform, { since })).filter(({ actor }) => actor.name === 'Ada')
    expect(noted[0]).toMatchObject({ action: 'agent.deleted' })
    const gone = (action: string) =>
      noted.filter(entry => entry.action === action).map(({ resource }) => resource.id)
    expect(gone('connector.revoked').sort()).toEqual(connectors.map(({ connector }) => connector.id).sort())
    expect(gone('api_key.revoked')).toEqual([key.id])
    expect(noted).toHaveLength(4)
    expect(await entriesOf(platform, { agentId, since })).toHaveLength(7)
  })
})

describe('who did it', () => {
  test('AU3 what is taken from a caller’s platform, or spread from it, stays that caller’s', async () => {
    const { platform, agentId } = await withAgent()
    const ada = platform.as({ name: 'Ada' })
    const bob = ada.as({ id: 'u-2' })
    expect(Object.keys(ada)).toEqual(Object.keys(platform))
    for (const part of ['agents', 'access', 'webhooks', 'conversations', 'audit'] as const) {
      expect(Object.keys(ada[part]).sort()).toEqual(Object.keys(platform[part]).sort())
      expect(Object.keys(ada[part])).not.toEqual([])
    }
    const { publish } = ada.agents
    const actors = async () => (await newest(platform))?.actor
    await publish(agentId)
    expect(await actors()).toMatchObject({ id: null, name: 'Ada' })
    const { access } = { ...bob }
    await { ...access }.createAccount({ accountId: 'ws-two', slug: 'two', name: 'Two' })
    expect(await actors()).toMatchObject({ id: 'u-2', name: '' })
    await ada.audit.purge({ olderThan: 0 })
    expect(await actors()).toMatchObject({ id: null, name: 'Ada' })
    await platform.agents.publish(agentId, { environment: 'live' })
    expect(await actors()).toMatchObject({ type: 'library', id: null, name: '' })
  })

  test('AU3 a call of the library is its caller’s, or the library’s; deployments name the same', async () => {
    const { platform, agentId } = await withAgent()
    const branch = await platform.agents.createBranch(agentId, { branchName: 'work' })
    const nobody = await platform.agents.merge(agentId, branch.id)
    expect(await newest(platform)).toMatchObject({ actor: { type: 'library', id: null, name: '' } })
    const named = await platform.as({ name: 'nightly' }).agents.rollback(agentId, nobody.deployment.id)
    expect(await newest(platform)).toMatchObject({
      actor: { type: 'library', id: null, name: 'nightly' },
      action: 'deployment.rolled_back',
      resource: { type: 'deployment', id: named.id },
      details: { environment: 'sandbox', from: nobody.deployment.id },
    })
    const known = await platform.as({ id: 'u-7', name: 'Ada' }).agents.rollback(agentId, named.id)
    expect([nobody.deployment, named, known].map(({ createdBy }) => createdBy)).toEqual([
      'library',
      'nightly',
      'Ada',
    ])
  })

  test('AU3 a request is its API key’s, under its correlation id; both keep what they know in one memory', async () => {
    const { platform, keys } = await createPopulatedPlatform()
    const dispatcher = createDispatcher(platform, routes)
    const headers = { authorization: `Bearer ${keys.operator}`, 'x-correlation-id': 'c-42' }
    const body = { slug: 'three', name: 'Three' }
    const made = await dispatcher.handle(request('POST /operator/v1/accounts', { headers, body }))
    expect(made.status).toBe(201)
    const operator = (await platform.access.apiKeys()).apiKeys.find(({ kind }) => kind === 'operator')
    expect(await newest(platform)).toMatchObject({
      actor: { type: 'api_key', id: operator?.id, name: operator?.name },
      action: 'account.created',
      correlationId: 'c-42',
      details: { slug: 'three', name: 'Three' },
    })
  })
})

describe('purges', () => {
  test('AU10 old entries go by a purge alone, which is in the log itself', async () => {
    const { platform, clock } = createTestPlatform()
    await platform.access.createAccount({ accountId: account, slug: 'one', name: 'One' })
    await clock.advance(10)
    const middle = clock.now()
    await platform.access.createAccount({ accountId: 'ws-two', slug: 'two', name: 'Two' })
    await clock.advance(10)
    expect(await platform.as({ name: 'Ada' }).audit.purge({ olderThan: middle })).toEqual({ entries: 1 })
    expect(await entriesOf(platform)).toMatchObject([
      {
        action: 'audit_log.purge_ended',
        actor: { name: 'Ada' },
        details: { olderThan: middle, removed: 1, complete: true },
      },
      { action: 'audit_log.purge_started', actor: { name: 'Ada' }, details: { olderThan: middle } },
      { action: 'account.created', accountId: 'ws-two' },
    ])
    for (const olderThan of [clock.now() + 1, Number.NaN, 1.5])
      await expect(platform.audit.purge({ olderThan })).rejects.toThrow(/olderThan/)
    expect(await entriesOf(platform)).toHaveLength(3)
  })

  test('AU10 a purge that is stopped says how far it came', async () => {
    const { platform, clock } = createTestPlatform()
    const stop = new AbortController()
    const { conversations } = contextOf(platform).store
    const scope = { accountId: account, agentId: 'PROJECT-A', environment: 'live' } as const
    let steps = 0
    const stopped = {
      ...contextOf(platform).store,
      conversations: {
        ...conversations,
        removals: {
          ...conversations.removals,
          scopes: async () => [scope],
          removeFinished: async () => {
            if (++steps === 2) stop.abort(new Error('enough'))
            return { removed: 5, more: true }
          },
        },
      },
    }
    const acting = { ...contextOf(platform), store: stopped, caller: LIBRARY }
    const purge = purgeConversations(acting, { olderThan: clock.now(), signal: stop.signal })
    await expect(purge).rejects.toThrow('enough')
    expect(await entriesOf(platform)).toMatchObject([
      { action: 'conversations.purge_ended', details: { removed: 10, complete: false } },
      { action: 'conversations.purge_started', details: { olderThan: clock.now() } },
    ])
  })
})

describe('over HTTP', () => {
  async function serve() {
    const { platform, keys, clock } = await createPopulatedPlatform()
    const dispatcher = createDispatcher(platform, routes)
    const call = async (query: string, key = keys.operator) => {
      const headers = { authorization: `Bearer ${key}` }
      const response = await dispatcher.handle(request(`GET /operator/v1/audit-log${query}`, { headers }))
      return { status: response.status, json: JSON.parse(response.body ?? 'null') }
    }
    return { platform, keys, clock, call }
  }

  test('AU7 the log is read by operators, with every filter, newest first', async () => {
    const { platform, keys, clock, call } = await serve()
    expect((await call('', keys.workspace)).status).toBe(403)
    await clock.advance(60_000)
    const { key } = await platform.as({ name: 'Ada' }).access.createApiKey({
      ...{ kind: 'project', accountId: 'ws-two', agentId: 'PROJECT-Z', name: 'Reports' },
    })
    const all = await call('')
    expect(all.status).toBe(200)
    expect(all.json.next_cursor).toBeNull()
    expect(all.json.entries).toHaveLength(8)
    expect(all.json.entries[0]).toEqual({
      id: expect.stringMatching(/^AUDIT-/),
      at: '2026-01-01T00:01:00.000Z',
      actor: { type: 'library', id: null, name: 'Ada' },
      action: 'api_key.created',
      accountId: 'ws-two',
      agentId: 'PROJECT-Z',
      resource: { type: 'api_key', id: key.id },
      details: { kind: 'project', name: 'Reports', region: null, permissions: null, expiresAt: null },
      correlationId: null,
    })
    const count = async (query: string) => (await call(query)).json.entries?.length
    expect(await count('?accountId=two')).toBe(2)
    expect(await count('?accountId=ws-two&action=account.created')).toBe(1)
    expect(await count('?agentId=PROJECT-A')).toBe(1)
    expect(await count(`?resourceId=${key.id}`)).toBe(1)
    expect(await count('?since=2026-01-01T00:01:00Z')).toBe(1)
    expect(await count('?until=2026-01-01T00:01:00Z')).toBe(7)
    expect((await call('?accountId=ws-none')).status).toBe(404)
    for (const wrong of [
      'action=api_key.made',
      'since=noon',
      'limit=0',
      'limit=1001',
      'cursor=x',
      'agentId=',
    ])
      expect([wrong, (await call(`?${wrong}`)).status]).toEqual([wrong, 400])
  })

  test('AU7 a page ends where its entries would have more than a slice, and its cursor goes on', async () => {
    const { platform } = createTestPlatform({ limits: { sliceBytes: 2_000 } })
    const { access, audit } = platform
    const context = contextOf(platform)
    for (let index = 0; index < 20; index++)
      await access.createAccount({ slug: `account-${index}`, name: `${index} ${'é'.repeat(40)}` })
    const pages: AuditEntry[][] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: AuditPage = await audit.list({ limit: 1_000, ...(cursor === undefined ? {} : { cursor }) })
      pages.push([...page.entries])
      cursor = page.cursor
    }
    const { values } = await context.store.audit.list({}, 1_000)
    expect(values).toHaveLength(20)
    expect(pages.flat()).toEqual(values.map(({ entry }) => entry))
    for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(2_000)
    expect(pages.length).toBeLessThan(10)
  })

  test('AU7 pages hold each entry once, whatever is added meanwhile', async () => {
    const { platform, call } = await serve()
    const before = (await call('')).json.entries.map(({ id }: AuditEntry) => id)
    const seen: string[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null; pages++) {
      const page: { entries: AuditEntry[]; next_cursor: string | null } = (
        await call(`?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
      ).json
      seen.push(...page.entries.map(({ id }) => id))
      cursor = page.next_cursor
      await platform.access.createAccount({ slug: `late-${pages}`, name: 'Late' })
    }
    expect(seen).toEqual(before)
    expect(before.length).toBeGreaterThan(6)
  })
})
