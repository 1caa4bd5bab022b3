import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Documents, Kind } from '../../../../store/documents.ts'
import {
  AUDIT_ENTRY,
  VOICE,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  WEBHOOK_EVENT,
} from '../../../../store/kinds.ts'
import { anAuditEntry, anEndpoint, aVoice, aWebhookEvent } from '../../../fixtures.ts'
import { batch, SAMPLES } from './arbitraries.ts'
import { listOf, Model, one } from './model.ts'

/** Tests of what a batch writes (SX200, SX201 and ST8). */
export function testBatches(open: () => Promise<Documents>, runs: number): void {
  it('SX200 what batches have written is what one after the other would write, in every list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 12, size: 'max' }), async batches => {
        const documents = await open()
        const model = new Model()
        const compare = async (kind: Kind<unknown>, index: string) => {
          const expected = listOf(kind, index, model.all(kind), { prefix: [] })
          expect(await documents.scan(kind, index, { prefix: [] })).toEqual(expected)
        }
        for (const one of batches) {
          expect(await documents.write(one)).toBe(model.write(one))
          for (const { kind, owned } of SAMPLES) await compare(kind, owned)
        }
        for (const { kind } of SAMPLES) {
          for (const index of ['id', ...Object.keys(kind.indexes)]) await compare(kind, index)
          const ids = [...model.all(kind).map(kind.id).toReversed(), '["none",1]']
          expect(await documents.get(kind, ids)).toEqual(ids.map(id => model.get(kind, id)))
        }
      }),
      { numRuns: runs },
    )
  })

  it('SX200 a document that a batch puts twice, on one condition that stands there twice, is as it was put last', async () => {
    const documents = await open()
    const absent = { kind: VOICE, id: 'V-1', version: 0 }
    const put = ['first', 'last'].map(name => ({ kind: VOICE, value: aVoice('V-1', { name }) }))
    expect(await documents.write({ when: [absent, absent], put })).toBeNull()
    expect(await one(documents, VOICE, 'V-1')).toMatchObject({ name: 'last' })
    expect(await documents.write({ when: [absent, absent], put })).toBe(0)
  })

  it('SX200 a batch clears before it puts, and removes last', async () => {
    const documents = await open()
    const put = (version: number, ...ids: readonly string[]) =>
      ids.map(id => ({ kind: VOICE, value: aVoice(id, { accountId: 'one', version }) }))
    await documents.write({ when: [], put: put(1, 'V-1', 'V-2') })
    const clear = [{ kind: VOICE, index: 'account', prefix: ['one'] }]
    const remove = [{ kind: VOICE, id: 'V-3' }]
    expect(await documents.write({ when: [], clear, put: put(2, 'V-2', 'V-3'), remove })).toBeNull()
    const left = await documents.scan(VOICE, 'account', { prefix: ['one'] })
    expect(left).toEqual([aVoice('V-2', { accountId: 'one', version: 2 })])
  })

  it('SX201 what is refused has changed nothing, and the first condition that does not hold is named', async () => {
    const documents = await open()
    await documents.write({ when: [], put: [{ kind: VOICE, value: aVoice('V-1') }] })
    const refused = await documents.write({
      when: [
        { kind: VOICE, id: 'V-1', version: 1 },
        { kind: VOICE, id: 'V-2', version: 3 },
        { kind: VOICE, id: 'V-1', version: 7 },
      ],
      put: [{ kind: VOICE, value: aVoice('V-2') }],
      remove: [{ kind: VOICE, id: 'V-1' }],
    })
    expect(refused).toBe(1)
    expect(await one(documents, VOICE, 'V-1')).toMatchObject({ version: 1 })
    expect(await one(documents, VOICE, 'V-2')).toBeNull()
  })

  it('a document without a version is refused: it could not be told from none', async () => {
    const documents = await open()
    const value = aVoice('V-1', { version: 0 })
    const writing = documents.write({
      when: [{ kind: VOICE, id: 'V-1', version: 0 }],
      put: [{ kind: VOICE, value }],
    })
    await expect(writing).rejects.toThrow('versions count from 1')
    expect(await one(documents, VOICE, 'V-1')).toBeNull()
  })

  it('ST8 values are copied when a batch is given, and when one is read', async () => {
    const documents = await open()
    const given = { ...aVoice('V-1'), config: { speed: 1 } }
    const when = [{ kind: VOICE, id: 'V-1', version: 0 }]
    const audit = anAuditEntry('AUDIT-1')
    const writing = documents.write({ when, put: [{ kind: VOICE, value: given }], outbox: { audit } })
    given.name = 'other'
    Object.assign(audit, { id: 'AUDIT-2' })
    given.config.speed = 2
    Object.assign(when[0] ?? {}, { id: 'V-2', version: 9 })
    expect(await writing).toBeNull()
    const [entry] = await documents.scan(AUDIT_ENTRY, 'time', { prefix: [] })
    expect(entry?.entry).toEqual(anAuditEntry('AUDIT-1'))
    const kept = { ...aVoice('V-1'), config: { speed: 1 } }
    const reads = [
      () => one(documents, VOICE, 'V-1'),
      async () => (await documents.scan(VOICE, 'id', { prefix: [] }))[0],
    ]
    for (const read of [...reads, ...reads]) {
      const value = await read()
      expect(value).toEqual(kept)
      Object.assign(value?.config ?? {}, { speed: 3 })
    }
  })

  it('SX200 what a batch tells of itself is kept with it, and not where it is refused', async () => {
    const documents = await open()
    const [all, others, off] = [anEndpoint('E-1'), anEndpoint('E-2', { eventTypes: [] }), anEndpoint('E-3')]
    const put = [all, others, { ...off, enabled: false }, anEndpoint('E-4', { accountId: 'ws-2' })]
    await documents.write({ when: [], put: put.map(value => ({ kind: WEBHOOK_ENDPOINT, value })) })
    const writing = (nth: number, version: number) =>
      documents.write({
        when: [{ kind: VOICE, id: 'V-1', version }],
        put: [{ kind: VOICE, value: aVoice('V-1', { version: version + 1 }) }],
        outbox: { audit: anAuditEntry(`AUDIT-${nth}`), webhooks: [aWebhookEvent(`EVENT-${nth}`)] },
      })
    expect([await writing(1, 0), await writing(2, 7), await writing(3, 1)]).toEqual([null, 0, null])
    const whole = { prefix: [] }
    const entries = await documents.scan(AUDIT_ENTRY, 'time', whole)
    expect(entries.map(({ entry }) => entry.id)).toEqual(['AUDIT-1', 'AUDIT-3'])
    const events = await documents.scan(WEBHOOK_EVENT, 'time', whole)
    expect(events).toEqual([aWebhookEvent('EVENT-1'), aWebhookEvent('EVENT-3')])
    const deliveries = await documents.scan(WEBHOOK_DELIVERY, 'time', whole)
    expect(deliveries.map(({ endpointId, eventId }) => [endpointId, eventId])).toEqual([
      ['E-1', 'EVENT-1'],
      ['E-1', 'EVENT-3'],
    ])
  })
}
