import type { StoredTurn } from '@colloquy/core/domain'
import { holdWords, turnWords } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, anAppend, START } from '@colloquy/core/testing'
import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { conversationWriting, createConversationStore } from '../src/conversations/conversations.ts'
import { AT_ONCE, createFreshWords } from '../src/conversations/fresh-words.ts'
import { createRecordCounts } from '../src/conversations/record-counts.ts'
import { createSearchWords } from '../src/conversations/search-words.ts'
import { prepareWords } from '../src/conversations/word-statements.ts'
import { openDatabase } from '../src/database/database.ts'
import { createSession, type Session } from '../src/database/session.ts'
import { createOutboxKeeper } from '../src/outbox/outbox-keeper.ts'
import { createSqliteStore } from '../src/store.ts'
import { temporaryStoreFile } from './files.ts'

// Slow: thousands of turns are written and searched, with the words that core finds in each beside them.

const LIVE = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
const HOUR = 3_600_000

const keeperOf = ({ define }: Session) => createOutboxKeeper(define)

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
        const store = createSqliteStore({ filename: temporaryStoreFile() })
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
    { numRuns: runs(60, 300) },
  )
})

it('SQ88 whatever is written, indexed and removed: a search finds what is there, and the index holds nothing else', async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('say' as const), id: fc.nat(5), long: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), id: fc.nat(5) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('index' as const), own: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), id: fc.nat(5) }) },
  )
  const many = Array.from({ length: 3_000 }, (_, index) => `w${index}`).join(' ')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async steps => {
      const opened = openDatabase({ filename: temporaryStoreFile() })
      const session = createSession(opened)
      const writing = conversationWriting(session, keeperOf(session))
      const conversations = createConversationStore(session, keeperOf(session), writing)
      const another = createSearchWords(session, createRecordCounts(session.define))
      const last = new Map<
        string,
        { readonly version: number; readonly append: ReturnType<typeof anAppend> }
      >()
      for (const [number, next] of steps.entries()) {
        if (next.do === 'index') {
          // One write of it, as in the background: where turns were written, or where they have to be read.
          await session.write('index', () => (next.own ? writing.listing.words : another).some())
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
    { numRuns: runs(15, 60) },
  )
})

it('SQ88 words that are kept for the index are those of turns that follow one another, a write of them at a time', () => {
  const step = fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({
        do: fc.constant('write' as const),
        turns: fc.integer({ min: 1, max: 200 }),
        words: fc.constantFrom(1, 20, 100, 3_000),
        gap: fc.constantFrom(0, 0, 0, 0, 1),
      }),
    },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('index' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('pass' as const, 'forget' as const) }) },
  )
  const session = createSession(openDatabase({ filename: ':memory:' }))
  const run = prepareWords(session.define)
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30, size: 'max' }), steps => {
      const fresh = createFreshWords(run)
      /** How many words were added with each row. */
      let written = new Map<number, number>()
      let [newest, through] = [0, 0]
      for (const next of steps) {
        if (next.do === 'write') {
          newest += next.gap
          for (let turn = 0; turn < next.turns; turn++) {
            newest++
            const user = Array.from({ length: next.words }, (_, index) => `${newest}x${index}`).join(' ')
            fresh.add(newest, { scope: 1, startedAt: START }, { user, agent: '' })
            written.set(newest, next.words)
          }
        } else if (next.do === 'index') {
          fresh.passed(through)
          const batch = fresh.first === through + 1 ? fresh.take() : null
          if (batch === null) continue
          const rows = Array.from({ length: batch.last - through }, (_, index) => through + 1 + index)
          const words = rows.map(row => written.get(row) ?? Number.NaN)
          expect(rows.length).toBeLessThanOrEqual(AT_ONCE.turns)
          expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(AT_ONCE.differentWords)
          through = batch.last
        } else if (next.do === 'forget') {
          fresh.forget()
          written = new Map()
        } else through = Math.max(through, (fresh.first ?? newest) - 1)
      }
    }),
    { numRuns: runs(40, 300) },
  )
})

it('SQ88 words are kept of so many turns, and of the next ones when those are indexed', () => {
  const session = createSession(openDatabase({ filename: ':memory:' }))
  const fresh = createFreshWords(prepareWords(session.define))
  const add = (row: number) => fresh.add(row, { scope: 1, startedAt: START }, { user: 'one', agent: 'two' })
  for (let row = 1; row <= 3_000; row++) add(row)
  let through = 0
  for (let batch = fresh.take(); batch !== null; batch = fresh.take()) through = batch.last
  expect(through).toBe(8 * AT_ONCE.turns)
  expect(fresh.first).toBe(null)
  add(3_001)
  expect(fresh.first).toBe(3_001)
  fresh.passed(3_000)
  expect(fresh.take()?.last).toBe(3_001)
})
