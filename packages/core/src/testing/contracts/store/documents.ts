import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Voice } from '../../../domain/voice/voice.ts'
import {
  EVENT,
  LISTED_CONVERSATION,
  type ListedConversation,
  TURN,
} from '../../../store/conversations/kinds.ts'
import type { Batch, Documents, Kind, Range } from '../../../store/documents.ts'
import { idOf } from '../../../store/kind-parts.ts'
import {
  AUDIT_ENTRY,
  TEXT_PAIR,
  VOICE,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  WEBHOOK_EVENT,
} from '../../../store/kinds.ts'
import { anEvent, aTurn } from '../../conversation-fixtures.ts'
import { anAuditEntry, anEndpoint, aTextPair, aVoice, aWebhookEvent } from '../../fixtures.ts'
import { EXTREME_TIMES, HARD_STRINGS, race } from './tools.ts'

/** Opens documents that hold nothing. Called once for each test. */
export type OpenDocuments = () => Promise<Documents>

/** Few, so that they meet; each sorts otherwise by UTF-16, or is cut off by something. */
const IDS = ['a', 'A', 'é', '\u0000', '\uffff', '𝒳', '"', '%', ...HARD_STRINGS.slice(0, 2)] as const
const ACCOUNTS = ['ws-1', 'ws-2', '𝒳'] as const

const id = fc.constantFrom(...IDS)
const voice = fc
  .record({
    id,
    accountId: fc.constantFrom(...ACCOUNTS),
    createdAt: fc.constantFrom(...EXTREME_TIMES),
    version: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ id, ...values }) => aVoice(id, values))

const one = async <T>({ get }: Documents, kind: Kind<T>, id: string): Promise<T | null> =>
  (await get(kind, [id]))[0] ?? null

/** The order of an account's list: oldest first, then by code points. */
function compareVoices(one: Pick<Voice, 'createdAt' | 'id'>, other: Pick<Voice, 'createdAt' | 'id'>): number {
  const points = (text: string) =>
    [...text].map(char => (char.codePointAt(0) ?? 0).toString(16).padStart(6, '0')).join()
  if (one.createdAt !== other.createdAt) return one.createdAt - other.createdAt
  return points(one.id) < points(other.id) ? -1 : Number(one.id !== other.id)
}

/** What holds of what a sequence of batches has written, without a database. */
class Model {
  readonly held = new Map<string, Voice>()

  write({ when, clear = [], put = [], remove = [] }: Batch): number | null {
    const refused = when.findIndex(condition =>
      'id' in condition
        ? (this.held.get(condition.id)?.version ?? 0) !== condition.version
        : this.of(String(condition.prefix[0])).length > condition.atMost,
    )
    if (refused !== -1) return refused
    for (const { prefix } of clear) for (const { id } of this.of(String(prefix[0]))) this.held.delete(id)
    for (const { value } of put as readonly { readonly value: Voice }[]) this.held.set(value.id, value)
    for (const { id } of remove) this.held.delete(id)
    return null
  }

  /** Of an account, in order. */
  of(accountId: string): readonly Voice[] {
    return [...this.held.values()].filter(voice => voice.accountId === accountId).sort(compareVoices)
  }
}

const atVersion = fc.record({ id, version: fc.nat(3) }).map(condition => ({ kind: VOICE, ...condition }))
const atMost = fc
  .record({ accountId: fc.constantFrom(...ACCOUNTS), atMost: fc.integer({ min: -1, max: 4 }) })
  .map(({ accountId, atMost }) => ({ kind: VOICE, index: 'account', prefix: [accountId], atMost }))
const batch: fc.Arbitrary<Batch> = fc.record({
  when: fc.array(fc.oneof({ weight: 2, arbitrary: atVersion }, atMost), { maxLength: 3 }),
  clear: fc.array(fc.constant({ kind: VOICE, index: 'account', prefix: ['ws-2'] }), { maxLength: 1 }),
  // The same one too, of which the last counts.
  put: fc.array(
    voice.map(value => ({ kind: VOICE, value })),
    { maxLength: 3 },
  ),
  remove: fc.array(
    id.map(one => ({ kind: VOICE, id: one })),
    { maxLength: 1 },
  ),
})

/** In lists, and nothing more. */
const listed = (id: string): ListedConversation => ({
  ...{ id, version: 1, accountId: 'ws-1', agentId: 'A-1', environment: 'live', counted: true },
  ...{ startedAt: 1, finishedAt: null, variantId: null, variantName: null, channel: 'chat' },
  ...{ language: null, toNumber: '' },
})

