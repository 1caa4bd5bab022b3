import { describe, expect, it } from 'vitest'
import type { Connector, TelephonyConnector } from '../../../../domain/access/access.ts'
import type { CredentialFilter } from '../../../../ports/store/api-keys.ts'
import type { AccessStore } from '../../../../ports/store/store.ts'
import {
  ACCOUNT,
  AGENT,
  aConnector,
  anAccount,
  anApiKey,
  aTelephonyConnector,
  aTokenKey,
  START,
} from '../../../fixtures.ts'
import { openForTest, race, type StoreFactory } from '../tools.ts'

const OTHER = 'ws-other'
const OTHER_AGENT = 'PROJECT-TWO'

/** Returns everything that a store knows about accounts and credentials. */
const snapshot = async (access: AccessStore) => [
  await access.accounts.list({}, 100),
  await access.apiKeys.list({}, 100),
  await access.connectors.list({}, 100),
]

/** Keys and connectors: what their lists, uses and revocations have in common. */
const CREDENTIALS = [
  {
    name: 'API keys',
    of: ({ apiKeys }: AccessStore) => apiKeys,
    make: (
      { apiKeys }: AccessStore,
      id: string,
      of: { accountId?: string; agentId?: string; lastUsedAt?: null },
    ) => apiKeys.create(anApiKey(id, of)),
  },
  {
    name: 'connectors',
    of: ({ connectors }: AccessStore) => connectors,
    make: (
      { connectors }: AccessStore,
      id: string,
      of: { accountId?: string; agentId?: string; lastUsedAt?: null },
    ) => connectors.create(aConnector(id, of)),
  },
] as const

/** Changes of each setting of a connector. */
const CHANGES: readonly Partial<Connector>[] = [
  ...([{ tokenHash: 'other' }, { name: 'other' }, { environment: 'sandbox' }, { hosts: [] }] as const),
  ...([{ variantId: 'v1' }, { handoff: { mode: 'client', queueName: 'q', timeoutSeconds: 7 } }] as const),
  { contextKeys: [{ kid: 'ctx', secret: 'ü', createdAt: START, verifiesUntil: null }] },
  ...[{ expiresAt: START + 3 }, { revokedAt: START }],
]
const TELEPHONY_CHANGES: readonly Partial<TelephonyConnector>[] = [
  ...([
    { name: 'other' },
    { agentId: OTHER_AGENT },
    { environment: 'sandbox' },
    { variantId: 'v1' },
  ] as const),
  ...[{ asrLangCode: 'de-DE' }, { ttsLangCode: 'de-DE' }, { voiceName: '' }, { disableHandoff: true }],
  { revokedAt: START },
]

