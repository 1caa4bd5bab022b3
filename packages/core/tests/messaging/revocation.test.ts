import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { createNetwork } from '@colloquy/test-support/network'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform } from '../../src/platform.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

/** Two processes over one store, and what they ask it about connectors. */
function twoProcesses() {
  const clock = createFakeClock()
  const kept = createMemoryStore()
  const network = createNetwork()
  let looks = 0
  const store: Store = {
    ...kept,
    access: {
      ...kept.access,
      connectors: {
        ...kept.access.connectors,
        find: id => {
          looks++
          return kept.access.connectors.find(id)
        },
      },
    },
  }
  const start = () =>
    createPlatform({
      store,
      clock,
      bus: network.bus(),
      runtime: createScriptedRuntime({ greeting: 'Welcome.', otherwise: 'Yes.' }, clock),
      wakeInterval: 3_600_000,
    })
  return { clock, network, start, looks: () => looks }
}

async function revoke(platform: Platform): Promise<void> {
  const [connector] = (await platform.access.connectors()).connectors
  if (connector === undefined) throw new Error('no connector')
  await platform.access.revokeConnector(connector.id)
}

describe('a revoked connector', () => {
  it('MS28 closes silent connections at once, in every process that hears of it', async () => {
    const { clock, start } = twoProcesses()
    const first = start()
    const here = await openVisitor(first, clock)
    const there = await here.reconnect(start())
    await revoke(first)
    expect([here.closedBy()?.code, there.closedBy()?.code]).toEqual([4001, 4001])
  })

  it('MS28 is found out within `revocationCheck` where the notice is lost', async () => {
    const { clock, network, start } = twoProcesses()
    const first = start()
    const here = await openVisitor(first, clock)
    const there = await here.reconnect(start())
    network.delivery = 'never'
    await revoke(first)
    expect([here.closedBy()?.code, there.closedBy()?.code]).toEqual([4001, undefined])
    await clock.advance(15_000)
    expect(there.closedBy()?.code).toBe(4001)
  })

  it('MS28 costs a message no look at the connector', async () => {
    const { clock, start, looks } = twoProcesses()
    const visitor = await openVisitor(start(), clock)
    await visitor.join()
    const before = looks()
    for (let count = 0; count < 5; count++) await visitor.say('one')
    expect(visitor.texts('AI_AGENT_MESSAGE')).toHaveLength(6)
    expect(looks()).toBe(before)
  })

  it('MS28 takes no event that was received before and waits', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    let open = (): void => {}
    bench.engine.gate = new Promise(resolve => {
      open = resolve
    })
    for (const text of ['taken', 'too late', 'too late'])
      pair.send({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text } })
    pair.flushToServer()
    await bench.clock.settle()
    await bench.access.revokeConnector(bench.connector.id)
    open()
    await pair.flush()
    const { commands } = bench.engine.conversation(sessionId)
    expect(commands.flatMap(command => (command.type === 'message' ? [command.text] : []))).toEqual(['taken'])
    expect(pair.closedBy?.code).toBe(4001)
  })

  it('MS28 closes a connection that is still getting its history', async () => {
    const bench = await createMessagingBench({ limits: { eventsPerBatch: 1 } })
    const { sessionId } = await bench.live()
    const pair = await bench.connect(sessionId)
    await bench.clock.settle()
    await bench.access.revokeConnector(bench.connector.id)
    await pair.flush()
    expect(pair.closedBy?.code).toBe(4001)
    expect(pair.received.length).toBeLessThan(3)
  })

  it('MS28 refuses a handshake that was under way, and leaves nothing of it', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    const { read } = bench.engine
    bench.engine.read = async id => {
      const found = await read(id)
      await bench.access.revokeConnector(bench.connector.id)
      return found
    }
    const { accessToken } = bench
    expect(await bench.messaging.handshake({ sessionId, accessToken, cursor: null })).toEqual({
      status: 401,
      message: 'authentication failed',
    })
    expect([bench.notices.subscriptions, bench.clock.pending]).toEqual([0, 0])
  })

  it('MS28 is listened for once a connector, and no longer than it has sessions', async () => {
    const bench = await createMessagingBench()
    const pairs = await Promise.all([1, 2, 3].map(async () => bench.connect(await bench.session())))
    for (const pair of pairs) await pair.flush()
    expect([bench.notices.subscriptions, bench.clock.pending]).toEqual([4, 1])
    for (const pair of pairs) {
      pair.close()
      await pair.flush()
    }
    expect([bench.notices.subscriptions, bench.clock.pending]).toEqual([0, 0])
  })

  it('MS28 a store that cannot be read is told to the host, and looked at again', async () => {
    const bench = await createMessagingBench()
    const { pair } = await bench.live()
    const { access } = bench.context.store
    const { find } = access.connectors
    access.connectors.find = () => Promise.reject(new Error('disk gone'))
    await bench.clock.advance(15_000)
    expect(bench.errors.map(({ where }) => where)).toEqual(['messaging connectors'])
    access.connectors.find = find
    bench.notices.auto = false
    await bench.access.revokeConnector(bench.connector.id)
    expect(pair.closedBy).toBeNull()
    await bench.clock.advance(15_000)
    expect(pair.closedBy?.code).toBe(4001)
  })
})
