import type { ConversationId } from '@colloquy/core'
import type { StoredTurn } from '@colloquy/core/domain'
import type { Store } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, anAppend, START } from '@colloquy/core/testing'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { conversationWriting, createConversationStore } from '../src/conversations/conversations.ts'
import { turnOf, unpackPostings } from '../src/conversations/word-postings.ts'
import { openDatabase } from '../src/database/database.ts'
import { createSession } from '../src/database/session.ts'
import { createOutboxKeeper } from '../src/outbox/outbox-keeper.ts'
import { createSqliteStore } from '../src/store.ts'
import { openStore, temporaryStoreFile } from './files.ts'

const LIVE = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
const HOUR = 3_600_000

const said = (user: string, agent = ''): StoredTurn => ({
  record: { user_input: user, agent_response: agent },
  details: {},
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
  const filename = temporaryStoreFile()
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
  return { postings: blocks.flatMap(block => unpackPostings(block)).map(turnOf), reach }
}

it('SQ88 a search finds a turn right after it was written, indexed or not', async () => {
  const filename = temporaryStoreFile()
  const store = openStore({ filename })
  for (let index = 0; index < 20; index++) {
    await store.conversations.create(aConversation(`AS-${index}`, { turns: [said(`common ${index}`)] }))
    expect(await found(store, 'common', `${index}`)).toEqual([`AS-${index}`])
  }
  expect(indexOf(filename)).toEqual({ postings: [], reach: 0 })
  expect(await found(store, 'common')).toHaveLength(20)
})

it('SQ88 turns are indexed in the background 256 at a time', async () => {
  const filename = temporaryStoreFile()
  const store = openStore({ filename })
  const write = (from: number, to: number) =>
    Promise.all(
      Array.from({ length: to - from }, (_, index) =>
        store.conversations.create(aConversation(`AS-${from + index}`, { turns: [said('common')] })),
      ),
    )
  await write(0, 255)
  expect(indexOf(filename).reach).toBe(0)
  await write(255, 300)
  await vi.waitFor(() => expect(indexOf(filename).reach).toBe(256))
  // Those that were left count.
  await write(300, 512)
  await vi.waitFor(() => expect(indexOf(filename).reach).toBe(512))
  expect(indexOf(filename).postings).toHaveLength(512)
})

it('SQ88 however fast turns are written, the index goes with them, without a pause', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const filename = temporaryStoreFile()
  const store = openStore({ filename })
  const write = (from: number, to: number, textOf: (index: number) => string) =>
    Promise.all(
      Array.from({ length: to - from }, (_, index) =>
        store.conversations.create(
          aConversation(`AS-${from + index}`, { turns: [said(textOf(from + index))] }),
        ),
      ),
    )
  const reach = () => indexOf(filename).reach ?? 0
  // More words than some writes of the index take; then nothing is written, and there is a pause.
  await write(0, 1_000, turn => Array.from({ length: 20 }, (_, index) => `w${turn}x${index}`).join(' '))
  let before = -1
  while (reach() > before) {
    before = reach()
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate)
  }
  expect(before).toBeLessThan(1_000 - 256)
  for (let from = 1_000; from < 4_000; from += 200) await write(from, from + 200, () => 'common')
  // Those of the last writes may be left.
  expect(reach()).toBeGreaterThan(4_000 - 3 * 200)
  expect(await found(store, 'common')).toHaveLength(3_000)
})

/** Conversations in a file, and one write of their index, as it comes in the background. */
function openWriting(filename = temporaryStoreFile()) {
  const session = createSession(openDatabase({ filename }))
  onTestFinished(() => session.close())
  const { define } = session
  const keeper = createOutboxKeeper(define)
  const writing = conversationWriting(session, keeper)
  return {
    conversations: createConversationStore(session, keeper, writing),
    filename,
    index: () => session.write('index', () => writing.listing.words.some()),
  }
}

describe('SQ88 of a turn that is kept for the index nothing is left there', () => {
  const postings = (filename: string) => indexOf(filename).postings

  it('when its conversation was moved before, and is removed after', async () => {
    const { conversations, filename, index } = openWriting()
    const made = aConversation('AS-0', { turns: [said('common')], index: { finishedAt: START + 1 } })
    await conversations.create(made)
    const { startedAt } = made.index
    await conversations.append(
      anAppend(made, 1, { events: [], index: { startedAt: startedAt + HOUR, finishedAt: START + 1 } }),
    )
    await index()
    expect(postings(filename)).toHaveLength(1)
    await conversations.removals.remove(ACCOUNT, AGENT, made.conversationId, {})
    expect(postings(filename)).toEqual([])
  })

  it.each(['the same', 'another'])('when %s process has removed its conversation before', async which => {
    const { conversations, filename, index } = openWriting()
    const made = aConversation('AS-0', { turns: [said('common')], index: { finishedAt: START + 1 } })
    await conversations.create(made)
    const remover = which === 'another' ? openStore({ filename }).conversations : conversations
    await remover.removals.remove(ACCOUNT, AGENT, made.conversationId, {})
    // Its turn takes the same row.
    const next = aConversation('AS-1', { turns: [said('two words')], index: { finishedAt: START + 1 } })
    await conversations.create(next)
    await index()
    expect(postings(filename)).toHaveLength(2)
    await conversations.removals.remove(ACCOUNT, AGENT, next.conversationId, {})
    expect(postings(filename)).toEqual([])
  })
})

it.each([
  [
    '2,048 different words',
    102,
    (turn: number) => Array.from({ length: 20 }, (_, index) => `w${turn}x${index}`),
  ],
  ['8,192 words in all', 163, () => Array.from({ length: 50 }, (_, index) => `w${index}`)],
])('SQ88 one write reads no more turns than have %s', async (_, most, wordsOf) => {
  const filename = temporaryStoreFile()
  // Each process leaves fewer than it indexes by itself.
  for (const from of [0, 100]) {
    const store = createSqliteStore({ filename })
    for (let turn = from; turn < from + 100; turn++)
      await store.conversations.create(
        aConversation(`AS-${turn}`, { turns: [said(wordsOf(turn).join(' '))] }),
      )
    await store.close()
  }
  expect(indexOf(filename).reach).toBe(0)
  await openWriting(filename).index()
  expect(indexOf(filename).reach).toBe(most)
})

it('SQ88 of several stores on one file that index at once each turn is indexed once, also one of many words', async () => {
  const filename = temporaryStoreFile()
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
  // Fewer than 256 wait for more.
  await vi.waitFor(() => expect(indexOf(filename).reach).toBeGreaterThan(count - 256))
  const { postings, reach = 0 } = indexOf(filename)
  expect(postings).toHaveLength(reach + 5_000)
  expect(new Set(postings).size).toBe(reach)
  expect(rowsOf(filename, 'SELECT * FROM indexed_turns')).toEqual([
    { row: 1, through: reach, part: null, words: 0 },
  ])
})
