import { createPopulatedPlatform, createTestPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { API_KEY_KINDS } from '../../src/domain/access/access.ts'
import { contextOf } from '../../src/platform-context.ts'

const code = (value: string) => expect.objectContaining({ name: 'PlatformError', code: value })
const OWN = 'an-own-secret-of-the-host'

describe('accounts', () => {
  test('AC8 an account is reached by id and slug, and neither can be taken again in either form', async () => {
    const { access } = createTestPlatform().platform
    const account = await access.createAccount({ slug: 'demo', name: 'Demo' })
    expect(account.id).toMatch(/^ws-/)
    expect(await access.account('demo')).toEqual(account)
    expect(await access.account(account.id)).toEqual(account)
    expect(await access.account('nobody')).toBeNull()
    await access.createAccount({ accountId: 'ws-other', slug: 'ws-squatted', name: 'Other' })
    for (const input of [
      { slug: 'demo', name: 'x' },
      { accountId: account.id, slug: 'free', name: 'x' },
      { accountId: 'ws-squatted', slug: 'free', name: 'x' },
      { slug: 'ws-other', name: 'x' },
    ])
      await expect(access.createAccount(input)).rejects.toEqual(code('ACCOUNT_ALREADY_EXISTS'))
    expect((await access.accounts()).accounts).toHaveLength(2)
  })

  test.each([
    { slug: 'Upper', name: 'x' },
    { slug: '', name: 'x' },
    { slug: 'agents', name: 'x' },
    { slug: 'accounts', name: 'x' },
    { slug: 'a/b', name: 'x' },
    { slug: 'a', name: '' },
    { slug: 'a', name: 'x'.repeat(101) },
    { accountId: 'demo', slug: 'a', name: 'x' },
  ])('AC8 %j is refused', async input => {
    const { access } = createTestPlatform().platform
    await expect(access.createAccount(input)).rejects.toEqual(code('SCHEMA_VALIDATION_FAILED'))
    expect((await access.accounts()).accounts).toEqual([])
  })
})

describe('API keys', () => {
  test('AC3 the store never sees a secret', async () => {
    const { platform } = await createPopulatedPlatform()
    const { key, secret } = await platform.access.createApiKey({
      kind: 'desk',
      accountId: 'one',
      name: 'Desk',
    })
    expect(secret).toMatch(/^cq_dk_[\w-]{32,}$/)
    expect(key).toMatchObject({ kind: 'desk', accountId: 'ws-one', name: 'Desk', prefix: secret.slice(0, 8) })
    expect(JSON.stringify(await platform.access.apiKeys())).not.toContain(secret.slice(9))
  })

  test('AC3 the same secret with the same scope is the same key, also when two bring it at once', async () => {
    const { access } = (await createPopulatedPlatform()).platform
    const input = { kind: 'workspace', accountId: 'ws-one', secret: OWN } as const
    const made = await Promise.all([
      access.createApiKey(input),
      access.createApiKey({ ...input, name: 'again' }),
    ])
    expect(made[0].key).toEqual(made[1].key)
    expect(made.map(({ secret }) => secret)).toEqual([OWN, OWN])
    expect(await access.authenticate(OWN, ['workspace'], null)).toEqual(made[0].key)
  })

  test('AC3 the same secret with another scope, or after it was revoked, is refused', async () => {
    const hosts = { base: {}, platform: { us: 'us.p.example' }, messaging: {} }
    const { access } = (await createPopulatedPlatform({ hosts })).platform
    const input = { kind: 'project', accountId: 'ws-one', agentId: 'PROJECT-A', secret: OWN } as const
    const { key } = await access.createApiKey(input)
    for (const other of [
      { ...input, kind: 'workspace' },
      { ...input, agentId: 'PROJECT-B' },
      { ...input, region: 'us' },
      { ...input, permissions: ['analytics'] },
    ] as const)
      await expect(access.createApiKey(other)).rejects.toEqual(code('API_KEY_ALREADY_EXISTS'))
    await access.revokeApiKey(key.id)
    await expect(access.createApiKey(input)).rejects.toEqual(code('API_KEY_ALREADY_EXISTS'))
    expect(await access.authenticate(OWN, API_KEY_KINDS, null)).toBeNull()
  })

  test.each(['', 'x'.repeat(15), 'x'.repeat(513), 'sixteen chars ok', 'ünicode-ünicode-ü'])(
    'AC3 the secret %j is refused, and the message does not repeat it',
    async secret => {
      const { access } = (await createPopulatedPlatform()).platform
      const making = access.createApiKey({ kind: 'desk', accountId: 'one', secret })
      await expect(making).rejects.toEqual(code('SCHEMA_VALIDATION_FAILED'))
      if (secret !== '') await expect(making).rejects.not.toThrow(secret)
    },
  )

  test('CR5 a revoked key stops working at once, and the first revocation stands', async () => {
    const { platform, clock, keys } = await createPopulatedPlatform()
    const { access } = platform
    const key = await access.authenticate(keys.workspace, ['workspace'], null)
    if (key === null) throw new Error('the key does not work')
    await access.revokeApiKey(key.id)
    expect(await access.authenticate(keys.workspace, ['workspace'], null)).toBeNull()
    await clock.advance(1_000)
    await access.revokeApiKey(key.id)
    const kept = (await access.apiKeys()).apiKeys.find(({ id }) => id === key.id)
    expect(kept?.revokedAt).toBe(clock.now() - 1_000)
    await expect(access.revokeApiKey('KEY-none')).rejects.toEqual(code('API_KEY_NOT_FOUND'))
  })

  test('AC6 keys belong to an account and to an agent of it, operator keys to none', async () => {
    const { access } = (await createPopulatedPlatform()).platform
    const refused = (input: Parameters<typeof access.createApiKey>[0], expected: string) =>
      expect(access.createApiKey(input)).rejects.toEqual(code(expected))
    await refused({ kind: 'workspace' }, 'SCHEMA_VALIDATION_FAILED')
    await refused({ kind: 'operator', accountId: 'ws-one' }, 'SCHEMA_VALIDATION_FAILED')
    await refused({ kind: 'desk', accountId: 'ws-one', agentId: 'PROJECT-A' }, 'SCHEMA_VALIDATION_FAILED')
    await refused({ kind: 'project', accountId: 'ws-none', agentId: 'PROJECT-A' }, 'ACCOUNT_NOT_FOUND')
    await refused({ kind: 'project', accountId: 'ws-one', agentId: 'PROJECT-Z' }, 'PROJECT_NOT_FOUND')
    await refused({ kind: 'project', accountId: 'ws-one', agentId: 'PROJECT-?' }, 'PROJECT_NOT_FOUND')
    const { key } = await access.createApiKey({
      kind: 'external_events',
      accountId: 'one',
      agentId: 'PROJECT-B',
    })
    expect(key).toMatchObject({ accountId: 'ws-one', agentId: 'PROJECT-B', region: null, permissions: null })
  })

  test('AC6 a region must be one of those of the kind, when hosts are set', async () => {
    const hosts = { base: { us: 'us.a.example' }, platform: { 'us-1': 'us-1.p.example' }, messaging: {} }
    const { access } = (await createPopulatedPlatform({ hosts })).platform
    const { key, secret } = await access.createApiKey({ kind: 'workspace', accountId: 'one', region: 'us' })
    expect(await access.authenticate(secret, ['workspace'], 'us')).toEqual(key)
    expect(await access.authenticate(secret, ['workspace'], 'uk')).toBeNull()
    expect(await access.authenticate(secret, ['project'], 'us')).toBeNull()
    await expect(
      access.createApiKey({ kind: 'project', accountId: 'one', region: 'us' }),
    ).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED', message: expect.stringContaining('us-1') })
  })

  test('AC6 without hosts there are no regions', async () => {
    const { access } = (await createPopulatedPlatform()).platform
    await expect(
      access.createApiKey({ kind: 'workspace', accountId: 'one', region: 'mars' }),
    ).rejects.toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
      message: 'region is not allowed without hosts: there are no regions. Leave it out, or set hosts.',
    })
  })

  test('AC6 permissions must be of the kind, and not none', async () => {
    const { access } = (await createPopulatedPlatform()).platform
    const make = (permissions: readonly string[]) =>
      access.createApiKey({ kind: 'project', accountId: 'one', permissions })
    expect((await make(['conversations', 'analytics', 'analytics'])).key.permissions).toEqual([
      'analytics',
      'conversations',
    ])
    await expect(make(['agents'])).rejects.toMatchObject({ message: expect.stringContaining('analytics') })
    await expect(make([])).rejects.toEqual(code('SCHEMA_VALIDATION_FAILED'))
  })
})

