import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTimeouts } from '../../src/shared/timeouts.ts'

const LENGTH = 100

/** A clock that is put forward by hand, with the tasks that it has been given. */
function handClock() {
  const tasks = new Map<() => void, number>()
  let now = 0
  return {
    tasks,
    monotonic: () => now,
    schedule(delay: number, task: () => void) {
      const one = (): void => task()
      tasks.set(one, now + delay)
      return () => void tasks.delete(one)
    },
    advance(milliseconds: number) {
      now += milliseconds
      for (const [task, due] of [...tasks]) if (due <= now && tasks.delete(task)) task()
    },
  }
}

const steps = fc.array(
  fc.oneof(
    fc.constant({ type: 'start' } as const),
    fc.record({ type: fc.constant('stop' as const), one: fc.nat() }),
    fc.record({ type: fc.constant('wait' as const), milliseconds: fc.integer({ min: 1, max: 120 }) }),
  ),
  { maxLength: 200 },
)

test('SY1 timeouts of one length fire once, in their order, unless they were stopped; one timer serves them all', () => {
  fc.assert(
    fc.property(steps, given => {
      const clock = handClock()
      const timeouts = createTimeouts(clock, LENGTH)
      const started: { readonly due: number; readonly stop: () => void }[] = []
      const running = new Set<number>()
      const fired: number[] = []
      const expected: number[] = []
      for (const step of given) {
        if (step.type === 'start') {
          const number = started.length
          const stop = timeouts.start(() => void fired.push(number))
          started.push({ due: clock.monotonic() + LENGTH, stop })
          running.add(number)
        } else if (step.type === 'stop') {
          // Also one that has fired, and one that was stopped before.
          const number = step.one % Math.max(started.length, 1)
          started[number]?.stop()
          running.delete(number)
        } else {
          clock.advance(step.milliseconds)
          for (const number of [...running]) {
            if ((started[number]?.due ?? 0) > clock.monotonic()) continue
            running.delete(number)
            expected.push(number)
          }
        }
        expect(fired).toEqual(expected)
        expect(clock.tasks.size).toBe(running.size > 0 ? 1 : 0)
      }
    }),
  )
})
