import { openVisitor, type Visitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HandoffId } from '../../src/domain/ids.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../../src/platform.ts'
import type { Bus } from '../../src/ports/bus.ts'
import type { Notice } from '../../src/ports/notices.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import { createFakeClock, createScriptedRuntime, createSequentialIds } from '../../src/testing/index.ts'
import type { DeskEvent } from '../../src/usecases/desk/desk-event.ts'

// Slow: a bus loses, doubles and delays notices in many ways, and whole handoffs are followed over each.

const ADA = { id: 'a1', name: 'Ada', avatarUrl: '' }

/** A bus that counts its subscriptions, and does with messages what a test wants. */
function watchedBus(pass: (deliver: Bus['publish'], ...said: Parameters<Bus['publish']>) => void) {
  const bus = createLocalBus()
  let listeners = 0
  return {
    get listeners() {
      return listeners
    },
    publish: (...said: Parameters<Bus['publish']>) => pass(bus.publish, ...said),
    subscribe(...given: Parameters<Bus['subscribe']>) {
      listeners++
      const unsubscribe = bus.subscribe(...given)
      return () => {
        listeners--
        unsubscribe()
      }
    },
  }
}
/** A notice without the events that it tells of. */
const bare = (notice: Notice): Notice => ('sequence' in notice ? { ...notice, events: [] } : notice)
const faithful: Parameters<typeof watchedBus>[0] = (deliver, ...said) => deliver(...said)

/** Processes over one store; visitors ask for a person with "person". */
function setUp(pass = faithful) {
  const clock = createFakeClock()
  const bus = watchedBus(pass)
  const store = createMemoryStore()
  const ids = createSequentialIds()
  const errors: unknown[] = []
  const runtime = createScriptedRuntime(
    {
      greeting: 'Welcome.',
      messages: { person: ['One moment.', { type: 'handoff', destination: 'reception', reason: 'asked' }] },
      otherwise: 'Certainly.',
    },
    clock,
  )
  const start = (options: Partial<PlatformOptions> = {}): Platform =>
    createPlatform({
      store,
      bus,
      clock,
      ids,
      runtime,
      rateLimits: null,
      onError: error => errors.push(error),
      ...options,
    })
  return { clock, bus, store, errors, start }
}

/** A visitor who waits in the queue. */
async function waiting({
  clock,
  platform,
}: {
  clock: ReturnType<typeof createFakeClock>
  platform: Platform
}) {
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('person')
  return visitor
}

/** Somebody who watches the desk and writes down what is told. */
async function watcher(platform: Platform, { accountId }: Pick<Visitor, 'accountId'>) {
  const events: DeskEvent[] = []
  const stop = await platform.desk.watch(accountId, event => events.push(event))
  return { events, stop, lines: () => events.map(line) }
}

/** An event in one line, without ids. */
function line(event: DeskEvent): string {
  switch (event.type) {
    case 'visitor_message':
      return `message ${event.message.text}`
    case 'visitor_typing':
      return `typing ${event.state}`
    case 'visitor_presence':
      return event.state
    case 'note':
      return `note ${event.note.text}`
    case 'offered':
      return `offered ${event.offered?.liveAgent.id ?? 'anyone'}`
    case 'away':
      return `away ${event.liveAgentId} ${event.since}`
    case 'summary':
      return `summary ${event.summary.status}`
    case 'ended':
      return `ended ${event.reason}`
    case 'accepted':
      return `accepted ${event.handoff.agent?.name}`
    case 'waiting':
      return `waiting ${event.handoff.position}`
  }
}

const handoffId = (visitor: Visitor, ordinal = 1): HandoffId => `${visitor.id}.${ordinal}`

