import { openVisitor, type Visitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { BranchId, ConversationId } from '../../src/domain/ids.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import type { Bus } from '../../src/ports/bus.ts'
import type { HandoffContext } from '../../src/ports/live-agents.ts'
import { silentLog } from '../../src/ports/log.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import {
  createFakeClock,
  createScriptedRuntime,
  createSequentialIds,
  type FakeClock,
  type Script,
} from '../../src/testing/index.ts'
import { defineFunction } from '../../src/usecases/conversation/functions/define-function.ts'

const SCRIPT: Script = {
  greeting: 'Welcome.',
  messages: {
    person: ['One moment.', { type: 'handoff', destination: 'reception', reason: 'asked for a person' }],
    bye: ['Bye.', { type: 'end' }],
    slow: [{ type: 'wait', milliseconds: 20_000 }, 'Slowly.'],
    hang: [{ type: 'wait', milliseconds: 10_000_000 }],
    broken: [{ type: 'fail', message: 'the model is down' }],
    'broken in the middle': ['Half a ', { type: 'fail', message: 'the model is down' }],
    nothing: [],
  },
  otherwise: turn => `You said ${turn.input.type === 'message' ? turn.input.text : turn.input.type}.`,
}

interface Nodes {
  readonly clock: FakeClock
  readonly store: Store
  /** Starts another process over the same store. */
  start(options?: Partial<PlatformOptions>): ReturnType<typeof createPlatform>
}

/** Processes that share a store and a bus. */
function nodes(script: Script = SCRIPT): Nodes {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const bus = createLocalBus()
  const ids = createSequentialIds()
  return {
    clock,
    store,
    start: options =>
      createPlatform({
        log: silentLog,
        store,
        bus,
        clock,
        ids,
        runtime: createScriptedRuntime(script, clock),
        ...options,
      }),
  }
}

async function setUp(script: Script = SCRIPT, options: Partial<PlatformOptions> = {}) {
  const made = nodes(script)
  const platform = made.start(options)
  const visitor = await openVisitor(platform, made.clock)
  return { ...made, platform, visitor }
}

const said = (visitor: Visitor) => visitor.texts('AI_AGENT_MESSAGE')

