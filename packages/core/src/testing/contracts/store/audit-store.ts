import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../domain/audit/audit.ts'
import type { AuditFilter, AuditStore } from '../../../ports/store/audit.ts'
import { ACCOUNT, AGENT, aConnector, anAuditEntry, anEndpoint, aWebhookEvent, START } from '../../fixtures.ts'
import { OUTBOX_WRITES } from './outbox-writes.ts'
import {
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

const OTHER = 'ws-other'

const listed = async (audit: AuditStore, filter: AuditFilter = {}, limit = 1_000): Promise<AuditEntry[]> =>
  (await audit.list(filter, limit)).values.map(({ entry }) => entry)
const ids = async (audit: AuditStore, filter: AuditFilter = {}, limit = 1_000): Promise<string[]> =>
  (await listed(audit, filter, limit)).map(({ id }) => id)

function describeLists(open: () => Promise<AuditStore>): void {
  it('SX50 an entry is kept as it is and found by each of its filters; all that are given hold', async () => {
    const audit = await open()
    const first = anAuditEntry('A-1', {
      agentId: AGENT,
      action: 'connector.changed',
      resource: { type: 'connector', id: 'C-1' },
      details: { changes: { hosts: { from: [], to: ['a.example'] }, name: { from: null, to: 1.5 } } },
      correlationId: 'c-1',
    })
    const second = anAuditEntry('A-2', {
      at: START + 1,
      actor: { type: 'library', id: null, name: '' },
      accountId: OTHER,
    })
    const third = anAuditEntry('A-3', {
      at: START + 2,
      accountId: null,
      resource: { type: 'api_key', id: null },
    })
    for (const entry of [first, second, third]) await audit.append(entry)
    expect(await listed(audit)).toEqual([third, second, first])
    expect(await ids(audit, { accountId: ACCOUNT })).toEqual(['A-1'])
    expect(await ids(audit, { accountId: OTHER })).toEqual(['A-2'])
    expect(await ids(audit, { agentId: AGENT })).toEqual(['A-1'])
    expect(await ids(audit, { action: 'api_key.created' })).toEqual(['A-3', 'A-2'])
    expect(await ids(audit, { resourceId: 'C-1' })).toEqual(['A-1'])
    expect(await ids(audit, { since: START + 1 })).toEqual(['A-3', 'A-2'])
    expect(await ids(audit, { until: START + 1 })).toEqual(['A-1'])
    expect(await ids(audit, { since: START + 1, until: START + 2 })).toEqual(['A-2'])
    expect(await ids(audit, { action: 'api_key.created', accountId: ACCOUNT })).toEqual([])
    const all = { accountId: ACCOUNT, agentId: AGENT, action: first.action, resourceId: 'C-1' } as const
    expect(await ids(audit, { ...all, since: START, until: START + 1 })).toEqual(['A-1'])
    for (const [name, value] of Object.entries({ accountId: OTHER, resourceId: 'C-2', since: START + 1 }))
      expect(await ids(audit, { ...all, [name]: value })).toEqual([])
  })

  it('SX51 entries come newest first, of one moment the last written first; a page begins after a position', async () => {
    const audit = await open()
    const moments = [5, 3, 3, 9, 0, 3, 5]
    for (const [index, at] of moments.entries()) await audit.append(anAuditEntry(`A-${index}`, { at }))
    const order = ['A-3', 'A-6', 'A-0', 'A-5', 'A-2', 'A-1', 'A-4']
    expect(await ids(audit)).toEqual(order)
    for (const filter of [{}, { accountId: ACCOUNT }, { action: 'api_key.created' }] as const) {
      const seen: string[] = []
      let page = await audit.list(filter, 2)
      while (page.values.length > 0) {
        seen.push(...page.values.map(({ entry }) => entry.id))
        // Newer ones move nothing, and are not seen.
        await audit.append(anAuditEntry(`later ${seen.length} ${JSON.stringify(filter)}`, { at: 10 }))
        const last = page.values.at(-1)
        if (last === undefined) break
        page = await audit.list({ ...filter, after: { at: last.entry.at, sequence: last.sequence } }, 2)
      }
      expect(seen.filter(id => !id.startsWith('later'))).toEqual(order)
      expect(new Set(seen).size).toBe(seen.length)
    }
  })

  it('SX58 with a number of bytes a page ends before the entry with which it would have more, but holds one at least', async () => {
    const audit = await open()
    for (const [index, length] of [1_000, 1_000, 9_000, 1_000, 1_000].entries())
      await audit.append(
        anAuditEntry(`A-${index}`, { at: -index, details: { text: 'é'.repeat(length / 2) } }),
      )
    const walk = async (bytes: number, limit = 100, filter: AuditFilter = {}) => {
      const pages: string[] = []
      let after: AuditFilter = {}
      for (;;) {
        const page = await audit.list({ ...filter, ...after }, limit, bytes)
        pages.push(page.values.map(({ entry }) => entry.id.slice(2)).join(''))
        const last = page.values.at(-1)
        if (!page.more || last === undefined) return pages
        after = { after: { at: last.entry.at, sequence: last.sequence } }
      }
    }
    // What an entry has beside its text is below 500 bytes.
    for (const filter of [{}, { accountId: ACCOUNT }, { action: 'api_key.created' }] as const) {
      expect(await walk(3_000, 100, filter)).toEqual(['01', '2', '34'])
      expect(await walk(12_500, 100, filter)).toEqual(['012', '34'])
      expect(await walk(1, 100, filter)).toEqual(['0', '1', '2', '3', '4'])
      expect(await walk(100_000, 100, filter)).toEqual(['01234'])
      expect(await walk(100_000, 2, filter)).toEqual(['01', '23', '4'])
    }
    expect(await audit.list({}, 5)).toMatchObject({ more: false })
    expect(await audit.list({}, 4)).toMatchObject({ more: true })
  })

  it('SX55 entries from before a moment are removed, oldest first, as many as asked for; others stay', async () => {
    const audit = await open()
    for (const [index, at] of [4, 1, 3, 2, 5].entries())
      await audit.append(anAuditEntry(`A-${index}`, { at }))
    expect(await audit.remove(1, 10)).toEqual({ removed: 0, more: false })
    expect(await audit.remove(4, 2)).toEqual({ removed: 2, more: true })
    expect(await ids(audit)).toEqual(['A-4', 'A-0', 'A-2'])
    expect(await audit.remove(4, 2)).toEqual({ removed: 1, more: false })
    expect(await audit.remove(4, 2)).toEqual({ removed: 0, more: false })
    expect(await ids(audit)).toEqual(['A-4', 'A-0'])
    await audit.append(anAuditEntry('A-5', { at: 0 }))
    expect(await ids(audit)).toEqual(['A-4', 'A-0', 'A-5'])
  })
}

function describeWrites(factory: StoreFactory): void {
  for (const { name, prepare, make } of OUTBOX_WRITES) {
    const entry = anAuditEntry(`of ${name}`)

    it(`SX52 SX53 an entry is kept when something changes, and only then: ${name}`, async () => {
      const store = await openForTest(factory)
      if (prepare !== undefined) await make(store, { audit: anAuditEntry('nothing there yet') })
      await prepare?.(store)
      expect(await ids(store.audit)).toEqual([])
      await make(store, { audit: entry })
      expect(await listed(store.audit)).toEqual([entry])
      await make(store, { audit: anAuditEntry('again') })
      expect(await listed(store.audit)).toEqual([entry])
    })

    it(`SX59 a webhook event is kept when something changes, and only then: ${name}`, async () => {
      const store = await openForTest(factory)
      // An endpoint that the writes under test know nothing of.
      const endpoint = anEndpoint('W-told')
      const told = async () => {
        const page = await store.webhooks.deliveries.list({ endpointId: endpoint.id }, 10)
        return page.values.map(({ delivery }) => delivery.eventId)
      }
      const event = (id: string) => ({
        webhooks: ['1', '2'].map(number => aWebhookEvent(`${id} ${number}`, { conversationId: 'AS-told' })),
      })
      await store.webhooks.endpoints.create(endpoint, 100)
      if (prepare !== undefined) await make(store, event('nothing there yet'))
      await prepare?.(store)
      expect(await told()).toEqual([])
      await make(store, event('first'))
      expect(await told()).toEqual(['first 2', 'first 1'])
      await make(store, event('again'))
      expect(await told()).toEqual(['first 2', 'first 1'])
    })

    it(`SX54 of racing changes exactly those that won have an entry: ${name}`, async () => {
      const store = await openForTest(factory)
      await prepare?.(store)
      await race(racer => make(store, { audit: anAuditEntry(`racer ${racer}`) }))
      expect((await store.audit.list({}, RACERS)).values).toHaveLength(1)
    })
  }

  it('SX52 SX54 of racing updates of a connector the one that won has an entry', async () => {
    const store = await openForTest(factory)
    const connector = aConnector('C-1')
    const update = (name: string) =>
      store.access.connectors.update(connector, { ...connector, name }, { audit: anAuditEntry(name) })
    await update('nothing there')
    await store.access.connectors.create(connector)
    const results = await race(racer => update(`racer ${racer}`))
    expect(await ids(store.audit)).toEqual([`racer ${results.indexOf('written')}`])
  })
}

function describeValues(factory: StoreFactory, open: () => Promise<AuditStore>): void {
  const { reopen } = factory

  it('SX56 every string, moment and detail is kept as it is; values are copied in and out', async () => {
    const audit = await open()
    for (const [index, text] of HARD_STRINGS.entries()) {
      const accountId = text
      const entry = anAuditEntry(`A-${text}`, {
        at: EXTREME_TIMES[index % EXTREME_TIMES.length] ?? 0,
        actor: { type: 'library', id: text, name: text },
        accountId,
        agentId: text,
        resource: { type: text, id: text },
        details: { text, list: [text, null, true, 1.5], inner: { [`_${text}`]: text } },
        correlationId: text,
      })
      await scribbling(frozen(entry), copy => audit.append(copy))
      for (const filter of [{ accountId }, { agentId: text }, { resourceId: text }] as const)
        expect(await listed(audit, filter)).toEqual([entry])
      scribble(await audit.list({ accountId }, 1))
      expect(await listed(audit, { accountId })).toEqual([entry])
    }
  })

  it('SX56 an entry that comes with a change is copied in with it', async () => {
    for (const { name, prepare, make } of OUTBOX_WRITES) {
      const store = await openForTest(factory)
      await prepare?.(store)
      const entry = anAuditEntry(`of ${name}`, { details: { list: [name] } })
      await scribbling(entry, copy => make(store, { audit: copy }))
      expect(await listed(store.audit)).toEqual([entry])
    }
  })

  if (reopen !== undefined) {
    it('SX57 all of it is there when the store is opened again', async () => {
      const store = await factory.open()
      for (const id of ['A-1', 'A-2', 'A-3']) await store.audit.append(anAuditEntry(id))
      await store.access.connectors.create(aConnector('C-1'), {
        audit: anAuditEntry('A-4', { at: START + 1 }),
      })
      const before = await store.audit.list({}, 10)
      const { audit } = await reopenForTest(reopen, store)
      expect(await audit.list({}, 10)).toEqual(before)
      await audit.append(anAuditEntry('A-5', { at: START + 1 }))
      expect((await ids(audit))[0]).toBe('A-5')
    })
  }
}

/** Declares the tests of the `AuditStore` port (rules SX50 to SX59) for one adapter. To be called in a vitest file. */
export function testAuditStore(name: string, factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).audit
  describe(`${name}: audit log`, () => {
    describeLists(open)
    describeWrites(factory)
    describeValues(factory, open)
  })
}
