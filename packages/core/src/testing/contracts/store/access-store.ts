import { describe, expect, it } from 'vitest'
import { type AccountId, asId } from '../../../domain/ids.ts'
import type {
  AccessStore,
  CreatedFilter,
  CreatedPlace,
  CredentialFilter,
} from '../../../ports/access-store.ts'
import {
  ACCOUNT,
  AGENT,
  aConnector,
  anAccount,
  anApiKey,
  aTelephonyConnector,
  aTokenKey,
  START,
} from '../../fixtures.ts'
import {
  count,
  EXTREME_TIMES,
  frozen,
  HARD_STRINGS,
  openForTest,
  RACERS,
  race,
  reopenForTest,
  type StoreFactory,
  scribble,
  scribbling,
} from './tools.ts'

const OTHER = asId<AccountId>('ws-other')
/** Ids of one moment, in the order in which lists show them. */
const ORDERED = ['K-10', 'K-9', 'K-B', 'K-a', 'K-\uFF5E', 'K-\u{1F600}']

/** Ids of one list, page by page of two, from a place that is one of no value. */
async function pagesOf<Value extends CreatedPlace>(
  list: (filter: CreatedFilter, limit: number) => Promise<readonly Value[]>,
): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = []
  let after: CreatedPlace | undefined = { createdAt: -1, id: 'nobody' }
  while (after !== undefined) {
    const page: readonly Value[] = await list({ after }, 2)
    if (page.length > 0) pages.push(page.map(({ id }) => id))
    after = page.at(-1)
  }
  return pages
}

/** Everything that a store tells about accounts and credentials, in one value that can be compared. */
const snapshot = async (access: AccessStore) => ({
  accounts: await access.accounts({}, 100),
  apiKeys: await access.apiKeys({}, 100),
  connectors: await access.connectors({}, 100),
  tokenKeys: await access.tokenKeys(),
})

function describeAccounts(open: () => Promise<AccessStore>): void {
  describe('accounts', () => {
    it('SX1 an account is found by its id and by its slug, exactly as written', async () => {
      const access = await open()
      const account = anAccount('ws-one', { slug: 'one_' })
      expect(await access.createAccount(account)).toBe('created')
      expect(await access.account('ws-one')).toEqual(account)
      expect(await access.account('one_')).toEqual(account)
      for (const other of ['WS-ONE', 'one%', 'one1', 'one', '', 'ws-one ']) {
        expect(await access.account(other)).toBeNull()
      }
    })

    it('SX2 an id or slug that exists, also as the other’s value, is taken, and nothing is written', async () => {
      const access = await open()
      await access.createAccount(anAccount('ws-one', { slug: 'one' }))
      const before = await snapshot(access)
      for (const [id, slug] of [
        ['ws-one', 'two'],
        ['ws-two', 'one'],
        ['one', 'two'],
        ['ws-two', 'ws-one'],
      ] as const) {
        expect(await access.createAccount(anAccount(id, { slug }))).toBe('taken')
      }
      expect(await snapshot(access)).toEqual(before)
      expect(await access.account('two')).toBeNull()
      expect(await access.account('ws-two')).toBeNull()
      expect(await access.createAccount(anAccount('ws-two', { slug: 'two' }))).toBe('created')
    })

    it('SX3 of racing accounts with one slug exactly one is created', async () => {
      const access = await open()
      const candidate = (racer: number) => anAccount(`ws-${racer}`, { slug: 'same' })
      const results = await race(racer => access.createAccount(candidate(racer)))
      expect(count(results, 'created')).toBe(1)
      expect(count(results, 'taken')).toBe(RACERS - 1)
      expect(await access.accounts({}, 100)).toEqual([candidate(results.indexOf('created'))])
    })

    it('SX4 accounts come oldest first, then by the code points of the id', async () => {
      const access = await open()
      await access.createAccount(anAccount('A-late', { createdAt: START + 1 }))
      for (const id of [...ORDERED].reverse()) await access.createAccount(anAccount(id))
      await access.createAccount(anAccount('z-early', { createdAt: 0 }))
      expect((await access.accounts({}, 100)).map(({ id }) => id)).toEqual(['z-early', ...ORDERED, 'A-late'])
    })

    it('SX5 accounts come as many as asked for, and behind a place, whether or not an account is at it', async () => {
      const access = await open()
      for (const id of ORDERED) await access.createAccount(anAccount(id))
      await access.createAccount(anAccount('z-early', { createdAt: 0 }))
      expect((await access.accounts({}, 1)).map(({ id }) => id)).toEqual(['z-early'])
      expect((await pagesOf(access.accounts)).flat()).toEqual(['z-early', ...ORDERED])
      expect((await pagesOf(access.accounts)).map(({ length }) => length)).toEqual([2, 2, 2, 1])
      const behind = await access.accounts({ after: { createdAt: START, id: 'K-9x' } }, 100)
      expect(behind.map(({ id }) => id)).toEqual(ORDERED.slice(2))
      expect(await access.accounts({ after: { createdAt: START + 1, id: '' } }, 100)).toEqual([])
    })
  })
}