function describeCredentials(open: () => Promise<AccessStore>): void {
  it('SX1 an account is found by its id and by its slug, exactly as written', async () => {
    const access = await open()
    const account = anAccount('ws-one', { slug: 'one_' })
    await access.accounts.create(account)
    for (const name of ['ws-one', 'one_']) expect(await access.accounts.find(name)).toEqual(account)
    for (const other of ['WS-ONE', 'one%', 'one1', 'one', '', 'ws-one '])
      expect(await access.accounts.find(other)).toBeNull()
  })

  it('SX1 an id, slug, hash or token that exists is taken, and nothing is written', async () => {
    const { accounts, apiKeys, connectors, ...access } = await open()
    await accounts.create(anAccount('ws-one', { slug: 'one' }))
    await apiKeys.create(anApiKey('KEY-1'))
    await apiKeys.revoke('KEY-1', START)
    await connectors.create(aConnector('C-1'))
    const before = await snapshot({ accounts, apiKeys, connectors, ...access })
    const slugs = { 'ws-one': 'two', 'ws-two': 'one', one: 'two', 'ws-three': 'ws-one' }
    for (const [id, slug] of Object.entries(slugs))
      expect(await accounts.create(anAccount(id, { slug }))).toBe('taken')
    const { hash } = anApiKey('KEY-1')
    const { tokenHash } = aConnector('C-1')
    for (const key of [anApiKey('KEY-1', { hash: 'another' }), anApiKey('KEY-2', { hash })])
      expect(await apiKeys.create(key)).toBe('taken')
    for (const connector of [aConnector('C-1', { tokenHash: 'another' }), aConnector('C-2', { tokenHash })])
      expect(await connectors.create(connector)).toBe('taken')
    expect(await snapshot({ accounts, apiKeys, connectors, ...access })).toEqual(before)
    expect([await apiKeys.findByHash('another'), await connectors.findByTokenHash('another')]).toEqual([
      null,
      null,
    ])
    expect(await accounts.create(anAccount('ws-two', { slug: 'two' }))).toBe('created')
  })

  it('SX1 a key is found by its hash, a connector by its token’s, each by its id, exactly as written', async () => {
    const access = await open()
    const [key, connector] = [anApiKey('KEY-1'), aConnector('C-1')]
    await access.apiKeys.create(key)
    await access.connectors.create(connector)
    expect([await access.apiKeys.find(key.id), await access.apiKeys.findByHash(key.hash)]).toEqual([key, key])
    for (const other of [key.hash, 'key-1', 'KEY-_', '']) expect(await access.apiKeys.find(other)).toBeNull()
    for (const other of [key.id, 'HASH-OF-KEY-1', 'hash-of-KEY-_', ''])
      expect(await access.apiKeys.findByHash(other)).toBeNull()
    expect(await access.connectors.find(connector.id)).toEqual(connector)
    expect(await access.connectors.findByTokenHash(connector.tokenHash)).toEqual(connector)
    for (const other of ['c-1', connector.tokenHash]) expect(await access.connectors.find(other)).toBeNull()
    for (const other of ['C-1', 'hash-of-C-_', ''])
      expect(await access.connectors.findByTokenHash(other)).toBeNull()
  })

  for (const { make, name, of } of CREDENTIALS) {
    it(`SX4 they come by account and by agent; all given filters apply: ${name}`, async () => {
      const access = await open()
      await make(access, 'K-1', { agentId: AGENT })
      await make(access, 'K-2', { agentId: OTHER_AGENT })
      await make(access, 'K-3', { agentId: AGENT, accountId: OTHER })
      await make(access, 'K-4', { agentId: AGENT })
      await access.apiKeys.create(
        anApiKey('K-5', { kind: 'operator', accountId: null, agentId: OTHER_AGENT }),
      )
      const ids = async (filter: CredentialFilter, limit = 9) =>
        (await of(access).list(filter, limit)).map(({ id }) => id).filter(id => id !== 'K-5')
      expect(await ids({})).toEqual(['K-1', 'K-2', 'K-3', 'K-4'])
      expect(await ids({ accountId: ACCOUNT })).toEqual(['K-1', 'K-2', 'K-4'])
      expect(await ids({ accountId: OTHER })).toEqual(['K-3'])
      expect(await ids({ agentId: AGENT })).toEqual(['K-1', 'K-3', 'K-4'])
      expect(await ids({ agentId: AGENT, accountId: ACCOUNT })).toEqual(['K-1', 'K-4'])
      expect(await ids({ agentId: AGENT, accountId: ACCOUNT }, 1)).toEqual(['K-1'])
      const after = { createdAt: START, id: 'K-1' }
      expect(await ids({ agentId: AGENT, accountId: ACCOUNT, after }, 1)).toEqual(['K-4'])
      for (const none of [{ agentId: 'PROJECT-NONE' }, { accountId: 'ws-%' }])
        expect(await ids(none)).toEqual([])
    })

    it(`ST7 the first revocation stands, also of those that race; what is revoked is found and listed: ${name}`, async () => {
      const access = await open()
      for (const id of ['K-1', 'K-2']) await make(access, id, {})
      const [first] = await of(access).list({}, 1)
      expect(await of(access).revoke('K-1', START + 5)).toBe(true)
      expect(await of(access).revoke('K-1', START + 1)).toBe(true)
      expect(await of(access).find('K-1')).toEqual({ ...first, revokedAt: START + 5 })
      expect(await of(access).revoke('K-3', START)).toBe(false)
      expect(await race(racer => of(access).revoke('K-2', START + racer))).not.toContain(false)
      const revoked = await of(access).find('K-2')
      await of(access).revoke('K-2', 0)
      expect(await of(access).find('K-2')).toEqual(revoked)
      expect((await of(access).list({}, 9)).map(({ revokedAt }) => revokedAt)).toEqual([
        START + 5,
        expect.any(Number),
      ])
    })

    it(`CR4 and TM4 a use is noted when none was, or the newest is old enough, or further ahead; of racers one notes it: ${name}`, async () => {
      const access = await open()
      for (const id of ['K-1', 'K-2']) await make(access, id, { lastUsedAt: null })
      const touch = (at: number) => of(access).touch('K-1', at, 60)
      const used = async () => (await of(access).find('K-1'))?.lastUsedAt
      expect(await touch(START)).toBe(true)
      for (const at of [START - 60, START, START + 59]) expect(await touch(at)).toBe(false)
      expect(await used()).toBe(START)
      expect(await touch(START + 60)).toBe(true)
      const racing = await race(racer => touch(START + 120 + racer))
      expect(racing.filter(Boolean)).toHaveLength(1)
      expect(await used()).toBe(START + 120 + racing.indexOf(true))
      expect(await touch(START - 61)).toBe(true)
      expect(await used()).toBe(START - 61)
      expect(await of(access).touch('K-3', START, 60)).toBe(false)
      expect((await of(access).find('K-2'))?.lastUsedAt).toBeNull()
    })
  }
}

