import { keepingChanges } from '@colloquy/test-support/keeping-changes'
import { eventsOf } from '@colloquy/test-support/stored'
import { openVisitor, type Visitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ConversationEvent } from '../../src/domain/conversation/event.ts'
import type { ConversationState } from '../../src/domain/conversation/state.ts'
import type { HandoffId } from '../../src/domain/ids.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform } from '../../src/platform.ts'
import type { ForwardedMessage, LiveAgents } from '../../src/ports/live-agents.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import {
  createFakeClock,
  createScriptedRuntime,
  createSequentialIds,
  type FakeClock,
  type Script,
} from '../../src/testing/index.ts'

const MINUTE = 60_000
/** More than a turn, a lease or the time-out of a queue takes, and less than the visitor's patience. */
const LONG = 6 * MINUTE

/** What the agent does with a message, by the first word of its text. Ids of expected events go into `expected`. */
const scriptFor = (expected: string[]): Script => ({
  greeting: 'Welcome.',
  externalEvent: ({ input }) => `Got ${input.type === 'external_event' ? input.eventId : ''}.`,
  async otherwise(turn) {
    const text = turn.input.type === 'message' ? turn.input.text : ''
    const reply = `You said ${text}.`
    switch (text.split(' ')[0]) {
      case 'fail':
        return [{ type: 'fail', message: 'the model is down' }]
      case 'slow':
        return [{ type: 'wait', milliseconds: 7_000 }, reply]
      case 'person':
        return [reply, { type: 'handoff', destination: 'reception', reason: 'asked for a person' }]
      case 'bye':
        return [reply, { type: 'end' }]
      case 'pay':
        expected.push(await turn.expectExternalEvent())
        return reply
      default:
        return reply
    }
  },
})

/** A live-agent system that takes a second for each call, and notes the messages that it was handed. */
function liveAgents(clock: FakeClock, forwarded: ForwardedMessage[], requested: HandoffId[]): LiveAgents {
  const second = () => new Promise<void>(resolve => clock.schedule(1_000, resolve))
  return {
    async request({ handoffId }) {
      await second()
      requested.push(handoffId)
    },
    async forward(_, message) {
      await second()
      forwarded.push(message)
    },
    async visitorTyping() {},
    cancel: second,
  }
}

const side = fc.integer({ min: 0, max: 1 })
// Few numbers, so that the same event is often sent again: from here, from there, during and after its turn.
const number = fc.integer({ min: 1, max: 3 })
const kind = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('plain', 'slow') },
  { weight: 6, arbitrary: fc.constantFrom('pay', 'person') },
  { weight: 1, arbitrary: fc.constant('fail') },
)
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('say' as const), kind, number, side }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join' as const), number, side }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      what: fc.constantFrom('accepted', 'joined', 'joined', 'joined', 'message', 'message', 'failed'),
      // Mostly about the newest handoff.
      behind: fc.constantFrom(1, 1, 1, 2),
      number,
      side,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('event' as const), number, side }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 10 }) }),
  },
)
/** What a history may end with; earlier it would leave little to happen. */
const finale = fc.option(
  fc.oneof(
    fc.record({ do: fc.constant('end' as const), side }),
    fc.record({ do: fc.constant('say' as const), kind: fc.constant('bye'), number, side }),
    fc.record({
      do: fc.constant('report' as const),
      what: fc.constant('left' as const),
      behind: fc.constant(1),
      number,
      side,
    }),
  ),
)
const history = fc
  .tuple(fc.array(step, { maxLength: 40, size: 'max' }), finale, fc.array(step, { maxLength: 5 }))
  .map(([before, end, after]) => [...before, ...(end === null ? [] : [end]), ...after])
type Step = typeof history extends fc.Arbitrary<(infer Value)[]> ? Value : never

/** One conversation over two processes that share a store and a bus. */
class World {
  readonly clock = createFakeClock()
  readonly store = keepingChanges(createMemoryStore())
  readonly expected: string[] = []
  readonly accepted = new Set<string>()
  readonly forwarded: ForwardedMessage[] = []
  readonly requested: HandoffId[] = []
  readonly sent = new Set<string>()
  readonly platforms: readonly Platform[]
  visitors: readonly Visitor[] = []

  constructor() {
    const { clock, store, expected, forwarded, requested } = this
    const shared = { store, clock, bus: createLocalBus(), ids: createSequentialIds(), rateLimits: null }
    const start = () =>
      createPlatform({
        ...shared,
        // Rarely, because each look takes a test its time.
        wakeInterval: 5_000,
        runtime: createScriptedRuntime(scriptFor(expected), clock),
        liveAgents: () => liveAgents(clock, forwarded, requested),
      })
    this.platforms = [start(), start()]
  }

  async open(): Promise<void> {
    const here = await openVisitor(this.platform(0), this.clock)
    this.visitors = [here, await here.reconnect(this.platform(1))]
    await here.send('REQUEST_AI_AGENT_JOIN', {}, { client_event_id: 'join 0' })
  }

  platform = (index: number): Platform => at(this.platforms, index)
  visitor = (index: number): Visitor => at(this.visitors, index)
  log = () => eventsOf(this.store.conversations, this.visitor(0).id, 0)