describe('a visitor and an agent', () => {
  it('CM1 greets, and answers each message once and in order', async () => {
    const { visitor } = await setUp()
    await visitor.join()
    await visitor.say('one')
    await visitor.say('two')
    expect(said(visitor)).toEqual(['Welcome.', 'You said one.', 'You said two.'])
    expect(visitor.sequences()).toEqual(visitor.sequences().map((_, index) => index + 1))
  })

  it.each<[string, Bus['publish']]>([
    [
      'throws',
      () => {
        throw new Error('no broker')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no broker'))],
  ])('BU7 a bus that %s loses nothing of this process', async (_, publish) => {
    const told: string[] = []
    const onError = (error: unknown, where: string) => told.push(`${where}: ${error}`)
    const { visitor } = await setUp(SCRIPT, { bus: { ...createLocalBus(), publish }, onError })
    await visitor.join()
    await visitor.say('one')
    await visitor.say('two')
    expect(said(visitor)).toEqual(['Welcome.', 'You said one.', 'You said two.'])
    expect(visitor.types()).not.toContain('SYSTEM_MESSAGE')
    expect(visitor.sequences()).toEqual(visitor.sequences().map((_, index) => index + 1))
    expect(new Set(told)).toEqual(new Set(['bus publish: Error: no broker']))
  })

  it('a message costs one write and its reply another', async () => {
    const { visitor, platform, store, clock } = await setUp()
    await visitor.join()
    const before = (await store.conversations.load(visitor.id))?.version ?? 0
    await visitor.say('one')
    await platform.idle()
    await clock.settle()
    expect((await store.conversations.load(visitor.id))?.version).toBe(before + 2)
  })

  it('CM5 messages that come while the agent replies queue', async () => {
    const { visitor, clock } = await setUp()
    await visitor.join()
    await Promise.all([visitor.say('slow'), visitor.say('one'), visitor.say('two')])
    await clock.advance(20_000)
    expect(said(visitor)).toEqual(['Welcome.', 'Slowly.', 'You said one.', 'You said two.'])
  })

  it.each([
    ['broken', "Sorry, I'm having trouble responding right now. Please try again."],
    ['nothing', "Sorry, I'm having trouble responding right now. Please try again."],
    ['broken in the middle', "Sorry, I'm having trouble responding right now. Please try again."],
  ])(
    'EN4 a turn that fails (%s) is told to the sender, and the next message is answered',
    async (text, told) => {
      const { visitor } = await setUp()
      await visitor.join()
      await visitor.say(text)
      expect(visitor.texts('SYSTEM_MESSAGE')).toEqual([told])
      await visitor.say('one')
      expect(said(visitor)).toEqual(['Welcome.', 'You said one.'])
    },
  )

  it('EN4 a turn that takes longer than its deadline has failed', async () => {
    const { visitor, clock } = await setUp()
    await visitor.join()
    await visitor.say('hang')
    await clock.advance(60_000)
    expect(visitor.texts('SYSTEM_MESSAGE')).toHaveLength(1)
  })

  it('EN6 a message sent again with the same client id takes effect once and its echo comes again', async () => {
    const { visitor } = await setUp()
    await visitor.join()
    await visitor.say('one', 'local-1')
    await visitor.say('one', 'local-1')
    expect(said(visitor)).toEqual(['Welcome.', 'You said one.'])
    const echoes = visitor.received.filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE')
    expect(echoes).toHaveLength(2)
    expect(echoes[1]).toEqual(echoes[0])
  })
})

describe('processes that share a store', () => {
  it('CM10 a turn whose process died is run again by another, and the visitor sees one answer', async () => {
    const made = nodes()
    const first = made.start()
    const visitor = await openVisitor(first, made.clock)
    await visitor.join()
    // The first process stops being scheduled: its runtime never comes back and it renews no lease.
    let dead = false
    const dying = made.start({
      clock: {
        now: made.clock.now,
        monotonic: made.clock.monotonic,
        schedule: (delay, task) => made.clock.schedule(delay, () => dead || task()),
      },
      runtime: { respond: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }) },
    })
    const elsewhere = await visitor.reconnect(dying)
    await elsewhere.say('one')
    dead = true
    await made.clock.advance(16_000)
    expect(said(visitor)).toEqual(['Welcome.', 'You said one.'])
    expect(said(elsewhere)).toEqual(['Welcome.', 'You said one.'])
  })

  it('visitors of one session on two processes see the same log, without gap or overlap', async () => {
    const made = nodes()
    const here = await openVisitor(made.start(), made.clock)
    const there = await here.reconnect(made.start())
    await here.join()
    await Promise.all([here.say('one'), there.say('two'), here.say('three'), there.say('four')])
    await made.clock.settle()
    expect(there.sequences()).toEqual(here.sequences())
    expect(here.sequences()).toEqual(here.sequences().map((_, index) => index + 1))
    expect(said(here)).toHaveLength(5)
  })
})