function describeConnectors(open: () => Promise<AccessStore>): void {
  it('ST7 an update of a connector that is another by now, or is not there, writes nothing', async () => {
    const { connectors } = await open()
    const [messaging, telephony] = [aConnector('C-1'), aTelephonyConnector('T-1')]
    await connectors.create(messaging)
    await connectors.create(telephony)
    for (const change of CHANGES)
      expect(await connectors.update({ ...messaging, ...change }, { ...messaging, name: 'late' })).toBe(
        'stale',
      )
    for (const change of TELEPHONY_CHANGES)
      expect(await connectors.update({ ...telephony, ...change }, { ...telephony, name: 'late' })).toBe(
        'stale',
      )
    expect(await connectors.update(aConnector('C-2'), aConnector('C-2'))).toBe('stale')
    expect([await connectors.find('C-1'), await connectors.find('C-2')]).toEqual([messaging, null])
    expect(await connectors.findTelephony('T-1')).toEqual(telephony)
  })

  it('ST7 an update replaces the whole connector, its token included', async () => {
    const { connectors } = await open()
    let before = aConnector('C-1')
    await connectors.create(before)
    await connectors.create(aConnector('C-2'))
    for (const change of CHANGES) {
      const next = { ...before, ...change }
      expect(await connectors.update(before, next)).toBe('written')
      expect(await connectors.findByTokenHash(next.tokenHash)).toEqual(next)
      before = next
    }
    expect(await connectors.findByTokenHash(aConnector('C-1').tokenHash)).toBeNull()
    let telephony = aTelephonyConnector('T-1')
    await connectors.create(telephony)
    for (const change of TELEPHONY_CHANGES) {
      const next = { ...telephony, ...change }
      expect(await connectors.update(telephony, next)).toBe('written')
      expect(await connectors.findTelephony('T-1')).toEqual(next)
      telephony = next
    }
    expect(await connectors.listTelephony(AGENT, {}, 9)).toEqual([])
    expect(await connectors.list({}, 100)).toEqual([before, aConnector('C-2')])
  })

  it('ST7 an update to the token of another connector is refused', async () => {
    const { connectors } = await open()
    for (const id of ['C-1', 'C-2']) await connectors.create(aConnector(id))
    const clash = aConnector('C-2', { tokenHash: aConnector('C-1').tokenHash })
    await expect(connectors.update(aConnector('C-2'), clash)).rejects.toThrow(/token/)
    expect(await connectors.find('C-2')).toEqual(aConnector('C-2'))
  })

  it('CR4 no update changes when a connector was used', async () => {
    const { connectors } = await open()
    let before = aConnector('C-1')
    await connectors.create(before)
    await connectors.touch('C-1', START, 60)
    for (const lastUsedAt of [null, START - 1, START + 1]) {
      const next = aConnector('C-1', { name: `Renamed ${lastUsedAt}`, lastUsedAt })
      expect(await connectors.update(before, next)).toBe('written')
      expect(await connectors.find('C-1')).toEqual({ ...next, lastUsedAt: START })
      before = next
    }
  })

  it('ST7 no update that did not see the first revocation of a connector is written', async () => {
    const { connectors } = await open()
    const [messaging, telephony] = [aConnector('C-1'), aTelephonyConnector('T-1')]
    await connectors.create(messaging)
    await connectors.create(telephony)
    await connectors.revoke('C-1', START + 1)
    expect(await connectors.revokeTelephony('T-1', START + 5)).toEqual([])
    expect(await connectors.revokeTelephony('T-1', START + 1)).toBeNull()
    expect(await connectors.update(messaging, { ...messaging, name: 'late' })).toBe('stale')
    expect(await connectors.update(telephony, { ...telephony, name: 'late' })).toBe('stale')
    expect(await connectors.find('C-1')).toEqual({ ...messaging, revokedAt: START + 1 })
    expect(await connectors.findTelephony('T-1')).toEqual({ ...telephony, revokedAt: START + 5 })
  })

  it('ST7 a connector is found and listed among those of its kind alone, whatever its id', async () => {
    const { connectors } = await open()
    const [telephony, messaging] = [aTelephonyConnector('C-1'), aConnector('C-2')]
    for (const one of [telephony, messaging]) expect(await connectors.create(one)).toBe('created')
    expect([await connectors.findTelephony('C-1'), await connectors.findTelephony('C-2')]).toEqual([
      telephony,
      null,
    ])
    expect([await connectors.find('C-1'), await connectors.findByTokenHash('')]).toEqual([null, null])
    for (const filter of [{}, { agentId: AGENT, accountId: ACCOUNT }])
      expect(await connectors.list(filter, 100)).toEqual([messaging])
    expect(await connectors.listTelephony(AGENT, {}, 9)).toEqual([telephony])
    expect(await connectors.touch('C-1', START, 1)).toBe(false)
    expect(await connectors.revoke('C-1', START)).toBe(false)
    expect(await connectors.revokeTelephony('C-2', START)).toBeNull()
    for (const taken of [aConnector('C-1'), aTelephonyConnector('C-1'), aTelephonyConnector('C-2')])
      expect(await connectors.create(taken)).toBe('taken')
  })
}

