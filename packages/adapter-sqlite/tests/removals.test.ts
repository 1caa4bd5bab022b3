import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { ConversationStore, Store } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, anEvent, aTurn, START } from '@colloquy/core/testing'
import { eventsOf } from '@colloquy/test-support/stored'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { runChild } from './children/child.ts'
import { openStore, temporaryStoreFile } from './files.ts'

// Slow: long logs are written to be removed step by step, by processes too that are killed on the way.

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
  }
}

describe('removals and processes', () => {
  it('SQ75 a process that is killed while it purges leaves no conversation half removed', async () => {
    const filename = temporaryStoreFile()
    const store = createSqliteStore({ filename })
    const total = 400
    await fill(store, total)
    for (let index = 0; index < total; index++) {
      const event = { eventId: `x-${index}`, accountId: ACCOUNT, agentId: AGENT }
      await store.conversations.externalEvents.expect({ ...event, conversationId: `AS-${index}` })
    }
    await store.close()
    const child = runChild(new URL('./children/purge.ts', import.meta.url), [filename, '3'])
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const closed = once(child, 'close')
    let steps = 0
    // A child that was killed reads no more.
    child.stdin.on('error', () => undefined)
    for await (const _ of createInterface({ input: child.stdout })) {
      child.stdin.write('.')
      if (++steps === 20) child.kill('SIGKILL')
    }
    expect(await closed).toEqual([null, 'SIGKILL'])

    const { conversations } = openStore({ filename })
    const file = readFile(filename)
    const left = file.rows('conversation')
    expect(left).toBeLessThanOrEqual(total - steps * 3)
    expect(left).toBeGreaterThan(0)
    expect(file.rows('expected_event')).toBe(left)
    expect(file.rows('listed_conversation')).toBe(left)
    const { records } = await conversations.records.list(live, { offset: 0 }, total)
    expect(records).toHaveLength(left)
    for (const { id, json } of records) {
      const turns = Array.from({ length: TURNS }, (_, index) => aTurn(`${id} ${index}`))
      expect(await conversations.turns(id)).toEqual(turns)
      expect(json.turns?.text).toBe(JSON.stringify(turns.map(({ record }) => record)))
    }
    expect((await purge(conversations)).reduce((sum, removed) => sum + removed, 0)).toBe(left)
    const tables = ['conversation', 'step', 'turn', 'client_event', 'expected_event', 'removed_log']
    expect(tables.map(file.rows)).toEqual(tables.map(() => 0))
  })

  it('SQ75 processes that purge at once remove each once, and one that writes meanwhile loses nothing', async () => {
    const filename = temporaryStoreFile()
    const store = openStore({ filename })
    const total = 300
    await fill(store, total)
    await store.conversations.create(aConversation('AS-open', { events: [] }))
    const run = async (script: string, ...args: readonly string[]) => {
      const child = runChild(new URL(`./children/${script}.ts`, import.meta.url), [filename, ...args])
      const closed = once(child, 'close')
      const lines: string[] = []
      // A child that has ended reads no more.
      child.stdin.on('error', () => undefined)
      for await (const line of createInterface({ input: child.stdout })) {
        lines.push(line)
        child.stdin.write('.')
      }
      expect(await closed).toEqual([0, null])
      return lines
    }
    const [one, two] = await Promise.all([
      run('purge', '4'),
      run('purge', '7'),
      run('append-many', 'AS-open', 'a', '60'),
      run('append-many', 'AS-open', 'b', '60'),
    ])
    const removed = [...one, ...two].reduce((sum, line) => sum + Number(line), 0)
    expect(removed).toBe(total)
    const events = await eventsOf(store.conversations, 'AS-open', 0)
    const expected = ['a', 'b'].flatMap(name => Array.from({ length: 60 }, (_, index) => `${name}-${index}`))
    expect(events.map(({ id }) => id).sort()).toEqual(expected.sort())
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
    const file = readFile(filename)
    expect([file.rows('conversation'), file.rows('step'), file.rows('turn')]).toEqual([1, 120, 0])
  })
})
