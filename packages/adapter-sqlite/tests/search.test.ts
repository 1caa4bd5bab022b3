import type { ConversationId } from '@colloquy/core'
import type { StoredTurn } from '@colloquy/core/domain'
import { holdWords, type Store, turnWords } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, anAppend, START } from '@colloquy/core/testing'
import BetterSqlite3 from 'better-sqlite3'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { auditStatements } from '../src/audit/audit-statements.ts'
import { createConversationStore } from '../src/conversations/conversations.ts'
import { createRecordCounts } from '../src/conversations/record-counts.ts'
import { createSearchWords } from '../src/conversations/search-words.ts'
import { unpackPostings } from '../src/conversations/word-postings.ts'
import { openDatabase } from '../src/database/database.ts'
import { createSession, type Session } from '../src/database/session.ts'
import { createOutboxKeeper } from '../src/outbox/outbox-keeper.ts'
import { createSqliteStore } from '../src/store.ts'
import { webhookStatements } from '../src/webhooks/webhook-statements.ts'
import { openStore, temporaryFile } from './files.ts'
import { takeBack } from './take-back.ts'

const LIVE = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
const HOUR = 3_600_000

const keeperOf = ({ define }: Session) =>
  createOutboxKeeper(auditStatements(define), webhookStatements(define))

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

it.each([6, 13, 24])('SQ81 a file of schema %i is searched for what was said before', async schema => {
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

it('SQ86 words do not stand in the index, and are found', async () => {
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
  expect(number('SELECT count(*) FROM word_block')).toBeGreaterThan(100)
  expect(number("SELECT count(*) FROM word_block WHERE instr(word, 'marmalade') > 0")).toBe(0)
  database.close()
})

/** What the words of the store lead to: ids, in the order of the list. */
async function found({ conversations }: Store, ...words: readonly string[]): Promise<readonly string[]> {
  const filter = { ...LIVE, words: { words, speaker: 'either' as const } }
  return (await conversations.records.list(filter, { offset: 0 }, 10_000)).records.map(({ id }) => id)
}

const rowsOf = (filename: string, sql: string): readonly unknown[] => {
  const database = new BetterSqlite3(filename, { readonly: true })
  const rows = database.prepare(sql).all()
  database.close()
  return rows
}

/** How often each turn stands in the index with a word that all turns hold; and how far the index goes. */
const indexOf = (filename: string) => {
  const database = new BetterSqlite3(filename, { readonly: true })
  const blocks = database.prepare<unknown[], Buffer>('SELECT turns FROM word_block').pluck().all()
  const reach = database.prepare<unknown[], number>('SELECT through FROM indexed_turns').pluck().get()
  database.close()
  return { postings: blocks.flatMap(block => unpackPostings(block)).map(({ turn }) => turn), reach }
}

it('SQ88 a search finds a turn right after it was written, indexed or not', async () => {
  const filename = temporaryFile()
  const store = openStore({ filename })
  for (let index = 0; index < 20; index++) {
    await store.conversations.create(aConversation(`AS-${index}`, { turns: [said(`common ${index}`)] }))
    expect(await found(store, 'common', `${index}`)).toEqual([`AS-${index}`])
  }
  expect(indexOf(filename)).toEqual({ postings: [], reach: 0 })
  expect(await found(store, 'common')).toHaveLength(20)
})

it('SQ88 of several stores on one file that index at once each turn is indexed once, also one of many words', async () => {
  const filename = temporaryFile()
  const stores = [openStore({ filename }), openStore({ filename }), openStore({ filename })]
  const count = 900
  const long = Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' ')
  const made = Array.from({ length: count }, (_, index) =>
    aConversation(`AS-${index}`, { turns: [said(index === 400 ? `common ${long}` : 'common')] }),
  )
  await Promise.all(made.map((one, index) => stores[index % 3]?.conversations.create(one)))
  const all = await Promise.all(stores.map(store => found(store, 'common')))
  expect(all.map(ids => ids.length)).toEqual([count, count, count])
  for (const store of stores) expect(await found(store, 'w4999', 'w0')).toEqual(['AS-400'])
  await vi.waitFor(() => expect(indexOf(filename).reach).toBe(count))
  const { postings } = indexOf(filename)
  expect(postings).toHaveLength(count + 5_000)
  expect(new Set(postings).size).toBe(count)
  expect(rowsOf(filename, 'SELECT * FROM indexed_turns')).toEqual([
    { row: 1, through: count, part: null, words: 0 },
  ])
})

it('SQ88 whatever is written, indexed and removed: a search finds what is there, and the index holds nothing else', async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('say' as const), id: fc.nat(5), long: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), id: fc.nat(5) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('index' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), id: fc.nat(5) }) },
  )
  const many = Array.from({ length: 3_000 }, (_, index) => `w${index}`).join(' ')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async steps => {
      const opened = openDatabase({ filename: ':memory:' })
      const session = createSession(opened)
      const conversations = createConversationStore(session, keeperOf(session))
      const index = createSearchWords(session, createRecordCounts(session.define))
      const last = new Map<
        string,
        { readonly version: number; readonly append: ReturnType<typeof anAppend> }
      >()
      for (const [number, next] of steps.entries()) {
        if (next.do === 'index') {
          // One write of it, as in the background.
          await session.write('index', () => index.some())
          continue
        }
        const id = `AS-${next.id}`
        const known = last.get(id)
        if (next.do === 'remove') {
          if ((await conversations.removals.remove(ACCOUNT, AGENT, id)) === 'removed') last.delete(id)
        } else if (next.do === 'move') {
          if (known === undefined) continue
          const startedAt = known.append.index.startedAt + HOUR
          const append = anAppend(known.append, known.version, { events: [], index: { startedAt } })
          await conversations.append(append)
          last.set(id, { version: known.version + 1, append })
        } else if (known === undefined) {
          const made = aConversation(id, { turns: [said(`n${number}`)], index: { finishedAt: START + 1 } })
          await conversations.create(made)
          last.set(id, { version: 1, append: anAppend(made, 1) })
        } else {
          const turns = [said(next.long === 0 ? `n${number} ${many}` : `n${number} common`)]
          await conversations.append(anAppend(known.append, known.version, { events: [], turns }))
          last.set(id, { ...known, version: known.version + 1 })
        }
      }
      for (const id of last.keys()) {
        const turns = await conversations.turns(id)
        for (const { user } of turns.map(turnWords))
          for (const word of user.slice(0, 1)) {
            const filter = { ...LIVE, words: { words: [word], speaker: 'user' as const } }
            const { records } = await conversations.records.list(filter, { offset: 0 }, 99)
            expect(records.map(one => one.id)).toEqual([id])
          }
      }
      for (const id of last.keys()) await conversations.removals.remove(ACCOUNT, AGENT, id)
      expect(opened.database.prepare('SELECT count(*) FROM word_block').pluck().get()).toBe(0)
      await session.close()
    }),
    { numRuns: 40 },
  )
})
