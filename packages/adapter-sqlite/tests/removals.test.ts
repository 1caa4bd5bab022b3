import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type ConversationStore, groupsOver, type Store } from '@colloquy/core/store'
import {
  ACCOUNT,
  AGENT,
  aConversation,
  anAppend,
  anEndpoint,
  anEvent,
  aTurn,
  aWebhookEvent,
  START,
} from '@colloquy/core/testing'
import { eventsOf } from '@colloquy/test-support/stored'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createConversationStore } from '../src/conversations/conversations.ts'
import { openDatabase } from '../src/database/database.ts'
import { createSession, type Session } from '../src/database/session.ts'
import { createDocuments } from '../src/documents/documents.ts'
import { createOutboxKeeper } from '../src/outbox/outbox-keeper.ts'
import { createSqliteStore } from '../src/store.ts'
import { runChild } from './children/child.ts'
import { openStore, temporaryStoreFile } from './files.ts'

// Slow: long logs are written to be removed step by step, by processes too that are killed on the way.

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

describe('removals and processes', () => {
  it('SQ70 a process that is killed while it purges leaves no conversation half removed', async () => {
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
    expect(file.rows('external_event')).toBe(left)
    expect([file.counted(DAY), file.counted(MINUTE)]).toEqual([left, left])
    const { records } = await conversations.records.list(live, { offset: 0 }, total)
    expect(records).toHaveLength(left)
    for (const { id, json } of records) {
      const turns = Array.from({ length: TURNS }, (_, index) => aTurn(`${id} ${index}`))
      expect(await conversations.turns(id)).toEqual(turns)
      expect(json.turns?.text).toBe(JSON.stringify(turns.map(({ record }) => record)))
    }
    expect((await purge(conversations)).reduce((sum, removed) => sum + removed, 0)).toBe(left)
    const tables = ['conversation', 'event', 'turn', 'client_event', 'external_event', 'removed_log']
    expect(tables.map(file.rows)).toEqual(tables.map(() => 0))
  })

  it('SQ71 processes that purge at once remove each once, and one that writes meanwhile loses nothing', async () => {
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
    expect([file.rows('conversation'), file.rows('event'), file.rows('turn')]).toEqual([1, 120, 0])
  })
})

/** A store's conversations, and how many rows each of its writes from now on has changed, those of triggers included. */
function countedStore(filename: string) {
  const opened = openDatabase({ filename })
  const session = createSession(opened)
  onTestFinished(() => session.close())
  const changes = opened.database.prepare<unknown[], number>('SELECT total_changes()').pluck()
  const counts: number[] = []
  const counted: Session = {
    ...session,
    write: (operation, run) =>
      session.write(operation, () => {
        const before = changes.get() ?? 0
        const result = run()
        counts.push((changes.get() ?? 0) - before)
        return result
      }),
  }
  const keeper = createOutboxKeeper(counted.define)
  const { webhooks } = groupsOver(createDocuments(counted, keeper))
  return { conversations: createConversationStore(counted, keeper), webhooks, counts }
}

/** A row, and what a trigger removes with it. */
const CHANGES_OF_A_UNIT = 2

const LONGEST_WRITE = 300 * CHANGES_OF_A_UNIT

