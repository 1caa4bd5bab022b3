import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asId, type ConversationId } from '../src/domain/ids.ts'
import { createLocalBus } from '../src/local-bus.ts'
import type { Bus, Notice } from '../src/ports/bus.ts'

const conversation = (name: string): ConversationId => asId<ConversationId>(name)
const notice = (sequence: number): Notice => ({ sequence, events: [], transients: [] })
const A = conversation('a')
const B = conversation('b')

/** Subscribes and keeps the sequences that came. */
const listen = (bus: Bus, id: ConversationId): { readonly seen: number[]; readonly stop: () => void } => {
  const seen: number[] = []
  return { seen, stop: bus.subscribe(id, ({ sequence }) => seen.push(sequence)) }
}

describe('the local bus', () => {
  test('LB1 every listener of a conversation, and nobody else, has a notice when publish returns', () => {
    const bus = createLocalBus()
    const [first, second, other] = [listen(bus, A), listen(bus, A), listen(bus, B)]
    bus.publish(A, notice(1))
    expect(first.seen).toEqual([1])
    expect(second.seen).toEqual([1])
    expect(other.seen).toEqual([])
  })

  test('LB1 publishing to nobody is no error', () => {
    expect(() => createLocalBus().publish(A, notice(1))).not.toThrow()
  })

  test('LB1 names of properties of every object are ordinary conversation ids', () => {
    const bus = createLocalBus()
    for (const name of ['__proto__', 'constructor', 'toString', 'error']) {
      const { seen } = listen(bus, conversation(name))
      bus.publish(conversation(name), notice(7))
      expect(seen).toEqual([7])
    }
  })

  test('LB2 a notice published by a listener comes after the one being delivered, for everybody', () => {
    const bus = createLocalBus()
    bus.subscribe(A, ({ sequence }) => {
      if (sequence < 4) bus.publish(A, notice(sequence + 1))
    })
    const { seen } = listen(bus, A)
    bus.publish(A, notice(1))
    expect(seen).toEqual([1, 2, 3, 4])
  })

  test('LB3 a listener that throws harms no other, and the host is told', () => {
    const told: unknown[] = []
    const bus = createLocalBus((error, where) => told.push([error, where]))
    const failure = new Error('broken listener')
    const before = listen(bus, A)
    bus.subscribe(A, () => {
      throw failure
    })
    const after = listen(bus, A)
    bus.publish(A, notice(1))
    bus.publish(A, notice(2))
    expect(before.seen).toEqual([1, 2])
    expect(after.seen).toEqual([1, 2])
    expect(told).toEqual([
      [failure, 'bus listener'],
      [failure, 'bus listener'],
    ])
  })

  test('LB3 an onError that throws does not stop the bus for good', () => {
    const bus = createLocalBus(error => {
      throw error
    })
    const stop = bus.subscribe(A, () => {
      throw new Error('broken listener')
    })
    expect(() => bus.publish(A, notice(1))).toThrow('broken listener')
    stop()
    const { seen } = listen(bus, A)
    bus.publish(A, notice(2))
    expect(seen).toEqual([2])
  })

  test('LB4 a subscription that ended hears nothing more, not even of the notice being delivered', () => {
    const bus = createLocalBus()
    let stopSecond = (): void => {}
    bus.subscribe(A, () => stopSecond())
    const second = listen(bus, A)
    stopSecond = second.stop
    bus.publish(A, notice(1))
    second.stop()
    bus.publish(A, notice(2))
    expect(second.seen).toEqual([])
  })

  test('LB4 a listener that subscribed twice hears twice, and each subscription ends by itself', () => {
    const bus = createLocalBus()
    const seen: number[] = []
    const listener = ({ sequence }: Notice): number => seen.push(sequence)
    const stop = bus.subscribe(A, listener)
    bus.subscribe(A, listener)
    bus.publish(A, notice(1))
    stop()
    bus.publish(A, notice(2))
    expect(seen).toEqual([1, 1, 2])
  })

  test('LB1 LB4 any history of subscribing, leaving and publishing delivers to exactly those who listen', () => {
    const step = fc.record({
      act: fc.constantFrom('subscribe', 'leave', 'publish'),
      of: fc.constantFrom(A, B),
      pick: fc.nat(9),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const bus = createLocalBus()
        const all: {
          of: ConversationId
          seen: number[]
          expected: number[]
          stop: () => void
          on: boolean
        }[] = []
        steps.forEach(({ act, of, pick }, sequence) => {
          const chosen = all[pick]
          if (act === 'subscribe') all.push({ of, expected: [], on: true, ...listen(bus, of) })
          else if (act === 'publish') {
            for (const one of all) if (one.on && one.of === of) one.expected.push(sequence)
            bus.publish(of, notice(sequence))
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
