import { describe, expect, it } from 'vitest'
import type { AuditFilter, AuditStore } from '../../../../ports/store/audit.ts'
import { ACCOUNT, AGENT, anAuditEntry, START } from '../../../fixtures.ts'
import { openForTest, type StoreFactory } from '../tools.ts'

const OTHER = 'ws-other'
/** Filters that go by different indexes, and leave the same entries. */
const FILTERS: readonly AuditFilter[] = [{}, { accountId: ACCOUNT }, { action: 'api_key.created' }]

let later = 0

/** Returns the ids of each page, one after the other. */
async function pagesOf(audit: AuditStore, filter: AuditFilter, limit: number, bytes?: number) {
  const pages: (readonly string[])[] = []
  for (let after: AuditFilter = {}; ; ) {
    const page = await audit.list({ ...filter, ...after }, limit, bytes)
    pages.push(page.values.map(({ entry }) => entry.id))
    const last = page.values.at(-1)
    if (!page.more || last === undefined) return pages
    after = { after: { at: last.entry.at, sequence: last.sequence } }
    // Newer ones move nothing, and are not seen.
    await audit.append(anAuditEntry(`later ${later++}`, { at: START + 99 }))
  }
}

/** Tests of the audit log (SX4). */
export function describeAudit(factory: StoreFactory): void {
  const open = async () => {
    const { audit } = await openForTest(factory)
    const ids = async (filter: AuditFilter = {}) =>
      (await audit.list(filter, 99)).values.map(({ entry }) => entry.id)
    return { audit, ids }
  }

  describe('audit log', () => {
    it('SX4 an entry is found by each of its filters; all that are given hold', async () => {
      const { audit, ids } = await open()
      const resource = { type: 'connector', id: 'C-1' }
      await audit.append(anAuditEntry('A-1', { agentId: AGENT, action: 'connector.changed', resource }))
      await audit.append(anAuditEntry('A-2', { at: START + 1, accountId: OTHER }))
      await audit.append(
        anAuditEntry('A-3', { at: START + 2, accountId: null, resource: { type: 'api_key', id: null } }),
      )
      const found: readonly (readonly [AuditFilter, readonly string[]])[] = [
        [{}, ['A-3', 'A-2', 'A-1']],
        [{ accountId: ACCOUNT }, ['A-1']],
        [{ accountId: OTHER }, ['A-2']],
        [{ agentId: AGENT }, ['A-1']],
        [{ action: 'api_key.created' }, ['A-3', 'A-2']],
        [{ resourceId: 'C-1' }, ['A-1']],
        [{ since: START + 1 }, ['A-3', 'A-2']],
        [{ until: START + 1 }, ['A-1']],
        [{ since: START + 1, until: START + 2 }, ['A-2']],
        [{ action: 'api_key.created', accountId: ACCOUNT }, []],
      ]
      for (const [filter, expected] of found)
        expect(await ids(filter), JSON.stringify(filter)).toEqual(expected)
      const own = {
        accountId: ACCOUNT,
        agentId: AGENT,
        action: 'connector.changed',
        resourceId: 'C-1',
      } as const
      const all = { ...own, since: START, until: START + 1 }
      expect(await ids(all)).toEqual(['A-1'])
      for (const other of [
        { accountId: OTHER },
        { agentId: OTHER },
        { resourceId: 'C-2' },
        { since: START + 1 },
        { until: START },
      ])
        expect(await ids({ ...all, ...other })).toEqual([])
    })

    it('SX4 entries come newest first, of one moment the last written first; a page begins after a position', async () => {
      for (const filter of FILTERS) {
        const { audit } = await open()
        const moments = [5, 3, 3, 9, 0, 3, 5]
        for (const [index, at] of moments.entries()) await audit.append(anAuditEntry(`A-${index}`, { at }))
        expect(await pagesOf(audit, filter, 2)).toEqual([
          ['A-3', 'A-6'],
          ['A-0', 'A-5'],
          ['A-2', 'A-1'],
          ['A-4'],
        ])
      }
    })

    it('SX4 with a number of bytes a page ends before the entry with which it would have more, but holds one at least', async () => {
      const { audit } = await open()
      for (const [index, length] of [1_000, 1_000, 9_000, 1_000, 1_000].entries())
        await audit.append(
          anAuditEntry(`${index}`, { at: -index, details: { text: 'é'.repeat(length / 2) } }),
        )
      const walk = async (filter: AuditFilter, bytes: number, limit = 100) =>
        (await pagesOf(audit, { ...filter, until: 1 }, limit, bytes)).map(ids => ids.join(''))
      // The parts of an entry beside its text are below 500 bytes.
      for (const filter of FILTERS) {
        expect(await walk(filter, 3_000)).toEqual(['01', '2', '34'])
        expect(await walk(filter, 12_500)).toEqual(['012', '34'])
        expect(await walk(filter, 1)).toEqual(['0', '1', '2', '3', '4'])
        expect(await walk(filter, 100_000)).toEqual(['01234'])
        expect(await walk(filter, 100_000, 2)).toEqual(['01', '23', '4'])
      }
    })

    it('SX4 entries from before a moment are removed, oldest first, as many as asked for; others stay', async () => {
      const { audit, ids } = await open()
      for (const [index, at] of [4, 1, 3, 2, 5].entries())
        await audit.append(anAuditEntry(`A-${index}`, { at }))
      expect(await audit.remove(1, 10)).toEqual({ removed: 0, more: false })
      expect(await audit.remove(4, 2)).toEqual({ removed: 2, more: true })
      expect(await ids()).toEqual(['A-4', 'A-0', 'A-2'])
      expect(await audit.remove(4, 2)).toEqual({ removed: 1, more: false })
      expect(await audit.remove(4, 2)).toEqual({ removed: 0, more: false })
      await audit.append(anAuditEntry('A-5', { at: 0 }))
      expect(await ids()).toEqual(['A-4', 'A-0', 'A-5'])
    })
  })
}
