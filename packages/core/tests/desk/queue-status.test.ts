import { ADA, createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import type { Visitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import type { Platform } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'

const INTERVAL = 15_000

/** What a visitor was told of the place, in order: `place/estimate`. */
const told = (visitor: Visitor): readonly string[] =>
  visitor.received
    .filter(({ type }) => type === 'EVENT_TYPE_HANDOFF_QUEUE_STATUS')
    .map(({ payload }) => `${payload.position_in_queue}/${payload.estimated_wait_seconds ?? '?'}`)

const accept = (platform: Platform, visitor: Visitor) =>
  platform.desk.accept(visitor.accountId, handoffOf(visitor), ADA)

describe('places in the line', () => {
  it('DK12 a place is told at once, and again at least every 15 s while the visitor waits', async () => {
    const { clock, start, waiting } = createDeskBench()
    const platform = start()
    const visitor = await waiting(platform)
    expect(told(visitor)).toEqual(['1/?'])
    for (let count = 2; count <= 6; count++) {
      await clock.advance(INTERVAL)
      expect(told(visitor).length).toBeGreaterThanOrEqual(count)
    }
    expect(new Set(told(visitor))).toEqual(new Set(['1/?']))
    await accept(platform, visitor)
    const before = told(visitor).length
    await clock.advance(4 * INTERVAL)
    expect(told(visitor)).toHaveLength(before)
  })

  it('DK12 the payload names the queue, and numbers are whole', async () => {
    const { clock, start, waiting } = createDeskBench()
    const platform = start()
    const first = await waiting(platform)
    await clock.advance(10_500)
    await accept(platform, first)
    const second = await waiting(platform)
    expect(second.received.at(-1)?.payload).toEqual({
      queue_name: 'reception',
      position_in_queue: 1,
      estimated_wait_seconds: 11,
    })
  })

  it('DK12 a change is told to those whom it concerns, and to them at once', async () => {
    const { clock, start, waiting } = createDeskBench()
    const patient = { queueStatusInterval: 10 * 60_000, wakeInterval: 10 * 60_000 }
    const platform = start({ ...patient, sessionIdle: 10 * 60_000 })
    const [one, two, three] = [await waiting(platform), await waiting(platform), await waiting(platform)]
    expect([one, two, three].map(told)).toEqual([['1/?'], ['2/?'], ['3/?']])
    await two.end()
    await clock.settle()
    expect([one, two, three].map(told)).toEqual([['1/?'], ['2/?'], ['3/?', '2/?']])
    // Whoever is taken ends a wait: those who stay know one to go by, and move up.
    await clock.advance(60_000)
    await accept(platform, one)
    await clock.settle()
    expect(told(three)).toEqual(['3/?', '2/?', '1/60'])
    expect(told(one)).toEqual(['1/?'])
  })

  it('DK27 the host has words beside each place, in whatever way the visitor learns of it', async () => {
    const { clock, start, waiting } = createDeskBench()
    const asked: unknown[] = []
    const platform = start({
      queueMessage(place) {
        asked.push(place)
        return place.position === 1 ? 'You are next.' : null
      },
    })
    const [one, two] = [await waiting(platform), await waiting(platform)]
    const words = (visitor: Visitor) =>
      visitor.received
        .filter(({ type }) => type === 'EVENT_TYPE_HANDOFF_QUEUE_STATUS')
        .map(({ payload }) => payload.display_message)
    expect(asked[0]).toEqual({
      ...{ accountId: one.accountId, queueName: 'reception', position: 1, estimatedWaitSeconds: null },
    })
    expect([words(one).at(-1), words(two).at(-1)]).toEqual(['You are next.', undefined])
    await accept(platform, one)
    await clock.settle()
    expect(words(two).at(-1)).toBe('You are next.')
    expect(Object.keys(two.received.at(-1)?.payload ?? {}).sort()).toEqual([
      ...['display_message', 'estimated_wait_seconds', 'position_in_queue', 'queue_name'],
    ])
  })

  it.each([
    ['throws', () => Promise.reject(new Error('no words'))],
    ['is empty', () => ''],
    ['is no text', () => 7],
    ['is too long', () => 'x'.repeat(1_001)],
  ])(
    'DK27 EM1 words of which one %s: the place is told without, and the host hears of it',
    async (_, say) => {
      const { start, waiting } = createDeskBench()
      const told: string[] = []
      const queueMessage: unknown = say
      const platform = start({
        onError: (_error, where) => told.push(where),
        ...(typeof queueMessage === 'function' ? { queueMessage: () => queueMessage() } : {}),
      })
      const visitor = await waiting(platform)
      expect(visitor.received.at(-1)?.payload).toEqual({ queue_name: 'reception', position_in_queue: 1 })
      expect(told).toContain('queue message')
    },
  )

  it("DK12 is the place in the desk's list", async () => {
    const { clock, start, waiting } = createDeskBench()
    const platform = start()
    const visitors: Visitor[] = []
    for (let count = 0; count < 4; count++) {
      visitors.push(await waiting(platform))
      await clock.advance(1_000)
    }
    const [first, second] = visitors
    if (first === undefined || second === undefined) throw new Error('nobody waits')
    await platform.desk.reject(first.accountId, handoffOf(first), null)
    await clock.advance(INTERVAL)
    const listed = await platform.desk.handoffs(first.accountId, 'waiting')
    const places = new Map(listed.map(({ sessionId, position }) => [sessionId, position]))
    expect([...places.values()]).toEqual([1, 2, 3])
    for (const visitor of visitors.slice(1)) expect(told(visitor).at(-1)).toBe(`${places.get(visitor.id)}/?`)
    const { position } = await platform.desk.handoff(second.accountId, handoffOf(second))
    expect(position).toBe(1)
  })

  it('DK12 visitors of every process are told, by one process at a time, and by another when it dies', async () => {
    const { clock, start, waiting } = createDeskBench()
    const [here, there] = [start(), start()]
    const one = await waiting(here)
    const two = await waiting(there)
    await clock.advance(10 * INTERVAL)
    const counts = [told(one).length, told(two).length]
    // Two processes tell no more than one would: a look is a fifth of the interval, a claim four fifths of it.
    for (const count of counts) {
      expect(count).toBeGreaterThanOrEqual(10)
      expect(count).toBeLessThanOrEqual(16)
    }
    // One goes away, maybe in the middle of its claim; the store, which both share, stays.
    contextOf(here).store.close = async () => {}
    await here.close()
    for (let round = 1; round <= 4; round++) {
      const before = told(two).length
      await clock.advance(INTERVAL)
      expect(told(two).length).toBeGreaterThan(before)
    }
  })

  it('DK12 who connects while waiting is told the place right away, in whichever process', async () => {
    const { clock, start, waiting } = createDeskBench()
    const here = start({ queueStatusInterval: 10 * 60_000, sessionIdle: 10 * 60_000 })
    const ahead = await waiting(here)
    const visitor = await waiting(here)
    const there = start({ queueStatusInterval: 10 * 60_000, sessionIdle: 10 * 60_000 })
    await clock.settle()
    const again = await visitor.reconnect(there)
    expect(told(again)).toEqual(['2/?'])
    await ahead.end()
    const late = await visitor.reconnect(there)
    expect(told(late)).toEqual(['1/?'])
    await here.desk.accept(visitor.accountId, handoffOf(visitor), ADA)
    expect(told(await visitor.reconnect(there))).toEqual([])
  })

  it('DK12 while nobody waits, the line is looked at and nothing else is read or written', async () => {
    const { clock, start, calls, store, waiting } = createDeskBench()
    const platform = start()
    const visitor = await waiting(platform)
    await accept(platform, visitor)
    await clock.settle()
    calls.clear()
    let accounts = 0
    const { list } = store.access.accounts
    store.access.accounts.list = (filter, limit) => {
      accounts++
      return list(filter, limit)
    }
    await clock.advance(INTERVAL)
    expect(calls.get('handoffs.claimLines')).toBe(1)
    for (const name of calls.keys()) expect(name).toMatch(/^(handoffs\.(claimLines|nextLine)|timers\.)/)
    expect(accounts).toBe(0)
  })

  it('DK12 a line that cannot be read is reported, and announced again afterwards', async () => {
    const { clock, start, store, errors, waiting } = createDeskBench()
    const platform = start()
    const visitor = await waiting(platform)
    const { joinedWaits } = store.conversations.handoffs
    store.conversations.handoffs.joinedWaits = () => Promise.reject(new Error('busy'))
    await clock.advance(INTERVAL)
    expect(errors.length).toBeGreaterThan(0)
    store.conversations.handoffs.joinedWaits = joinedWaits
    const before = told(visitor).length
    await clock.advance(INTERVAL)
    expect(told(visitor).length).toBeGreaterThan(before)
  })
})

describe('estimates', () => {
  it('DK12 come from the waits of the last hour in the same account and queue', async () => {
    const { clock, start, waiting } = createDeskBench()
    const platform = start({ sessionIdle: 3 * 3_600_000 })
    const first = await waiting(platform)
    await clock.advance(40_000)
    await accept(platform, first)
    const second = await waiting(platform)
    expect(told(second)).toEqual(['1/40'])
    await clock.advance(80_000)
    await accept(platform, second)
    const third = await waiting(platform)
    expect(told(third)).toEqual(['1/59'])
    await platform.desk.reject(third.accountId, handoffOf(third), null)
    // An hour after the first one was joined, the second alone counts; then none.
    await clock.advance(3_600_000 - 60_000)
    const fourth = await waiting(platform)
    expect(told(fourth)).toEqual(['1/79'])
    await platform.desk.reject(fourth.accountId, handoffOf(fourth), null)
    await clock.advance(60_000)
    expect(told(await waiting(platform))).toEqual(['1/?'])
  })

  it('DK12 a wait counts once, whatever is said after it', async () => {
    const { clock, start, store, waiting } = createDeskBench()
    const platform = start()
    const visitor = await waiting(platform)
    await clock.advance(20_000)
    await accept(platform, visitor)
    await visitor.say('Hello')
    await clock.advance(20_000)
    await platform.desk.send(visitor.accountId, handoffOf(visitor), { text: 'Hello' })
    await platform.desk.leave(visitor.accountId, handoffOf(visitor))
    const waits = await store.conversations.handoffs.joinedWaits(visitor.accountId, 'reception', 0, 9)
    expect(waits).toEqual([{ joinedAt: clock.now() - 20_000, waited: 20_000 }])
  })

  it('DK12 a visitor who was rejected, or went, has not been joined', async () => {
    const { clock, start, waiting } = createDeskBench()
    const platform = start()
    const [one, two] = [await waiting(platform), await waiting(platform)]
    await clock.advance(30_000)
    await platform.desk.reject(one.accountId, handoffOf(one), 'busy')
    await two.end()
    expect(told(await waiting(platform))).toEqual(['1/?'])
  })
})

describe('another live-agent system', () => {
  it('DK21 may report at once, before the platform stands', async () => {
    const { clock, start, waiting } = createDeskBench()
    const idle = async (): Promise<void> => {}
    const system = { request: idle, forward: idle, visitorTyping: idle, cancel: idle }
    const visitor = await waiting(start({ liveAgents: () => system }))
    const answers: Promise<boolean>[] = []
    start({
      liveAgents: callbacks => {
        answers.push(callbacks.accepted(handoffOf(visitor)))
        answers.push(callbacks.queueStatus(handoffOf(visitor), { position: 3, estimatedWaitSeconds: null }))
        return system
      },
    })
    expect(await Promise.all(answers)).toEqual([true, true])
    // It comes over the bus from the other platform.
    await clock.advance(1)
    expect(told(visitor)).toEqual(['3/?'])
  })

  it('alone tells places, and what it told last is told again to who connects', async () => {
    const { clock, start, waiting } = createDeskBench()
    const platform: Platform = start({
      liveAgents: callbacks => ({
        request: async ({ handoffId }) => void (await callbacks.accepted(handoffId)),
        forward: async () => {},
        visitorTyping: async () => {},
        cancel: async () => {},
      }),
    })
    const visitor = await waiting(platform)
    await clock.advance(4 * INTERVAL)
    expect(told(visitor)).toEqual([])
    await platform.liveAgents.queueStatus(handoffOf(visitor), { position: 7, estimatedWaitSeconds: 90 })
    expect(told(visitor)).toEqual(['7/90'])
    expect(told(await visitor.reconnect(platform))).toEqual(['7/90'])
    await clock.advance(4 * INTERVAL)
    expect(told(visitor)).toEqual(['7/90'])
  })
})
