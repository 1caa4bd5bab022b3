import type { ConversationId } from '@colloquy/core'
import type { ConversationStore } from '@colloquy/core/store'
import { ACCOUNT, AGENT, aConversation, anAppend, anEvent, START } from '@colloquy/core/testing'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BETWEEN_EVENTS, readPage } from '../src/conversations/conversation-log.ts'
import { conversationStatements, withHeads } from '../src/conversations/conversation-statements.ts'
import { createDefine } from '../src/database/statements.ts'
import { createSqliteStore } from '../src/store.ts'
import { openStore, temporaryStoreFile } from './files.ts'

const ID = 'AS-1'

const many = (from: number, length: number) =>
  Array.from({ length }, (_, index) =>
    anEvent({
      id: `${from + index}`,
      clientEventId: `c-${from + index}`,
      payload: { text: 'x'.repeat(300) },
    }),
  )

/** Writes a log of so many events, some at a time, with another conversation's events between them. */
async function writeLog(conversations: ConversationStore, events: number, step: number, id = ID) {
  const created = aConversation(id, { events: many(1, step) })
  const other = aConversation(`other-${id}`, { events: many(1, 1) })
  await Promise.all([conversations.create(created), conversations.create(other)])
  for (let version = 1; version * step < events; version++) {
    const [here, there] = [many(version * step + 1, step), many(version + 1, 1)]
    const appends = [
      anAppend(created, version, { events: here }),
      anAppend(other, version, { events: there }),
    ]
    await Promise.all(appends.map(append => conversations.append(append)))
  }
  return created
}

async function readAll(
  conversations: ConversationStore,
  id: ConversationId,
  count: number,
  bytes = 1_000_000,
) {
  const sequences: number[] = []
  for (let more = true; more; ) {
    const page = await conversations.eventPage(id, sequences.at(-1) ?? 0, { count, bytes })
    expect(page.events.map(({ id }) => id)).toEqual(page.events.map(({ sequence }) => `${sequence}`))
    expect(page.events.length === 1 || JSON.stringify(page.events).length <= 2 * bytes).toBe(true)
    expect(page.events.length).toBeLessThanOrEqual(count)
    sequences.push(...page.events.map(({ sequence }) => sequence))
    more = page.more && page.events.length > 0
  }
  return sequences
}

const upTo = (length: number) => Array.from({ length }, (_, index) => index + 1)

describe('pages of a log', () => {
  it('SQ62 a page passes few events that it does not hold, wherever it begins in a long log', async () => {
    const filename = temporaryStoreFile()
    const store = createSqliteStore({ filename })
    await writeLog(store.conversations, 3_000, 30)
    await store.close()
    const database = new BetterSqlite3(filename)
    onTestFinished(() => {
      database.close()
    })
    const run = withHeads(conversationStatements(createDefine(database)))
    let [passed, texts] = [0, 0]
    const counting: typeof run = {
      ...run,
      stretch: {
        ...run.stretch,
        all: at => {
          const rows = run.stretch.all(at)
          passed += rows.length
          return rows
        },
      },
      stretchTexts: {
        ...run.stretchTexts,
        get: at => {
          const found = run.stretchTexts.get(at)
          const { length } = found?.events?.split(BETWEEN_EVENTS) ?? []
          passed += length
          texts += length
          return found
        },
      },
      eventText: {
        ...run.eventText,
        get: at => {
          texts++
          return run.eventText.get(at)
        },
      },
    }
    const log = run.head.get({ id: ID })
    if (log === undefined) throw new Error('the conversation is not there')
    const costs = [0, 31, 32, 1_500, 2_970].map(after => {
      passed = 0
      texts = 0
      const { events } = readPage(counting, log, after, { count: 10, bytes: 1_000_000 })
      return { first: events[0]?.sequence, held: events.length, texts, passed: passed - events.length <= 31 }
    })
    expect(costs).toEqual(
      [1, 32, 33, 1_501, 2_971].map(first => ({ first, held: 10, texts: 10, passed: true })),
    )
    passed = 0
    expect(readPage(counting, log, 700, { count: 100, bytes: 1 }).events).toHaveLength(1)
    expect(passed).toBeLessThanOrEqual(32)
  })

  it('SQ62 pages of any size make up the whole log, once each', async () => {
    const { conversations } = openStore({ filename: temporaryStoreFile() })
    await writeLog(conversations, 600, 30)
    await writeLog(conversations, 90, 30, 'short')
    for (const count of [1, 31, 100, 1_000])
      for (const bytes of [1, 3_000, 60_000, 1_000_000]) {
        expect(await readAll(conversations, ID, count, bytes)).toEqual(upTo(600))
        expect(await readAll(conversations, 'short', count, bytes)).toEqual(upTo(90))
      }
  })

  it('SQ62 an event that is found by a client’s id, and a page, need nothing of the log that follows them', async () => {
    const filename = temporaryStoreFile()
    const store = createSqliteStore({ filename })
    await writeLog(store.conversations, 3_000, 30)
    await store.close()
    const database = new BetterSqlite3(filename)
    // Whoever goes back from the end of the log comes no further than this.
    expect(database.prepare('UPDATE event SET previous = NULL WHERE sequence = 2000').run().changes).toBe(1)
    database.close()
    const { conversations } = openStore({ filename })
    for (const sequence of [1, 33, 1_000, 1_984])
      expect((await conversations.clientEvent(ID, [`c-${sequence}`]))?.sequence).toBe(sequence)
    const { events } = await conversations.eventPage(ID, 700, { count: 100, bytes: 1_000_000 })
    expect(events.map(({ sequence }) => sequence)).toEqual(upTo(800).slice(700))
  })

  it('SQ62, SC110 nothing of a removed log stays by which it was found', async () => {
    const filename = temporaryStoreFile()
    const { conversations } = openStore({ filename })
    const mine = await writeLog(conversations, 99, 3)
    await conversations.append(anAppend(mine, 33, { index: { finishedAt: START } }))
    const database = new BetterSqlite3(filename, { readonly: true })
    onTestFinished(() => {
      database.close()
    })
    const count = () =>
      database
        .prepare(
          'SELECT count(*) FROM event_anchor JOIN conversation ON conversation.row = conversation WHERE id = ?',
        )
        .pluck()
        .get(ID)
    const all = () => database.prepare('SELECT count(*) FROM event_anchor').pluck().get()
    expect(count()).toBe(3)
    const anchors = Number(all())
    expect(await conversations.removals.remove(ACCOUNT, AGENT, ID)).toBe('removed')
    expect(all()).toBe(anchors - 3)
  })
})
