import { describe, expect, it } from 'vitest'
import type { CreatedFilter, CreatedPosition } from '../../../ports/store/accounts.ts'
import type { CredentialFilter } from '../../../ports/store/api-keys.ts'
import type { AccessStore } from '../../../ports/store/store.ts'
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
import { describeAudioCache } from './audio-cache.ts'
import { describeNumberPool } from './number-pool.ts'
import { describePhoneNumbers } from './phone-numbers.ts'
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
import { describeVoices } from './voices.ts'

/** Two context keys, in an order that is not that of their names. */
const SECRETS = [
  { kid: 'ctx-b', secret: 'cq_cx_ü', createdAt: START + 1, verifiesUntil: null },
  { kid: 'ctx-a', secret: 'cq_cx_1', createdAt: START, verifiesUntil: START + 2 },
]

const OTHER = 'ws-other'
/** Ids of one moment, in the order in which lists show them. */
const ORDERED = ['K-10', 'K-9', 'K-B', 'K-a', 'K-\uFF5E', 'K-\u{1F600}']

/** Ids of one list in pages of two, from a position that no value has. */
async function pagesOf<Value extends CreatedPosition>(
  list: (filter: CreatedFilter, limit: number) => Promise<readonly Value[]>,
): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = []
  let after: CreatedPosition | undefined = { createdAt: -1, id: 'nobody' }
  while (after !== undefined) {
    const page: readonly Value[] = await list({ after }, 2)
    if (page.length > 0) pages.push(page.map(({ id }) => id))
    after = page.at(-1)
  }
  return pages
}

/** Everything that a store tells about accounts and credentials, in one value that can be compared. */
const snapshot = async (access: AccessStore) => ({
  accounts: await access.accounts.list({}, 100),
  apiKeys: await access.apiKeys.list({}, 100),
  connectors: await access.connectors.list({}, 100),
  tokenKeys: await access.tokenKeys.list(),
})