function describeApiKeys(open: () => Promise<AccessStore>): void {
  describe('API keys', () => {
    it('SX10 a key is found by its hash and by its id, exactly as written', async () => {
      const access = await open()
      const key = anApiKey('KEY-1', {
        region: 'uk',
        permissions: ['a', 'b'],
        agentId: asId('PROJECT-ONE'),
        expiresAt: START + 9,
        lastUsedAt: START + 7,
      })
      expect(await access.createApiKey(key)).toBe('created')
      expect(await access.apiKey(key.id)).toEqual(key)
      for (const other of [key.hash, 'key-1', 'KEY-_', ''])
        expect(await access.apiKey(asId(other))).toBeNull()
      expect(await access.apiKeyByHash(key.hash)).toEqual(key)
      for (const other of ['KEY-1', 'HASH-OF-KEY-1', 'hash-of-KEY-_', ''])
        expect(await access.apiKeyByHash(other)).toBeNull()
    })

    it('SX11 an id or a hash that exists is taken, and nothing is written', async () => {
      const access = await open()
      const key = anApiKey('KEY-1')
      await access.createApiKey(key)
      await access.revokeApiKey(key.id, START)
      const before = await snapshot(access)
      expect(await access.createApiKey(anApiKey('KEY-1', { hash: 'another' }))).toBe('taken')
      expect(await access.createApiKey(anApiKey('KEY-2', { hash: key.hash }))).toBe('taken')
      expect(await access.apiKeyByHash('another')).toBeNull()
      expect(await snapshot(access)).toEqual(before)
      const results = await race(racer => access.createApiKey(anApiKey(`KEY-R${racer}`, { hash: 'raced' })))
      expect(count(results, 'created')).toBe(1)
      expect((await access.apiKeyByHash('raced'))?.id).toBe(`KEY-R${results.indexOf('created')}`)
      expect(await access.apiKeys({}, 100)).toHaveLength(2)
    })

    it('SX12 keys are listed revoked or not, oldest first, then by the code points of the id', async () => {
      const access = await open()
      await access.createApiKey(anApiKey('A-late', { createdAt: START + 1 }))
      for (const id of [...ORDERED].reverse()) await access.createApiKey(anApiKey(id))
      await access.createApiKey(anApiKey('z-early', { createdAt: 0, revokedAt: START }))
      expect((await access.apiKeys({}, 100)).map(({ id }) => id)).toEqual(['z-early', ...ORDERED, 'A-late'])
    })

    it('SX13 an account’s keys leave out those of other accounts and of no account', async () => {
      const access = await open()
      await access.createApiKey(anApiKey('KEY-1'))
      await access.createApiKey(anApiKey('KEY-2', { accountId: OTHER }))
      await access.createApiKey(anApiKey('KEY-3', { kind: 'operator', accountId: null }))
      const ids = async (filter: Parameters<AccessStore['apiKeys']>[0]) =>
        (await access.apiKeys(filter, 100)).map(({ id }) => id)
      expect(await ids({ accountId: ACCOUNT })).toEqual(['KEY-1'])
      expect(await ids({ accountId: OTHER })).toEqual(['KEY-2'])
      expect(await ids({ accountId: asId<AccountId>('ws-%') })).toEqual([])
      expect(await ids({})).toEqual(['KEY-1', 'KEY-2', 'KEY-3'])
    })

    it('SX16 keys come as many as asked for, behind a place, by account and by agent; all that is given holds', async () => {
      const access = await open()
      for (const id of ORDERED) await access.createApiKey(anApiKey(id, { agentId: AGENT }))
      await access.createApiKey(anApiKey('whole', { createdAt: 0 }))
      await access.createApiKey(anApiKey('foreign', { accountId: OTHER, agentId: AGENT }))
      const pages = (filter: CredentialFilter) =>
        pagesOf((place, limit) => access.apiKeys({ ...filter, ...place }, limit))
      expect((await pages({})).flat()).toEqual(['whole', ...ORDERED, 'foreign'])
      expect((await pages({ accountId: ACCOUNT })).flat()).toEqual(['whole', ...ORDERED])
      expect((await pages({ agentId: AGENT })).flat()).toEqual([...ORDERED, 'foreign'])
      expect((await pages({ agentId: AGENT, accountId: ACCOUNT })).flat()).toEqual(ORDERED)
      expect((await pages({ agentId: AGENT, accountId: OTHER })).flat()).toEqual(['foreign'])
      expect(await pages({ agentId: asId('PROJECT-NONE') })).toEqual([])
    })

    it('SX14 the first revocation stands, and a revoked key is still found', async () => {
      const access = await open()
      const key = anApiKey('KEY-1')
      await access.createApiKey(key)
      await access.createApiKey(anApiKey('KEY-2'))
      expect(await access.revokeApiKey(key.id, START + 5)).toBe(true)
      expect(await access.revokeApiKey(key.id, START + 1)).toBe(true)
      expect(await access.apiKeyByHash(key.hash)).toEqual({ ...key, revokedAt: START + 5 })
      expect(await access.revokeApiKey(asId('KEY-3'), START)).toBe(false)
      expect((await access.apiKeys({}, 100)).map(({ revokedAt }) => revokedAt)).toEqual([START + 5, null])
      await access.revokeApiKey(asId('KEY-2'), 0)
      await access.revokeApiKey(asId('KEY-2'), START)
      expect((await access.apiKeys({}, 100)).map(({ revokedAt }) => revokedAt)).toEqual([START + 5, 0])
    })

    it('TM8 a use is noted when the newest lies further ahead than an interval', async () => {
      const access = await open()
      const [key, connector] = [anApiKey('KEY-1'), aConnector('C-1', { lastUsedAt: null })]
      await access.createApiKey(key)
      await access.createConnector(connector)
      for (const at of [START, START - 61]) {
        expect(await access.touchApiKey(key.id, at, 60)).toBe(true)
        expect(await access.touchConnector(connector.id, at, 60)).toBe(true)
      }
      expect((await access.apiKey(key.id))?.lastUsedAt).toBe(START - 61)
    })

    it('SX15 a use is noted when none was, or the newest is old enough; of racers one notes it', async () => {
      const access = await open()
      const key = anApiKey('KEY-1')
      await access.createApiKey(key)
      await access.createApiKey(anApiKey('KEY-2'))
      const used = async () => (await access.apiKey(key.id))?.lastUsedAt
      expect(await access.touchApiKey(key.id, START, 60)).toBe(true)
      expect(await access.apiKeyByHash(key.hash)).toEqual({ ...key, lastUsedAt: START })
      for (const at of [START - 60, START, START + 59])
        expect(await access.touchApiKey(key.id, at, 60)).toBe(false)
      expect(await used()).toBe(START)
      expect(await access.touchApiKey(key.id, START + 60, 60)).toBe(true)
      expect(await used()).toBe(START + 60)
      const racing = await race(racer => access.touchApiKey(key.id, START + 120 + racer, 60))
      expect(count(racing, true)).toBe(1)
      expect(await used()).toBe(START + 120 + racing.indexOf(true))
      expect(await access.touchApiKey(asId('KEY-3'), START, 60)).toBe(false)
      expect((await access.apiKey(asId('KEY-2')))?.lastUsedAt).toBeNull()
    })
  })
}

