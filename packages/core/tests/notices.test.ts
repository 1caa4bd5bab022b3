import { busParts } from '@colloquy/test-support/bus-ends'
import { createNetwork } from '@colloquy/test-support/network'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConversationId } from '../src/domain/ids.ts'
import { createNotices } from '../src/guarded/notices.ts'
import type { Bus, BusListener, BusMessage } from '../src/ports/bus.ts'
import { type Notices, type NoticeTopic, topics } from '../src/ports/notices.ts'
import { createFakeClock } from '../src/testing/index.ts'

const A = 'a'
const B = 'b'
const notice = (sequence: number) => ({ sequence, events: [], transients: [] })
const quietly = (): void => {}

/** Subscribes to a conversation and keeps the sequences that came, and `gap`. */
function listen(notices: Notices, id: ConversationId) {
  const seen: (number | 'gap')[] = []
  const subscription = notices.subscribe(topics.conversation(id), {
    notice: ({ sequence }) => void seen.push(sequence),
    gap: () => void seen.push('gap'),
  })
  return { seen, stop: () => subscription.end() }
}
const say = (notices: Notices, id: ConversationId, sequence: number): void =>
  notices.publish(topics.conversation(id), notice(sequence))

/** Resolves when the key of the bus is read. */
async function ready(notices: Notices): Promise<void> {
  notices.subscribe('question', { notice() {}, gap() {} }).end()
  await new Promise(resolve => setImmediate(resolve))
}

/** A bus that keeps what it is told, and whose listeners a test can call. */
function recordingBus() {
  const published: [NoticeTopic, BusMessage][] = []
  const listeners = new Map<NoticeTopic, BusListener>()
  const bus: Bus = {
    publish: (topic, message) => void published.push([topic, message]),
    subscribe(topic, listener) {
      if (listeners.has(topic)) throw new Error(`two subscriptions to ${topic}`)
      listeners.set(topic, listener)
      return () => void listeners.delete(topic)
    },
  }
  return { bus, published, listeners }
}

describe('notices within a process', () => {
  test('NT1 every listener of a topic, and no one else, has a notice when publish returns', () => {
    const notices = createNotices(null, busParts('here'))
    const [first, second, other] = [listen(notices, A), listen(notices, A), listen(notices, B)]
    say(notices, A, 1)
    expect([first.seen, second.seen, other.seen]).toEqual([[1], [1], []])
  })

  test('NT1 topics of different kinds never meet, whatever the ids hold', () => {
    const notices = createNotices(null, busParts('here'))
    for (const name of [
      '__proto__',
      'constructor',
      'question',
      'line:a',
      'credential:a',
      'conversation:a',
      'a',
      '',
    ]) {
      const heard: string[] = []
      const subscriptions = [
        notices.subscribe(topics.line(name), { notice: () => void heard.push('line'), gap() {} }),
        notices.subscribe(topics.credential(name), {
          notice: () => void heard.push('credential'),
          gap() {},
        }),
        notices.subscribe(topics.question, { notice: () => void heard.push('question'), gap() {} }),
      ]
      say(notices, name, 1)
      expect(heard).toEqual([])
      notices.publish(topics.line(name), { changed: true })
      notices.publish(topics.credential(name), { changed: true })
      expect(heard).toEqual(['line', 'credential'])
      for (const subscription of subscriptions) subscription.end()
    }
  })

  test('NT1 a listener that throws harms no other, and the host is told', () => {
    const told: unknown[] = []
    const notices = createNotices(
      null,
      busParts('here', (error, where) => told.push([error, where])),
    )
    const failure = new Error('broken listener')
    const before = listen(notices, A)
    notices.subscribe(topics.conversation(A), {
      notice() {
        throw failure
      },
      gap() {},
    })
    const after = listen(notices, A)
    say(notices, A, 1)
    say(notices, A, 2)
    expect([before.seen, after.seen]).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(told).toEqual([
      [failure, 'notice'],
      [failure, 'notice'],
    ])
  })

  test('NT1 a subscription that ended hears nothing more, not even the notice being delivered', () => {
    const notices = createNotices(null, busParts('here'))
    let stopSecond = quietly
    notices.subscribe(topics.conversation(A), { notice: () => stopSecond(), gap() {} })
    const second = listen(notices, A)
    stopSecond = second.stop
    say(notices, A, 1)
    second.stop()
    say(notices, A, 2)
    expect(second.seen).toEqual([])
  })

  test('NT1 any history of subscribing, leaving and publishing delivers to exactly those who listen, with and without a bus', async () => {
    const step = fc.record({
      act: fc.constantFrom('subscribe', 'leave', 'publish'),
      of: fc.constantFrom(A, B),
      pick: fc.nat(9),
      process: fc.nat(1),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.boolean(), async (steps, shared) => {
        const network = createNetwork()
        const processes = ['here', 'there'].map(name =>
          createNotices(
            shared ? network.bus() : null,
            busParts(name, error => expect.fail(String(error))),
          ),
        )
        await Promise.all(processes.map(ready))
        const all: {
          of: string
          at: number
          expected: number[]
          on: boolean
          seen: unknown
          stop: () => void
        }[] = []
        steps.forEach(({ act, of, pick, process }, sequence) => {
          const notices = processes[process]
          const chosen = all[pick]
          if (notices === undefined) return
          if (act === 'subscribe')
            all.push({ of, at: process, expected: [], on: true, ...listen(notices, of) })
          else if (act === 'publish') {
            for (const one of all)
              if (one.on && one.of === of && (shared || one.at === process)) one.expected.push(sequence)
            say(notices, of, sequence)
          } else if (chosen) {
            chosen.on = false
            chosen.stop()
          }
        })
        for (const { seen, expected } of all) expect(seen).toEqual(expected)
      }),
    )
  })
})