describe('functions and external events', () => {
  const functions = {
    pay: defineFunction({
      description: 'Takes a payment.',
      parameters: z.object({}),
      async execute(conversation) {
        if (conversation.externalEvent !== null) {
          conversation.say(`Paid: ${conversation.externalEvent.text}.`)
          return null
        }
        const eventId = await conversation.expectExternalEvent({ delayResponse: true })
        conversation.setVariable('event', eventId)
        return eventId
      },
    }),
    breaks: defineFunction({
      description: 'Throws.',
      parameters: z.object({}),
      execute: () => Promise.reject(new Error('no connection')),
    }),
  }
  /** Event ids of turns that are still under way. */
  const early: string[] = []
  const script: Script = {
    ...SCRIPT,
    messages: {
      pay: async turn => {
        await turn.callFunction('pay', {})
        return []
      },
      break: async turn => `It said: ${(await turn.callFunction('breaks', {})).error}.`,
      unknown: async turn => `It said: ${(await turn.callFunction('missing', {})).error}.`,
      'pay at once': async turn => {
        early.push(...(await turn.callFunction('pay', {})).expectedEventIds)
        return [{ type: 'wait', milliseconds: 5_000 }]
      },
    },
    externalEvent: async turn => {
      await turn.callFunction('pay', {})
      return []
    },
  }
  const send = async (platform: ReturnType<typeof createPlatform>, visitor: Visitor, eventId: string) =>
    platform.externalEvents.receive({
      accountId: visitor.accountId,
      agentId: visitor.agentId,
      location: 'headers',
      path: 'x-event',
      headers: { 'x-event': eventId },
      query: '',
      contentType: 'text/plain',
      body: new TextEncoder().encode('40 pounds'),
    })
  const expected = async (store: Store, id: ConversationId): Promise<string> =>
    String((await store.conversations.load(id))?.state.variables.event)

  it('CM15 a delayed reply comes with the event, once', async () => {
    const { visitor, platform, store, clock } = await setUp(script, { functions })
    await visitor.join()
    await visitor.say('pay')
    expect(said(visitor)).toEqual(['Welcome.'])
    const eventId = await expected(store, visitor.id)
    expect((await send(platform, visitor, eventId)).status).toBe('accepted')
    await clock.settle()
    expect((await send(platform, visitor, eventId)).status).toBe('duplicate')
    await clock.advance(1_000)
    expect(said(visitor)).toEqual(['Welcome.', 'Paid: 40 pounds.'])
  })

  it('CM15 an event that comes before its turn has finished is not lost', async () => {
    const { visitor, platform, clock } = await setUp(script, { functions })
    await visitor.join()
    await visitor.say('pay at once')
    const [eventId = ''] = early.splice(0)
    expect((await send(platform, visitor, eventId)).status).toBe('accepted')
    expect(said(visitor)).toEqual(['Welcome.'])
    await clock.advance(10_000)
    expect(said(visitor)).toEqual(['Welcome.', 'Paid: 40 pounds.'])
  })

  it('CM15 an event for a conversation that has ended is kept and delivered to nobody', async () => {
    const { visitor, platform, store, clock } = await setUp(script, { functions })
    await visitor.join()
    await visitor.say('pay')
    const eventId = await expected(store, visitor.id)
    await visitor.end()
    expect((await send(platform, visitor, eventId)).status).toBe('conversation_ended')
    await clock.advance(1_000)
    expect(said(visitor)).toEqual(['Welcome.'])
    expect(await store.conversations.externalEvents.find(eventId)).not.toBeNull()
  })

  it.each([
    ['break', 'It said: no connection.'],
    ['unknown', 'It said: There is no function named missing..'],
  ])('FN20 a function that fails (%s) does not fail the turn', async (text, reply) => {
    const { visitor } = await setUp(script, { functions })
    await visitor.join()
    await visitor.say(text)
    expect(said(visitor).at(-1)).toBe(reply)
  })
})