describe('steps and room', () => {
  it('SQ72 no write of a removal changes more than a step holds, whatever the conversation holds', async () => {
    const { conversations, counts } = countedStore(temporaryStoreFile())
    const events = Array.from({ length: 2_000 }, (_, index) => anEvent({ clientEventId: `c-${index}` }))
    const many = Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(' ')
    const turns = [aTurn(many), ...Array.from({ length: 2_000 }, () => aTurn('')), aTurn(many)]
    await conversations.create(aConversation('AS-long', { events, turns, index: { finishedAt: START + 1 } }))
    // The words are in the index by then.
    const words = { words: ['word7'], speaker: 'user' as const }
    expect((await conversations.records.list({ ...live, words }, { offset: 0 }, 9)).records).toHaveLength(1)
    counts.length = 0
    expect(await conversations.removals.remove(ACCOUNT, AGENT, 'AS-long')).toBe('removed')
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(8_000)
    expect(Math.max(...counts)).toBeLessThanOrEqual(LONGEST_WRITE)
  })

  /** A finished conversation with many events that came for it, and many that endpoints are told of. */
  async function eventful(
    { conversations, webhooks }: Pick<Store, 'conversations' | 'webhooks'>,
    many: number,
  ) {
    const conversationId = 'AS-1'
    for (const endpoint of ['W-1', 'W-2']) await webhooks.endpoints.create(anEndpoint(endpoint), 10)
    const events = Array.from({ length: many }, (_, index) => aWebhookEvent(`E-${index}`, { conversationId }))
    const end = aConversation('AS-1', { outbox: { webhooks: events }, index: { finishedAt: START + 1 } })
    await conversations.create(end)
    const target = { accountId: ACCOUNT, agentId: AGENT }
    await Promise.all(
      Array.from({ length: many }, (_, index) =>
        conversations.externalEvents.expect({ ...target, eventId: `x-${index}`, conversationId }),
      ),
    )
    return { conversationId, target }
  }

  it('SQ79 events that came for a conversation, and those that endpoints are told of, go in steps too', async () => {
    const filename = temporaryStoreFile()
    const { counts, ...store } = countedStore(filename)
    const { conversationId } = await eventful(store, 1_000)
    counts.length = 0
    expect(await store.conversations.removals.remove(ACCOUNT, AGENT, conversationId)).toBe('removed')
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(4_000)
    expect(Math.max(...counts)).toBeLessThanOrEqual(LONGEST_WRITE)
    const file = readFile(filename)
    const tables = ['external_event', 'webhook_event', 'webhook_delivery', 'removed_log']
    expect(tables.map(file.rows)).toEqual(tables.map(() => 0))
  })

  it('SQ79 while they go, none of them is known, and their ids and the conversation’s are free', async () => {
    const filename = temporaryStoreFile()
    const store = openStore({ filename })
    const { conversations } = store
    const { conversationId, target } = await eventful(store, 1_000)
    const message = { contentType: 'text/plain', body: Buffer.from('a room'), receivedAt: START }
    const removal = conversations.removals.remove(ACCOUNT, AGENT, conversationId)
    const other = aConversation('AS-other')
    expect(await conversations.create(other)).toBe('created')
    expect(readFile(filename).rows('external_event')).toBeGreaterThan(0)
    const late = await conversations.externalEvents.accept({ ...target, ...message, eventId: 'x-998' })
    expect(late).toEqual({ status: 'unknown' })
    const again = { ...target, conversationId: other.conversationId, eventId: 'x-999' }
    expect(await conversations.externalEvents.expect(again)).toBe('expected')
    expect(await conversations.create(aConversation(conversationId))).toBe('created')
    const next = { ...target, conversationId, eventId: 'x-new' }
    expect(await conversations.externalEvents.expect(next)).toBe('expected')
    expect(await removal).toBe('removed')
    for (const eventId of ['x-999', 'x-new']) {
      const taken = await conversations.externalEvents.accept({ ...target, ...message, eventId })
      expect(taken).toMatchObject({ status: 'accepted' })
    }
    expect(readFile(filename).rows('external_event')).toBe(2)
  })

  it('SQ78 a step takes as many conversations as fit into it, however many are asked for', async () => {
    const { conversations, counts } = countedStore(temporaryStoreFile())
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => conversations.create(finished(`AS-${index}`, START + index))),
    )
    counts.length = 0
    const steps = await purge(conversations, undefined, 100_000)
    expect(steps.reduce((sum, removed) => sum + removed, 0)).toBe(200)
    expect(Math.max(...steps)).toBeLessThanOrEqual(30)
    expect(Math.max(...counts)).toBeLessThanOrEqual(LONGEST_WRITE)
  })

  it('SQ78 a conversation whose own row is too large for a step is removed alone', async () => {
    const { conversations } = countedStore(temporaryStoreFile())
    const { state } = aConversation('AS-1', {
      state: { variables: { text: 'a room for two '.repeat(10_000) } },
    })
    for (const [index, large] of [false, true, false, false, true].entries()) {
      const one = finished(`AS-${index}`, START + index)
      await conversations.create(large ? { ...one, state } : one)
    }
    expect(await purge(conversations)).toEqual([1, 1, 2, 1])
  })

  it('SQ72 a conversation with a long log is gone at once, and its rows go in steps between which others write', async () => {
    const filename = temporaryStoreFile()
    const { conversations } = openStore({ filename })
    const length = 6_000
    const events = Array.from({ length }, (_, index) => anEvent({ clientEventId: `c-${index}` }))
    const words = Array.from({ length: 5_000 }, (_, index) => `word${index}`).join(' ')
    await conversations.create(
      aConversation('AS-long', { events, turns: [aTurn(words)], index: { finishedAt: START + 1 } }),
    )
    const other = aConversation('AS-other')
    await conversations.create(other)
    const steps: number[] = []
    const removal = conversations.removals.remove(ACCOUNT, AGENT, 'AS-long')
    const over = removal.then(() => 'over')
    for (let version = 1; ; version++) {
      await conversations.append(anAppend(other, version))
      const file = readFile(filename)
      if (file.rows('conversation') === 1) steps.push(file.rows('event') + file.rows('client_event'))
      if ((await Promise.race([over, Promise.resolve('on')])) === 'over') break
    }
    const longest = Math.max(...steps.slice(1).map((left, at) => (steps[at] ?? 0) - left))
    expect(steps.length).toBeGreaterThan(12)
    expect(longest).toBeLessThan(2_000)
    const file = readFile(filename)
    expect(['removed_log', 'client_event', 'word_block', 'turn'].map(file.rows)).toEqual([0, 0, 0, 0])
  })

  it('SQ74 the row of a conversation whose log is not erased yet is not given again', async () => {
    const filename = temporaryStoreFile()
    const { conversations } = openStore({ filename })
    const said = { record: { user_input: 'marmalade', agent_response: '' }, details: {} }
    const turns = Array.from({ length: 3_000 }, () => said)
    await conversations.create(aConversation('AS-long', { turns, index: { finishedAt: START + 1 } }))
    const removal = conversations.removals.remove(ACCOUNT, AGENT, 'AS-long')
    const next = aConversation('AS-next', { turns: [aTurn('toast')] })
    expect(await conversations.create(next)).toBe('created')
    expect(readFile(filename).rows('removed_log')).toBe(1)
    const filter = { ...live, words: { words: ['marmalade'], speaker: 'user' as const } }
    expect((await conversations.records.list(filter, { offset: 0 }, 9)).records).toEqual([])
    expect(await removal).toBe('removed')
    expect(await conversations.turns('AS-next')).toEqual([aTurn('toast')])
  })

  it('SQ70 what a process that died has left of removed conversations goes when a store is opened', async () => {
    const filename = temporaryStoreFile()
    const store = createSqliteStore({ filename })
    await fill(store, 3)
    await store.close()
    const database = new BetterSqlite3(filename)
    database.exec(`
      INSERT INTO removed_log (conversation, scope, started_at, last_event, last_turn, words)
        SELECT row, scope, started_at, last_event, last_turn, 0
        FROM conversation JOIN conversation_head USING (row) WHERE id = 'AS-1';
      DELETE FROM conversation WHERE id = 'AS-1'`)
    database.close()
    openStore({ filename })
    const file = readFile(filename)
    await vi.waitFor(() => expect(file.rows('removed_log')).toBe(0))
    expect(['event', 'turn', 'client_event'].map(file.rows)).toEqual([2 * EVENTS, 2 * TURNS, 2 * EVENTS])
  })
})