  async take(next: Step): Promise<void> {
    switch (next.do) {
      case 'wait':
        return this.clock.advance(next.seconds * 1_000)
      case 'say': {
        const text = `${next.kind} ${next.number}`
        if (this.visitor(next.side).closedBy() === null) this.sent.add(text)
        return this.visitor(next.side).say(text, text)
      }
      case 'join':
        return this.visitor(next.side).send('REQUEST_AI_AGENT_JOIN', {}, { local_id: `join ${next.number}` })
      case 'end':
        return this.visitor(next.side).send('USER_END_SESSION', {}, { client_event_id: 'end' })
      case 'event':
        return this.sendEvent(this.expected.at(-next.number), next.side)
      case 'report':
        return this.report(next)
    }
  }

  async sendEvent(eventId: string | undefined, side: number): Promise<void> {
    if (eventId === undefined) return
    const { accountId, agentId } = this.visitor(0)
    const { status } = await this.platform(side).externalEvents.receive({
      accountId,
      agentId,
      location: 'headers',
      path: 'x-event',
      headers: { 'x-event': eventId },
      query: '',
      contentType: 'text/plain',
      body: new Uint8Array(),
    })
    if (status === 'accepted') this.accepted.add(eventId)
    await this.clock.settle()
  }

  async report({ what, number, behind, side }: Extract<Step, { do: 'report' }>): Promise<void> {
    const callbacks = this.platform(side).liveAgents
    const handoffId = this.requested.at(-behind)
    if (handoffId === undefined) return
    if (what === 'joined') await callbacks.joined(handoffId, { id: 'ada', name: 'Ada', avatarUrl: '' })
    else if (what === 'message')
      await callbacks.message(handoffId, { messageId: `${number}`, text: `Hi ${number}` })
    else await callbacks[what](handoffId)
    await this.clock.settle()
  }
}

function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[index]
  if (value === undefined) throw new Error(`There is nothing at ${index}.`)
  return value
}

const textsOf = (log: readonly ConversationEvent[], type: ConversationEvent['type']) =>
  log.filter(event => event.type === type).map(({ payload }) => String(payload.text))

/** Texts of the messages whose failure their sender was told, by the metadata that the error carries back. */
const failures = (visitors: readonly Visitor[]) =>
  visitors.flatMap(({ received }) =>
    received
      .filter(({ type, metadata }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE' && metadata?.custom !== undefined)
      .map(({ metadata }) => String(metadata?.custom?.client_event_id)),
  )

/**
 * Each message that was taken has at most one fate, and none only while it waits, or where its handoff or session
 * ended.
 */
function checkFates(world: World, log: readonly ConversationEvent[], state: ConversationState): void {
  const replies = textsOf(log, 'AI_AGENT_MESSAGE')
  const failed = failures(world.visitors)
  const waits = state.deliveries.map(({ call }) => (call.type === 'forward' ? call.messageId : null))
  for (const { type, payload, sequence } of log) {
    if (type !== 'USER_MESSAGE') continue
    const text = String(payload.text)
    const fates = [
      ...replies.filter(reply => reply === `You said ${text}.`).map(() => 'a reply'),
      ...failed.filter(id => id === text).map(() => 'a stated failure'),
      ...world.forwarded
        .filter(({ messageId }) => messageId === payload.message_id)
        .map(() => 'a live agent'),
    ]
    expect(fates.length, `${text}: ${fates}`).toBeLessThanOrEqual(1)
    const over = log.filter(event => event.sequence > sequence).map(event => event.type)
    const excused =
      waits.some(messageId => messageId === payload.message_id) ||
      over.some(other => ['HANDOFF_FAILED', 'HANDOFF_TIMEOUT', 'SESSION_END'].includes(other))
    if (fates.length === 0) expect(excused, `${text} has no fate`).toBe(true)
  }
}

/** What both clients have seen is the log, and nothing in it stands twice. */
function checkLog(world: World, log: readonly ConversationEvent[]): void {
  expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1))
  const said = textsOf(log, 'USER_MESSAGE')
  expect(new Set(said).size).toBe(said.length)
  expect([...world.sent]).toEqual(expect.arrayContaining(said))
  const ids = log.flatMap(({ clientEventId, localId }) => [clientEventId ?? [], localId ?? []].flat())
  expect(new Set(ids).size).toBe(ids.length)
  expect(log.filter(({ type }) => type === 'SESSION_END').length).toBeLessThanOrEqual(1)
  const got = textsOf(log, 'AI_AGENT_MESSAGE').filter(text => text.startsWith('Got '))
  expect(new Set(got).size).toBe(got.length)
  for (const { received } of world.visitors) {
    const seen = received.filter(({ sequence }) => sequence !== null).map(({ sequence }) => sequence)
    expect([...new Set(seen)]).toEqual(log.map(({ sequence }) => sequence))
  }
}

it('CM40 over two processes, with everything sent again and again: each event takes effect once, and each message has one fate', async () => {
  await fc.assert(
    fc.asyncProperty(history, async steps => {
      const world = new World()
      await world.open()
      for (const next of steps) await world.take(next)
      await world.clock.advance(LONG)

      const state = (await world.store.conversations.load(world.visitor(0).id))?.state
      if (state === undefined) throw new Error('The conversation is gone.')
      const log = await world.log()
      checkLog(world, log)
      checkFates(world, log, state)
      expect(state.turn).toBeNull()
      if (state.owner === 'ai_agent') {
        const got = textsOf(log, 'AI_AGENT_MESSAGE').filter(text => text.startsWith('Got '))
        expect(got.toSorted()).toEqual([...world.accepted].map(id => `Got ${id}.`).toSorted())
      }

      // Left alone it ends, once.
      await world.clock.advance(10 * MINUTE)
      expect((await world.log()).at(-1)?.type).toBe('SESSION_END')
    }),
    { numRuns: 60 },
  )
})