function describeConnectors(open: () => Promise<AccessStore>): void {
  describe('connectors', () => {
    it('SX20 a connector is found by its id and by its token’s hash', async () => {
      const access = await open()
      const connector = aConnector('C-1', {
        hosts: ['b.example', 'a.example'],
        variantId: 'v1',
        expiresAt: START + 9,
        lastUsedAt: START + 7,
      })
      expect(await access.createConnector(connector)).toBe('created')
      expect(await access.connector(connector.id)).toEqual(connector)
      expect(await access.connectorByTokenHash(connector.tokenHash)).toEqual(connector)
      expect(await access.connector(asId('c-1'))).toBeNull()
      expect(await access.connector(asId(connector.tokenHash))).toBeNull()
      for (const other of ['C-1', 'hash-of-C-_', ''])
        expect(await access.connectorByTokenHash(other)).toBeNull()
    })

    it('SX21 an id or a token’s hash that exists is taken, and nothing is written', async () => {
      const access = await open()
      const connector = aConnector('C-1')
      await access.createConnector(connector)
      const before = await snapshot(access)
      expect(await access.createConnector(aConnector('C-1', { tokenHash: 'another' }))).toBe('taken')
      expect(await access.createConnector(aConnector('C-2', { tokenHash: connector.tokenHash }))).toBe(
        'taken',
      )
      expect(await access.connectorByTokenHash('another')).toBeNull()
      expect(await snapshot(access)).toEqual(before)
      const results = await race(racer =>
        access.createConnector(aConnector(`C-R${racer}`, { tokenHash: 'raced' })),
      )
      expect(count(results, 'created')).toBe(1)
      expect((await access.connectorByTokenHash('raced'))?.id).toBe(`C-R${results.indexOf('created')}`)
    })

    it('SX22 connectors are listed revoked or not, by account, oldest first, then by the code points of the id', async () => {
      const access = await open()
      await access.createConnector(aConnector('A-late', { createdAt: START + 1 }))
      for (const id of [...ORDERED].reverse()) await access.createConnector(aConnector(id))
      await access.createConnector(aConnector('z-early', { createdAt: 0, revokedAt: START }))
      await access.createConnector(aConnector('foreign', { createdAt: 1, accountId: OTHER }))
      const ids = async (filter: Parameters<AccessStore['connectors']>[0]) =>
        (await access.connectors(filter, 100)).map(({ id }) => id)
      expect(await ids({ accountId: ACCOUNT })).toEqual(['z-early', ...ORDERED, 'A-late'])
      expect(await ids({ accountId: OTHER })).toEqual(['foreign'])
      expect(await ids({})).toEqual(['z-early', 'foreign', ...ORDERED, 'A-late'])
    })

    it('SX29 connectors come as many as asked for, behind a place, by account and by agent; all that is given holds', async () => {
      const access = await open()
      for (const id of ORDERED) await access.createConnector(aConnector(id, { agentId: AGENT }))
      await access.createConnector(aConnector('another', { createdAt: 0, agentId: asId('PROJECT-TWO') }))
      await access.createConnector(aConnector('foreign', { accountId: OTHER, agentId: AGENT }))
      const pages = (filter: CredentialFilter) =>
        pagesOf((place, limit) => access.connectors({ ...filter, ...place }, limit))
      expect((await pages({})).flat()).toEqual(['another', ...ORDERED, 'foreign'])
      expect((await pages({ accountId: ACCOUNT })).flat()).toEqual(['another', ...ORDERED])
      expect((await pages({ agentId: AGENT })).flat()).toEqual([...ORDERED, 'foreign'])
      expect((await pages({ agentId: AGENT, accountId: ACCOUNT })).flat()).toEqual(ORDERED)
    })

    it('SX23 an update replaces the whole connector, its token included', async () => {
      const access = await open()
      const connector = aConnector('C-1')
      await access.createConnector(connector)
      await access.createConnector(aConnector('C-2'))
      const next = aConnector('C-1', {
        tokenHash: 'new',
        name: 'Renamed',
        hosts: [],
        environment: 'sandbox',
        variantId: 'v1',
        handoff: { mode: 'client', queueName: 'q', timeoutSeconds: 1 },
        expiresAt: START + 3,
      })
      expect(await access.updateConnector(connector, next)).toBe('written')
      expect(await access.connector(connector.id)).toEqual(next)
      expect(await access.connectorByTokenHash('new')).toEqual(next)
      expect(await access.connectorByTokenHash(connector.tokenHash)).toBeNull()
      expect(await access.updateConnector(next, connector)).toBe('written')
      expect(await access.connectors({}, 100)).toEqual([connector, aConnector('C-2')])
    })

    it('SX28 an update of a connector that is another by now writes nothing; of racers one wins', async () => {
      const access = await open()
      const connector = aConnector('C-1', {
        hosts: ['one.example', 'Ü.example'],
        variantId: 'v1',
        expiresAt: START + 9,
      })
      await access.createConnector(connector)
      const others: readonly Partial<ReturnType<typeof aConnector>>[] = [
        { tokenHash: 'other' },
        { name: 'other' },
        { environment: 'sandbox' },
        { hosts: ['one.example'] },
        { variantId: null },
        { handoff: { ...connector.handoff, timeoutSeconds: 7 } },
        { expiresAt: null },
        { revokedAt: START },
      ]
      for (const other of others)
        expect(await access.updateConnector({ ...connector, ...other }, { ...connector, name: 'late' })).toBe(
          'stale',
        )
      expect(await access.connector(connector.id)).toEqual(connector)
      const results = await race(racer =>
        access.updateConnector(connector, { ...connector, name: `racer ${racer}` }),
      )
      expect(count(results, 'written')).toBe(1)
      expect((await access.connector(connector.id))?.name).toBe(`racer ${results.indexOf('written')}`)
    })

    it('SX25 the first revocation of a connector stands: no update that did not see it is written', async () => {
      const access = await open()
      const connector = aConnector('C-1')
      await access.createConnector(connector)
      await access.revokeConnector(connector.id, START + 1)
      expect(await access.updateConnector(connector, { ...connector, name: 'Renamed' })).toBe('stale')
      expect(await access.connector(connector.id)).toEqual({ ...connector, revokedAt: START + 1 })
    })

    it('SX26 the use of a connector is noted like a key’s, and no update changes it', async () => {
      const access = await open()
      const connector = aConnector('C-1')
      await access.createConnector(connector)
      const used = async () => (await access.connector(connector.id))?.lastUsedAt
      expect(await access.touchConnector(connector.id, START, 60)).toBe(true)
      expect(await access.touchConnector(connector.id, START + 59, 60)).toBe(false)
      let before = connector
      for (const lastUsedAt of [null, START - 1, START + 1]) {
        const next = { ...connector, name: `Renamed ${lastUsedAt}`, lastUsedAt }
        expect(await access.updateConnector(before, next)).toBe('written')
        expect(await access.connector(connector.id)).toEqual({ ...next, lastUsedAt: START })
        before = next
      }
      const racing = await race(racer => access.touchConnector(connector.id, START + 60 + racer, 60))
      expect(count(racing, true)).toBe(1)
      expect(await used()).toBe(START + 60 + racing.indexOf(true))
      expect(await access.touchConnector(asId('C-2'), START, 60)).toBe(false)
    })

    it('SX27 of racing revocations the first stands; one of an unknown connector says so', async () => {
      const access = await open()
      const connector = aConnector('C-1')
      await access.createConnector(connector)
      expect(await access.revokeConnector(asId('C-2'), START)).toBe(false)
      const results = await race(racer => access.revokeConnector(connector.id, START + racer))
      expect(count(results, true)).toBe(results.length)
      const revoked = await access.connector(connector.id)
      expect(await access.revokeConnector(connector.id, 0)).toBe(true)
      expect(await access.connector(connector.id)).toEqual(revoked)
      expect(revoked).toEqual({ ...connector, revokedAt: expect.any(Number) })
    })

    it('SX24 an update of an unknown connector writes nothing', async () => {
      const access = await open()
      await access.createConnector(aConnector('C-1'))
      expect(await access.updateConnector(aConnector('C-2'), aConnector('C-2'))).toBe('stale')
      expect(await access.connectors({}, 100)).toEqual([aConnector('C-1')])
      expect(await access.connectorByTokenHash('hash-of-C-2')).toBeNull()
    })
  })
}