describe('watching the desk', () => {
  it('DK1 begins with what waits and what is active, oldest first', async () => {
    const { clock, start } = setUp()
    const platform = start()
    const visitors: Visitor[] = []
    for (let count = 0; count < 4; count++) {
      visitors.push(await waiting({ clock, platform }))
      await clock.advance(1_000)
    }
    const [first, second, third, fourth] = visitors
    if (!first || !second || !third || !fourth) throw new Error('four visitors')
    await platform.desk.accept(first.accountId, handoffId(third), ADA)
    await platform.desk.accept(first.accountId, handoffId(first), ADA)
    await second.say('said before anybody watched')
    const { events } = await watcher(platform, first)
    expect(events).toMatchObject([
      { type: 'waiting', handoff: { sessionId: second.id, position: 1, agent: null } },
      { type: 'waiting', handoff: { sessionId: fourth.id, position: 2, agent: null } },
      { type: 'accepted', handoff: { sessionId: first.id, position: null, agent: ADA } },
      { type: 'accepted', handoff: { sessionId: third.id, position: null, agent: ADA } },
    ])
    const listed = await platform.desk.handoffs(first.accountId, 'waiting')
    expect(events.flatMap(event => (event.type === 'waiting' ? [event.handoff] : []))).toEqual(listed)
  })

  it('DK2 tells a whole handoff once, in order, in the process that it happens in and in another', async () => {
    const { clock, start } = setUp()
    const platform = start()
    const elsewhere = start()
    const visitor = await openVisitor(platform, clock)
    const here = await watcher(platform, visitor)
    const there = await watcher(elsewhere, visitor)
    await visitor.join()
    await visitor.say('not for the desk')
    await visitor.say('person')
    await visitor.say('still here')
    await visitor.typing('started')
    await platform.desk.accept(visitor.accountId, handoffId(visitor), ADA)
    await clock.settle()
    await visitor.typing('stopped')
    await visitor.say('Hello')
    await platform.desk.send(visitor.accountId, handoffId(visitor), { text: 'Hi!', attachments: [] })
    await platform.desk.leave(visitor.accountId, handoffId(visitor))
    await clock.settle()
    const expected = [
      'waiting 1',
      'message still here',
      'typing started',
      'accepted Ada',
      'typing stopped',
      'message Hello',
      'ended null',
    ]
    expect(here.lines()).toEqual(expected)
    expect(there.lines()).toEqual(expected)
  })

  it('DK2 knows who took the visitor', async () => {
    const { clock, start } = setUp()
    const platform = start()
    const visitor = await waiting({ clock, platform })
    const { events } = await watcher(platform, visitor)
    const agent = { id: 'a2', name: 'Bob', avatarUrl: 'https://example.com/bob.png' }
    const {
      transcript: _,
      notes: __,
      summary: ___,
      canSuggest: ____,
      ...accepted
    } = await platform.desk.accept(visitor.accountId, handoffId(visitor), agent)
    await clock.settle()
    expect(events.at(-1)).toEqual({ type: 'accepted', handoff: accepted })
  })

  it('DK1 what visitors type is told to the desk and not to the connections of the conversation', async () => {
    const { clock, start } = setUp()
    const platform = start()
    const visitor = await waiting({ clock, platform })
    const second = await visitor.reconnect(platform)
    const desk = await watcher(platform, visitor)
    await visitor.typing('started')
    expect(desk.lines()).toEqual(['waiting 1', 'typing started'])
    expect([...visitor.types(), ...second.types()]).not.toContain('USER_TYPING')
  })

  it('DK1 typing ends by itself 10 s after its last sign, and with what is said', async () => {
    const { clock, start } = setUp()
    const platform = start({ sessionIdle: 10_000_000 })
    const visitor = await waiting({ clock, platform })
    const desk = await watcher(platform, visitor)
    await visitor.typing('started')
    await clock.advance(6_000)
    await visitor.typing('started')
    await clock.advance(9_000)
    expect(desk.lines()).toEqual(['waiting 1', 'typing started', 'typing started'])
    await clock.advance(1_000)
    expect(desk.lines().slice(3)).toEqual(['typing stopped'])
    await visitor.typing('started')
    await visitor.say('Hello')
    await clock.advance(20_000)
    expect(desk.lines().slice(4)).toEqual(['typing started', 'message Hello'])
  })

  it('DK544 the desk is told when the last connection of a visitor ends, in whichever process, and when one is back', async () => {
    const { clock, start } = setUp()
    const [platform, elsewhere] = [start({ sessionIdle: 10_000_000 }), start({ sessionIdle: 10_000_000 })]
    const visitor = await waiting({ clock, platform })
    const here = await watcher(platform, visitor)
    const there = await watcher(elsewhere, visitor)
    const second = await visitor.reconnect(elsewhere)
    await visitor.drop()
    await clock.settle()
    for (const desk of [here, there]) expect(desk.lines().at(-1)).not.toBe('gone')
    await second.typing('started')
    await second.drop()
    await clock.settle()
    for (const desk of [here, there]) expect(desk.lines().slice(-2)).toEqual(['typing stopped', 'gone'])
    const late = await watcher(platform, visitor)
    expect(late.lines()).toEqual(['waiting 1', 'gone'])
    await visitor.reconnect(platform)
    await clock.settle()
    for (const desk of [here, there, late]) expect(desk.lines().at(-1)).toBe('here')
  })

  it('DK544 a visitor who was gone before the desk was watched is told as gone with the third question', async () => {
    const { clock, start } = setUp()
    const platform = start({ sessionIdle: 10_000_000 })
    const visitor = await waiting({ clock, platform })
    await visitor.drop()
    const desk = await watcher(platform, visitor)
    await clock.advance(15_000)
    expect(desk.lines()).toEqual(['waiting 1'])
    await clock.advance(15_000)
    expect(desk.lines()).toEqual(['waiting 1', 'gone'])
    await clock.advance(60_000)
    expect(desk.lines()).toEqual(['waiting 1', 'gone'])
  })

  const endings: readonly [string, string, (visitor: Visitor, given: Parts) => Promise<unknown>][] = [
    ['the visitor ends', 'ended visitor ended', visitor => visitor.end()],
    ['nobody comes', 'ended timed out', (_, { clock }) => clock.advance(301_000)],
    [
      'the desk refuses',
      'ended no time',
      (visitor, { platform }) => platform.desk.reject(visitor.accountId, handoffId(visitor), 'no time'),
    ],
    [
      'the desk refuses without a word',
      'ended null',
      (visitor, { platform }) => platform.desk.reject(visitor.accountId, handoffId(visitor), null),
    ],
    ['the agent is deleted', 'ended closed', ({ agentId }, { platform }) => platform.agents.delete(agentId)],
  ]
  it.each(endings)('DK1 says why it ended when %s', async (_, expected, end) => {
    const { clock, start } = setUp()
    const platform = start({ sessionIdle: 10_000_000 })
    const visitor = await waiting({ clock, platform })
    const { lines } = await watcher(platform, visitor)
    await end(visitor, { clock, platform })
    await clock.settle()
    expect(lines()).toEqual(['waiting 1', expected])
  })

  it('DK1 a visitor who vanishes has left', async () => {
    const { clock, start } = setUp()
    const platform = start({ sessionIdle: 60_000 })
    const visitor = await waiting({ clock, platform })
    const { lines } = await watcher(platform, visitor)
    await clock.advance(61_000)
    expect(lines()).toEqual(['waiting 1', 'ended visitor left'])
  })

  it('DK2 what is said after the end is for the AI agent, and a second handoff is another one', async () => {
    const { clock, start } = setUp()
    const platform = start()
    const visitor = await waiting({ clock, platform })
    const { lines, events } = await watcher(platform, visitor)
    await platform.desk.reject(visitor.accountId, handoffId(visitor), 'closed for today')
    await visitor.say('only for the agent')
    await visitor.say('person')
    await visitor.say('again')
    expect(lines()).toEqual(['waiting 1', 'ended closed for today', 'waiting 1', 'message again'])
    expect(events.at(-1)).toMatchObject({ handoffId: handoffId(visitor, 2) })
  })

  it('DK1 each listener hears its own account, and no more once it has left', async () => {
    const { clock, start, errors } = setUp()
    const platform = start()
    const other = await platform.access.createAccount({ slug: 'other', name: 'Other' })
    const stranger = await watcher(platform, { accountId: other.id })
    const visitor = await waiting({ clock, platform })
    const broken = await platform.desk.watch(visitor.accountId, () => {
      throw new Error('a listener of the host')
    })
    const one = await watcher(platform, visitor)
    const two = await watcher(platform, visitor)
    one.stop()
    await visitor.say('Hello')
    expect(one.lines()).toEqual(['waiting 1'])
    expect(two.lines()).toEqual(['waiting 1', 'message Hello'])
    expect(stranger.lines()).toEqual([])
    expect(errors).toHaveLength(2)
    broken()
  })

  it('DK8 the last listener that leaves takes every subscription and timer along', async () => {
    const { clock, start, bus } = setUp()
    const [platform, elsewhere] = [start(), start()]
    const visitor = await waiting({ clock, platform })
    await waiting({ clock, platform })
    const before = { listeners: bus.listeners, pending: clock.pending }
    const one = await watcher(elsewhere, visitor)
    const two = await watcher(elsewhere, visitor)
    expect(bus.listeners).toBe(before.listeners + 3)
    one.stop()
    one.stop()
    expect(bus.listeners).toBe(before.listeners + 3)
    two.stop()
    expect({ listeners: bus.listeners, pending: clock.pending }).toEqual(before)
    const again = await watcher(elsewhere, visitor)
    expect(again.lines()).toEqual(['waiting 1', 'waiting 2'])
    again.stop()
    expect(bus.listeners).toBe(before.listeners)
  })

  it('DK8 a listener that leaves while the desk is read leaves nothing behind', async () => {
    const { clock, start, bus } = setUp()
    const [platform, elsewhere] = [start(), start()]
    const visitor = await waiting({ clock, platform })
    const stay = await watcher(elsewhere, visitor)
    const before = bus.listeners
    const fresh = waiting({ clock, platform })
    stay.stop()
    await fresh
    await clock.settle()
    // The new visitor's own connection, and neither of the desk's two subscriptions.
    expect(bus.listeners).toBe(before - 2 + 1)
  })

  it('DK8 a store that cannot be read refuses the listener, and keeps nothing', async () => {
    const { start, bus, store } = setUp()
    const broken = new Error('disk gone')
    const { list } = store.conversations.handoffs
    store.conversations.handoffs.list = () => Promise.reject(broken)
    const platform = start()
    const listeners = bus.listeners
    await expect(platform.desk.watch('ws-1', () => {})).rejects.toBe(broken)
    expect(bus.listeners).toBe(listeners)
    store.conversations.handoffs.list = list
    await (await platform.desk.watch('ws-1', () => {}))()
    expect(bus.listeners).toBe(listeners)
  })
})

