import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { BrokerBus, BrokerBusSettings } from '../../packages/core/src/broker/index.ts'
import { type Log, silentLog } from '../../packages/core/src/ports/log.ts'
import type { NoticeTopic } from '../../packages/core/src/ports/notices.ts'
import { ears, growth, keepingLog } from './bus-ends.ts'
import type { OwnServer } from './own-server.ts'
import { swallowingProxy } from './swallowing-proxy.ts'

/** Access of the tests to a broker. */
export interface BrokerHarness {
  /** A broker of the test's own, not started yet. */
  server(): Promise<OwnServer>
  /** A bus over the broker at that port of this machine. */
  connect(port: number, settings: BrokerBusSettings): BrokerBus
  /**
   * Counts the connections to which the broker sends the topic. Left out for a broker that sends every topic to every
   * bus: the notices received show it then.
   */
  listeners?(server: OwnServer, topic: NoticeTopic): Promise<number>
  /** Counts the connected clients, except for the one that asks. */
  clients(server: OwnServer): Promise<number>
  /** Says something foreign on the topic's channel. */
  say(server: OwnServer, topic: NoticeTopic, text: string | Uint8Array): Promise<void>
}

/** Short enough that a test of a dead connection does not wait. */
const QUICK = { connectTimeout: 4_000, pingInterval: 50, pingTimeout: 3_000 } as const

const TOPIC: NoticeTopic = 'conversation:a'

/** Forgets what came before: on a busy machine a connection may have been tried twice until it was there. */
function forget(...all: readonly unknown[][]): void {
  for (const one of all) one.length = 0
}

/** Resolves when what one says is heard by the other. */
async function talking(one: BrokerBus, heard: readonly unknown[]): Promise<void> {
  await vi.waitFor(() => {
    one.publish(TOPIC, growth(0))
    expect(heard).toContain(0)
  })
}

/** The errors that these calls throw. */
function thrownBy(calls: readonly (() => void)[]): readonly string[] {
  return calls.flatMap(call => {
    try {
      call()
      return []
    } catch (error) {
      return error instanceof Error ? [error.message] : ['']
    }
  })
}

/**
 * Declares the tests of a bus that `createBrokerBus` has made (rules BK1 to BK6), over real servers. To be called in a
 * file of tests.
 */
