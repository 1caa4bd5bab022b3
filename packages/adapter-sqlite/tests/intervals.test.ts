import { setImmediate } from 'node:timers/promises'
import type { ConversationStore, IntervalFilter } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, anAppend, START } from '@colloquy/core/testing'
import { intervalRows } from '@colloquy/core/testing/contracts'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { conversationWriting, createConversationStore } from '../src/conversations/conversations.ts'
import { PACKING_SIZES } from '../src/conversations/intervals/interval-places.ts'
import { openDatabase } from '../src/database/database.ts'
import { createSession } from '../src/database/session.ts'
import { createOutboxKeeper } from '../src/outbox/outbox-keeper.ts'
import { openStore, temporaryStoreFile } from './files.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const live = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const

/** Conversations in a file, packed into chunks that are as small as asked for. */
function openPacked(filename: string, chunk: number): ConversationStore {
  const session = createSession(openDatabase({ filename }))
  onTestFinished(() => session.close())
  const keeper = createOutboxKeeper(session.define)
  return createConversationStore(session, keeper, conversationWriting(session, keeper, { chunk, loose: 3 }))
}

/** What a file holds, read past the store. */
function readFile(filename: string) {
  const database = new BetterSqlite3(filename, { readonly: true })
  onTestFinished(() => {
    database.close()
  })
  const number = (sql: string): number => Number(database.prepare(sql).pluck().get())
  return {
    loose: () => number('SELECT count(*) FROM loose_interval'),
    chunks: () => number('SELECT count(*) FROM interval_chunk'),
    packed: () => number('SELECT coalesce(sum(intervals), 0) FROM interval_chunk'),
    bytes: () => number('SELECT sum(length(packed) + length(called)) FROM interval_chunk'),
  }
}

async function startsOf(conversations: ConversationStore, filter: IntervalFilter) {
  return intervalRows(await conversations.intervals.list(filter), filter).map(({ start }) => start)
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await setImmediate()
}

describe('packed intervals', () => {
  it('SQ55 one of zero length is found at its instant, also where its chunk ends with it', async () => {
    const filename = temporaryStoreFile()
    const packed = openPacked(filename, 1)
    const starts = Array.from({ length: 8 }, (_, index) => START + index * HOUR)
    for (const [index, startedAt] of starts.entries()) {
      await packed.create(aConversation(`AS-${index}`, { startedAt, index: { finishedAt: startedAt } }))
    }
    const file = readFile(filename)
    await until(() => file.packed() > 0)
    for (const from of starts) {
      expect(await startsOf(packed, { ...live, from, to: from + 1 })).toEqual([from])
    }
  })

  it('SQ56 many that have finished are packed by themselves, into less than 20 bytes each', async () => {
    const filename = temporaryStoreFile()
    const { conversations } = openStore({ filename })
    const total = PACKING_SIZES.loose + 3 * PACKING_SIZES.chunk
    const write = (index: number) => {
      const startedAt = START + index * 1_000
      return aConversation(`AS-${index}`, { startedAt, index: { finishedAt: startedAt + 60_000 } })
    }
    await Promise.all(Array.from({ length: total }, (_, index) => conversations.create(write(index))))
    const file = readFile(filename)
    await until(() => file.packed() === total - PACKING_SIZES.loose)
    expect(file.loose()).toBe(PACKING_SIZES.loose)
    expect(file.bytes() / file.packed()).toBeLessThan(20)
    const week = { ...live, from: START, to: START + 7 * DAY }
    expect(await startsOf(conversations, week)).toEqual(
      Array.from({ length: total }, (_, index) => START + index * 1_000),
    )
  })

  it('SQ57 stores that pack and remove in one file at once lose nothing and double nothing', async () => {
    const filename = temporaryStoreFile()
    const stores = [openPacked(filename, 5), openPacked(filename, 5), openPacked(filename, 7)]
    const total = 600
    const startOf = (index: number) => START + ((index * 7_919) % 50) * HOUR
    await Promise.all(
      Array.from({ length: total }, async (_, index) => {
        const store = stores[index % 3]
        const write = aConversation(`AS-${index}`, { startedAt: startOf(index) })
        await store?.create(write)
        const finished = anAppend(write, 1, { index: { finishedAt: startOf(index) + 60_000 } })
        expect(await stores[(index + 1) % 3]?.append(finished)).toEqual({ status: 'appended' })
        if (index % 4 !== 0) return
        const removed = await stores[(index + 2) % 3]?.removals.remove(ACCOUNT, AGENT, write.conversationId)
        expect(removed).toBe('removed')
      }),
    )
    const left = Array.from({ length: total }, (_, index) => index).filter(index => index % 4 !== 0)
    const expected = left.map(startOf).sort()
    for (const store of stores) {
      expect(await startsOf(store, { ...live, from: START, to: START + 7 * DAY })).toEqual(expected)
    }
    const file = readFile(filename)
    await until(() => file.packed() > 100)
    expect(file.packed() + file.loose()).toBe(left.length)
  })
})