function describeTokenKeys(open: () => Promise<AccessStore>): void {
  it('ST7 the first candidate of a secret is kept under its name, and all callers get it', async () => {
    const { tokenKeys } = await open()
    const secrets = await race(racer => tokenKeys.secret('token', `candidate ${racer}`))
    expect(new Set(secrets).size).toBe(1)
    expect(secrets[0]).toMatch(/^candidate [0-7]$/)
    expect(await tokenKeys.secret('Token', 'other')).toBe('other')
    expect(await tokenKeys.secret('token', 'late')).toBe(secrets[0])
  })

  it('CR11 a key is added after the newest one alone; it ends the earlier ones, and moves no end back', async () => {
    const { tokenKeys } = await open()
    expect(await tokenKeys.list()).toEqual([])
    expect(await tokenKeys.add(aTokenKey(2), START)).toBe('stale')
    expect(await tokenKeys.add(aTokenKey(1), START)).toBe('added')
    for (const number of [0, 1, 3])
      expect(await tokenKeys.add(aTokenKey(number, { id: 'another' }), START)).toBe('stale')
    expect(await tokenKeys.add(aTokenKey(2, { id: aTokenKey(1).id }), START)).toBe('stale')
    expect(await tokenKeys.list()).toEqual([aTokenKey(1)])
    const ended = (number: number, verifiesUntil: number) => aTokenKey(number, { verifiesUntil })
    await tokenKeys.add(aTokenKey(2), START + 50)
    expect(await tokenKeys.list()).toEqual([aTokenKey(2), ended(1, START + 50)])
    await tokenKeys.add(aTokenKey(3), START + 90)
    expect(await tokenKeys.list()).toEqual([aTokenKey(3), ended(2, START + 90), ended(1, START + 50)])
    await tokenKeys.add(aTokenKey(4), 0)
    expect(await tokenKeys.list()).toEqual([aTokenKey(4), ended(3, 0), ended(2, 0), ended(1, 0)])
  })

  it('CR11 keys are removed from the moment of their end on; the newest stays', async () => {
    const { tokenKeys } = await open()
    for (const number of [1, 2, 3]) await tokenKeys.add(aTokenKey(number), START + 10 * number)
    const numbers = async (before: number) => {
      await tokenKeys.remove(before)
      return (await tokenKeys.list()).map(({ number }) => number)
    }
    expect(await numbers(START + 19)).toEqual([3, 2, 1])
    expect(await numbers(START + 20)).toEqual([3, 2])
    expect(await numbers(8_640_000_000_000_000)).toEqual([3])
    expect(await tokenKeys.add(aTokenKey(4), START)).toBe('added')
  })
}

/** Tests of accounts, keys, connectors and secrets (SX1, SX4, CR4, CR11 and ST7). */
export function describeAccess(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).access
  describe('accounts, keys and connectors', () => describeCredentials(open))
  describe('connectors', () => describeConnectors(open))
  describe('secrets', () => describeTokenKeys(open))
}