function describeTelephonyConnectors(open: () => Promise<AccessStore>): void {
  describe('telephony connectors', () => {
    it('SX36 a connector is found and listed among those of its kind alone, whatever its id', async () => {
      const access = await open()
      const [one, other] = [aTelephonyConnector('C-1', { variantId: 'v1' }), aConnector('C-2')]
      expect(await access.createConnector(one)).toBe('created')
      expect(await access.createConnector(other)).toBe('created')
      expect(await access.createConnector(aTelephonyConnector('C-3', { disableHandoff: true }))).toBe(
        'created',
      )
      expect(await access.telephonyConnector(one.id)).toEqual(one)
      expect(await access.telephonyConnector(other.id)).toBeNull()
      expect(await access.connector(one.id)).toBeNull()
      expect(await access.connectorByTokenHash('')).toBeNull()
      expect(await access.connectors({}, 100)).toEqual([other])
      expect(await access.connectors({ agentId: AGENT, accountId: ACCOUNT }, 100)).toEqual([other])
      expect(await access.touchConnector(one.id, START, 1)).toBe(false)
      for (const taken of [aConnector('C-1'), aTelephonyConnector('C-1'), aTelephonyConnector('C-2')])
        expect(await access.createConnector(taken)).toBe('taken')
      expect(await access.connector(other.id)).toEqual(other)
      expect(await access.telephonyConnector(one.id)).toEqual(one)
    })

    it('SX37 those of an agent come oldest first, revoked or not, as many as asked for, behind a place', async () => {
      const access = await open()
      for (const id of [...ORDERED].reverse()) await access.createConnector(aTelephonyConnector(id))
      await access.createConnector(aTelephonyConnector('early', { createdAt: 0, revokedAt: START }))
      await access.createConnector(aTelephonyConnector('foreign', { agentId: asId('PROJECT-TWO') }))
      await access.createConnector(aConnector('message', { agentId: AGENT }))
      const pages = await pagesOf((filter, limit) => access.telephonyConnectors(AGENT, filter, limit))
      expect(pages.flat()).toEqual(['early', ...ORDERED])
      expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 1])
      expect(await access.telephonyConnectors(asId('PROJECT-NONE'), {}, 9)).toEqual([])
    })

    it('SX38 an update of one that is another by now writes nothing; the first revocation stands', async () => {
      const access = await open()
      const connector = aTelephonyConnector('C-1')
      await access.createConnector(connector)
      const others: readonly Partial<ReturnType<typeof aTelephonyConnector>>[] = [
        { name: 'other' },
        { agentId: asId('PROJECT-TWO') },
        { environment: 'sandbox' },
        { variantId: 'v1' },
        { asrLangCode: 'de-DE' },
        { ttsLangCode: 'de-DE' },
        { voiceName: '' },
        { disableHandoff: true },
        { revokedAt: START },
      ]
      for (const other of others)
        expect(await access.updateConnector({ ...connector, ...other }, { ...connector, name: 'late' })).toBe(
          'stale',
        )
      let before = connector
      for (const other of others.slice(0, -1)) {
        const next = { ...before, ...other }
        expect(await access.updateConnector(before, next)).toBe('written')
        expect(await access.telephonyConnector(connector.id)).toEqual(next)
        before = next
      }
      expect(await access.telephonyConnectors(AGENT, {}, 9)).toEqual([])
      expect(await access.revokeConnector(connector.id, START + 5)).toBe(true)
      expect(await access.revokeConnector(connector.id, START + 1)).toBe(true)
      expect(await access.updateConnector(before, { ...before, name: 'late' })).toBe('stale')
      expect(await access.telephonyConnector(connector.id)).toEqual({ ...before, revokedAt: START + 5 })
    })
  })
}

