import type { ConversationStore } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, aTurn, START } from '@colloquy/core/testing'
import { searchesLikeBruteForce } from '@colloquy/test-support/semantic-search/brute-force'
import BetterSqlite3 from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MOST_RANGES } from '../src/conversations/turn-vectors.ts'
import { gapsFromTop, withRange } from '../src/database/row-ranges.ts'
import { createSqliteStore } from '../src/store.ts'
import { openStore, temporaryStoreFile } from './files.ts'

const MODEL = 'model@1'
const finished = { index: { finishedAt: START } }

const reader = (filename: string) => {
  const database = new BetterSqlite3(filename, { readonly: true })
  onTestFinished(() => {
    database.close()
  })
  return (query: string) => database.prepare(query).pluck().all()
}

async function embedOne(conversations: ConversationStore, limit: number): Promise<readonly string[]> {
  const claim = await conversations.turnVectors.claim(MODEL, limit, START, START + 1)
  if (claim === null) return []
  await conversations.turnVectors.keep(
    MODEL,
    claim.claim,
    claim.turns.map(({ turn, user }) => ({ turn, user: new TextEncoder().encode(user), agent: null })),
  )
  return claim.turns.map(({ user }) => user)
}

it('RC46 a search over a SQLite file finds what a comparison of every turn with the query finds', async () => {
  await searchesLikeBruteForce(() => createSqliteStore({ filename: temporaryStoreFile() }), 25)
})

describe('rows', () => {
  it('SQ84 the row of a removed turn, when another one takes it, is embedded again', async () => {
    const filename = temporaryStoreFile()
    const { conversations } = openStore({ filename })
    const rows = reader(filename)
    await conversations.create(aConversation('AS-1', { turns: [aTurn('first')] }))
    await conversations.create(aConversation('AS-2', { turns: [aTurn('one'), aTurn('two')], ...finished }))
    expect(await embedOne(conversations, 9)).toEqual(['two', 'one', 'first'])
    const last = rows('SELECT max(row) FROM turn')
    await conversations.removals.remove(ACCOUNT, AGENT, 'AS-2')
    await conversations.create(aConversation('AS-3', { turns: [aTurn('three'), aTurn('four')] }))
    expect(rows('SELECT max(row) FROM turn')).toEqual(last)
    expect(await embedOne(conversations, 9)).toEqual(['four', 'three'])
  })

  it('SQ84 a claim on rows that others have taken is lost', async () => {
    const { conversations } = openStore({ filename: ':memory:' })
    await conversations.create(aConversation('AS-1', { turns: [aTurn('one')], ...finished }))
    const claim = await conversations.turnVectors.claim(MODEL, 9, START, START + 1)
    await conversations.removals.remove(ACCOUNT, AGENT, 'AS-1')
    await conversations.create(aConversation('AS-2', { turns: [aTurn('two')] }))
    expect(await conversations.turnVectors.keep(MODEL, claim?.claim ?? 0, [])).toBe('lost')
    expect(await embedOne(conversations, 9)).toEqual(['two'])
  })

  it('SQ85 an embedder that never keeps up leaves a bounded number of ranges, and embeds all in the end', async () => {
    const filename = temporaryStoreFile()
    const { conversations } = openStore({ filename })
    const rows = reader(filename)
    const written: string[] = []
    const embedded: string[] = []
    for (let round = 0; round < 2 * MOST_RANGES; round++) {
      const turns = [0, 1, 2].map(at => `${round}.${at}`)
      written.push(...turns)
      await conversations.create(aConversation(`AS-${round}`, { turns: turns.map(aTurn) }))
      embedded.push(...(await embedOne(conversations, 2)))
      if (round === 10) expect(embedded.slice(-2)).toEqual(['10.2', '10.1'])
    }
    expect(Number(rows('SELECT count(*) FROM embedded_turns')[0])).toBeLessThanOrEqual(MOST_RANGES)
    for (
      let more = await embedOne(conversations, 50);
      more.length > 0;
      more = await embedOne(conversations, 50)
    )
      embedded.push(...more)
    expect(embedded.toSorted()).toEqual(written.toSorted())
    expect(rows('SELECT count(*) FROM embedded_turns')).toEqual([1])
    expect(rows('SELECT count(*) FROM turn_vector')).toEqual([written.length])
  })

  it('SQ85 ranges with another one are what they cover, in order and apart; gaps are all the rest', () => {
    const range = fc
      .tuple(fc.integer({ min: 1, max: 60 }), fc.nat({ max: 8 }))
      .map(([first, more]) => ({ first, last: first + more }))
    const rowsOf = (ranges: readonly { readonly first: number; readonly last: number }[]) =>
      Array.from({ length: 80 }, (_, row) => row).filter(row =>
        ranges.some(({ first, last }) => row >= first && row <= last),
      )
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12, size: 'max' }), added => {
        const ranges = added.reduce(withRange, [])
        expect(rowsOf(ranges)).toEqual(rowsOf(added))
        for (const [at, { first }] of ranges.entries())
          expect(first).toBeGreaterThan((ranges[at - 1]?.last ?? -1) + 1)
        const gaps = gapsFromTop(ranges)
        const left = gaps.map(({ above, below }) => ({ first: above + 1, last: below - 1 }))
        expect(rowsOf(left)).toEqual(
          rowsOf([{ first: 1, last: 80 }]).filter(row => !rowsOf(added).includes(row)),
        )
        expect(gaps.map(({ below }) => below)).toEqual(
          gaps.map(({ below }) => below).toSorted((a, b) => b - a),
        )
      }),
    )
  })

  it('SC145 a purge leaves no vector', async () => {
    const filename = temporaryStoreFile()
    const { conversations } = openStore({ filename })
    const rows = reader(filename)
    for (let at = 0; at < 30; at++)
      await conversations.create(aConversation(`AS-${at}`, { turns: [aTurn('a'), aTurn('b')], ...finished }))
    while ((await embedOne(conversations, 20)).length > 0);
    expect(rows('SELECT count(*) FROM turn_vector')).toEqual([60])
    const live = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
    while ((await conversations.removals.removeFinished(live, START + 1, 10)).more);
    expect(rows('SELECT count(*) FROM turn_vector')).toEqual([0])
  })
})
