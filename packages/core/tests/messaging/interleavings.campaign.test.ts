import { createManualNotices } from '@colloquy/test-support/fake-engine'
import { part } from '@colloquy/test-support/library-calls'
import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { createNetwork, type Parcel } from '@colloquy/test-support/network'
import { assembled, chunksOf, logged, replies } from '@colloquy/test-support/replies'
import { eventsOf } from '@colloquy/test-support/stored'
import { describe, expect, it } from 'vitest'
import { LIBRARY } from '../../src/domain/audit/audit.ts'
import type { ConversationId } from '../../src/domain/ids.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import type { AgentRuntime, RuntimePart } from '../../src/ports/agent-runtime.ts'
import { topics } from '../../src/ports/notices.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { createFakeClock } from '../../src/testing/index.ts'
import { connectSocketPair, type SocketPair } from '../../src/testing/socket-pair.ts'
import { createMessagingDeps, type Messaging } from '../../src/usecases/messaging/messaging.ts'
import { createStreams } from '../../src/usecases/messaging/streams.ts'
import { createRooms } from '../../src/usecases/room/rooms.ts'
import { type Course, everyWay, type Step } from '../support/every-way.ts'

/** A few turns of the event loop: more than anything here puts off. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>(resolve => setImmediate(resolve))
}

/** Answers to a process's questions, given when a test says so, as they were when they were asked. */
function createGate() {
  const waiting: (() => void)[] = []
  let open = true
  let through = false
  return {
    /** Lets this alone ask without waiting for an answer. */
    async past<Result>(work: () => Promise<Result>): Promise<Result> {
      through = true
      const result = await work()
      through = false
      return result
    },
    set open(now: boolean) {
      open = now
      if (open) for (const answer of waiting.splice(0)) answer()
    },
    wrap:
      <Given extends readonly unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
      async (...given: Given): Promise<Answer> => {
        const answer = await ask(...given)
        if (!open && !through) await new Promise<void>(resolve => waiting.push(resolve))
        return answer
      },
    /** One step for each answer that is on its way. */
    steps: (): readonly Step[] =>
      waiting.map((_, index) => ({
        name: `answer ${index}`,
        act: () => waiting.splice(index, 1)[0]?.(),
      })),
  }
}

type Gate = ReturnType<typeof createGate>

/** What can become of notices on their way: each may come now, whatever was sent before it, be lost, or come twice. */
function fates<Item>(
  waiting: Item[],
  deliver: (index: number, keep: boolean) => void,
  doubles: number,
  describe: (item: Item) => string,
): () => readonly Step[] {
  const doubled = new Set<Item>()
  return () =>
    waiting.flatMap((item, index): Step[] => {
      const name = describe(item)
      const twice = (): void => {
        doubled.add(item)
        deliver(index, true)
      }
      return [
        { name: `deliver ${name}`, act: () => deliver(index, false) },
        { name: `lose ${name}`, act: () => void waiting.splice(index, 1) },
        ...(doubled.size < doubles && !doubled.has(item)
          ? [{ name: `deliver ${name} and keep it`, act: twice }]
          : []),
      ]
    })
}