function describeAccounts(open: () => Promise<AccessStore>): void {
  describe('accounts', () => {
    it('SX1 an account is found by its id and by its slug, exactly as written', async () => {
      const access = await open()
      const account = anAccount('ws-one', { slug: 'one_' })
      expect(await access.accounts.create(account)).toBe('created')
      expect(await access.accounts.find('ws-one')).toEqual(account)
      expect(await access.accounts.find('one_')).toEqual(account)
      for (const other of ['WS-ONE', 'one%', 'one1', 'one', '', 'ws-one ']) {
        expect(await access.accounts.find(other)).toBeNull()
      }
    })

    it('SX2 an id or slug that exists, also as the other’s value, is taken, and nothing is written', async () => {
      const access = await open()
      await access.accounts.create(anAccount('ws-one', { slug: 'one' }))
      const before = await snapshot(access)
      for (const [id, slug] of [
        ['ws-one', 'two'],
        ['ws-two', 'one'],
        ['one', 'two'],
        ['ws-two', 'ws-one'],
      ] as const) {
        expect(await access.accounts.create(anAccount(id, { slug }))).toBe('taken')
      }
      expect(await snapshot(access)).toEqual(before)
      expect(await access.accounts.find('two')).toBeNull()
      expect(await access.accounts.find('ws-two')).toBeNull()
      expect(await access.accounts.create(anAccount('ws-two', { slug: 'two' }))).toBe('created')
    })

    it('SX3 of racing accounts with one slug exactly one is created', async () => {
      const access = await open()
      const candidate = (racer: number) => anAccount(`ws-${racer}`, { slug: 'same' })
      const results = await race(racer => access.accounts.create(candidate(racer)))
      expect(count(results, 'created')).toBe(1)
      expect(count(results, 'taken')).toBe(RACERS - 1)
      expect(await access.accounts.list({}, 100)).toEqual([candidate(results.indexOf('created'))])
    })

    it('SX4 accounts come oldest first, then by the code points of the id', async () => {
      const access = await open()
      await access.accounts.create(anAccount('A-late', { createdAt: START + 1 }))
      for (const id of [...ORDERED].reverse()) await access.accounts.create(anAccount(id))
      await access.accounts.create(anAccount('z-early', { createdAt: 0 }))
      expect((await access.accounts.list({}, 100)).map(({ id }) => id)).toEqual([
        'z-early',
        ...ORDERED,
        'A-late',
      ])
    })

    it('SX5 accounts come in pages after a position, whether or not an account is at it', async () => {
      const access = await open()
      for (const id of ORDERED) await access.accounts.create(anAccount(id))
      await access.accounts.create(anAccount('z-early', { createdAt: 0 }))
      expect((await access.accounts.list({}, 1)).map(({ id }) => id)).toEqual(['z-early'])
      expect((await pagesOf(access.accounts.list)).flat()).toEqual(['z-early', ...ORDERED])
      expect((await pagesOf(access.accounts.list)).map(({ length }) => length)).toEqual([2, 2, 2, 1])
      const behind = await access.accounts.list({ after: { createdAt: START, id: 'K-9x' } }, 100)
      expect(behind.map(({ id }) => id)).toEqual(ORDERED.slice(2))
      expect(await access.accounts.list({ after: { createdAt: START + 1, id: '' } }, 100)).toEqual([])
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
        agentId: 'PROJECT-ONE',
        expiresAt: START + 9,
        lastUsedAt: START + 7,
      })
      expect(await access.apiKeys.create(key)).toBe('created')
      expect(await access.apiKeys.find(key.id)).toEqual(key)
      for (const other of [key.hash, 'key-1', 'KEY-_', ''])
        expect(await access.apiKeys.find(other)).toBeNull()
      expect(await access.apiKeys.findByHash(key.hash)).toEqual(key)
      for (const other of ['KEY-1', 'HASH-OF-KEY-1', 'hash-of-KEY-_', ''])
        expect(await access.apiKeys.findByHash(other)).toBeNull()
    })

    it('SX11 an id or a hash that exists is taken, and nothing is written', async () => {
      const access = await open()
      const key = anApiKey('KEY-1')
      await access.apiKeys.create(key)
      await access.apiKeys.revoke(key.id, START)
      const before = await snapshot(access)
      expect(await access.apiKeys.create(anApiKey('KEY-1', { hash: 'another' }))).toBe('taken')
      expect(await access.apiKeys.create(anApiKey('KEY-2', { hash: key.hash }))).toBe('taken')
      expect(await access.apiKeys.findByHash('another')).toBeNull()
      expect(await snapshot(access)).toEqual(before)
      const results = await race(racer => access.apiKeys.create(anApiKey(`KEY-R${racer}`, { hash: 'raced' })))
      expect(count(results, 'created')).toBe(1)
      expect((await access.apiKeys.findByHash('raced'))?.id).toBe(`KEY-R${results.indexOf('created')}`)
      expect(await access.apiKeys.list({}, 100)).toHaveLength(2)
    })

    it('SX12 keys are listed revoked or not, oldest first, then by the code points of the id', async () => {
      const access = await open()
      await access.apiKeys.create(anApiKey('A-late', { createdAt: START + 1 }))
      for (const id of [...ORDERED].reverse()) await access.apiKeys.create(anApiKey(id))
      await access.apiKeys.create(anApiKey('z-early', { createdAt: 0, revokedAt: START }))
      expect((await access.apiKeys.list({}, 100)).map(({ id }) => id)).toEqual([
        'z-early',
        ...ORDERED,
        'A-late',
      ])
    })

    it('SX13 an account’s keys leave out those of other accounts and of no account', async () => {
      const access = await open()
      await access.apiKeys.create(anApiKey('KEY-1'))
      await access.apiKeys.create(anApiKey('KEY-2', { accountId: OTHER }))
      await access.apiKeys.create(anApiKey('KEY-3', { kind: 'operator', accountId: null }))
      const ids = async (filter: Parameters<AccessStore['apiKeys']['list']>[0]) =>
        (await access.apiKeys.list(filter, 100)).map(({ id }) => id)
      expect(await ids({ accountId: ACCOUNT })).toEqual(['KEY-1'])
      expect(await ids({ accountId: OTHER })).toEqual(['KEY-2'])
      expect(await ids({ accountId: 'ws-%' })).toEqual([])
      expect(await ids({})).toEqual(['KEY-1', 'KEY-2', 'KEY-3'])
    })

    it('SX16 keys come in pages after a position, by account and by agent; all given filters apply', async () => {
      const access = await open()
      for (const id of ORDERED) await access.apiKeys.create(anApiKey(id, { agentId: AGENT }))
      await access.apiKeys.create(anApiKey('whole', { createdAt: 0 }))
      await access.apiKeys.create(anApiKey('foreign', { accountId: OTHER, agentId: AGENT }))
      const pages = (filter: CredentialFilter) =>
        pagesOf((place, limit) => access.apiKeys.list({ ...filter, ...place }, limit))
      expect((await pages({})).flat()).toEqual(['whole', ...ORDERED, 'foreign'])
      expect((await pages({ accountId: ACCOUNT })).flat()).toEqual(['whole', ...ORDERED])
      expect((await pages({ agentId: AGENT })).flat()).toEqual([...ORDERED, 'foreign'])
      expect((await pages({ agentId: AGENT, accountId: ACCOUNT })).flat()).toEqual(ORDERED)
      expect((await pages({ agentId: AGENT, accountId: OTHER })).flat()).toEqual(['foreign'])
      expect(await pages({ agentId: 'PROJECT-NONE' })).toEqual([])
    })

    it('SX14 the first revocation stands, and a revoked key is still found', async () => {
      const access = await open()
      const key = anApiKey('KEY-1')
      await access.apiKeys.create(key)
      await access.apiKeys.create(anApiKey('KEY-2'))
      expect(await access.apiKeys.revoke(key.id, START + 5)).toBe(true)
      expect(await access.apiKeys.revoke(key.id, START + 1)).toBe(true)
      expect(await access.apiKeys.findByHash(key.hash)).toEqual({ ...key, revokedAt: START + 5 })
      expect(await access.apiKeys.revoke('KEY-3', START)).toBe(false)
      expect((await access.apiKeys.list({}, 100)).map(({ revokedAt }) => revokedAt)).toEqual([
        START + 5,
        null,
      ])
      await access.apiKeys.revoke('KEY-2', 0)
      await access.apiKeys.revoke('KEY-2', START)
      expect((await access.apiKeys.list({}, 100)).map(({ revokedAt }) => revokedAt)).toEqual([START + 5, 0])
    })

    it('TM8 a use is noted when the newest lies further ahead than an interval', async () => {
      const access = await open()
      const [key, connector] = [anApiKey('KEY-1'), aConnector('C-1', { lastUsedAt: null })]
      await access.apiKeys.create(key)
      await access.connectors.create(connector)
      for (const at of [START, START - 61]) {
        expect(await access.apiKeys.touch(key.id, at, 60)).toBe(true)
        expect(await access.connectors.touch(connector.id, at, 60)).toBe(true)
      }
      expect((await access.apiKeys.find(key.id))?.lastUsedAt).toBe(START - 61)
    })

    it('SX15 a use is noted when none was, or the newest is old enough; of racers one notes it', async () => {
      const access = await open()
      const key = anApiKey('KEY-1')
      await access.apiKeys.create(key)
      await access.apiKeys.create(anApiKey('KEY-2'))
      const used = async () => (await access.apiKeys.find(key.id))?.lastUsedAt
      expect(await access.apiKeys.touch(key.id, START, 60)).toBe(true)
      expect(await access.apiKeys.findByHash(key.hash)).toEqual({ ...key, lastUsedAt: START })
      for (const at of [START - 60, START, START + 59])
        expect(await access.apiKeys.touch(key.id, at, 60)).toBe(false)
      expect(await used()).toBe(START)
      expect(await access.apiKeys.touch(key.id, START + 60, 60)).toBe(true)
      expect(await used()).toBe(START + 60)
      const racing = await race(racer => access.apiKeys.touch(key.id, START + 120 + racer, 60))
      expect(count(racing, true)).toBe(1)
      expect(await used()).toBe(START + 120 + racing.indexOf(true))
      expect(await access.apiKeys.touch('KEY-3', START, 60)).toBe(false)
      expect((await access.apiKeys.find('KEY-2'))?.lastUsedAt).toBeNull()
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
      expect(await access.connectors.create(connector)).toBe('created')
      expect(await access.connectors.find(connector.id)).toEqual(connector)
      expect(await access.connectors.findByTokenHash(connector.tokenHash)).toEqual(connector)
      expect(await access.connectors.find('c-1')).toBeNull()
      expect(await access.connectors.find(connector.tokenHash)).toBeNull()
      for (const other of ['C-1', 'hash-of-C-_', ''])
        expect(await access.connectors.findByTokenHash(other)).toBeNull()
    })

    it('SX21 an id or a token’s hash that exists is taken, and nothing is written', async () => {
      const access = await open()
      const connector = aConnector('C-1')
      await access.connectors.create(connector)
      const before = await snapshot(access)
      expect(await access.connectors.create(aConnector('C-1', { tokenHash: 'another' }))).toBe('taken')
      expect(await access.connectors.create(aConnector('C-2', { tokenHash: connector.tokenHash }))).toBe(
        'taken',
      )
      expect(await access.connectors.findByTokenHash('another')).toBeNull()
      expect(await snapshot(access)).toEqual(before)
      const results = await race(racer =>
        access.connectors.create(aConnector(`C-R${racer}`, { tokenHash: 'raced' })),
      )
      expect(count(results, 'created')).toBe(1)
      expect((await access.connectors.findByTokenHash('raced'))?.id).toBe(`C-R${results.indexOf('created')}`)
    })

    it('SX22 connectors are listed revoked or not, by account, oldest first, then by the code points of the id', async () => {
      const access = await open()
      await access.connectors.create(aConnector('A-late', { createdAt: START + 1 }))
      for (const id of [...ORDERED].reverse()) await access.connectors.create(aConnector(id))
      await access.connectors.create(aConnector('z-early', { createdAt: 0, revokedAt: START }))
      await access.connectors.create(aConnector('foreign', { createdAt: 1, accountId: OTHER }))
      const ids = async (filter: Parameters<AccessStore['connectors']['list']>[0]) =>
        (await access.connectors.list(filter, 100)).map(({ id }) => id)
      expect(await ids({ accountId: ACCOUNT })).toEqual(['z-early', ...ORDERED, 'A-late'])
      expect(await ids({ accountId: OTHER })).toEqual(['foreign'])
      expect(await ids({})).toEqual(['z-early', 'foreign', ...ORDERED, 'A-late'])
    })

    it('SX29 connectors come in pages after a position, by account and by agent; all given filters apply', async () => {
      const access = await open()
      for (const id of ORDERED) await access.connectors.create(aConnector(id, { agentId: AGENT }))
      await access.connectors.create(aConnector('another', { createdAt: 0, agentId: 'PROJECT-TWO' }))
      await access.connectors.create(aConnector('foreign', { accountId: OTHER, agentId: AGENT }))
      const pages = (filter: CredentialFilter) =>
        pagesOf((place, limit) => access.connectors.list({ ...filter, ...place }, limit))
      expect((await pages({})).flat()).toEqual(['another', ...ORDERED, 'foreign'])
      expect((await pages({ accountId: ACCOUNT })).flat()).toEqual(['another', ...ORDERED])
      expect((await pages({ agentId: AGENT })).flat()).toEqual([...ORDERED, 'foreign'])
      expect((await pages({ agentId: AGENT, accountId: ACCOUNT })).flat()).toEqual(ORDERED)
    })

    it('SX23 an update replaces the whole connector, its token included', async () => {
      const access = await open()
      const connector = aConnector('C-1')
      await access.connectors.create(connector)
      await access.connectors.create(aConnector('C-2'))
      const next = aConnector('C-1', {
        tokenHash: 'new',
        name: 'Renamed',
        hosts: [],
        environment: 'sandbox',
        variantId: 'v1',
        handoff: { mode: 'client', queueName: 'q', timeoutSeconds: 1 },
        contextKeys: SECRETS,
        expiresAt: START + 3,
      })
      expect(await access.connectors.update(connector, next)).toBe('written')
      expect(await access.connectors.find(connector.id)).toEqual(next)
      expect(await access.connectors.findByTokenHash('new')).toEqual(next)
      expect(await access.connectors.findByTokenHash(connector.tokenHash)).toBeNull()
      expect(await access.connectors.update(next, connector)).toBe('written')
      expect(await access.connectors.list({}, 100)).toEqual([connector, aConnector('C-2')])
    })

    it('SX28 an update of a connector that is another by now writes nothing; of racers one wins', async () => {
      const access = await open()
      const connector = aConnector('C-1', {
        hosts: ['one.example', 'Ü.example'],
        variantId: 'v1',
        expiresAt: START + 9,
      })
      await access.connectors.create(connector)
      const others: readonly Partial<ReturnType<typeof aConnector>>[] = [
        { tokenHash: 'other' },
        { name: 'other' },
        { environment: 'sandbox' },
        { hosts: ['one.example'] },
        { variantId: null },
        { handoff: { ...connector.handoff, timeoutSeconds: 7 } },
        { contextKeys: SECRETS },
        { expiresAt: null },
        { revokedAt: START },
      ]
      for (const other of others)
        expect(
          await access.connectors.update({ ...connector, ...other }, { ...connector, name: 'late' }),
        ).toBe('stale')
      expect(await access.connectors.find(connector.id)).toEqual(connector)
      const results = await race(racer =>
        access.connectors.update(connector, { ...connector, name: `racer ${racer}` }),
      )
      expect(count(results, 'written')).toBe(1)
      expect((await access.connectors.find(connector.id))?.name).toBe(`racer ${results.indexOf('written')}`)
    })

    it('SX25 the first revocation of a connector stands: no update that did not see it is written', async () => {
      const access = await open()
      const connector = aConnector('C-1')
      await access.connectors.create(connector)
      await access.connectors.revoke(connector.id, START + 1)
      expect(await access.connectors.update(connector, { ...connector, name: 'Renamed' })).toBe('stale')
      expect(await access.connectors.find(connector.id)).toEqual({ ...connector, revokedAt: START + 1 })
    })

    it('SX26 the use of a connector is noted like a key’s, and no update changes it', async () => {
      const access = await open()
      const connector = aConnector('C-1')
      await access.connectors.create(connector)
      const used = async () => (await access.connectors.find(connector.id))?.lastUsedAt
      expect(await access.connectors.touch(connector.id, START, 60)).toBe(true)
      expect(await access.connectors.touch(connector.id, START + 59, 60)).toBe(false)
      let before = connector
      for (const lastUsedAt of [null, START - 1, START + 1]) {
        const next = { ...connector, name: `Renamed ${lastUsedAt}`, lastUsedAt }
        expect(await access.connectors.update(before, next)).toBe('written')
        expect(await access.connectors.find(connector.id)).toEqual({ ...next, lastUsedAt: START })
        before = next
      }
      const racing = await race(racer => access.connectors.touch(connector.id, START + 60 + racer, 60))
      expect(count(racing, true)).toBe(1)
      expect(await used()).toBe(START + 60 + racing.indexOf(true))
      expect(await access.connectors.touch('C-2', START, 60)).toBe(false)
    })

    it('SX27 of racing revocations the first stands; one of an unknown connector says so', async () => {
      const access = await open()
      const connector = aConnector('C-1')
      await access.connectors.create(connector)
      expect(await access.connectors.revoke('C-2', START)).toBe(false)
      const results = await race(racer => access.connectors.revoke(connector.id, START + racer))
      expect(count(results, true)).toBe(results.length)
      const revoked = await access.connectors.find(connector.id)
      expect(await access.connectors.revoke(connector.id, 0)).toBe(true)
      expect(await access.connectors.find(connector.id)).toEqual(revoked)
      expect(revoked).toEqual({ ...connector, revokedAt: expect.any(Number) })
    })

    it('SX98 an update to the token of another connector is refused', async () => {
      const access = await open()
      for (const id of ['C-1', 'C-2']) await access.connectors.create(aConnector(id))
      const clash = aConnector('C-2', { tokenHash: aConnector('C-1').tokenHash })
      await expect(access.connectors.update(aConnector('C-2'), clash)).rejects.toThrow(/token/)
      expect(await access.connectors.find('C-2')).toEqual(aConnector('C-2'))
    })

    it('SX24 an update of an unknown connector writes nothing', async () => {
      const access = await open()
      await access.connectors.create(aConnector('C-1'))
      expect(await access.connectors.update(aConnector('C-2'), aConnector('C-2'))).toBe('stale')
      expect(await access.connectors.list({}, 100)).toEqual([aConnector('C-1')])
      expect(await access.connectors.findByTokenHash('hash-of-C-2')).toBeNull()
    })
  })
}

