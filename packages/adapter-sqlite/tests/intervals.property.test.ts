import { createMemoryStore } from '@colloquy/adapter-memory'
import type { ConversationStore } from '@colloquy/core/store'
import { ACCOUNT, AGENT } from '@colloquy/core/testing'
import { command, question, rowsOf, tell } from '@colloquy/test-support/interval-histories'
import { runs } from '@colloquy/test-support/runs'
import BetterSqlite3 from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { conversationWriting, createConversationStore } from '../src/conversations/conversations.ts'
import { openDatabase } from '../src/database/database.ts'
import { createSession } from '../src/database/session.ts'
import { createOutboxKeeper } from '../src/outbox/outbox-keeper.ts'
import { temporaryStoreFile } from './files.ts'

const live = { accountId: ACCOUNT, environment: 'live' } as const

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

describe('packed intervals', () => {
  it(
    'SQ55 whatever is created, changed, removed and packed, the answers are those of a store without chunks',
    async () => {
      const filename = temporaryStoreFile()
      const packed = openPacked(filename, 3)
      const plain = createMemoryStore().conversations
      let histories = 0
      const drawn = fc.tuple(
        fc.array(command, { minLength: 60, maxLength: 160, size: 'max' }),
        fc.array(question, { minLength: 1, maxLength: 12 }),
      )
      let mostChunks = 0
      const file = readFile(filename)
      await fc.assert(
        fc.asyncProperty(
          fc.array(command, { minLength: 60, maxLength: 160, size: 'max' }),
          fc.array(question, { minLength: 1, maxLength: 12 }),
          async (commands, questions) => {
            const name = `H${histories++}`
            const agents = [`${name}-ONE`, `${name}-TWO`]
            const carryOut = tell([packed, plain], agents)
            for (const [at, given] of commands.entries()) await carryOut(given, `${name}-${at}`)
            mostChunks = Math.max(mostChunks, file.chunks())
            for (const { agent, length, from, ...conditions } of questions) {
              const filter = {
                ...live,
                ...conditions,
                agentId: agents[agent] ?? AGENT,
                from,
                to: from + length,
              }
              expect(await rowsOf(packed, filter)).toEqual(await rowsOf(plain, filter))
              const { stamp } = await packed.intervals.list(filter)
              expect(await packed.intervals.stamps(filter, [filter])).toEqual([stamp])
            }
          },
        ),
        // Drawn with a seed, so that something is packed for certain.
        { numRuns: runs(15, 200), examples: fc.sample(drawn, { seed: 1, numRuns: 3 }) },
      )
      expect(mostChunks).toBeGreaterThan(runs(0, 10))
      // When all of it is gone, nothing of it is kept, loose or packed.
      for (const scope of await packed.removals.scopes()) {
        let more = true
        while (more) more = (await packed.removals.removeFinished(scope, Number.MAX_SAFE_INTEGER, 100)).more
      }
      expect([file.loose(), file.chunks()]).toEqual([0, 0])
    },
    runs(60_000, 300_000),
  )
})
