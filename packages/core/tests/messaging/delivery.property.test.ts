import type { FakeEngine } from '@colloquy/test-support/fake-engine'
import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { logged } from '@colloquy/test-support/replies'
import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReceivedEvent, SocketPair } from '../../src/testing/socket-pair.ts'

const sequences = (events: readonly ReceivedEvent[]) => logged(events).map(({ sequence }) => sequence)

/** A step of a random history. */
type Step =
  | { readonly do: 'append' | 'connect' | 'message' }
  | { readonly do: 'deliver' | 'double' | 'lose'; readonly index: number }
  | { readonly do: 'reconnect' | 'read'; readonly client: number }
  | { readonly do: 'log' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom({ do: 'append' } as const, { do: 'message' } as const) },
  { weight: 2, arbitrary: fc.constant({ do: 'connect' } as const) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('deliver' as const, 'double' as const, 'lose' as const),
      index: fc.nat(9),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('reconnect' as const, 'read' as const), client: fc.nat(5) }),
  },
  { weight: 8, arbitrary: fc.constant({ do: 'log' } as const) },
)

/** One client over its reconnects: what it has seen, in order. */
interface Client {
  pair: SocketPair
  readonly seen: ReceivedEvent[]
}

/** Lets readers of the log wait until a test answers them, with what was there when they asked. */
function gatedLog() {
  const gates: (() => void)[] = []
  let open = false
  return {
    wrap:
      (read: FakeEngine['eventPage']): FakeEngine['eventPage'] =>
      async (id, after, bounds) => {
        const answer = await read(id, after, bounds)
        if (!open) await new Promise<void>(resolve => gates.push(resolve))
        return answer
      },
    answer: () => gates.shift()?.(),
    openAll() {
      open = true
      for (const gate of gates.splice(0)) gate()
    },
  }
}

async function runHistory(steps: readonly Step[], hints: boolean): Promise<void> {
  const log = gatedLog()
  const bench = await createMessagingBench({ limits: { eventsPerBatch: 2 } }, log.wrap)
  const sessionId = await bench.session()
  const join = { sender: null, custom: null, clientEventId: null, pinning: null } as const
  await bench.engine.execute(sessionId, { type: 'join', ...join })
  bench.notices.auto = false
  bench.engine.hints = hints
  const clients: Client[] = [{ pair: await bench.connect(sessionId), seen: [] }]

  const clientAt = (index: number): Client | undefined => clients[index % clients.length]
  const take = (client: Client): void => {
    client.pair.flushToClient()
  }
  async function reconnect(client: Client): Promise<void> {
    take(client)
    client.seen.push(...client.pair.events())
    const cursor = sequences(client.seen).at(-1)
    client.pair.close()
    client.pair.flushToServer()
    client.pair = await bench.connect(sessionId, cursor === undefined ? undefined : `seq:${cursor}`)
  }
  async function act(now: Step): Promise<void> {
    switch (now.do) {
      case 'append':
        bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
        return
      case 'message':
        clients[0]?.pair.send({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'Hi' } })
        clients[0]?.pair.flushToServer()
        return
      case 'connect':
        if (clients.length < 5) clients.push({ pair: await bench.connect(sessionId), seen: [] })
        return
      case 'deliver':
      case 'double':
        bench.notices.deliver(now.index % Math.max(1, bench.notices.waiting.length), now.do === 'double')
        return
      case 'lose':
        bench.notices.waiting.splice(now.index % Math.max(1, bench.notices.waiting.length), 1)
        return
      case 'reconnect': {
        const client = clientAt(now.client)
        if (client !== undefined) await reconnect(client)
        return
      }
      case 'read': {
        const client = clientAt(now.client)
        if (client !== undefined) take(client)
        return
      }
      case 'log':
        log.answer()
    }
  }

  for (const now of steps) {
    await act(now)
    for (let turn = 0; turn < 3; turn++) await new Promise<void>(resolve => setImmediate(resolve))
  }
  log.openAll()
  bench.notices.waiting.length = 0
  // The first look may come before the event of a frame that has waited; half a heartbeat interval later there is
  // another.
  for (let look = 0; look < 2; look++) {
    await bench.clock.advance(30_000)
    for (const client of clients) {
      await client.pair.flush()
      client.pair.send({ type: 'EVENT_TYPE_HEARTBEAT' })
      await client.pair.flush()
    }
  }
  const { log: kept } = bench.engine.conversation(sessionId)
  expect(bench.errors).toEqual([])
  for (const client of clients) {
    await client.pair.flush()
    const seen = [...client.seen, ...client.pair.events()]
    expect(sequences(seen)).toEqual(kept.map((_, index) => index + 1))
    expect(logged(seen).map(event => event.id)).toEqual(kept.map(event => event.id))
    expect(client.pair.received[0]?.type).toBe('EVENT_TYPE_EVENT_BATCH')
    const live = client.pair.received.findIndex(event => event.sequence !== null)
    const batches = client.pair.received.findLastIndex(({ type }) => type === 'EVENT_TYPE_EVENT_BATCH')
    expect(live === -1 || live > batches).toBe(true)
  }
}

test('MS15 each client sees every event once and in order, whatever the bus and the log do, over reconnects', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }), fc.boolean(), runHistory),
    { numRuns: runs(60, 400) },
  )
})
