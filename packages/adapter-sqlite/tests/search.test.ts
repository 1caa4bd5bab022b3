import type { ConversationId } from '@colloquy/core'
import type { StoredTurn } from '@colloquy/core/domain'
import { holdWords, turnWords } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, anAppend, START } from '@colloquy/core/testing'
import BetterSqlite3 from 'better-sqlite3'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { openStore, temporaryFile } from './files.ts'
import { takeBack } from './take-back.ts'

const LIVE = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
const HOUR = 3_600_000

const said = (user: string, agent = ''): StoredTurn => ({
  record: { user_input: user, agent_response: agent },
  details: {},
})

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  // Few words, so that the same ones come often.
  fc
    .array(fc.constantFrom('room', 'Zimmer', 'für', 'two', '東京', 'AND', '"NEAR"'), { maxLength: 4 })
    .map(words => words.join(' ')),
)
const turn = fc.tuple(text, text).map(([user, agent]) => said(user, agent))

it('SQ80 a search finds exactly the conversations of which core says that they hold the words', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.array(turn, { maxLength: 3 }), fc.nat({ max: 60 })), {
        minLength: 1,
        maxLength: 8,
      }),
      fc.constantFrom('user', 'agent', 'either'),
      fc.nat(),
      async (made, speaker, seed) => {
        const store = createSqliteStore({ filename: ':memory:' })
        const all = made.map(([turns, hours], index) => ({
          id: `AS-${index}`,
          turns,
          startedAt: START + hours * HOUR,
        }))
        for (const { id, turns, startedAt } of all) {
          await store.conversations.create(aConversation(id, { turns, startedAt }))
        }
        const known = all.flatMap(({ turns }) => turns.flatMap(one => Object.values(turnWords(one)).flat()))
        const words = ['room', known[seed % known.length] ?? 'two'].slice(seed % 2)
        const condition = { words, speaker }
        const page = await store.conversations.records.list({ ...LIVE, words: condition }, { offset: 0 }, 100)
        const expected = all.filter(({ turns }) => holdWords(turns, condition)).map(({ id }) => id)
        expect(page.records.map(({ id }) => id).toSorted()).toEqual(expected)
        await store.close()
      },
    ),
    { numRuns: 150 },
  )
})

it.each([6, 13])('SQ81 a file of schema %i is searched for what was said before', async schema => {
  const filename = temporaryFile()
  const store = createSqliteStore({ filename })
  const made = aConversation('AS-1', { turns: [said('a room', 'Für zwei?'), said('yes')] })
  await store.conversations.create(made)
  await store.conversations.append(anAppend(made, 1, { turns: [said('with breakfast')] }))
  await store.conversations.create(
    aConversation('AS-2', { turns: [said('breakfast')], startedAt: START + HOUR }),
  )
  await store.close()
  const database = new BetterSqlite3(filename)
  takeBack(database, schema)
  database.close()
  const again = createSqliteStore({ filename })
  onTestFinished(() => again.close())
  const ids = async (words: readonly string[]) => {
    const filter = { ...LIVE, words: { words, speaker: 'either' as const } }
    return (await again.conversations.records.list(filter, { offset: 0 }, 9)).records.map(({ id }) => id)
  }
  expect(await ids(['breakfast'])).toEqual(['AS-1', 'AS-2'])
  expect(await ids(['room', 'zwei'])).toEqual(['AS-1'])
  expect(await ids(['room', 'breakfast'])).toEqual([])
})

it('SQ82 a search goes by the hour, and its pages are those of the list', async () => {
  const store = openStore({ filename: ':memory:' })
  const count = 2_100
  const made = Array.from({ length: count }, (_, index) =>
    aConversation(`AS-${index}`, {
      startedAt: START + Math.floor((index * 24 * HOUR) / count),
      turns: [said(index % 700 === 3 ? 'rare common' : 'common')],
    }),
  )
  await Promise.all(made.map(one => store.conversations.create(one)))
  const found = async (
    word: string,
    after: { startedAt: number; id: ConversationId } | null,
    limit: number,
  ) => {
    const filter = { ...LIVE, words: { words: [word], speaker: 'either' as const } }
    const page = await store.conversations.records.list(
      filter,
      after === null ? { offset: 0 } : { after },
      limit,
    )
    return page.records.map(({ id }) => id)
  }
  expect(await found('rare', null, 10)).toEqual(['AS-3', 'AS-703', 'AS-1403'])
  const after = { startedAt: made[1_000]?.index.startedAt ?? 0, id: 'AS-1000' }
  expect(await found('common', after, 3)).toEqual(['AS-1001', 'AS-1002', 'AS-1003'])
})

it('SQ86 the words of turns that were packed do not stand in the index, and are found', async () => {
  const filename = temporaryFile()
  const store = openStore({ filename })
  const count = 600
  const made = Array.from({ length: count }, (_, index) =>
    aConversation(`AS-${index}`, { turns: [said(`${index} marmalade a b c d e f`)] }),
  )
  await Promise.all(made.map(one => store.conversations.create(one)))
  const filter = { ...LIVE, words: { words: ['marmalade', '7'], speaker: 'user' as const } }
  const { records } = await store.conversations.records.list(filter, { offset: 0 }, 9)
  expect(records.map(({ id }) => id)).toEqual(['AS-7'])
  const database = new BetterSqlite3(filename, { readonly: true })
  const number = (sql: string) => Number(database.prepare(sql).pluck().get())
  expect(number('SELECT sum(words) FROM loose_words')).toBeLessThan(4_096)
  expect(number('SELECT count(*) FROM word_block')).toBeGreaterThan(100)
  expect(number("SELECT count(*) FROM word_block WHERE instr(word, 'marmalade') > 0")).toBe(0)
  database.close()
})
