import { ADA } from '@colloquy/test-support/desk-bench'
import { createNetwork } from '@colloquy/test-support/network'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import { PlatformError } from '../../src/errors.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'
import type { DeskEvent } from '../../src/usecases/desk/desk-event.ts'

/** Processes over one store whose bus can be away. Nothing is looked at by itself within the time of a test. */
function setUp() {
  const clock = createFakeClock()
  const memory = createMemoryStore()
  /** What the next reads of logs fail with, and what the answers of all wait for. */
  const failures: Error[] = []
  const answers = { held: Promise.resolve() }
  /** How many of the next writes are made without an answer. */
  const unheard = { appends: 0 }
  const errors: unknown[] = []
  const store: Store = {
    ...memory,
    conversations: {
      ...memory.conversations,
      async eventPage(...given) {
        const failure = failures.shift()
        if (failure !== undefined) throw failure
        const page = await memory.conversations.eventPage(...given)
        await answers.held
        return page
      },
      async append(write) {
        const result = await memory.conversations.append(write)
        if (unheard.appends-- > 0) throw new PlatformError('STORE_BUSY', 'The store is busy.')
        return result
      },
    },
  }
  const network = createNetwork()
  const runtime = createScriptedRuntime(
    {
      greeting: 'Welcome.',
      messages: {
        person: ['One moment.', { type: 'handoff', destination: 'reception', reason: 'asked' }],
        story: ['Once ', 'upon ', 'a time ', { type: 'wait', milliseconds: 60_000 }, 'the end.'],
      },
      otherwise: 'Certainly.',
    },
    clock,
  )
  const rare = 10_000_000
  const start = () =>
    createPlatform({
      ...{ store, clock, runtime, bus: network.bus(), log: silentLog, rateLimits: null },
      ...{ queueStatusInterval: rare, revocationCheck: rare, turnDeadline: 100_000, turnLease: 100_000 },
      onError: error => void errors.push(error),
    })
  return { clock, network, start, answers, unheard, failures, errors }
}

describe('a write whose answer was lost', () => {
  it('is told to all processes when it is sent again over another one', async () => {
    const { clock, start, unheard } = setUp()
    const [first, second] = [start(), start()]
    const here = await openVisitor(first, clock)
    await here.join()
    await here.say('person')
    const there = await here.reconnect(start())
    const handoffId = `${here.id}.1` as const
    await first.desk.accept(here.accountId, handoffId, ADA)
    const message = { text: 'Good evening.', messageId: 'm1' }
    unheard.appends = 1
    await expect(first.desk.send(here.accountId, handoffId, message)).rejects.toMatchObject({
      code: 'STORE_BUSY',
    })
    await clock.settle()
    expect(there.texts('LIVE_AGENT_MESSAGE')).toEqual([])
    await second.desk.send(here.accountId, handoffId, message)
    await clock.settle()
    expect(there.texts('LIVE_AGENT_MESSAGE')).toEqual(['Good evening.'])
    expect(here.texts('LIVE_AGENT_MESSAGE')).toEqual(['Good evening.'])
  })
})

describe('a bus that was away', () => {
  it('NT1 a visitor in another process hears at once what was said meanwhile', async () => {
    const { clock, network, start } = setUp()
    const here = await openVisitor(start(), clock)
    await here.join()
    const there = await here.reconnect(start())
    network.delivery = 'never'
    await here.say('Hello')
    expect(there.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.'])
    network.delivery = 'at once'
    network.gap()
    await clock.settle()
    expect(there.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'Certainly.'])
    expect(there.sequences()).toEqual(here.sequences())
  })

  it('MS15 what was said meanwhile is heard once the store is no longer busy', async () => {
    const { clock, network, start, failures, errors } = setUp()
    const here = await openVisitor(start(), clock)
    await here.join()
    const there = await here.reconnect(start())
    network.delivery = 'never'
    await here.say('Hello')
    failures.push(...Array.from({ length: 3 }, () => new PlatformError('STORE_BUSY', 'The store is busy.')))
    network.gap()
    await clock.settle()
    expect(there.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.'])
    await clock.advance(1_000)
    expect(there.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'Certainly.'])
    expect(there.closedBy()).toBeNull()
    expect(errors).toEqual([])
  })

  it('MS15 who cannot be told what was said meanwhile is disconnected, and reads it over another connection', async () => {
    const { clock, network, start, failures, errors } = setUp()
    const here = await openVisitor(start(), clock)
    await here.join()
    const process = start()
    const there = await here.reconnect(process)
    network.delivery = 'never'
    await here.say('Hello')
    const lost = new Error('The disk is gone.')
    failures.push(lost, lost)
    network.gap()
    await clock.settle()
    expect(there.closedBy()).toMatchObject({ code: 1011 })
    expect(errors).toEqual([lost, lost])
    const again = await there.reconnect(process)
    expect(again.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'Certainly.'])
  })

  it('MS15 a gap while the log is read takes another look', async () => {
    const { clock, network, start, answers } = setUp()
    const here = await openVisitor(start(), clock)
    await here.join()
    const there = await here.reconnect(start())
    network.delivery = 'never'
    let release = (): void => undefined
    answers.held = new Promise(resolve => {
      release = resolve
    })
    network.gap()
    await clock.settle()
    const said = here.say('Hello')
    await clock.settle()
    network.gap()
    release()
    await said
    await clock.settle()
    expect(there.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'Certainly.'])
  })

  it('NT1 a visitor in another process gets the chunks of a reply that is under way', async () => {
    const { clock, network, start } = setUp()
    const here = await openVisitor(start(), clock, true)
    await here.join()
    const there = await here.reconnect(start())
    await here.say('story')
    await clock.advance(1_000)
    const before = there.texts('AI_AGENT_MESSAGE_CHUNK').length
    network.delivery = 'never'
    await clock.advance(1_000)
    network.delivery = 'at once'
    network.gap()
    await clock.settle()
    expect(before).toBeGreaterThan(0)
    expect(there.texts('AI_AGENT_MESSAGE_CHUNK')).toEqual(here.texts('AI_AGENT_MESSAGE_CHUNK'))
  })

  it('NT1 a revocation that was said meanwhile closes the sockets', async () => {
    const { clock, network, start } = setUp()
    const first = start()
    const here = await openVisitor(first, clock)
    const there = await here.reconnect(start())
    const [connector] = (await first.access.connectors()).connectors
    network.delivery = 'never'
    await first.access.revokeConnector(connector?.id ?? '')
    expect(there.closedBy()).toBeNull()
    network.gap()
    await clock.settle()
    expect(there.closedBy()?.code).toBe(4001)
  })

  it('NT1 a desk in another process hears who came, what was said and who left', async () => {
    const { clock, network, start } = setUp()
    const platform = start()
    const first = await openVisitor(platform, clock)
    await first.join()
    await first.say('person')
    const events: DeskEvent[] = []
    const stop = await start().desk.watch(first.accountId, event => events.push(event))
    network.delivery = 'never'
    const second = await openVisitor(platform, clock)
    await second.join()
    await second.say('person')
    await first.say('Anyone there?')
    await first.end()
    expect(events.map(({ type }) => type)).toEqual(['waiting'])
    network.gap()
    await clock.settle()
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'ended',
      'visitor_message',
      'waiting',
      'waiting',
    ])
    stop()
  })
})
