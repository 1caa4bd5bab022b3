import { createMemoryStore } from '@colloquy/adapter-memory'
import type { ConversationStore, Store } from '@colloquy/core/store'
import { aConversation, anAppend, anAuditEntry, anEvent } from '@colloquy/core/testing'
import { runs } from '@colloquy/test-support/runs'
import { eventsOf } from '@colloquy/test-support/stored'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHeads, type Head } from '../src/conversations/conversation-heads.ts'
import { openStore, temporaryStoreFile } from './files.ts'

const IDS = Array.from({ length: 3 }, (_, index) => `AS-${index}`)
const END = 5

const step = fc.record({
  /** Over which of the connections. */
  over: fc.nat(1),
  id: fc.nat(IDS.length - 1),
  /** How many steps after this one an append has its conversation woken. */
  wakesIn: fc.constantFrom(0, 2, 8),
  do: fc.oneof(
    { weight: 8, arbitrary: fc.constant('append' as const) },
    { weight: 3, arbitrary: fc.constantFrom('claim', 'hasten', 'accept') },
    { weight: 1, arbitrary: fc.constantFrom('stale', 'finish', 'remove', 'create', 'await') },
  ),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** What is due, and due again a second later. Those of one moment come in any order. */
const claimed = async ({ timers }: ConversationStore, now: number): Promise<readonly string[]> =>
  (await timers.claimDue(now, 9, now + 1_000)).toSorted()

/** Carries steps out, and says what came of each, with all logs at the end. */
async function play(connections: readonly [Store, Store], steps: readonly Step[]): Promise<unknown> {
  const versions: number[] = []
  const outcomes: unknown[] = []
  for (const [number, { over, id, wakesIn, do: what }] of steps.entries()) {
    const { conversations } = connections[over === 0 ? 0 : 1]
    const made = aConversation(IDS[id] ?? '')
    const { accountId, agentId } = made.index
    const version = versions[id] ?? 1
    const append = async (values: Parameters<typeof anAppend>[2], expected = version): Promise<unknown> => {
      const result = await conversations.append(anAppend(made, expected, values))
      if (result.status === 'appended') versions[id] = expected + 1
      return result
    }
    const act = async (): Promise<unknown> => {
      switch (what) {
        case 'append':
          return append({ events: [anEvent({ id: `E-${number}` })], wakeAt: 1_000 + number + wakesIn })
        case 'stale':
          return append({ wakeAt: 1 }, version - 1)
        case 'claim':
          return claimed(conversations, 1_000 + number)
        case 'hasten':
          return conversations.timers.hasten(1_000 + number / 2, 1_000, 9)
        case 'accept': {
          const event = { eventId: `EVENT-${number}`, accountId, agentId }
          await conversations.externalEvents.expect({ ...event, conversationId: made.conversationId })
          const body = { contentType: 'text/plain', body: new Uint8Array(), receivedAt: 1_000 + number }
          const accepted = await conversations.externalEvents.accept({ ...event, ...body })
          // Its conversation has another version now.
          if (accepted.status === 'accepted') versions[id] = version + 1
          return accepted
        }
        case 'finish':
          return append({ events: [], index: { finishedAt: END }, wakeAt: null })
        case 'remove':
          return conversations.removals.remove(accountId, agentId, made.conversationId, {})
        case 'create': {
          const created = await conversations.create(made)
          if (created === 'created') versions[id] = 1
          return created
        }
        case 'await':
          return conversations.externalEvents.expect({
            eventId: `EVENT-${number}`,
            conversationId: made.conversationId,
            accountId,
            agentId,
          })
      }
    }
    outcomes.push(await act())
  }
  const logs = await Promise.all(
    IDS.map(id => eventsOf(connections[0].conversations, aConversation(id).conversationId, 0)),
  )
  return { outcomes, logs, due: await claimed(connections[0].conversations, 9_000) }
}

describe('what is kept of the rows that were written last', () => {
  it('SQ44 over two connections to one file, in any order, the same comes of every write as from a store in memory', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async steps => {
        const memory = createMemoryStore()
        const filename = temporaryStoreFile()
        const [one, other] = [openStore({ filename }), openStore({ filename })]
        const expected = await play([memory, memory], steps)
        expect(await play([one, other], steps)).toEqual(expected)
        for (const store of [memory, one, other]) await store.close()
      }),
      { numRuns: runs(20, 400) },
    )
  })

  it('SQ44 of a row that something else has changed what is kept is read again, and of no other one', () => {
    const reads: string[] = []
    const headOf = (id: string, version: number): Head => ({
      ...{ row: IDS.indexOf(id), version, sequence: 0, last_event: null, last_turn: null, finished: 0 },
      ...{ wake_at: null, due_at: null, postponed: 0, scope: 0, started_at: 0 },
    })
    const statement = { sql: '', all: () => [], each: () => [].values(), run: () => ({ changes: 1, row: 0 }) }
    const get = ({ id }: { readonly id: string }): Head => {
      reads.push(id)
      return headOf(id, 2)
    }
    const heads = createHeads({ ...statement, get })
    for (const id of IDS) heads.keep(id, headOf(id, 1))
    const versions = (): readonly unknown[] => IDS.map(id => heads.get(id)?.version)
    expect(versions()).toEqual([1, 1, 1])
    heads.changing<{ row: number }, never>({ ...statement, get: () => undefined }).run({ row: 0 })
    heads.changingMany({ ...statement, get: () => undefined, all: () => [{ row: 2 }] }).all({})
    expect(versions()).toEqual([2, 1, 2])
    for (const id of IDS) heads.keep(id, headOf(id, 3))
    expect(versions()).toEqual([3, 3, 3])
    expect(reads).toEqual([IDS[0], IDS[2]])
  })

  it('SQ44 a write that was undone leaves nothing behind: the next one is made from what is stored', async () => {
    const { conversations } = openStore({ filename: temporaryStoreFile() })
    const [made, other] = [aConversation('AS-1'), aConversation('AS-2')]
    for (const one of [made, other]) await conversations.create(one)
    const twice = { audit: anAuditEntry('ENTRY-1') }
    const results = await Promise.allSettled([
      conversations.append(anAppend(other, 1, { outbox: twice })),
      conversations.append(anAppend(made, 1, { outbox: twice, wakeAt: 7 })),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await conversations.append(anAppend(made, 2))).toEqual({ status: 'stale' })
    expect(await conversations.append(anAppend(made, 1, { wakeAt: 9 }))).toEqual({ status: 'appended' })
    expect(await eventsOf(conversations, made.conversationId, 1)).toMatchObject([{ sequence: 2 }])
    expect(await conversations.timers.claimDue(8, 9, 20)).toEqual([])
    expect(await conversations.timers.claimDue(9, 9, 20)).toEqual(['AS-1'])
  })
})