describe('notices over the host’s bus', () => {
  test('a topic is subscribed to once, while someone listens', () => {
    const { bus, listeners } = recordingBus()
    const notices = createNotices(
      bus,
      busParts('here', error => expect.fail(String(error))),
    )
    const [one, two] = [listen(notices, A), listen(notices, A)]
    expect([...listeners.keys()]).toEqual(['conversation:a'])
    one.stop()
    one.stop()
    expect(listeners.size).toBe(1)
    two.stop()
    expect(listeners.size).toBe(0)
  })

  test('what comes back from the bus is not heard again', async () => {
    const { bus, published, listeners } = recordingBus()
    const notices = createNotices(bus, busParts('here'))
    await ready(notices)
    const { seen } = listen(notices, A)
    say(notices, A, 1)
    const at = createFakeClock().now()
    const signature = expect.stringMatching(/^[0-9a-f]{32}$/)
    expect(published).toEqual([
      ['conversation:a', { from: 'here', number: 0, at, notice: notice(1), signature }],
    ])
    for (const [topic, message] of published) listeners.get(topic)?.message(message)
    expect(seen).toEqual([1])
  })

  test('NT1 a gap is told to every listener of the topic', () => {
    const { bus, listeners } = recordingBus()
    const notices = createNotices(bus, busParts('here'))
    const [one, two] = [listen(notices, A), listen(notices, A)]
    listeners.get('conversation:a')?.gap()
    expect([one.seen, two.seen]).toEqual([['gap'], ['gap']])
  })

  test.each<[string, Partial<Bus>, string]>([
    ['does not let subscribe', { subscribe: () => expect.fail('no broker') }, 'bus subscribe'],
    ['returns no function', { subscribe: () => Reflect.get({}, 'stop') }, 'bus subscribe'],
    ['does not publish', { publish: () => expect.fail('no broker') }, 'bus publish'],
  ])(
    'BU7 with a bus that %s everything is heard in this process, and the host is told',
    async (_, broken, where) => {
      const told: string[] = []
      const notices = createNotices(
        { ...recordingBus().bus, ...broken },
        busParts('here', (_error, place) => told.push(place)),
      )
      await ready(notices)
      const { seen, stop } = listen(notices, A)
      say(notices, A, 1)
      stop()
      say(notices, A, 2)
      expect(seen).toEqual([1])
      expect(new Set(told)).toEqual(new Set([where]))
    },
  )
})