function describeSecrets(open: () => Promise<AccessStore>): void {
  describe('secrets', () => {
    it('SX30 the first candidate is kept under its name, and all callers get it', async () => {
      const access = await open()
      expect(await access.secret('token', 'first')).toBe('first')
      expect(await access.secret('token', 'second')).toBe('first')
      expect(await access.secret('Token', 'other')).toBe('other')
      for (const name of HARD_STRINGS) {
        expect(await access.secret(name, `of ${name}`)).toBe(`of ${name}`)
        expect(await access.secret(name, 'late')).toBe(`of ${name}`)
      }
      expect(await access.secret('token', 'third')).toBe('first')
    })

    it('SX31 racers all get the same secret, the candidate of one of them', async () => {
      const access = await open()
      const secrets = await race(racer => access.secret('token', `candidate ${racer}`))
      expect(new Set(secrets).size).toBe(1)
      expect(secrets[0]).toMatch(/^candidate [0-7]$/)
      expect(await access.secret('token', 'late')).toBe(secrets[0])
    })
  })
}

function describeTokenKeys(open: () => Promise<AccessStore>): void {
  describe('token keys', () => {
    it('SX32 a key is added after the newest one alone; it ends the earlier ones, and moves no end back', async () => {
      const access = await open()
      expect(await access.tokenKeys()).toEqual([])
      expect(await access.addTokenKey(aTokenKey(2), START)).toBe('stale')
      expect(await access.addTokenKey(aTokenKey(1), START)).toBe('added')
      expect(await access.tokenKeys()).toEqual([aTokenKey(1)])
      for (const number of [0, 1, 3]) {
        const key = aTokenKey(number, { id: asId('another') })
        expect(await access.addTokenKey(key, START)).toBe('stale')
      }
      expect(await access.addTokenKey(aTokenKey(2, { id: aTokenKey(1).id }), START)).toBe('stale')
      expect(await access.tokenKeys()).toEqual([aTokenKey(1)])
      const ended = (number: number, verifiesUntil: number) => aTokenKey(number, { verifiesUntil })
      await access.addTokenKey(aTokenKey(2), START + 50)
      expect(await access.tokenKeys()).toEqual([aTokenKey(2), ended(1, START + 50)])
      await access.addTokenKey(aTokenKey(3), START + 90)
      expect(await access.tokenKeys()).toEqual([aTokenKey(3), ended(2, START + 90), ended(1, START + 50)])
      await access.addTokenKey(aTokenKey(4), 0)
      expect(await access.tokenKeys()).toEqual([aTokenKey(4), ended(3, 0), ended(2, 0), ended(1, 0)])
    })

    it('SX33 of racing keys of one number one is added', async () => {
      const access = await open()
      await access.addTokenKey(aTokenKey(1), START)
      const candidate = (racer: number) => aTokenKey(2, { id: asId(`key-${racer}`), secret: `of ${racer}` })
      const results = await race(racer => access.addTokenKey(candidate(racer), START + racer))
      expect(count(results, 'added')).toBe(1)
      const winner = results.indexOf('added')
      expect(await access.tokenKeys()).toEqual([
        candidate(winner),
        aTokenKey(1, { verifiesUntil: START + winner }),
      ])
    })

    it('SX34 keys are removed from the moment of their end on; the newest stays', async () => {
      const access = await open()
      for (const number of [1, 2, 3]) await access.addTokenKey(aTokenKey(number), START + 10 * number)
      const numbers = async () => (await access.tokenKeys()).map(({ number }) => number)
      await access.removeTokenKeys(START + 19)
      expect(await numbers()).toEqual([3, 2, 1])
      await access.removeTokenKeys(START + 20)
      expect(await numbers()).toEqual([3, 2])
      await access.removeTokenKeys(8_640_000_000_000_000)
      expect(await access.tokenKeys()).toEqual([aTokenKey(3)])
      expect(await access.addTokenKey(aTokenKey(4), START)).toBe('added')
    })
  })
}