describe('connectors', () => {
  const input = {
    accountId: 'one',
    agentId: 'PROJECT-A',
    environment: 'live',
    hosts: ['example.com'],
  } as const

  test('AC9 hosts are normalised and kept once; AG30 the handoff has defaults', async () => {
    const { access } = (await createPopulatedPlatform()).platform
    const hosts = ['https://Example.com:8443/x', 'example.com', 'com.Example.App']
    const { connector, token } = await access.createConnector({
      ...input,
      hosts,
      handoff: { mode: 'client' },
    })
    expect(token).toMatch(/^cq_cn_/)
    expect(connector).toMatchObject({
      accountId: 'ws-one',
      hosts: ['example.com', 'com.example.app'],
      handoff: { mode: 'client', queueName: 'default', timeoutSeconds: 300 },
      variantId: null,
    })
    expect(await access.connectorByToken(token)).toEqual(connector)
    expect(await access.connectorByToken(`${token}x`)).toBeNull()
    await expect(access.createConnector({ ...input, hosts: ['a b'] })).rejects.toEqual(
      code('SCHEMA_VALIDATION_FAILED'),
    )
    await expect(access.createConnector({ ...input, agentId: 'PROJECT-Z' })).rejects.toEqual(
      code('PROJECT_NOT_FOUND'),
    )
  })

  test('AG30 a change leaves what it does not name', async () => {
    const { access } = (await createPopulatedPlatform()).platform
    const { connector } = await access.createConnector({ ...input, variantId: 'v', name: 'Site' })
    const changed = await access.updateConnector(connector.id, {
      handoff: { queueName: 'reception' },
      variantId: null,
    })
    expect(changed).toEqual({
      ...connector,
      variantId: null,
      handoff: { ...connector.handoff, queueName: 'reception' },
    })
    expect(await access.connector(connector.id)).toEqual(changed)
    await expect(access.updateConnector('none', {})).rejects.toEqual(code('CONNECTOR_NOT_FOUND'))
  })

  test('AC3 the same token for the same agent is the same connector', async () => {
    const { access } = (await createPopulatedPlatform()).platform
    const first = await access.createConnector({ ...input, token: OWN })
    const again = await access.createConnector({ ...input, token: OWN, hosts: ['other.example'] })
    expect(again).toEqual(first)
    await expect(access.createConnector({ ...input, agentId: 'PROJECT-B', token: OWN })).rejects.toEqual(
      code('CONNECTOR_ALREADY_EXISTS'),
    )
    await access.revokeConnector(first.connector.id)
    await expect(access.createConnector({ ...input, token: OWN })).rejects.toEqual(
      code('CONNECTOR_ALREADY_EXISTS'),
    )
  })

  test('AG30 of changes at once none undoes another, and each tells the audit log what it changed', async () => {
    const { access, audit } = (await createPopulatedPlatform()).platform
    const { connector } = await access.createConnector({ ...input, hosts: ['a.example', 'leaked.example'] })
    const { id } = connector
    await Promise.all([
      access.updateConnector(id, { hosts: ['a.example'] }),
      access.updateConnector(id, { name: 'Renamed' }),
      access.updateConnector(id, { handoff: { queueName: 'vip' } }),
      access.updateConnector(id, { handoff: { timeoutSeconds: 7 } }),
    ])
    expect(await access.connector(id)).toMatchObject({
      ...{ hosts: ['a.example'], name: 'Renamed' },
      handoff: { queueName: 'vip', timeoutSeconds: 7 },
    })
    const { entries } = await audit.list({ action: 'connector.changed', resourceId: id })
    const fields = entries.map(({ details: { changes = {} } }) => Object.keys(Object(changes)))
    expect(fields.flat().sort()).toEqual(['handoff', 'handoff', 'hosts', 'name'])
  })

  test('AU13 a connector that is created while its agent is deleted leads to no later agent of the id', async () => {
    const { platform, clock } = await createPopulatedPlatform()
    const { access, agents } = platform
    const context = contextOf(platform)
    const store = context.store.access
    const create = store.connectors.create
    store.connectors.create = async (connector, entry) => {
      await agents.delete(connector.agentId)
      await clock.advance(1)
      const about = { name: 'n', greeting: 'g', agentId: connector.agentId }
      await agents.create({ accountId: connector.accountId, ...about })
      return create(connector, entry)
    }
    await expect(access.createConnector({ ...input, token: OWN })).rejects.toEqual(code('PROJECT_NOT_FOUND'))
    expect(await access.connectorByToken(OWN)).toBeNull()
    const { entries } = await platform.audit.list({})
    const ofConnectors = entries.map(({ action }) => action).filter(action => action.startsWith('connector.'))
    expect(ofConnectors).toEqual(['connector.revoked', 'connector.created'])
  })

  test('AU13 a key that is created while its agent is deleted opens no later agent of the id', async () => {
    const { platform, clock } = await createPopulatedPlatform()
    const { access, agents } = platform
    const context = contextOf(platform)
    const store = context.store.access
    const create = store.apiKeys.create
    store.apiKeys.create = async (key, entry) => {
      await agents.delete('PROJECT-A')
      await clock.advance(1)
      const about = { name: 'n', greeting: 'g', agentId: 'PROJECT-A' }
      await agents.create({ accountId: 'ws-one', ...about })
      return create(key, entry)
    }
    const made = access.createApiKey({
      kind: 'project',
      accountId: 'ws-one',
      agentId: 'PROJECT-A',
      secret: OWN,
    })
    await expect(made).rejects.toEqual(code('PROJECT_NOT_FOUND'))
    expect(await access.authenticate(OWN, ['project'], null)).toBeNull()
    const [revoked] = (await platform.audit.list({ action: 'api_key.revoked' })).entries
    const [created] = (await platform.audit.list({ action: 'api_key.created' })).entries
    expect(revoked).toMatchObject({ resource: { id: created?.resource.id }, agentId: 'PROJECT-A' })
  })

  test('AC16 a variant that is not deployed in the environment is refused, and the message says which there are', async () => {
    const { platform } = await createPopulatedPlatform()
    const { access, agents } = platform
    const agent = await agents.create({ accountId: 'ws-one', name: 'n', greeting: 'g' })
    const owner = { accountId: 'ws-one', agentId: agent.id, hosts: ['a.example'] }
    // Nothing is deployed anywhere: nothing is known.
    const early = await access.createConnector({ ...owner, environment: 'live', variantId: 'to-come' })
    expect(early.connector.variantId).toBe('to-come')
    const branch = await agents.createBranch(agent.id, { branchName: 'work' })
    const values = { isDefault: false, attributeValues: {} }
    const { id: gold } = await agents.createVariant(agent.id, branch.id, { name: 'Gold', ...values })
    await agents.merge(agent.id, branch.id)
    const [plain] = (await agents.variants(agent.id, branch.id)).filter(({ isDefault }) => isDefault)
    const given = { ...owner, environment: 'sandbox' } as const
    const there = [`${gold} (Gold)`, `${plain?.id} (default)`]
    const refusal = {
      code: 'SCHEMA_VALIDATION_FAILED',
      message: expect.stringMatching(/^The field "variantId" is not valid: .* deployed in sandbox/),
    }
    for (const one of there)
      await expect(access.createConnector({ ...given, variantId: 'none' })).rejects.toMatchObject({
        message: expect.stringContaining(one),
      })
    await expect(access.createConnector({ ...given, variantId: 'Gold' })).rejects.toMatchObject(refusal)
    const { connector } = await access.createConnector({ ...given, variantId: gold })
    const change = (to: Parameters<typeof access.updateConnector>[1]) =>
      access.updateConnector(connector.id, to)
    await expect(change({ variantId: 'none' })).rejects.toMatchObject(refusal)
    expect(await change({ variantId: plain?.id ?? '' })).toMatchObject({ variantId: plain?.id })
    expect(await change({ variantId: null })).toMatchObject({ variantId: null })
    // The environment decides as well; what a change does not name is not looked at.
    const { id } = early.connector
    await expect(access.updateConnector(id, { environment: 'sandbox' })).rejects.toMatchObject(refusal)
    expect(await access.updateConnector(id, { environment: 'sandbox', variantId: gold })).toMatchObject({
      variantId: gold,
    })
    expect(await access.updateConnector(id, { environment: 'pre-release', variantId: 'x' })).toMatchObject({
      environment: 'pre-release',
    })
    const connectors = (await access.connectors({ agentId: agent.id })).connectors
    expect(connectors).toHaveLength(2)
  })

  test('AU1 a change that changes nothing leaves no entry', async () => {
    const { access, audit } = (await createPopulatedPlatform()).platform
    const { connector } = await access.createConnector(input)
    expect(await access.updateConnector(connector.id, {})).toEqual(connector)
    const { environment, hosts, name } = connector
    expect(await access.updateConnector(connector.id, { environment, hosts, name })).toEqual(connector)
    expect((await audit.list({ action: 'connector.changed' })).entries).toEqual([])
  })

  test('CR5 a revoked connector is gone, and an edit at the same moment does not bring it back', async () => {
    const { access } = (await createPopulatedPlatform()).platform
    const { connector, token } = await access.createConnector(input)
    await Promise.allSettled([
      access.updateConnector(connector.id, { name: 'edited' }),
      access.revokeConnector(connector.id),
      access.updateConnector(connector.id, { name: 'edited again' }),
    ])
    expect(await access.connectorByToken(token)).toBeNull()
    await expect(access.connector(connector.id)).rejects.toEqual(code('CONNECTOR_NOT_FOUND'))
    await access.revokeConnector(connector.id)
    expect((await access.connectors()).connectors.map(({ revokedAt }) => revokedAt)).toEqual([
      connector.createdAt,
    ])
    await expect(access.revokeConnector('none')).rejects.toEqual(code('CONNECTOR_NOT_FOUND'))
  })
})
