import { type AccountId, createPlatform, type HandoffId, type Platform } from '@colloquy/core'
import { createFakeClock, createScriptedRuntime, type FakeClock } from '@colloquy/core/testing'
import { contextOf } from '@colloquy/test-support/context-of'
import { eventsOf } from '@colloquy/test-support/stored'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { temporaryStoreFile } from './files.ts'

const ADA = { id: 'a1', name: 'Ada', avatarUrl: '' }

/** A process of its own over a file: nothing else is shared with the others, not even a bus. */
function openProcess(filename: string, clock: FakeClock, closes = true): Platform {
  const runtime = createScriptedRuntime(
    {
      greeting: 'Welcome.',
      messages: { person: ['One moment.', { type: 'handoff', destination: 'reception', reason: 'asked' }] },
      otherwise: 'Certainly.',
    },
    clock,
  )
  const platform = createPlatform({
    store: createSqliteStore({ filename }),
    runtime,
    clock,
    rateLimits: null,
    sessionIdle: 24 * 3_600_000,
  })
  if (closes) onTestFinished(() => platform.close())
  return platform
}

/** A visitor who waits in the queue of the desk. */
async function waiting(
  platform: Platform,
  clock: FakeClock,
): Promise<{ readonly accountId: AccountId; readonly handoffId: HandoffId }> {
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('person')
  return { accountId: visitor.accountId, handoffId: `${visitor.id}.1` }
}

const sessionOf = async (platform: Platform, handoffId: string) =>
  (await contextOf(platform).store.conversations.load(handoffId.split('.')[0] ?? ''))?.state

describe('processes on one file', () => {
  it('DK19 of many who accept at once exactly one wins, and everybody agrees who', async () => {
    const filename = temporaryStoreFile()
    const clock = createFakeClock()
    const processes = [
      openProcess(filename, clock),
      openProcess(filename, clock),
      openProcess(filename, clock),
    ]
    const [first] = processes
    if (first === undefined) throw new Error('no process')
    for (let round = 0; round < 5; round++) {
      const { accountId, handoffId } = await waiting(first, clock)
      const results = await Promise.allSettled(
        Array.from({ length: 30 }, (_, index) =>
          processes[index % 3]?.desk.accept(accountId, handoffId, { ...ADA, id: `a${index}` }),
        ),
      )
      const won = results.flatMap(result => (result.status === 'fulfilled' ? [result.value?.agent?.id] : []))
      const lost = results.flatMap(result => (result.status === 'rejected' ? [result.reason.code] : []))
      expect(won).toHaveLength(1)
      expect(lost).toEqual(Array(29).fill('HANDOFF_CONFLICT'))
      for (const { desk } of processes)
        expect((await desk.handoff(accountId, handoffId)).agent?.id).toBe(won[0])
      const events = await eventsOf(contextOf(first).store.conversations, handoffId.slice(0, -2), 0)
      expect(events.filter(({ type }) => type === 'LIVE_AGENT_JOINED')).toHaveLength(1)
    }
  })

  it('DK19 a message that is repeated at once over several processes is said once', async () => {
    const filename = temporaryStoreFile()
    const clock = createFakeClock()
    const processes = [openProcess(filename, clock), openProcess(filename, clock)]
    const [first] = processes
    if (first === undefined) throw new Error('no process')
    const { accountId, handoffId } = await waiting(first, clock)
    await first.desk.accept(accountId, handoffId, ADA)
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        processes[index % 2]?.desk.send(accountId, handoffId, { text: 'Once', messageId: `m${index % 4}` }),
      ),
    )
    expect(sent.map(one => one?.messageId)).toEqual(Array.from({ length: 20 }, (_, index) => `m${index % 4}`))
    const { transcript } = await first.desk.handoff(accountId, handoffId)
    expect(transcript.filter(({ from }) => from === 'live_agent')).toHaveLength(4)
  })

  it('DK15 a live agent whose process was killed is missed by the next one that opens the file', async () => {
    const filename = temporaryStoreFile()
    // Its clock stops here, and with it everything that it would still do: it is not closed, like a killed process.
    const killed = createFakeClock()
    const dying = openProcess(filename, killed, false)
    const { accountId, handoffId } = await waiting(dying, killed)
    await dying.desk.watch(accountId, () => {}, { liveAgentId: ADA.id })
    await dying.desk.accept(accountId, handoffId, ADA)
    await killed.advance(10 * 60_000)
    onTestFinished(() => contextOf(dying).store.close())

    const clock = createFakeClock(killed.now())
    const next = openProcess(filename, clock)
    await clock.advance(59_000)
    expect((await sessionOf(next, handoffId))?.endedAt).toBeNull()
    await clock.advance(22_000)
    expect(await sessionOf(next, handoffId)).toMatchObject({
      endReason: 'REASON_NATURAL_END',
      owner: 'nobody',
    })
    const events = await eventsOf(contextOf(next).store.conversations, handoffId.slice(0, -2), 0)
    expect(events.slice(-2).map(({ type, payload }) => [type, payload])).toEqual([
      ['LIVE_AGENT_LEFT', { reason: 'live agent absent' }],
      ['SESSION_END', { reason: 'REASON_NATURAL_END' }],
    ])
  })

  it('DK15 a live agent who comes back over the next process in time is not missed', async () => {
    const filename = temporaryStoreFile()
    const killed = createFakeClock()
    const dying = openProcess(filename, killed, false)
    const { accountId, handoffId } = await waiting(dying, killed)
    await dying.desk.watch(accountId, () => {}, { liveAgentId: ADA.id })
    await dying.desk.accept(accountId, handoffId, ADA)
    await killed.settle()
    onTestFinished(() => contextOf(dying).store.close())

    const clock = createFakeClock(killed.now() + 50_000)
    const next = openProcess(filename, clock)
    await next.desk.watch(accountId, () => {}, { liveAgentId: ADA.id })
    await clock.advance(10 * 60_000)
    expect((await sessionOf(next, handoffId))?.endedAt).toBeNull()
  })

  it('DK12 places and estimates are the same in every process, and outlive them', async () => {
    const filename = temporaryStoreFile()
    const clock = createFakeClock()
    const first = openProcess(filename, clock, false)
    const joined = await waiting(first, clock)
    await clock.advance(30_000)
    await first.desk.accept(joined.accountId, joined.handoffId, ADA)
    await first.close()
    const second = openProcess(filename, clock)
    const visitor = await openVisitor(second, clock)
    await visitor.join()
    await visitor.say('person')
    expect(visitor.received.at(-1)?.payload).toEqual({
      queue_name: 'reception',
      position_in_queue: 1,
      estimated_wait_seconds: 30,
    })
  })
})