function describeAccessValues(factory: StoreFactory, open: () => Promise<AccessStore>): void {
  describe('values', () => {
    it('SX40 every string and every moment is kept as it is', async () => {
      const access = await open()
      for (const [index, text] of HARD_STRINGS.entries()) {
        const createdAt = EXTREME_TIMES[index % EXTREME_TIMES.length] ?? 0
        const accountId = asId<AccountId>(text)
        const account = anAccount(text, { slug: `s${text}`, name: text, createdAt })
        const key = anApiKey(text, {
          accountId,
          hash: `h${text}`,
          prefix: text,
          name: text,
          permissions: [text],
          createdAt,
        })
        const connector = aConnector(text, {
          accountId,
          tokenHash: `h${text}`,
          name: text,
          hosts: [text],
          createdAt,
        })
        expect(await access.createAccount(account)).toBe('created')
        expect(await access.createApiKey(key)).toBe('created')
        expect(await access.createConnector(connector)).toBe('created')
        expect(await access.account(`s${text}`)).toEqual(account)
        expect(await access.apiKeys({ accountId }, 100)).toEqual([key])
        expect(await access.apiKeyByHash(`h${text}`)).toEqual(key)
        expect(await access.connectors({ accountId }, 100)).toEqual([connector])
        expect(await access.connectorByTokenHash(`h${text}`)).toEqual(connector)
        const tokenKey = aTokenKey(index + 1, { id: asId(text), secret: text, createdAt })
        expect(await access.addTokenKey(tokenKey, createdAt)).toBe('added')
        expect((await access.tokenKeys())[0]).toEqual(tokenKey)
      }
    })

    it('SX41 values are copied in: changing an argument afterwards changes nothing', async () => {
      const access = await open()
      const key = anApiKey('KEY-1', { permissions: ['a'] })
      await scribbling(anAccount(), value => access.createAccount(value))
      await scribbling(key, value => access.createApiKey(value))
      await scribbling(aConnector('C-1'), value => access.createConnector(value))
      await scribbling(aConnector('C-1', { hosts: ['new.example'] }), value =>
        access.updateConnector(aConnector('C-1'), value),
      )
      await scribbling(aTokenKey(1), value => access.addTokenKey(value, START))
      expect(await snapshot(access)).toEqual({
        accounts: [anAccount()],
        apiKeys: [key],
        connectors: [aConnector('C-1', { hosts: ['new.example'] })],
        tokenKeys: [aTokenKey(1)],
      })
    })

    it('SX42 values are copied out: changing a result changes nothing, and arguments are never written to', async () => {
      const access = await open()
      const connector = frozen(aConnector('C-1'))
      await access.createAccount(frozen(anAccount()))
      await access.createApiKey(frozen(anApiKey('KEY-1', { permissions: ['a'] })))
      await access.createConnector(connector)
      await access.updateConnector(connector, connector)
      await access.revokeApiKey(asId('KEY-1'), START)
      await access.addTokenKey(frozen(aTokenKey(1)), START)
      await access.addTokenKey(frozen(aTokenKey(2)), START)
      const before = await snapshot(access)
      scribble(await snapshot(access))
      scribble(await access.account(ACCOUNT))
      scribble(await access.apiKeyByHash('hash-of-KEY-1'))
      scribble(await access.apiKey(asId('KEY-1')))
      scribble(await access.connector(connector.id))
      scribble(await access.connectorByTokenHash(connector.tokenHash))
      expect(await snapshot(access)).toEqual(before)
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SX43 all of it is there when the store is opened again', async () => {
        const store = await factory.open()
        await store.access.createAccount(anAccount())
        await store.access.createApiKey(anApiKey('KEY-1', { permissions: [] }))
        await store.access.revokeApiKey(asId('KEY-1'), START + 1)
        await store.access.createConnector(aConnector('C-1'))
        await store.access.updateConnector(aConnector('C-1'), aConnector('C-1', { hosts: ['new.example'] }))
        await store.access.secret('token', 'first')
        await store.access.touchApiKey(asId('KEY-1'), START, 1)
        await store.access.touchConnector(asId('C-1'), START, 1)
        await store.access.addTokenKey(aTokenKey(1), START)
        await store.access.addTokenKey(aTokenKey(2), START)
        const before = await snapshot(store.access)
        const { access } = await reopenForTest(reopen, store)
        expect(await snapshot(access)).toEqual(before)
        expect(await access.secret('token', 'second')).toBe('first')
        expect(await access.createAccount(anAccount('ws-two', { slug: anAccount().slug }))).toBe('taken')
      })
    }
  })
}

/** Declares the tests of the `AccessStore` port (rules SX1 to SX49) for one adapter. To be called in a vitest file. */
export function testAccessStore(name: string, factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access
  describe(`${name}: access store`, () => {
    describeAccounts(open)
    describeApiKeys(open)
    describeConnectors(open)
    describeTelephonyConnectors(open)
    describeSecrets(open)
    describeTokenKeys(open)
    describeAccessValues(factory, open)
  })
}