function describeTelephonyConnectors(open: () => Promise<AccessStore>): void {
  describe('telephony connectors', () => {
    it('SX36 a connector is found and listed among those of its kind alone, whatever its id', async () => {
      const access = await open()
      const [one, other] = [aTelephonyConnector('C-1', { variantId: 'v1' }), aConnector('C-2')]
      expect(await access.connectors.create(one)).toBe('created')
      expect(await access.connectors.create(other)).toBe('created')
      expect(await access.connectors.create(aTelephonyConnector('C-3', { disableHandoff: true }))).toBe(
        'created',
      )
      expect(await access.connectors.findTelephony(one.id)).toEqual(one)
      expect(await access.connectors.findTelephony(other.id)).toBeNull()
      expect(await access.connectors.find(one.id)).toBeNull()
      expect(await access.connectors.findByTokenHash('')).toBeNull()
      expect(await access.connectors.list({}, 100)).toEqual([other])
      expect(await access.connectors.list({ agentId: AGENT, accountId: ACCOUNT }, 100)).toEqual([other])
      expect(await access.connectors.touch(one.id, START, 1)).toBe(false)
      for (const taken of [aConnector('C-1'), aTelephonyConnector('C-1'), aTelephonyConnector('C-2')])
        expect(await access.connectors.create(taken)).toBe('taken')
      expect(await access.connectors.find(other.id)).toEqual(other)
      expect(await access.connectors.findTelephony(one.id)).toEqual(one)
    })

    it('SX37 those of an agent come oldest first, revoked or not, in pages after a position', async () => {
      const access = await open()
      for (const id of [...ORDERED].reverse()) await access.connectors.create(aTelephonyConnector(id))
      await access.connectors.create(aTelephonyConnector('early', { createdAt: 0, revokedAt: START }))
      await access.connectors.create(aTelephonyConnector('foreign', { agentId: 'PROJECT-TWO' }))
      await access.connectors.create(aConnector('message', { agentId: AGENT }))
      const pages = await pagesOf((filter, limit) => access.connectors.listTelephony(AGENT, filter, limit))
      expect(pages.flat()).toEqual(['early', ...ORDERED])
      expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 1])
      expect(await access.connectors.listTelephony('PROJECT-NONE', {}, 9)).toEqual([])
    })

    it('SX38 an update of one that is another by now writes nothing; the first revocation stands', async () => {
      const access = await open()
      const connector = aTelephonyConnector('C-1')
      await access.connectors.create(connector)
      const others: readonly Partial<ReturnType<typeof aTelephonyConnector>>[] = [
        { name: 'other' },
        { agentId: 'PROJECT-TWO' },
        { environment: 'sandbox' },
        { variantId: 'v1' },
        { asrLangCode: 'de-DE' },
        { ttsLangCode: 'de-DE' },
        { voiceName: '' },
        { disableHandoff: true },
        { revokedAt: START },
      ]
      for (const other of others)
        expect(
          await access.connectors.update({ ...connector, ...other }, { ...connector, name: 'late' }),
        ).toBe('stale')
      let before = connector
      for (const other of others.slice(0, -1)) {
        const next = { ...before, ...other }
        expect(await access.connectors.update(before, next)).toBe('written')
        expect(await access.connectors.findTelephony(connector.id)).toEqual(next)
        before = next
      }
      expect(await access.connectors.listTelephony(AGENT, {}, 9)).toEqual([])
      expect(await access.connectors.revokeTelephony(connector.id, START + 5)).toEqual([])
      expect(await access.connectors.revokeTelephony(connector.id, START + 1)).toBeNull()
      expect(await access.connectors.update(before, { ...before, name: 'late' })).toBe('stale')
      expect(await access.connectors.findTelephony(connector.id)).toEqual({ ...before, revokedAt: START + 5 })
    })
  })
}

