import { createPlatform, type Platform } from '@colloquy/core'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { contextOf } from '@colloquy/test-support/context-of'
import { createNetwork } from '@colloquy/test-support/network'
import { eventsOf } from '@colloquy/test-support/stored'
import { openVisitor, type Visitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { temporaryFile } from './files.ts'

const LIVE_AGENTS = ['ada', 'bob'].map(id => ({ id, name: id, avatarUrl: '' }))

/** What may happen next; `by` is the process through which it does. */
const stepArbitrary = fc.record({
  act: fc.constantFrom(
    ...([
      'say',
      'person',
      'person',
      'accept',
      'accept',
      'answer',
      'answer',
      'leave',
      'return',
      'transfer',
      'transfer',
      'reject',
    ] as const),
    ...(['wait', 'time out', 'deliver', 'deliver', 'double', 'lose', 'beat'] as const),
  ),
  by: fc.nat({ max: 1 }),
  /** Which of the notices under way: they arrive in any order. */
  which: fc.nat({ max: 7 }),
})
type Step = { readonly act: string; readonly by: number; readonly which: number }

const inOrder = <const Act extends string>(...acts: readonly Act[]) =>
  acts.map(act => ({ act, by: 0, which: 0 }))

/** Histories that reach everything, whatever the random ones do. */
const WHOLE_HANDOFF = inOrder('person', 'accept', 'answer', 'leave')
const TRANSFERRED = inOrder('person', 'accept', 'transfer', 'accept', 'say', 'transfer', 'leave')
const RETURNED = inOrder('person', 'accept', 'say', 'return', 'say', 'person', 'accept', 'return', 'leave')

/** Two processes over one file, between which nothing can be relied upon, and a visitor with a socket in each. */
async function setUp() {
  const filename = temporaryFile()
  const [clock, network] = [createFakeClock(), createNetwork()]
  const runtime = createScriptedRuntime(
    {
      greeting: 'Welcome.',
      messages: { person: ['One moment.', { type: 'handoff', destination: 'reception', reason: 'asked' }] },
      otherwise: 'Certainly.',
    },
    clock,
  )
  const start = (): Platform =>
    createPlatform({
      ...{ store: createSqliteStore({ filename }), runtime, clock, bus: network.bus(), rateLimits: null },
      sessionIdle: 24 * 3_600_000,
    })
  const platforms = [start(), start()] as const
  const here = await openVisitor(platforms[0], clock)
  await here.join()
  const sockets: readonly [Visitor, Visitor] = [here, await here.reconnect(platforms[1])]
  for (const [at, one] of LIVE_AGENTS.entries())
    await platforms[at === 0 ? 0 : 1].desk.watch(here.accountId, () => {}, { liveAgentId: one.id })
  network.delivery = 'by hand'
  return { clock, network, platforms, sockets }
}

type World = Awaited<ReturnType<typeof setUp>>

/** Does what the steps say, and keeps what was promised to those who asked. */
async function play({ clock, network, platforms, sockets }: World, steps: readonly Step[]) {
  const { id, accountId } = sockets[0]
  const { conversations } = contextOf(platforms[0]).store
  const said: string[] = []
  const answered: string[] = []
  const winners = new Map<string, Set<string>>()
  /** How often each handoff was said to be returned. */
  const returned = new Map<string, number>()
  let transferred = 0
  let count = 0

  const handoff = async () => (await conversations.load(id))?.state.handoff?.id ?? `${id}.1`
  const isOver = async () => ((await conversations.load(id))?.state.endedAt ?? null) !== null
  const settled = (works: readonly Promise<unknown>[]) => Promise.allSettled(works)

  async function say(by: number, text: string): Promise<void> {
    if ((await isOver()) || sockets[by]?.closedBy() !== null) return
    said.push(text)
    await sockets[by]?.say(text)
  }

  async function step({ act, by, which }: Step): Promise<void> {
    const { desk } = platforms[by === 0 ? 0 : 1]
    const handoffId = await handoff()
    const at = network.waiting.length === 0 ? 0 : which % network.waiting.length
    switch (act) {
      case 'say':
        return say(by, `line ${count++}`)
      case 'person':
        return say(by, 'person')
      case 'accept': {
        const asked = platforms.map((platform, index) =>
          platform.desk.accept(accountId, handoffId, LIVE_AGENTS[index] ?? LIVE_AGENTS[0] ?? fail()),
        )
        const outcomes = await settled(asked)
        const known = winners.get(handoffId) ?? new Set()
        outcomes.forEach((outcome, index) => {
          if (outcome.status === 'fulfilled') known.add(LIVE_AGENTS[index]?.id ?? '')
        })
        winners.set(handoffId, known)
        return
      }
      case 'answer': {
        // Sent through both at once, as a client does that did not hear of the first.
        const message = { text: `answer ${count++}`, messageId: `m-${count}` }
        const outcomes = await settled(platforms.map(one => one.desk.send(accountId, handoffId, message)))
        if (outcomes.some(({ status }) => status === 'fulfilled')) answered.push(message.text)
        return
      }
      case 'leave':
        // Rarely, so that there is something to leave.
        if (which === 0) await settled([desk.leave(accountId, handoffId)])
        return
      case 'return': {
        // Through both at once: the visitor goes back to the agent once.
        const outcomes = await settled(platforms.map(one => one.desk.return(accountId, handoffId)))
        const count = outcomes.filter(({ status }) => status === 'fulfilled').length
        returned.set(handoffId, (returned.get(handoffId) ?? 0) + count)
        return
      }
      case 'transfer': {
        // To the other one and into a queue, through both at once: the visitor goes one way.
        const [ada = fail(), bob = fail()] = LIVE_AGENTS
        const has = (await conversations.load(id))?.state.handoff?.liveAgent ?? ada
        const own = platforms.map(one => one.as({ type: 'person', id: has.id, name: has.name }).desk)
        const other = has.id === ada.id ? bob : ada
        const outcomes = await settled([
          own[0]?.transfer(accountId, handoffId, { liveAgentId: other.id }) ?? fail(),
          own[1]?.transfer(accountId, handoffId, { queueName: 'sales' }) ?? fail(),
        ])
        const count = outcomes.filter(({ status }) => status === 'fulfilled').length
        expect(count).toBeLessThanOrEqual(1)
        transferred += count
        return
      }
      case 'reject':
        await settled([desk.reject(accountId, handoffId, null)])
        return
      case 'wait':
        return clock.advance(5_000)
      case 'time out':
        if (which < 2) await clock.advance(301_000)
        return
      case 'deliver':
        return network.deliver(at)
      case 'double':
        return network.deliver(at, true)
      case 'lose':
        network.waiting.splice(at, 1)
        return
      default:
        await sockets[by]?.heartbeat()
    }
  }

  for (const one of steps) {
    await step(one)
    await clock.settle()
  }
  return { said, answered, winners, returned, transferred }
}

const fail = (): never => {
  throw new Error('there is nobody')
}

it('DK2 over a bus that loses, doubles and reorders: one live agent a handoff, nothing lost or doubled, one transcript from every cursor', async () => {
  const reached = { joined: 0, answered: 0, over: 0, returned: 0, transferred: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { minLength: 10, maxLength: 40 }), async steps => {
      const world = await setUp()
      const { clock, network, platforms, sockets } = world
      const { said, answered, winners, returned, transferred } = await play(world, steps)
      for (const names of winners.values()) expect(names.size).toBeLessThanOrEqual(1)
      for (const count of returned.values()) expect(count).toBeLessThanOrEqual(1)
      reached.returned += [...returned.values()].filter(count => count === 1).length
      reached.transferred += transferred
      reached.joined += [...winners.values()].filter(({ size }) => size === 1).length
      reached.answered += answered.length
      reached.over += sockets[0].closedBy() === null ? 0 : 1

      // Whatever is under way is lost. The sockets look into the log with a frame that comes after a while.
      network.waiting.length = 0
      network.delivery = 'never'
      await clock.advance(16_000)
      for (const socket of sockets) if (socket.closedBy() === null) await socket.heartbeat()
      await clock.settle()

      const { conversations } = contextOf(platforms[0]).store
      const log = await eventsOf(conversations, sockets[0].id, 0)
      const all = log.map(({ sequence }) => sequence)
      expect(all).toEqual(log.map((_, index) => index + 1))
      for (const socket of sockets) expect(socket.sequences()).toEqual(all)
      const lefts = log.filter(({ payload }) => payload.reason === 'returned').length
      expect(lefts).toBe([...returned.values()].reduce((sum, count) => sum + count, 0))
      const textsOf = (type: string) =>
        log.filter(event => event.type === type).map(({ payload }) => payload.text)
      expect(textsOf('USER_MESSAGE')).toEqual(said)
      expect(textsOf('LIVE_AGENT_MESSAGE')).toEqual(answered)
      const context = contextOf(platforms[1])
      for (const after of all)
        expect(await eventsOf(context.store.conversations, sockets[0].id, after)).toEqual(log.slice(after))
      await Promise.all(platforms.map(platform => platform.close()))
    }),
    { numRuns: 25, examples: [[WHOLE_HANDOFF], [RETURNED], [TRANSFERRED]] },
  )
  // Histories in which nobody joins, answers or leaves would show nothing.
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(0)
})