interface Parts {
  readonly clock: ReturnType<typeof createFakeClock>
  readonly platform: Platform
}

describe('a bus that cannot be trusted', () => {
  const fates = ['kept', 'lost', 'doubled', 'late', 'bare'] as const
  const steps = ['message', 'typing', 'accept', 'wait'] as const

  it('DK2 nothing is missing, doubled or out of order, whatever becomes of notices', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.constantFrom(...fates)),
        fc.array(fc.constantFrom(...steps), { maxLength: 12 }),
        async (stream, course) => {
          const late: (() => void)[] = []
          let faulty = false
          const { clock, start } = setUp((deliver, topic, message) => {
            const fate = faulty ? stream.next().value : 'kept'
            if (fate === 'late') late.push(() => deliver(topic, message))
            else if (fate === 'bare') deliver(topic, { ...message, notice: bare(message.notice) })
            else if (fate !== 'lost') deliver(topic, message)
            if (fate === 'doubled') deliver(topic, message)
            if (fate !== 'late') for (const again of late.splice(0)) again()
          })
          const [platform, elsewhere] = [start({ sessionIdle: 10_000_000 }), start()]
          const visitor = await openVisitor(platform, clock)
          await visitor.join()
          const desk = await watcher(elsewhere, visitor)
          faulty = true
          await visitor.say('person')
          const expected: string[] = []
          let count = 0
          let accepted = false
          for (const step of course) {
            if (step === 'message') {
              await visitor.say(`m${++count}`)
              expected.push(`message m${count}`)
            } else if (step === 'typing') await visitor.typing('started')
            else if (step === 'wait') await clock.advance(15_000)
            else if (!accepted) {
              accepted = true
              await platform.desk.accept(visitor.accountId, handoffId(visitor), ADA)
              expected.push('accepted Ada')
            }
          }
          await clock.advance(16_000)
          await visitor.end()
          await clock.advance(16_000)
          const lasting = desk.lines().filter(told => !/^(?:typing|here|gone)/.test(told))
          // The place is not known of a visitor who was taken before the desk heard of the handoff.
          expect(lasting.shift()).toMatch(/^waiting (?:1|null)$/)
          expect(lasting).toEqual([...expected, 'ended visitor ended'])
        },
      ),
      { numRuns: 40 },
    )
  })
})