function describeSecrets(open: () => Promise<AccessStore>): void {
  describe('secrets', () => {
    it('SX30 the first candidate is kept under its name, and all callers get it', async () => {
      const access = await open()
      expect(await access.tokenKeys.secret('token', 'first')).toBe('first')
      expect(await access.tokenKeys.secret('token', 'second')).toBe('first')
      expect(await access.tokenKeys.secret('Token', 'other')).toBe('other')
      for (const name of HARD_STRINGS) {
        expect(await access.tokenKeys.secret(name, `of ${name}`)).toBe(`of ${name}`)
        expect(await access.tokenKeys.secret(name, 'late')).toBe(`of ${name}`)
      }
      expect(await access.tokenKeys.secret('token', 'third')).toBe('first')
    })

    it('SX31 racers all get the same secret, the candidate of one of them', async () => {
      const access = await open()
      const secrets = await race(racer => access.tokenKeys.secret('token', `candidate ${racer}`))
      expect(new Set(secrets).size).toBe(1)
      expect(secrets[0]).toMatch(/^candidate [0-7]$/)
      expect(await access.tokenKeys.secret('token', 'late')).toBe(secrets[0])
    })
  })
}

function describeTokenKeys(open: () => Promise<AccessStore>): void {
  describe('token keys', () => {
    it('SX32 a key is added after the newest one alone; it ends the earlier ones, and moves no end back', async () => {
      const access = await open()
      expect(await access.tokenKeys.list()).toEqual([])
      expect(await access.tokenKeys.add(aTokenKey(2), START)).toBe('stale')
      expect(await access.tokenKeys.add(aTokenKey(1), START)).toBe('added')
      expect(await access.tokenKeys.list()).toEqual([aTokenKey(1)])
      for (const number of [0, 1, 3]) {
        const key = aTokenKey(number, { id: 'another' })
        expect(await access.tokenKeys.add(key, START)).toBe('stale')
      }
      expect(await access.tokenKeys.add(aTokenKey(2, { id: aTokenKey(1).id }), START)).toBe('stale')
      expect(await access.tokenKeys.list()).toEqual([aTokenKey(1)])
      const ended = (number: number, verifiesUntil: number) => aTokenKey(number, { verifiesUntil })
      await access.tokenKeys.add(aTokenKey(2), START + 50)
      expect(await access.tokenKeys.list()).toEqual([aTokenKey(2), ended(1, START + 50)])
      await access.tokenKeys.add(aTokenKey(3), START + 90)
      expect(await access.tokenKeys.list()).toEqual([
        aTokenKey(3),
        ended(2, START + 90),
        ended(1, START + 50),
      ])
      await access.tokenKeys.add(aTokenKey(4), 0)
      expect(await access.tokenKeys.list()).toEqual([aTokenKey(4), ended(3, 0), ended(2, 0), ended(1, 0)])
    })

    it('SX33 of racing keys of one number one is added', async () => {
      const access = await open()
      await access.tokenKeys.add(aTokenKey(1), START)
      const candidate = (racer: number) => aTokenKey(2, { id: `key-${racer}`, secret: `of ${racer}` })
      const results = await race(racer => access.tokenKeys.add(candidate(racer), START + racer))
      expect(count(results, 'added')).toBe(1)
      const winner = results.indexOf('added')
      expect(await access.tokenKeys.list()).toEqual([
        candidate(winner),
        aTokenKey(1, { verifiesUntil: START + winner }),
      ])
    })

    it('SX34 keys are removed from the moment of their end on; the newest stays', async () => {
      const access = await open()
      for (const number of [1, 2, 3]) await access.tokenKeys.add(aTokenKey(number), START + 10 * number)
      const numbers = async () => (await access.tokenKeys.list()).map(({ number }) => number)
      await access.tokenKeys.remove(START + 19)
      expect(await numbers()).toEqual([3, 2, 1])
      await access.tokenKeys.remove(START + 20)
      expect(await numbers()).toEqual([3, 2])
      await access.tokenKeys.remove(8_640_000_000_000_000)
      expect(await access.tokenKeys.list()).toEqual([aTokenKey(3)])
      expect(await access.tokenKeys.add(aTokenKey(4), START)).toBe('added')
    })
  })
}