/** Rules SX200 to SX215: documents, of which groups of a store are made. */
export function testDocuments(name: string, open: OpenDocuments, runs = 40): void {
  describe(`${name}: documents`, () => {
    it('SX200 what batches have written is what one after the other would write, in every list', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(batch, { minLength: 1, maxLength: 12, size: 'max' }),
          voice,
          async (batches, place) => {
            const documents = await open()
            const model = new Model()
            for (const one of batches) {
              expect(await documents.write(one)).toBe(model.write(one))
              for (const account of ACCOUNTS) {
                const range = { prefix: [account] }
                expect(await documents.scan(VOICE, 'account', range)).toEqual(model.of(account))
                const behind = { ...range, after: [place.createdAt, place.id], limit: 2 }
                expect(await documents.scan(VOICE, 'account', behind)).toEqual(
                  model
                    .of(account)
                    .filter(voice => compareVoices(voice, place) > 0)
                    .slice(0, 2),
                )
              }
            }
            expect(await documents.get(VOICE, IDS)).toEqual(IDS.map(id => model.held.get(id) ?? null))
          },
        ),
        { numRuns: runs },
      )
    })

    it('SX201 of all who write over one version one wins, also where the document is not there', async () => {
      const documents = await open()
      for (const version of [0, 1, 2]) {
        const results = await race(racer =>
          documents.write({
            when: [{ kind: VOICE, id: 'V-1', version }],
            put: [{ kind: VOICE, value: aVoice('V-1', { name: `${racer}`, version: version + 1 }) }],
          }),
        )
        expect(results.filter(result => result === null)).toHaveLength(1)
        const winner = results.indexOf(null)
        expect(await one(documents, VOICE, 'V-1')).toMatchObject({ version: version + 1, name: `${winner}` })
      }
    })

    it('SX202 an index holds no more than it may, whoever adds at once', async () => {
      const documents = await open()
      const results = await race(racer =>
        documents.write({
          when: [
            { kind: VOICE, id: `V-${racer}`, version: 0 },
            { kind: VOICE, index: 'account', prefix: ['ws-1'], atMost: 2 },
          ],
          put: [{ kind: VOICE, value: aVoice(`V-${racer}`, { accountId: 'ws-1' }) }],
        }),
      )
      expect(results.filter(result => result === null)).toHaveLength(3)
      expect(results.every(result => result === null || result === 1)).toBe(true)
      expect(await documents.scan(VOICE, 'account', { prefix: ['ws-1'] })).toHaveLength(3)
    })

    it('SX203 a batch over several documents is written whole or not at all, whoever writes them at once', async () => {
      const documents = await open()
      const pair = aTextPair()
      const pairId = TEXT_PAIR.id(pair)
      let lost = 0
      await race(async () => {
        for (let done = 0; done < 3; ) {
          const voice = await one(documents, VOICE, 'V-1')
          const other = await one(documents, TEXT_PAIR, pairId)
          const written = await documents.write({
            when: [
              { kind: VOICE, id: 'V-1', version: voice?.version ?? 0 },
              { kind: TEXT_PAIR, id: pairId, version: other?.version ?? 0 },
            ],
            put: [
              { kind: VOICE, value: aVoice('V-1', { version: (voice?.version ?? 0) + 1 }) },
              { kind: TEXT_PAIR, value: { ...pair, version: (other?.version ?? 0) + 1 } },
            ],
          })
          if (written === null) done++
          else lost++
          expect(lost).toBeLessThan(10_000)
        }
      })
      const voice = await one(documents, VOICE, 'V-1')
      const other = await one(documents, TEXT_PAIR, pairId)
      // Nobody wrote over what somebody else had just written.
      expect([voice?.version, other?.version]).toEqual([24, 24])
    })

    it('SX213 of two batches each of which adds what the other needs to be absent one is written', async () => {
      const documents = await open()
      for (let run = 0; run < 12; run++) {
        const [mine, theirs] = [`V-${run}-1`, `V-${run}-2`]
        const accountId = `ws-${run}`
        const pair = { ...aTextPair({ ours: `+1555${run}` }), version: 1 }
        const adds = (id: string) => [{ kind: VOICE, value: aVoice(id, { accountId }) }]
        const absent = (id: string) => ({ kind: VOICE, id, version: 0 })
        const none = { kind: VOICE, index: 'account', prefix: [accountId], atMost: 0 }
        const noPair = { kind: TEXT_PAIR, id: TEXT_PAIR.id(pair), version: 0 }
        const races: readonly (readonly [Batch, Batch])[] = [
          [
            { when: [absent(mine)], put: adds(theirs) },
            { when: [absent(theirs)], put: adds(mine) },
          ],
          [
            { when: [none], put: adds(mine) },
            { when: [none], put: adds(theirs) },
          ],
          [
            { when: [noPair, none], put: [{ kind: TEXT_PAIR, value: pair }] },
            { when: [noPair], put: adds(mine) },
          ],
        ]
        for (const both of races) {
          const answers = await Promise.all(both.map(one => documents.write(one)))
          expect(answers.filter(answer => answer === null)).toHaveLength(1)
          const remove = [
            ...[mine, theirs].map(id => ({ kind: VOICE, id })),
            { kind: TEXT_PAIR, id: noPair.id },
          ]
          await documents.write({ when: [], remove })
        }
      }
    })

    it('SX204 what is refused has changed nothing, and the first condition that does not hold is named', async () => {
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

    it('SX207 a document without a version is refused: it could not be told from none', async () => {
      const documents = await open()
      const value = aVoice('V-1', { version: 0 })
      const writing = documents.write({
        when: [{ kind: VOICE, id: 'V-1', version: 0 }],
        put: [{ kind: VOICE, value }],
      })
      await expect(writing).rejects.toThrow('versions count from 1')
      expect(await one(documents, VOICE, 'V-1')).toBeNull()
    })

    it('SX205 values are copied when a batch is given, and when one is read', async () => {
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
      const read = await one(documents, VOICE, 'V-1')
      expect(read).toEqual({ ...aVoice('V-1'), config: { speed: 1 } })
      Object.assign(read ?? {}, { name: 'other' })
      expect((await one(documents, VOICE, 'V-1'))?.name).toBe(aVoice('V-1').name)
    })

    it('SX206 a list begins where it is asked to and ends there, at so many', async () => {
      const documents = await open()
      const times = [3, 1, 2, 2]
      const put = times.map((createdAt, at) => ({ kind: VOICE, value: aVoice(`V-${at}`, { createdAt }) }))
      await documents.write({ when: [], put })
      const { accountId } = aVoice('V-0')
      const ids = async (range: Partial<Range>) =>
        (await documents.scan(VOICE, 'account', { prefix: [accountId], ...range })).map(({ id }) => id)
      expect(await ids({})).toEqual(['V-1', 'V-2', 'V-3', 'V-0'])
      expect(await ids({ through: 2 })).toEqual(['V-1', 'V-2', 'V-3'])
      expect(await ids({ through: 2, limit: 2 })).toEqual(['V-1', 'V-2'])
      expect(await ids({ through: 0 })).toEqual([])
      expect(await ids({ after: [2, 'V-2'] })).toEqual(['V-3', 'V-0'])
      expect(await ids({ from: 2 })).toEqual(['V-2', 'V-3', 'V-0'])
      expect(await ids({ from: 2, through: 2 })).toEqual(['V-2', 'V-3'])
      expect(await ids({ from: 2, after: [2, 'V-2'], limit: 1 })).toEqual(['V-3'])
      expect(await ids({ descending: true, from: 2, limit: 2 })).toEqual(['V-0', 'V-3'])
      expect(await ids({ descending: true, through: 2 })).toEqual(['V-3', 'V-2', 'V-1'])
      expect(await ids({ after: [2, 'V-3'], descending: true, limit: 1 })).toEqual(['V-2'])
      expect(await ids({ after: [2, 'V-1'], through: 2, limit: 1 })).toEqual(['V-2'])
      expect(await ids({ skip: 1 })).toEqual(['V-2', 'V-3', 'V-0'])
      expect(await ids({ skip: 1, limit: 2, descending: true })).toEqual(['V-3', 'V-2'])
      expect(await ids({ skip: 9 })).toEqual([])
    })

    it('SX206 texts are in the order of their code points, and whole numbers in that of their values', async () => {
      const documents = await open()
      // UTF-16 has the last but one before the two in front of it; a collation has others together, or pads them.
      const texts = ['0', 'A', 'a', 'a ', 'aa', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '𝒳', '\u{10fffd}']
      const numbers = [
        -Number.MAX_SAFE_INTEGER,
        -10,
        -9,
        -1,
        0,
        2,
        10,
        9_007_199_254_740_990,
        Number.MAX_SAFE_INTEGER,
      ]
      const voices = [
        ...texts.map(id => aVoice(id, { accountId: 'ids' })),
        ...texts.map((accountId, at) => aVoice(`of ${at}`, { accountId, createdAt: 1 })),
        ...numbers.map((createdAt, at) => aVoice(`at ${at}`, { accountId: 'numbers', createdAt })),
      ]
      const shuffled = voices.toSorted((one, other) => (one.name + one.id < other.name + other.id ? 1 : -1))
      await documents.write({ when: [], put: shuffled.map(value => ({ kind: VOICE, value })) })
      const of = (prefix: readonly string[], range: Partial<Range> = {}) =>
        documents.scan(VOICE, 'account', { prefix, ...range })
      expect((await of(['ids'])).map(({ id }) => id)).toEqual(texts)
      expect((await of(['numbers'])).map(({ createdAt }) => createdAt)).toEqual(numbers)
      expect((await of(['numbers'], { from: -9, through: 10 })).map(({ createdAt }) => createdAt)).toEqual(
        numbers.slice(2, 7),
      )
      const accounts = (await of([])).map(({ accountId }) => accountId)
      expect(accounts.filter(accountId => texts.includes(accountId))).toEqual(texts)
      const some = await of([], { from: 'a ', through: '\uffff' })
      expect(some.map(({ accountId }) => accountId).filter(id => texts.includes(id))).toEqual(
        texts.slice(3, 10),
      )
    })

    it('SX212 all documents of a kind are listed by their ids', async () => {
      const documents = await open()
      const ids = ['A', 'a', 'b', '\uffff', '𝒳']
      const put = ids.toReversed().map((id, at) => ({ kind: VOICE, value: aVoice(id, { createdAt: at }) }))
      await documents.write({ when: [], put })
      const all = async (range: Partial<Range>) =>
        (await documents.scan(VOICE, 'id', { prefix: [], ...range })).map(({ id }) => id)
      expect(await all({})).toEqual(ids)
      expect(await all({ after: ['a'], limit: 2 })).toEqual(['b', '\uffff'])
      expect(await all({ descending: true, limit: 2 })).toEqual(['𝒳', '\uffff'])
      expect(await all({ where: { created_at: [0, 4] } })).toEqual(['A', '𝒳'])
      await expect(documents.scan(VOICE, 'other', { prefix: [] })).rejects.toThrow('no index other')
    })

    it('SX209 what a batch tells of itself is kept with it, and not where it is refused', async () => {
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
      expect(await writing(1, 0)).toBeNull()
      expect(await writing(2, 7)).toBe(0)
      expect(await writing(3, 1)).toBeNull()
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

    it('SX208 a list holds those alone of which a column has one of the values that are wanted', async () => {
      const documents = await open()
      const times = [1, 2, 3, 2]
      const put = times.map((createdAt, at) => ({ kind: VOICE, value: aVoice(`V-${at}`, { createdAt }) }))
      const other = aVoice('V-4', { accountId: 'ws-2', createdAt: 2 })
      await documents.write({ when: [], put: [...put, { kind: VOICE, value: other }] })
      const { accountId } = aVoice('V-0')
      const ids = async (where: Range['where'], range: Partial<Range> = {}) =>
        (await documents.scan(VOICE, 'account', { prefix: [accountId], where, ...range })).map(({ id }) => id)
      expect(await ids({ created_at: [2] })).toEqual(['V-1', 'V-3'])
      expect(await ids({ created_at: [3, 1, 9] })).toEqual(['V-0', 'V-2'])
      expect(await ids({ created_at: [] })).toEqual([])
      expect(await ids({ created_at: [2], account_id: [accountId, 'ws-2'] })).toEqual(['V-1', 'V-3'])
      expect(await ids({ created_at: [2], account_id: ['ws-2'] })).toEqual([])
      expect(await ids({ created_at: [1, 2] }, { skip: 1, limit: 1 })).toEqual(['V-1'])
      expect(await ids({ created_at: [1, 2] }, { after: [2, 'V-1'] })).toEqual(['V-3'])
      for (const name of HARD_STRINGS) {
        await documents.write({
          when: [],
          put: [{ kind: VOICE, value: aVoice('hard', { accountId: name }) }],
        })
        const found = await documents.scan(VOICE, 'account', {
          prefix: [name],
          where: { account_id: ['another', name] },
        })
        expect(found.map(({ id }) => id)).toEqual(['hard'])
      }
    })

    it('SX214 documents with a key are found by it, and listed by its columns, numbers by value', async () => {
      const documents = await open()
      const places = [2, 10, 9, 1].map(sequence => ({ log: 'b', sequence }))
      const all = [...places, { log: 'a', sequence: 3 }, { log: '𝒳', sequence: 3 }].map(place => ({
        ...place,
        event: { ...anEvent({ id: `${place.log} ${place.sequence}` }), payload: undefined },
        payload: '{}',
      }))
      await documents.write({ when: [], put: all.map(value => ({ kind: EVENT, value })) })
      const found = async (range: Partial<Range>, index = 'log') =>
        (await documents.scan(EVENT, index, { prefix: [], ...range })).map(
          ({ log, sequence }) => `${log} ${sequence}`,
        )
      const ordered = ['a 3', 'b 1', 'b 2', 'b 9', 'b 10', '𝒳 3']
      expect(await found({})).toEqual(ordered)
      expect(await found({}, 'id')).toEqual(ordered)
      expect(await found({ descending: true }, 'id')).toEqual(ordered.toReversed())
      expect(await found({ prefix: ['b'], from: 2, through: 9 })).toEqual(['b 2', 'b 9'])
      expect(await found({ after: ['b', 2, idOf('b', 2)], limit: 2 })).toEqual(['b 9', 'b 10'])
      expect(await found({ after: [idOf('b', 9)] }, 'id')).toEqual(['b 10', '𝒳 3'])
      expect(await found({ prefix: ['b'], after: [9, idOf('b', 9)], descending: true })).toEqual([
        'b 2',
        'b 1',
      ])
      const ids = [idOf('b', 10), idOf('b', 11), idOf('a', 3)]
      expect((await documents.get(EVENT, ids)).map(one => one?.event.id ?? null)).toEqual([
        'b 10',
        null,
        'a 3',
      ])
      const when = [{ kind: EVENT, id: idOf('b', 10), version: 1 }]
      expect(await documents.write({ when, remove: [{ kind: EVENT, id: idOf('b', 10) }] })).toBeNull()
      expect(await documents.write({ when, put: [] })).toBe(0)
      await documents.write({ when: [], clear: [{ kind: EVENT, index: 'log', prefix: ['b'] }] })
      expect(await found({})).toEqual(['a 3', '𝒳 3'])
    })

    it('SX215 a list holds those alone of which a document says all words, as it stands now', async () => {
      const documents = await open()
      const ids = ['C-1', 'C-2', 'C-3']
      await documents.write({
        when: [],
        put: ids.map(id => ({ kind: LISTED_CONVERSATION, value: listed(id) })),
      })
      const say = (conversationId: string, number: number, user: string, agent = '') => ({
        kind: TURN,
        value: {
          ...aTurn(''),
          record: { user_input: user, agent_response: agent },
          ...{ conversationId, log: conversationId, number, place: number },
        },
      })
      await documents.write({
        when: [],
        put: [
          say('C-1', 1, 'a blue room', 'no'),
          say('C-1', 2, 'café 部屋'),
          say('C-2', 1, 'blue', 'a room'),
        ],
      })
      const found = async (...words: readonly (readonly string[])[]) => {
        const saying = { kind: TURN, column: 'conversation_id', words }
        const range = { prefix: ['ws-1', 'A-1', 'live'], saying }
        const some = await documents.scan(LISTED_CONVERSATION, 'scope', range)
        const last = await documents.scan(LISTED_CONVERSATION, 'scope', {
          ...range,
          descending: true,
          limit: 1,
        })
        expect(last).toEqual(some.slice(-1))
        return some.map(({ id }) => id)
      }
      expect(await found(['user:blue'])).toEqual(['C-1', 'C-2'])
      expect(await found(['user:blue'], ['user:room'])).toEqual(['C-1'])
      expect(await found(['user:blue'], ['user:room', 'agent:room'])).toEqual(['C-1', 'C-2'])
      // Of one document, not of several.
      expect(await found(['user:blue'], ['user:cafe'])).toEqual([])
      expect(await found(['user:cafe'], ['user:部'])).toEqual(['C-1'])
      expect(await found(['user:blu'])).toEqual([])
      expect(await found(['user:agent'])).toEqual([])
      await documents.write({ when: [], put: [say('C-2', 1, 'green'), say('C-3', 4, 'blue')] })
      expect(await found(['user:blue'])).toEqual(['C-1', 'C-3'])
      await documents.write({ when: [], remove: [{ kind: TURN, id: idOf('C-1', 1) }] })
      expect(await found(['user:blue'])).toEqual(['C-3'])
      await documents.write({ when: [], clear: [{ kind: TURN, index: 'log', prefix: ['C-3'] }] })
      expect(await found(['user:blue'])).toEqual([])
      expect(await found(['user:green'])).toEqual(['C-2'])
    })
  })
}