/** A client over its connections to one process, which come when a step says so. */
function createClient(
  messaging: Messaging,
  gate: Gate,
  {
    sessionId,
    accessToken,
    times,
  }: { readonly sessionId: string; readonly accessToken: string; readonly times: number },
) {
  const pairs: SocketPair[] = []
  let connects = 0
  const seen = () => pairs.flatMap(pair => [...pair.events()])
  const newest = () =>
    logged(seen())
      .map(({ sequence }) => sequence)
      .at(-1)

  async function connect(): Promise<void> {
    const last = pairs.at(-1)
    last?.flushToClient()
    last?.close()
    last?.flushToServer()
    connects++
    const after = newest()
    const cursor = after === undefined ? {} : { cursor: `seq:${after}` }
    pairs.push(await gate.past(() => connectSocketPair(messaging, { sessionId, accessToken, ...cursor })))
  }

  return {
    pairs,
    get received() {
      return seen()
    },
    get frames() {
      return pairs.flatMap(pair => [...pair.received])
    },
    read: () => pairs.at(-1)?.flushToClient(),
    leave() {
      pairs.at(-1)?.close()
      pairs.at(-1)?.flushToServer()
    },
    steps: (): readonly Step[] =>
      connects < times ? [{ name: connects === 0 ? 'connect' : 'connect again', act: connect }] : [],
    /** A sign of life, with which a lost notice is made good. */
    async heartbeat(): Promise<void> {
      const pair = pairs.at(-1)
      if (pair === undefined) throw new Error('The client never connected.')
      await settle()
      pair.send({ type: 'EVENT_TYPE_HEARTBEAT' })
      pair.flushToServer()
      await settle()
      pair.flushToClient()
    },
  }
}

type Client = ReturnType<typeof createClient>

function expectWholeLog(client: Client, ids: readonly string[]): void {
  const events = logged(client.received)
  expect(events.map(({ sequence }) => sequence)).toEqual(ids.map((_, index) => index + 1))
  expect(events.map(({ id }) => id)).toEqual(ids)
  // A connection that was left before its history was read has got nothing.
  const heard = client.pairs.filter(({ received }) => received.length > 0)
  expect(heard.at(-1)).toBe(client.pairs.at(-1))
  for (const { received } of heard) expect(received[0]?.type).toBe('EVENT_TYPE_EVENT_BATCH')
}

/** Two processes over one log. */
async function logWorld() {
  const bench = await createMessagingBench({ accessTokenSeconds: 1e9 })
  const gate = createGate()
  const notices = createManualNotices()
  notices.auto = false
  const { conversations } = bench.context.store
  const store = { ...bench.context.store, conversations: Object.create(conversations) }
  store.conversations.eventPage = gate.wrap(conversations.eventPage)
  const { clock, settings } = bench.context
  const rooms = createRooms({ clock, notices, settings, store })
  const context = { ...bench.context, notices, rooms, store }
  const ephemeral = { ...bench.engine, snapshot: gate.wrap(bench.engine.snapshot) }
  const parts = { engine: bench.engine, ephemeral }
  const there = part(
    'messaging',
    createMessagingDeps(
      context,
      parts,
      { ...bench, streams: createStreams(context.clock) },
      async () => null,
    ),
  )(LIBRARY)
  return { bench, gate, notices, there }
}

interface LogCase {
  readonly appends: number
  readonly connections: number
  /** Whether notices carry their events. */
  readonly hints: boolean
  /** How many notices may come twice. */
  readonly doubles: number
  /** Whether another client is connected to the other process already. */
  readonly beside: boolean
}

/** One of them writes, a client connects to the other. */
async function logCourse(
  { bench, gate, notices, there }: Awaited<ReturnType<typeof logWorld>>,
  { appends, connections, hints, doubles, beside }: LogCase,
): Promise<Course> {
  notices.waiting.length = 0
  bench.engine.hints = hints
  const sessionId = await bench.session()
  const topic = topics.conversation(sessionId)
  const subscription = bench.notices.subscribe(topic, {
    notice: notice => void notices.waiting.push({ topic, notice: JSON.parse(JSON.stringify(notice)) }),
    gap() {},
  })
  const { accessToken } = bench
  const client = createClient(there, gate, { sessionId, accessToken, times: connections })
  const here = await bench.connect(sessionId)
  await settle()
  here.flushToClient()
  const other = createClient(there, gate, { sessionId, accessToken, times: 1 })
  if (beside) {
    for (const { act } of other.steps()) await act()
    await settle()
    other.read()
    // Its history has left; now it hears what happens.
    await settle()
  }
  let left = appends
  gate.open = false
  const append: Step = {
    name: 'append',
    act: () => {
      left--
      bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    },
  }
  const next = fates(
    notices.waiting,
    notices.deliver,
    doubles,
    ({ notice }) => `${Reflect.get(notice, 'sequence')}`,
  )
  return {
    next: () => [...(left > 0 ? [append] : []), ...client.steps(), ...gate.steps(), ...next()],
    async settle() {
      await settle()
      client.read()
      other.read()
    },
    async finish() {
      gate.open = true
      await bench.clock.advance(15_000)
      const clients = beside ? [client, other] : [client]
      for (const each of clients) await each.heartbeat()
      here.flushToClient()
      const ids = bench.engine.conversation(sessionId).log.map(({ id }) => id)
      for (const each of clients) expectWholeLog(each, ids)
      expect(here.events().map(({ id }) => id)).toEqual(ids)
      expect(bench.errors).toEqual([])
      client.leave()
      other.leave()
      here.close()
      here.flushToServer()
      subscription.end()
      await settle()
    },
  }
}