function describeAccessValues(factory: StoreFactory, open: () => Promise<AccessStore>): void {
  describe('values', () => {
    it('SX40 every string and every moment is kept as it is', async () => {
      const access = await open()
      for (const [index, text] of HARD_STRINGS.entries()) {
        const createdAt = EXTREME_TIMES[index % EXTREME_TIMES.length] ?? 0
        const accountId = text
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
        expect(await access.accounts.create(account)).toBe('created')
        expect(await access.apiKeys.create(key)).toBe('created')
        expect(await access.connectors.create(connector)).toBe('created')
        expect(await access.accounts.find(`s${text}`)).toEqual(account)
        expect(await access.apiKeys.list({ accountId }, 100)).toEqual([key])
        expect(await access.apiKeys.findByHash(`h${text}`)).toEqual(key)
        expect(await access.connectors.list({ accountId }, 100)).toEqual([connector])
        expect(await access.connectors.findByTokenHash(`h${text}`)).toEqual(connector)
        const tokenKey = aTokenKey(index + 1, { id: text, secret: text, createdAt })
        expect(await access.tokenKeys.add(tokenKey, createdAt)).toBe('added')
        expect((await access.tokenKeys.list())[0]).toEqual(tokenKey)
      }
    })

    it('SX41 values are copied in: changing an argument afterwards changes nothing', async () => {
      const access = await open()
      const key = anApiKey('KEY-1', { permissions: ['a'] })
      await scribbling(anAccount(), value => access.accounts.create(value))
      await scribbling(key, value => access.apiKeys.create(value))
      await scribbling(aConnector('C-1'), value => access.connectors.create(value))
      await scribbling(aConnector('C-1', { hosts: ['new.example'] }), value =>
        access.connectors.update(aConnector('C-1'), value),
      )
      await scribbling(aTokenKey(1), value => access.tokenKeys.add(value, START))
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
      await access.accounts.create(frozen(anAccount()))
      await access.apiKeys.create(frozen(anApiKey('KEY-1', { permissions: ['a'] })))
      await access.connectors.create(connector)
      await access.connectors.update(connector, connector)
      await access.apiKeys.revoke('KEY-1', START)
      await access.tokenKeys.add(frozen(aTokenKey(1)), START)
      await access.tokenKeys.add(frozen(aTokenKey(2)), START)
      const before = await snapshot(access)
      scribble(await snapshot(access))
      scribble(await access.accounts.find(ACCOUNT))
      scribble(await access.apiKeys.findByHash('hash-of-KEY-1'))
      scribble(await access.apiKeys.find('KEY-1'))
      scribble(await access.connectors.find(connector.id))
      scribble(await access.connectors.findByTokenHash(connector.tokenHash))
      expect(await snapshot(access)).toEqual(before)
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SX43 all of it is there when the store is opened again', async () => {
        const store = await factory.open()
        await store.access.accounts.create(anAccount())
        await store.access.apiKeys.create(anApiKey('KEY-1', { permissions: [] }))
        await store.access.apiKeys.revoke('KEY-1', START + 1)
        await store.access.connectors.create(aConnector('C-1'))
        await store.access.connectors.update(aConnector('C-1'), aConnector('C-1', { hosts: ['new.example'] }))
        await store.access.tokenKeys.secret('token', 'first')
        await store.access.apiKeys.touch('KEY-1', START, 1)
        await store.access.connectors.touch('C-1', START, 1)
        await store.access.tokenKeys.add(aTokenKey(1), START)
        await store.access.tokenKeys.add(aTokenKey(2), START)
        const before = await snapshot(store.access)
        const { access } = await reopenForTest(reopen, store)
        expect(await snapshot(access)).toEqual(before)
        expect(await access.tokenKeys.secret('token', 'second')).toBe('first')
        expect(await access.accounts.create(anAccount('ws-two', { slug: anAccount().slug }))).toBe('taken')
      })
    }
  })
}

/**
 * Declares the tests of the `AccessStore` port (rules SX1 to SX49, SX60 to SX72, SX80 to SX89, SX92 to SX97, SX100 to
 * SX108) for one adapter. To be called in a vitest file.
 */
export function testAccessStore(name: string, factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access
  describe(`${name}: access store`, () => {
    describeAccounts(open)
    describeApiKeys(open)
    describeConnectors(open)
    describeTelephonyConnectors(open)
    describePhoneNumbers(factory)
    describeNumberPool(factory)
    describeVoices(factory)
    describeAudioCache(factory)
    describeSecrets(open)
    describeTokenKeys(open)
    describeAccessValues(factory, open)
  })
}