describe('the desk', () => {
  it('DK19 hands a visitor to a live agent, with the messages from the queue in the transcript', async () => {
    const { visitor, platform, clock } = await setUp()
    await visitor.join()
    await visitor.say('person')
    await visitor.say('still here')
    const [waiting] = await platform.desk.handoffs(visitor.accountId, 'waiting')
    if (waiting === undefined) throw new Error('nobody waits')
    expect(waiting).toMatchObject({ position: 1, queueName: 'reception' })
    const agents = ['Ada', 'Bob'].map((name, index) => ({ id: `a${index}`, name, avatarUrl: '' }))
    const accepted = await Promise.allSettled(
      agents.map(agent => platform.desk.accept(visitor.accountId, waiting.handoffId, agent)),
    )
    expect(accepted.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { transcript } = await platform.desk.handoff(visitor.accountId, waiting.handoffId)
    expect(transcript.map(({ text }) => text)).toEqual(['Welcome.', 'person', 'One moment.', 'still here'])
    await platform.desk.send(visitor.accountId, waiting.handoffId, { text: 'Hello!', attachments: [] })
    await platform.desk.leave(visitor.accountId, waiting.handoffId)
    await clock.settle()
    expect(visitor.types().slice(-9)).toEqual([
      'AI_AGENT_TRIGGERED_HANDOFF',
      'AI_AGENT_LEFT',
      'HANDOFF_ACCEPTED',
      'HANDOFF_QUEUE_STATUS',
      'USER_MESSAGE',
      'LIVE_AGENT_JOINED',
      'LIVE_AGENT_MESSAGE',
      'LIVE_AGENT_LEFT',
      'SESSION_END',
    ])
  })

  it('CM20 a queue that nobody attends gives up, and the agent comes back with the next message', async () => {
    const { visitor, clock } = await setUp()
    await visitor.join()
    await visitor.say('person')
    await clock.advance(301_000)
    expect(visitor.types().at(-1)).toBe('HANDOFF_TIMEOUT')
    await visitor.say('one')
    expect(said(visitor).at(-1)).toBe('You said one.')
  })

  it('EN32 a live-agent system that cannot be reached fails the handoff', async () => {
    const refuse = () => Promise.reject(new Error('down'))
    const { visitor, clock } = await setUp(SCRIPT, {
      liveAgents: () => ({ request: refuse, forward: refuse, visitorTyping: refuse, cancel: refuse }),
    })
    await visitor.join()
    await visitor.say('person')
    await clock.settle()
    expect(visitor.types().at(-1)).toBe('HANDOFF_FAILED')
  })

  it('EN32 a live-agent system that does not answer fails the handoff, and no message waits for it', async () => {
    const hang = () => new Promise<void>(() => {})
    const { visitor, clock } = await setUp(SCRIPT, {
      liveAgents: () => ({ request: hang, forward: hang, visitorTyping: hang, cancel: hang }),
      liveAgentDeadline: 2_000,
    })
    await visitor.join()
    await visitor.say('person')
    await clock.advance(1_999)
    expect(visitor.types()).not.toContain('HANDOFF_FAILED')
    await clock.advance(1)
    expect(visitor.types().at(-1)).toBe('HANDOFF_FAILED')
    await visitor.say('hello')
    expect(visitor.types().slice(-3)).toEqual(['AI_AGENT_JOINED', 'AI_AGENT_THINKING', 'AI_AGENT_MESSAGE'])
  })
})

describe('a live-agent system that accepts and then does not answer', () => {
  it('EN32 has accepted: the visitor waits on, until it says otherwise', async () => {
    const hang = () => new Promise<void>(() => {})
    const requested: HandoffContext['handoffId'][] = []
    const { visitor, clock, platform } = await setUp(SCRIPT, {
      liveAgents: ({ accepted }) => ({
        async request({ handoffId }) {
          requested.push(handoffId)
          await accepted(handoffId)
          await hang()
        },
        ...{ forward: hang, visitorTyping: hang, cancel: hang },
      }),
      liveAgentDeadline: 2_000,
    })
    await visitor.join()
    await visitor.say('person')
    await clock.settle()
    expect(visitor.types().at(-1)).toBe('HANDOFF_ACCEPTED')
    await clock.advance(10_000)
    expect(visitor.types()).not.toContain('HANDOFF_FAILED')
    for (const handoffId of requested) expect(await platform.liveAgents.failed(handoffId)).toBe(true)
    expect(visitor.types().at(-1)).toBe('HANDOFF_FAILED')
  })
})

describe('time', () => {
  it('CM7 a silent visitor is gone after the idle time, heartbeats keep the session', async () => {
    const { visitor, clock } = await setUp()
    await visitor.join()
    for (let minute = 0; minute < 20; minute++) {
      await clock.advance(60_000)
      await visitor.heartbeat()
    }
    expect(visitor.types()).not.toContain('SESSION_END')
    await clock.advance(601_000)
    expect(visitor.types().at(-1)).toBe('SESSION_END')
    expect(visitor.received.at(-1)?.payload).toEqual({ reason: 'REASON_USER_ABANDONED' })
  })
})

describe('a revoked connector', () => {
  it('MS28 takes no more events of open sessions', async () => {
    const { visitor, platform } = await setUp()
    await visitor.join()
    const [connector] = (await platform.access.connectors()).connectors
    if (connector === undefined) throw new Error('no connector')
    await platform.access.revokeConnector(connector.id)
    await visitor.say('one')
    expect(said(visitor)).toEqual(['Welcome.'])
    expect(visitor.closedBy()?.code).toBe(4001)
  })
})

describe('a deleted agent', () => {
  it('AU13 AG25 ends its conversations and leaves no way to it', async () => {
    const { visitor, platform } = await setUp()
    await visitor.join()
    await platform.agents.delete(visitor.agentId)
    expect(visitor.received.at(-1)).toMatchObject({
      type: 'EVENT_TYPE_SESSION_END',
      payload: { reason: 'REASON_NATURAL_END' },
    })
    const { connectors } = await platform.access.connectors()
    expect(connectors.map(({ revokedAt }) => revokedAt !== null)).toEqual([true])
    const { accountId, agentId } = visitor
    const page = await platform.reading.records(
      { accountId, agentId, environment: 'live' },
      { offset: 0 },
      10,
    )
    expect(page.records.map(({ json }) => json.summary.value)).toMatchObject([
      { id: visitor.id, in_progress: false },
    ])
  })
})

describe('the beginning', () => {
  it('AC16 a session whose connector names a variant that was deleted since speaks as the default one', async () => {
    const { visitor, platform, clock, store } = await setUp()
    const { agentId } = visitor
    const { agents, access } = platform
    const deploy = async (change: (branch: BranchId) => Promise<unknown>): Promise<void> => {
      const branch = await agents.createBranch(agentId, { branchName: 'work' })
      await change(branch.id)
      const { deployment } = await agents.merge(agentId, branch.id)
      await agents.promote(agentId, deployment.id, { targetEnvironment: 'live' })
    }
    const made: string[] = []
    await deploy(async branch => {
      const about = { name: 'Gold', isDefault: false, attributeValues: {} }
      made.push((await agents.createVariant(agentId, branch, about)).id)
    })
    const [gold = ''] = made
    const [connector] = (await access.connectors()).connectors
    if (connector === undefined) throw new Error('no connector')
    await access.updateConnector(connector.id, { variantId: gold })
    const variantOf = async ({ id }: Visitor) =>
      (await store.conversations.load(id))?.state.record.variantName
    expect(await variantOf(await openVisitor(platform, clock))).toBe('Gold')
    await deploy(branch => agents.deleteVariant(agentId, branch, gold))
    const later = await openVisitor(platform, clock)
    await later.join()
    expect([await variantOf(later), said(later)]).toEqual(['default', ['Welcome.']])
    expect((await access.connector(connector.id)).variantId).toBe(gold)
  })

  it('a session is listed from its creation, and runs the deployment that was active then', async () => {
    const { visitor, platform, store } = await setUp()
    const { accountId, agentId } = visitor
    const filter = { accountId, agentId, environment: 'live' } as const
    const page = await platform.reading.records(filter, { offset: 0 }, 10)
    expect(page.records.map(({ id }) => id)).toEqual([visitor.id])
    const first = (await platform.agents.activeDeployments(agentId)).live
    const branch = await platform.agents.createBranch(agentId, { branchName: 'next' })
    await platform.agents.updateBehavior(agentId, branch.id, 'Be brief.')
    const { deployment } = await platform.agents.merge(agentId, branch.id)
    await platform.agents.promote(agentId, deployment.id, { targetEnvironment: 'live' })
    await visitor.join()
    expect((await store.conversations.load(visitor.id))?.state.deploymentId).toBe(first?.id)
  })
})
