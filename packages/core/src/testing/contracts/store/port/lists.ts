import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LISTED_CONVERSATION, type ListedConversation, TURN } from '../../../../store/conversations/kinds.ts'
import type { Documents, Range } from '../../../../store/documents.ts'
import { idOf } from '../../../../store/kind-parts.ts'
import { VOICE } from '../../../../store/kinds.ts'
import { aTurn } from '../../../conversation-fixtures.ts'
import { aVoice } from '../../../fixtures.ts'
import { HARD_STRINGS } from '../tools.ts'
import { questionOf, SAMPLES } from './arbitraries.ts'
import { listOf, rangeOf } from './model.ts'

/** The number of questions about one set of documents. Asking is cheaper than writing. */
const QUESTIONS = 20

/** In lists, and nothing more. */
const listed = (id: string): ListedConversation => ({
  ...{ id, version: 1, accountId: 'ws-1', agentId: 'A-1', environment: 'live', counted: true },
  ...{
    startedAt: 1,
    finishedAt: null,
    variantId: null,
    variantName: null,
    deploymentId: null,
    channel: 'chat',
  },
  ...{ language: null, toNumber: '' },
})

const turn = (conversationId: string, number: number, user: string, agent = '') => ({
  kind: TURN,
  value: {
    ...aTurn(''),
    record: { user_input: user, agent_response: agent },
    ...{ conversationId, log: conversationId, number, place: number },
  },
})

/** Tests of what lists hold (SX206 and SX215). */
export function testLists(open: () => Promise<Documents>, runs: number): void {
  for (const sample of SAMPLES) {
    const { kind, value } = sample
    it(`SX206 a list begins, ends, and holds what it is asked for: ${kind.name}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(value, { selector: kind.id, minLength: 5, maxLength: 20, size: 'max' }),
          fc.array(questionOf(sample), { minLength: QUESTIONS, maxLength: QUESTIONS }),
          async (values, questions) => {
            const documents = await open()
            await documents.write({ when: [], put: values.map(value => ({ kind, value })) })
            for (const { index, question } of questions) {
              const range = rangeOf(kind, index, question)
              expect(await documents.scan(kind, index, range)).toEqual(listOf(kind, index, values, range))
            }
          },
        ),
        { numRuns: Math.ceil(runs / 4) },
      )
    })
  }

  it('SX206 a list that is asked for one value twice leaves the order of later lists as it is', async () => {
    const documents = await open()
    await documents.write({ when: [], put: [1, 2, 3, 4].map(number => turn('C-1', number, 'hello')) })
    const list = (...number: readonly number[]) =>
      documents.scan(TURN, 'id', { prefix: [], descending: true, where: { number } })
    // On each connection that there may be.
    const often = Array.from({ length: 20 })
    await Promise.all(often.map(() => list(2, 2)))
    for (const found of await Promise.all(often.map(() => list(2, 3))))
      expect(found.map(({ number }) => number)).toEqual([3, 2])
  })

  it('SX206 texts are in the order of their code points, and whole numbers in that of their values', async () => {
    const documents = await open()
    // UTF-16 has the last but one before the two in front of it; a collation has others together, or pads them.
    const texts = ['0', 'A', 'a', 'a ', 'aa', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '𝒳', '\u{10fffd}']
    const most = Number.MAX_SAFE_INTEGER
    const numbers = [-most, -10, -9, -1, 0, 2, 10, most - 1, most]
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
    const between = await of(['numbers'], { from: -9, through: 10 })
    expect((await of(['numbers'])).map(({ createdAt }) => createdAt)).toEqual(numbers)
    expect(between.map(({ createdAt }) => createdAt)).toEqual(numbers.slice(2, 7))
    const owners = (await of([])).map(({ accountId }) => accountId)
    expect(owners.filter(accountId => texts.includes(accountId))).toEqual(texts)
    const some = (await of([], { from: 'a ', through: '\uffff' })).map(({ accountId }) => accountId)
    expect(some.filter(id => texts.includes(id))).toEqual(texts.slice(3, 10))
    await expect(documents.scan(VOICE, 'other', { prefix: [] })).rejects.toThrow('no index other')
  })

  it('SX206 any text is found by a list that asks for it, and by no other', async () => {
    const documents = await open()
    const put = HARD_STRINGS.map(accountId => ({
      kind: VOICE,
      value: aVoice(`of ${accountId}`, { accountId }),
    }))
    await documents.write({ when: [], put })
    for (const text of HARD_STRINGS)
      for (const range of [{ prefix: [text] }, { prefix: [], where: { account_id: ['another', text] } }])
        expect((await documents.scan(VOICE, 'account', range)).map(({ id }) => id)).toEqual([`of ${text}`])
  })

  it('SX215 a list holds those alone of which a document says all words, as it stands now', async () => {
    const documents = await open()
    const ids = ['C-1', 'C-2', 'C-3']
    const put = ids.map(id => ({ kind: LISTED_CONVERSATION, value: listed(id) }))
    const said = [
      turn('C-1', 1, 'a blue room', 'no'),
      turn('C-1', 2, 'café 部屋'),
      turn('C-2', 1, 'blue', 'a room'),
    ]
    await documents.write({ when: [], put: [...put, ...said] })
    const found = async (...words: readonly (readonly string[])[]) => {
      const containing = { kind: TURN, column: 'conversation_id', words }
      const range = { prefix: ['ws-1', 'A-1', 'live'], containing }
      const some = await documents.scan(LISTED_CONVERSATION, 'scope', range)
      const last = { ...range, descending: true, limit: 1 }
      expect(await documents.scan(LISTED_CONVERSATION, 'scope', last)).toEqual(some.slice(-1))
      return some.map(({ id }) => id)
    }
    expect(await found(['user:blue'])).toEqual(['C-1', 'C-2'])
    expect(await found(['user:blue'], ['user:room'])).toEqual(['C-1'])
    expect(await found(['user:blue'], ['user:room', 'agent:room'])).toEqual(['C-1', 'C-2'])
    // All words must be in one document, not in several.
    expect(await found(['user:blue'], ['user:cafe'])).toEqual([])
    expect(await found(['user:cafe'], ['user:部'])).toEqual(['C-1'])
    expect([await found(['user:bl']), await found(['user:agent'])]).toEqual([[], []])
    await documents.write({ when: [], put: [turn('C-2', 1, 'green'), turn('C-3', 4, 'blue')] })
    expect(await found(['user:blue'])).toEqual(['C-1', 'C-3'])
    await documents.write({ when: [], remove: [{ kind: TURN, id: idOf('C-1', 1) }] })
    expect(await found(['user:blue'])).toEqual(['C-3'])
    await documents.write({ when: [], clear: [{ kind: TURN, index: 'log', prefix: ['C-3'] }] })
    expect([await found(['user:blue']), await found(['user:green'])]).toEqual([[], ['C-2']])
  })
}