/** A runtime that says the next thing when a test says so. */
function createPrompter() {
  let go = (): void => {}
  let parts: RuntimePart[] = []
  let over = false
  const runtime: AgentRuntime = {
    async *respond({ input }) {
      if (input.type === 'greeting') {
        yield { type: 'text', text: 'Welcome.' }
        return
      }
      while (true) {
        for (const part of parts.splice(0)) yield part
        if (over) return
        await new Promise<void>(resolve => {
          go = resolve
        })
      }
    },
  }
  return {
    runtime,
    begin() {
      over = false
      parts = []
    },
    say(text: string) {
      parts.push({ type: 'text', text })
      go()
    },
    end() {
      over = true
      go()
    },
  }
}

const STORY = ['Once ', 'upon a time ', 'there was an inn.']

/** Two processes: one of them runs a turn that streams, a client connects to the other in the middle of it. */
async function streamWorld() {
  const clock = createFakeClock()
  const network = createNetwork()
  const gate = createGate()
  const prompter = createPrompter()
  const kept = createMemoryStore()
  const errors: unknown[] = []
  const start = (store: Store) =>
    createPlatform({
      store,
      clock,
      bus: network.bus(),
      runtime: prompter.runtime,
      rateLimits: null,
      accessTokenSeconds: 1e9,
      chunkFlush: 0,
      wakeInterval: 3_600_000,
      queueStatusInterval: 3_600_000,
      revocationCheck: 3_600_000,
      onError: error => errors.push(error),
    })
  const here = start(kept)
  const { load, eventPage } = kept.conversations
  const gated = { ...kept.conversations, load: gate.wrap(load), eventPage: gate.wrap(eventPage) }
  const there = start({ ...kept, conversations: gated })
  const account = await here.access.createAccount({ slug: 'acme', name: 'Acme' })
  const agent = await here.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome.' })
  await here.agents.publish(agent.id, { environment: 'live' })
  const { token } = await here.access.createConnector({
    accountId: account.id,
    agentId: agent.id,
    environment: 'live',
    hosts: ['example.com'],
  })
  const { accessToken } = await here.messaging.issueAccessToken({
    connectorToken: token,
    host: 'example.com',
    remoteAddress: '127.0.0.1',
  })

  /** A session in which the agent has begun to tell its story. */
  async function begin(): Promise<{ readonly id: ConversationId; readonly pair: SocketPair }> {
    prompter.begin()
    const authorization = `Bearer ${accessToken}`
    const { sessionId } = await here.messaging.createSession({ authorization, streaming: true })
    const pair = await connectSocketPair(here.messaging, { sessionId, accessToken })
    await settle()
    pair.flushToClient()
    for (const frame of [
      { type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} },
      { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'Tell me a story.' } },
    ]) {
      pair.send(frame)
      pair.flushToServer()
      await settle()
    }
    return { id: sessionId, pair }
  }
  return { clock, network, gate, prompter, store: kept, errors, there, accessToken, begin }
}

type StreamWorld = Awaited<ReturnType<typeof streamWorld>>

