import { statSync } from 'node:fs'
import type { ConversationStore, Store } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, anAppend, anEvent, aTurn, START } from '@colloquy/core/testing'
import { intervalRows } from '@colloquy/core/testing/contracts'
import { runs } from '@colloquy/test-support/runs'
import BetterSqlite3 from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEEP_OFFSET } from '../src/conversations/records.ts'
import { createSqliteStore } from '../src/store.ts'
import { openStore, temporaryStoreFile } from './files.ts'

// Slow: thousands of conversations are written, since deep pages and a file that must not grow show themselves only then.

const MINUTE = 60_000
const DAY = 86_400_000
const live = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' } as const
const EVENTS = 3
const TURNS = 2

/** A finished conversation with its log, the client's own ids, and an external event that came for it. */
const finished = (id: string, startedAt = START, duration = 1) =>
  aConversation(id, {
    startedAt,
    events: Array.from({ length: EVENTS }, (_, index) => anEvent({ clientEventId: `c-${index}` })),
    turns: Array.from({ length: TURNS }, (_, index) => aTurn(`${id} ${index}`)),
    index: { finishedAt: startedAt + duration },
  })

const fill = (store: Store, count: number, make = (index: number) => finished(`AS-${index}`)) =>
  Promise.all(Array.from({ length: count }, (_, index) => store.conversations.create(make(index))))

async function purge(conversations: ConversationStore, before = Number.MAX_SAFE_INTEGER, limit = 50) {
  const steps: number[] = []
  let more = true
  while (more) {
    const step = await conversations.removals.removeFinished(live, before, limit)
    steps.push(step.removed)
    more = step.more
  }
  return steps
}

/** What a file's tables hold, read past the store. */
function readFile(filename: string) {
  const number = (sql: string): number => {
    const database = new BetterSqlite3(filename, { readonly: true })
    try {
      return Number(database.prepare(sql).pluck().get())
    } finally {
      database.close()
    }
  }
  return {
    rows: (table: string) => number(`SELECT count(*) FROM ${table}`),
    counted: (width: number) =>
      number(`SELECT coalesce(sum(records), 0) FROM record_count WHERE width = ${width}`),
    empty: () => number('SELECT count(*) FROM record_count WHERE records <= 0'),
    pages: () => number('PRAGMA page_count'),
  }
}

describe('lists and figures after removals', () => {
  it('SQ54 pages, figures and counts are those of what is left', async () => {
    const filename = temporaryStoreFile()
    const { conversations } = openStore({ filename })
    const all = Array.from({ length: 2_600 }, (_, index) => {
      const startedAt = START + ((index * 7_919) % 5) * DAY + ((index * 104_729) % 3_000_000)
      const duration = ((index * 613) % 97) * 3 * MINUTE
      return { index, listed: index % 40 !== 0, id: `AS-${index}`, startedAt, duration }
    })
    await Promise.all(
      all.map(({ id, startedAt, duration, listed }) => {
        const one = finished(id, startedAt, duration)
        return conversations.create({ ...one, index: { ...one.index, listed } })
      }),
    )
    const moved = all.map(one => (one.index % 10 === 0 ? { ...one, startedAt: one.startedAt + DAY } : one))
    for (const { id, index, startedAt, duration, listed } of moved) {
      if (index % 10 !== 0) continue
      const place = { startedAt, finishedAt: startedAt + duration, listed }
      await conversations.append(anAppend(finished(id), 1, { index: place }))
    }
    const before = START + 2 * DAY
    const old = moved.filter(({ startedAt, duration }) => startedAt + duration < before)
    expect((await purge(conversations, before)).reduce((sum, removed) => sum + removed, 0)).toBe(old.length)
    const picked = moved.filter(one => !old.includes(one) && one.index % 9 === 0)
    for (const { id } of picked)
      expect(await conversations.removals.remove(ACCOUNT, AGENT, id)).toBe('removed')
    const left = moved
      .filter(one => one.listed && !old.includes(one) && !picked.includes(one))
      .sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
    expect(old.length).toBeGreaterThan(500)
    expect(left.length).toBeGreaterThan(DEEP_OFFSET + 100)

    const cases = fc.record({
      offset: fc.integer({ min: DEEP_OFFSET - 20, max: left.length + 20 }),
      startTime: fc.integer({ min: START - DAY, max: START + 3 * DAY }),
      from: fc.integer({ min: START, max: START + 6 * DAY }),
      length: fc.integer({ min: 1, max: DAY }),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ offset, startTime, from, length }) => {
        const page = await conversations.records.list(live, { offset }, 40)
        expect(page.records.map(({ id }) => id)).toEqual(left.slice(offset, offset + 40).map(({ id }) => id))
        const later = left.filter(({ startedAt }) => startedAt >= startTime)
        const deep = await conversations.records.list({ ...live, startTime }, { offset: DEEP_OFFSET }, 40)
        expect(deep.records.map(({ id }) => id)).toEqual(
          later.slice(DEEP_OFFSET, DEEP_OFFSET + 40).map(({ id }) => id),
        )
        const range = { from, to: from + length }
        const found = intervalRows(await conversations.intervals.list({ ...live, ...range }), range)
        const active = left.filter(({ startedAt: start, duration }) => {
          const end = start + duration
          return start < from + length && (end > from || (duration === 0 && start >= from))
        })
        expect(found.map(({ start }) => start)).toEqual(
          active.map(({ startedAt }) => startedAt).sort((a, b) => a - b),
        )
      }),
      { numRuns: runs(6, 100) },
    )

    const file = readFile(filename)
    expect([file.counted(DAY), file.counted(MINUTE), file.empty()]).toEqual([left.length, left.length, 0])
    await purge(conversations)
    for (const table of [
      'conversation',
      'conversation_head',
      'event',
      'turn',
      'client_event',
      'record_count',
      'handoff',
    ]) {
      expect([table, file.rows(table)]).toEqual([table, 0])
    }
  })
})

describe('room', () => {
  it('SQ73 a file whose conversations come and go does not grow, nor its log during a purge', async () => {
    const filename = temporaryStoreFile()
    const file = () => readFile(filename)
    const sizes: number[] = []
    const rounds = runs(3, 12)
    const each = runs(400, 1_500)
    for (let round = 0; round < rounds; round++) {
      const store = createSqliteStore({ filename })
      await fill(store, each, index => finished(`AS-${round}-${index}`, START + round * DAY + index))
      await store.close()
      const again = createSqliteStore({ filename })
      await purge(again.conversations)
      expect(statSync(`${filename}-wal`).size).toBeLessThan(2 ** 21)
      await again.close()
      sizes.push(file().pages())
    }
    expect(sizes[0]).toBeGreaterThan(100)
    expect(sizes.at(-1)).toBeLessThanOrEqual((sizes[0] ?? 0) * 1.1)
  })
})
