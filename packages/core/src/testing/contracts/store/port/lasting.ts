import { expect, it } from 'vitest'
import { ALL_KINDS } from '../../../../store/all-kinds.ts'
import type { Documents, Kind } from '../../../../store/documents.ts'
import { storeOver } from '../../../../store/groups.ts'
import { VOICE } from '../../../../store/kinds.ts'
import { createSequence } from '../../../../store/sequence.ts'
import { aConversation, anAppend } from '../../../conversation-fixtures.ts'
import { fillStore, fillWithTexts } from '../../../filled-store.ts'
import { ACCOUNT, aDeskOutcome, anAuditEntry, aVoice, START } from '../../../fixtures.ts'
import { type DocumentsFactory, EXTREME_TIMES, HARD_STRINGS, race } from '../tools.ts'
import { listOf, Model, one } from './model.ts'
import { countTogether } from './races.ts'

/** Kinds that may be empty: they are made in the background, or for as long as something is removed or filled. */
const mayBeEmpty = ({ name }: Kind<unknown>): boolean =>
  name.startsWith('interval_') || ['removed_log', 'filling'].includes(name)

/** Returns all documents by kind, in the order of ids. */
async function everything({ scan }: Documents): Promise<ReadonlyMap<Kind<unknown>, readonly unknown[]>> {
  const all = ALL_KINDS.map(async kind => [kind, await scan(kind, 'id', { prefix: [] })] as const)
  return new Map(await Promise.all(all))
}

/** Documents of every kind, as a store writes them, without a database. */
async function ofEveryKind(): Promise<Model> {
  const model = new Model()
  const ports = { nextSequence: createSequence(Date.now), random: Math.random }
  const store = storeOver(model.documents(), ports, async () => {})
  await fillStore(store)
  await fillWithTexts(store, HARD_STRINGS)
  const { handoffs, messageKeys, turnVectors } = store.conversations
  await messageKeys.take({ key: 'key', conversationId: 'AS-1', at: START, freeUntil: 0 })
  await handoffs.claimLines(START, START + 10)
  const claim = await turnVectors.claim('model', 1, START, START + 10)
  const [turn] = claim?.turns ?? []
  const vectors = turn === undefined ? [] : [{ turn: turn.turn, user: Uint8Array.of(1), agent: null }]
  await turnVectors.keep('model', claim?.claim ?? 0, vectors)
  const created = aConversation('AS-joined')
  await store.conversations.create(created)
  const joinedWait = { accountId: ACCOUNT, queueName: 'q', joinedAt: START, waited: 1, keepSince: 0 }
  await store.conversations.append(
    anAppend(created, 1, {
      joinedWait,
      deskOutcomes: [aDeskOutcome('O-1', { conversationId: 'AS-joined' })],
    }),
  )
  const recorded = { record: {}, details: { recording: { sequence: 0, now: START } } }
  const index = { finishedAt: START }
  await store.conversations.create(aConversation('AS-recorded', { turns: [recorded], index }))
  await store.close()
  return model
}

let made: Promise<Model> | null = null

async function filled(open: () => Promise<Documents>): Promise<Documents> {
  made ??= ofEveryKind()
  const model = await made
  const documents = await open()
  const put = ALL_KINDS.flatMap(kind => model.all(kind).map(value => ({ kind, value })))
  expect(await documents.write({ when: [], put })).toBeNull()
  return documents
}

/** Tests of durability and visibility (ST8, SX206, ST9 and SX218). */
export function testLasting(
  open: () => Promise<Documents>,
  { beside, reopen }: Pick<DocumentsFactory, 'beside' | 'reopen'>,
): void {
  it('SX206 documents of every kind are in each of its lists, and found by their ids', async () => {
    const documents = await filled(open)
    for (const [kind, values] of await everything(documents)) {
      if (!mayBeEmpty(kind)) expect(values, kind.name).not.toEqual([])
      for (const index of Object.keys(kind.indexes))
        expect(await documents.scan(kind, index, { prefix: [] }), `${kind.name} by ${index}`).toEqual(
          listOf(kind, index, values, { prefix: [] }),
        )
      expect(await documents.get(kind, values.map(kind.id))).toEqual(values)
    }
  })

  it('ST8 every text, number and length is kept as it is', async () => {
    const documents = await open()
    const long = '\u0001\u{1F600}é x'.repeat(60_000)
    const hard = {
      ...Object.fromEntries(HARD_STRINGS.map(text => [`of ${text}`, text])),
      numbers: [0, -1, 0.1, 1e300, 1.7e308, 5e-324, Number.MAX_SAFE_INTEGER],
      nothing: [null, false, '', [], {}, { '': { deep: [[{ x: -0.25 }]] } }],
      ...{ long, controls: '\u0000 a\u0000b \u001e\u2028 \ud800' },
    }
    const voices = HARD_STRINGS.map((text, at) =>
      aVoice(text, { name: text, config: hard, createdAt: EXTREME_TIMES[at % EXTREME_TIMES.length] ?? 0 }),
    )
    for (const value of voices)
      expect(await documents.write({ when: [], put: [{ kind: VOICE, value }] })).toBeNull()
    for (const voice of voices) expect(await one(documents, VOICE, voice.id)).toEqual(voice)
    expect(await documents.scan(VOICE, 'id', { prefix: [] })).toHaveLength(voices.length)
  })

  if (reopen !== undefined)
    it('ST9 all that was written is there when the documents are opened again, and goes on from there', async () => {
      const documents = await filled(open)
      const before = await everything(documents)
      const again = await reopen(documents)
      expect(await everything(again)).toEqual(before)
      const write = (version: number) =>
        again.write({
          when: [{ kind: VOICE, id: 'VOICE-1', version }],
          put: [{ kind: VOICE, value: aVoice('VOICE-1', { version: version + 1 }) }],
          outbox: { audit: anAuditEntry('AUDIT-late') },
        })
      expect([await write(7), await write(1), await write(1)]).toEqual([0, null, 0])
    })

  if (beside !== undefined)
    it('SX218 two who have the same documents open are as one: each sees what the other wrote, and none overwrites it', async () => {
      const first = await open()
      const second = await beside(first)
      const of = (racer: number) => (racer % 2 === 0 ? first : second)
      await countTogether(of, 4)
      for (let nth = 0; nth < 6; nth++) {
        const [writer, reader] = [of(nth), of(nth + 1)]
        await writer.write({ when: [], put: [{ kind: VOICE, value: aVoice(`seen ${nth}`) }] })
        expect(await one(reader, VOICE, `seen ${nth}`)).toEqual(aVoice(`seen ${nth}`))
      }
      const results = await race(racer =>
        of(racer).write({
          when: [{ kind: VOICE, index: 'account', prefix: ['ws-full'], atMost: 2 }],
          put: [{ kind: VOICE, value: aVoice(`V-${racer}`, { accountId: 'ws-full' }) }],
        }),
      )
      expect(results.filter(result => result === null)).toHaveLength(3)
    })
}