const nameOf = ({ to, topic, message: { notice } }: Parcel): string => {
  if (topic === topics.question) return 'the question'
  if (!('transients' in notice)) return topic
  const [first] = notice.transients
  const what = first === undefined ? `event ${notice.sequence}` : first.to === null ? 'a chunk' : 'the answer'
  return `${what} to ${to}`
}

interface StreamCase {
  /** Pieces of the reply, as the runtime says them. */
  readonly story: readonly string[]
  /** How many of them were said before the client connects. */
  readonly before: number
  readonly doubles: number
}

async function streamCourse(world: StreamWorld, { story, before, doubles }: StreamCase): Promise<Course> {
  const { clock, network, gate, prompter, store, errors, there, accessToken } = world
  network.delivery = 'never'
  gate.open = true
  const { id, pair: here } = await world.begin()
  const say = async (text: string | undefined): Promise<void> => {
    if (text === undefined) prompter.end()
    else prompter.say(text)
    await settle()
    // The clock stands, so that the chunk leaves now.
    await clock.advance(0)
  }
  for (const text of story.slice(0, before)) await say(text)
  const left = [...story.slice(before), undefined]
  network.delivery = 'by hand'
  network.waiting.length = 0
  gate.open = false
  const client = createClient(there.messaging, gate, { sessionId: id, accessToken, times: 1 })
  const next = fates(network.waiting, network.deliver, doubles, nameOf)
  return {
    next: () => [
      ...(left.length > 0 ? [{ name: left[0] ?? 'the end', act: () => say(left.shift()) }] : []),
      ...client.steps(),
      ...gate.steps(),
      ...next(),
    ],
    async settle() {
      await settle()
      client.read()
    },
    async finish() {
      gate.open = true
      network.delivery = 'never'
      await clock.advance(15_000)
      await client.heartbeat()
      here.flushToClient()
      const log = await eventsOf(store.conversations, id, 0)
      expectWholeLog(
        client,
        log.map(event => event.id),
      )
      const mine = { received: here.events(), frames: here.received }
      expect(replies(mine)).toEqual(['Welcome.', story.join('')])
      // Nothing of the reply is missing, doubled or out of order, and nothing of it follows its end.
      expect(assembled(client)).toEqual(replies(mine))
      expect(chunksOf(client).map(({ payload }) => payload)).toEqual(
        chunksOf(mine).map(({ payload }) => payload),
      )
      const end = client.received.findLastIndex(({ payload }) => payload.is_complete === true)
      const after = client.received.slice(end + 1).map(({ type }) => type)
      expect(after.filter(type => type !== 'EVENT_TYPE_HEARTBEAT')).toEqual([])
      expect(errors).toEqual([])
    },
  }
}

const report = (what: string, courses: number): void => console.log(`${courses} interleavings: ${what}`)

describe('every interleaving of connecting, writing and the bus', () => {
  it.each([
    { appends: 2, connections: 1, hints: true, doubles: 1, beside: false },
    { appends: 2, connections: 1, hints: false, doubles: 0, beside: false },
    { appends: 1, connections: 2, hints: true, doubles: 1, beside: false },
    { appends: 1, connections: 1, hints: true, doubles: 1, beside: true },
    { appends: 1, connections: 1, hints: false, doubles: 1, beside: true },
    { appends: 2, connections: 1, hints: true, doubles: 0, beside: true },
  ])(
    'MS15 of a log: %j',
    async logCase => {
      const world = await logWorld()
      report(`a log, ${JSON.stringify(logCase)}`, await everyWay(() => logCourse(world, logCase)))
    },
    300_000,
  )

  it.each([
    { story: ['All of it.'], before: 0, doubles: 0 },
    { story: STORY, before: 2, doubles: 0 },
    { story: STORY, before: 3, doubles: 2 },
  ])(
    'MS29 MS29 of a reply that streams: %j',
    async streamCase => {
      const world = await streamWorld()
      report(`a stream, ${JSON.stringify(streamCase)}`, await everyWay(() => streamCourse(world, streamCase)))
    },
    300_000,
  )
})
