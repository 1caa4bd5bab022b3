import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { expect, test } from 'vitest'
import { deskEventOnWire } from '../../src/http/desk-wire.ts'

const [ANN, BEN] = ['ann', 'ben'].map(id => ({ id, name: id.toUpperCase(), avatarUrl: '' })) as [Agent, Agent]
type Agent = { readonly id: string; readonly name: string; readonly avatarUrl: string }

/** Two processes, a desk that is watched in each, and a visitor who waits. */
async function waiting() {
  const bench = createDeskBench()
  const processes = [bench.start(), bench.start()] as const
  const visitor = await bench.waiting(processes[0])
  const { accountId } = visitor
  const heard = processes.map(() => [] as string[])
  for (const [at, { desk }] of processes.entries())
    await desk.watch(accountId, event => {
      const frame = deskEventOnWire(event)
      if (frame.type === 'handoff.accepted') heard[at]?.push(`accepted ${frame.handoff.agent?.id}`)
      else if (frame.type === 'handoff.ended') heard[at]?.push(`ended ${frame.reason}`)
    })
  return { ...bench, processes, visitor, accountId, heard, id: handoffOf(visitor) }
}

const TURNS = 12

/** Lets so many steps of other tasks pass. */
async function steps(count: number): Promise<void> {
  for (let step = 0; step < count; step++) await Promise.resolve()
}

/** Who is first at some time. Empty: none of those who accept and refuse. */
const FIRST = {
  'nobody else': ['accepted', 'refused'],
  'the visitor, who ends': ['accepted', ''],
  'the queue, which gives up': ['accepted', 'refused'],
} as const

test.each(['nobody else', 'the visitor, who ends', 'the queue, which gives up'] as const)(
  'DK19 of two who accept and one who refuses, in two processes, and %s, one wins, and all see the same',
  async other => {
    const winners = new Set<string>()
    for (let turn = 0; turn < TURNS; turn++) {
      const { accountId, clock, heard, id, processes, visitor } = await waiting()
      const [here, there] = processes
      // The last moment before the queue gives up.
      if (other === 'the queue, which gives up') await clock.advance(299_999)
      const acts = [
        () => here.desk.accept(accountId, id, ANN),
        () => there.desk.accept(accountId, id, BEN),
        // To accept takes more reads: what needs none begins later and later.
        async () => {
          await steps(turn * 4)
          await there.desk.reject(accountId, id, 'closed')
        },
        async () => {
          await steps(turn * 3)
          if (other === 'the visitor, who ends') await visitor.end()
          if (other === 'the queue, which gives up') await clock.advance(1)
        },
      ]
      const order = acts.map((_, at) => (at + turn) % acts.length)
      const outcomes = await Promise.allSettled(order.map(at => acts[at]?.()))
      await clock.settle()
      const won = order.filter((at, place) => at < 3 && outcomes[place]?.status === 'fulfilled')
      winners.add(won.map(at => (at < 2 ? 'accepted' : 'refused')).join())
      expect(won.length).toBeLessThanOrEqual(1)
      if (other === 'nobody else') expect(won).toHaveLength(1)
      const count = (type: string) => visitor.types().filter(one => one === type).length
      expect(count('LIVE_AGENT_JOINED')).toBe(won.filter(at => at < 2).length)
      expect(count('HANDOFF_FAILED')).toBe(won.filter(at => at === 2).length)
      expect(heard[0]?.length).toBeGreaterThan(0)
      expect(heard[1]).toEqual(heard[0])
      for (const status of ['waiting', 'active'] as const)
        expect(await here.desk.handoffs(accountId, status)).toEqual(
          await there.desk.handoffs(accountId, status),
        )
      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          expect(outcome.reason).toMatchObject({ code: expect.stringMatching(/HANDOFF/) })
    }
    // Each of them was first at some time.
    expect([...winners]).toEqual(expect.arrayContaining([...FIRST[other]]))
  },
)