export function testBrokerBus(name: string, harness: BrokerHarness): void {
  async function running(): Promise<OwnServer> {
    const server = await harness.server()
    await server.start()
    return server
  }
  function open(port: number, settings: BrokerBusSettings & { readonly log?: Log } = {}): BrokerBus {
    const bus = harness.connect(port, { log: silentLog, ...settings })
    onTestFinished(() => bus.close())
    return bus
  }

  describe(`${name}: a bus over a broker`, () => {
    test('BK1 a broker that was killed and is back: a gap is told once it passes messages on again', async () => {
      const server = await running()
      const { told, log } = keepingLog()
      const { heard, listener } = ears()
      const counts: Promise<number>[] = []
      open(server.port, { log }).subscribe(TOPIC, {
        ...listener,
        gap() {
          listener.gap()
          // Asked at the first gap, it may be killed before it answers.
          if (harness.listeners) counts.push(harness.listeners(server, TOPIC).catch(() => Number.NaN))
        },
      })
      const other = open(server.port)
      await talking(other, heard)
      // It would tell of a gap as well, for a notice that the broker did not say it had taken.
      await other.close()
      heard.length = 0
      await server.kill()
      await server.start()
      await vi.waitFor(() => expect(heard).toContain('gap'))
      if (harness.listeners) expect(await counts.at(-1)).toBe(1)
      else await talking(open(server.port), heard)
      await vi.waitFor(() => expect(told.at(-1)?.message).toMatch(/^The bus is connected to .* again\.$/))
      const complaints = told.filter(({ message }) => message.startsWith('The bus has no connection'))
      expect(new Set(complaints.map(({ fields }) => fields.reason)).size).toBe(complaints.length)
    })

    test('BK2, BK3 without a broker the bus starts, says so once, loses notices in silence, and begins when it comes', async () => {
      const server = await harness.server()
      const { told, log } = keepingLog()
      const bus = open(server.port, { log })
      const { heard, listener } = ears()
      bus.subscribe(TOPIC, listener)
      await vi.waitFor(() => expect(told).not.toEqual([]))
      expect(told[0]?.message).toMatch(
        /^The bus has no connection to .*, and tries again\. Until then notices are lost\.$/,
      )
      expect(told[0]?.fields.reason).toMatch(/ECONNREFUSED|connection refused/)
      const calls = Array.from({ length: 50 }, (_, number) => () => bus.publish(TOPIC, growth(number)))
      expect(thrownBy(calls)).toEqual([])

      await server.start()
      await vi.waitFor(() => expect(heard).toEqual(['gap']))
      await vi.waitFor(() => expect(told.at(-1)?.fields).toEqual({ lost: 50 }))
      expect(told.length).toBeLessThan(4)
      await talking(open(server.port), heard)
    })

    test('a connection that goes silent without an error is given up, and a gap told', async () => {
      const server = await running()
      const proxy = await swallowingProxy(server.port)
      const { told, log } = keepingLog()
      const { heard, listener } = ears()
      open(proxy.port, { log, ...QUICK }).subscribe(TOPIC, listener)
      const other = open(server.port)
      await talking(other, heard)
      forget(told, heard)
      proxy.swallow()
      other.publish(TOPIC, growth(1))
      const reasons = (): readonly unknown[] => told.map(({ fields }) => fields.reason)
      await vi.waitFor(() => expect(reasons()).toContain('No answer within 3000 ms.'))
      // Nor does an attempt to connect that is never answered hold it up.
      await vi.waitFor(() => expect(told.length).toBeGreaterThan(1))
      heard.length = 0
      proxy.heal()
      await vi.waitFor(() => expect(heard).toEqual(['gap']))
      await talking(other, heard)
    })

    test('BK3, BK5 what waits for a broker that takes nothing is bounded, and its listeners learn later that notices were lost', async () => {
      const server = await running()
      const proxy = await swallowingProxy(server.port)
      const { told, log } = keepingLog()
      const bus = open(proxy.port, { log, ...QUICK, pingTimeout: 4_000, maxWaiting: 20_000 })
      const other = open(server.port)
      const [missing, beside] = [ears(), ears()]
      other.subscribe(TOPIC, missing.listener)
      other.subscribe('line:a', beside.listener)
      await talking(bus, missing.heard)
      proxy.swallow()
      forget(told, missing.heard, beside.heard)
      const calls = Array.from({ length: 2_000 }, (_, number) => () => bus.publish(TOPIC, growth(number)))
      expect(thrownBy(calls)).toEqual([
        'The broker takes notices too slowly, and some are lost. At most 20000 characters may wait (maxWaiting).',
      ])
      await vi.waitFor(() => expect(told).not.toEqual([]))
      proxy.heal()
      // The broker may have received some of the earlier notices without the acknowledgement getting through.
      await vi.waitFor(() => expect(told.at(-1)?.fields.lost).toBeGreaterThanOrEqual(2_000))
      await vi.waitFor(() => expect(missing.heard.filter(one => one !== 0)).toEqual(['gap']))
      expect(beside.heard).toEqual([])
      await talking(bus, missing.heard)
    })

    test('BK6 closed while the broker is away, it connects no more; closed otherwise, it sends what was said and ends its connections', async () => {
      const server = await running()
      const { told, log } = keepingLog()
      const [one, other] = [open(server.port, { log }), open(server.port)]
      const { heard, listener } = ears()
      other.subscribe(TOPIC, listener)
      await talking(one, heard)
      for (let number = 1; number <= 5; number++) one.publish(TOPIC, growth(number))
      await one.close()
      await vi.waitFor(() => expect(heard.slice(-5)).toEqual([1, 2, 3, 4, 5]))
      expect(() => one.publish(TOPIC, growth(6))).toThrow('The bus is closed.')
      await other.close()
      await vi.waitFor(async () => expect(await harness.clients(server)).toBe(0))

      const third = open(server.port, { log })
      const thirds = ears()
      third.subscribe(TOPIC, thirds.listener)
      await vi.waitFor(() => expect(thirds.heard).toContain('gap'))
      await server.kill()
      await vi.waitFor(() => expect(told).not.toEqual([]))
      await third.close()
      const known = told.length
      await server.start()
      const fourth = open(server.port)
      const fourths = ears()
      fourth.subscribe('line:a', fourths.listener)
      await vi.waitFor(() => expect(fourths.heard).toContain('gap'))
      await fourth.close()
      await vi.waitFor(async () => expect(await harness.clients(server)).toBe(0))
      expect(told.length).toBe(known)
    })

    test('BU1 a bus does not hear what it says itself', async () => {
      const server = await running()
      const [one, other] = [open(server.port), open(server.port)]
      const [own, others] = [ears(), ears()]
      one.subscribe(TOPIC, own.listener)
      other.subscribe(TOPIC, others.listener)
      await talking(one, others.heard)
      await talking(other, own.heard)
      one.publish(TOPIC, growth(1))
      await vi.waitFor(() => expect(others.heard).toContain(1))
      other.publish(TOPIC, growth(2))
      await vi.waitFor(() => expect(own.heard).toContain(2))
      expect(own.heard).not.toContain(1)
    })

    test('BU1 what is no notice is ignored, and told once', async () => {
      const server = await running()
      const { told, log } = keepingLog()
      const { heard, listener } = ears()
      open(server.port, { log }).subscribe(TOPIC, listener)
      const other = open(server.port)
      await talking(other, heard)
      const junk = ['', 'hello', '{}', 'null', 'a {"from":1,"notice":{}}', 'a {"from":"a"}', '[[[', '\u0000']
      for (const text of [...junk, Uint8Array.of(0xff, 0xfe, 0)]) await harness.say(server, TOPIC, text)
      other.publish(TOPIC, growth(7))
      await vi.waitFor(() => expect(heard).toContain(7))
      expect(heard.filter(one => one !== 0 && one !== 'gap')).toEqual([7])
      expect(told.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^What is no notice came over .*, and is ignored\.$/),
      ])
    })

    test('BK1 however listeners come and go, the broker passes on to those who are there', async () => {
      const server = await running()
      const step = fc.record({
        topic: fc.nat(2),
        pause: fc.constantFrom('none', 'tick', 'round trip'),
      })
      let run = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
          run++
          const topics: readonly NoticeTopic[] = [0, 1, 2].map(number => `line:${run}-${number}` as const)
          const bus = open(server.port)
          const stops = new Map<NoticeTopic, () => void>()
          const heard = new Map<NoticeTopic, readonly unknown[]>()
          for (const { topic: at, pause } of steps) {
            const topic = topics[at] ?? 'question'
            const stop = stops.get(topic)
            if (stop === undefined) {
              const now = ears()
              heard.set(topic, now.heard)
              stops.set(topic, bus.subscribe(topic, now.listener))
            } else {
              stop()
              stops.delete(topic)
            }
            if (pause === 'tick') await new Promise<void>(resolve => setImmediate(resolve))
            if (pause === 'round trip') await harness.clients(server)
          }
          const wanted = topics.map(topic => (stops.has(topic) ? 1 : 0))
          const { listeners } = harness
          if (listeners === undefined) {
            const [speaker, last] = [open(server.port), ears()]
            bus.subscribe('question', last.listener)
            await vi.waitFor(() => {
              for (const topic of topics) speaker.publish(topic, growth(1))
              speaker.publish('question', growth(1))
              expect(last.heard).toContain(1)
            })
            expect(topics.map(topic => (heard.get(topic)?.includes(1) ? 1 : 0))).toEqual(wanted)
            await speaker.close()
          } else
            await vi.waitFor(async () =>
              expect(await Promise.all(topics.map(topic => listeners(server, topic)))).toEqual(wanted),
            )
          await bus.close()
        }),
        { numRuns: 15 },
      )
    })

    test('BU1 a topic has one listener at a time', async () => {
      const bus = open((await running()).port)
      const [first, second] = [ears(), ears()]
      const stop = bus.subscribe(TOPIC, first.listener)
      expect(() => bus.subscribe(TOPIC, second.listener)).toThrow('There is a listener to')
      stop()
      bus.subscribe(TOPIC, second.listener)
      stop()
      expect(() => bus.subscribe(TOPIC, first.listener)).toThrow('There is a listener to')
    })

    test('BU1 topics with halves of characters are told apart', async () => {
      const { port } = await running()
      const [one, other] = [open(port), open(port)]
      const topics = ['line:\ud800', 'line:\udc00', 'line:\ufffd', 'line:"\\ud800"'] as const
      const heard = topics.map(topic => {
        const { heard, listener } = ears()
        other.subscribe(topic, listener)
        return heard
      })
      await vi.waitFor(() => {
        for (const [index, topic] of topics.entries()) one.publish(topic, growth(index))
        expect(heard.map(each => [...new Set(each)].filter(one => one !== 'gap'))).toEqual([
          [0],
          [1],
          [2],
          [3],
        ])
      })
    })

    test('BK2 what was said before the bus was ever connected is sent once it is', async () => {
      const server = await running()
      const { heard, listener } = ears()
      open(server.port).subscribe(TOPIC, listener)
      await vi.waitFor(() => expect(heard).toContain('gap'))
      const bus = open(server.port)
      bus.publish(TOPIC, growth(1))
      await vi.waitFor(() => expect(heard).toContain(1))
    })

    test('BK1 who begins to listen is told of a gap once messages come, on a bus that has long been connected', async () => {
      const { port } = await running()
      const [one, other] = [open(port), open(port)]
      const first = ears()
      other.subscribe(TOPIC, first.listener)
      await talking(one, first.heard)
      const late = ears()
      other.subscribe('conversation:late', late.listener)
      await vi.waitFor(() => expect(late.heard).toEqual(['gap']))
      one.publish('conversation:late', growth(1))
      await vi.waitFor(() => expect(late.heard).toEqual(['gap', 1]))
    })
  })
}
