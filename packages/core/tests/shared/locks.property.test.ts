import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSerial, Lock } from '../../src/usecases/shared/serial.ts'

const steps = fc.array(fc.constantFrom('ask' as const, 'release' as const), { maxLength: 60 })

test('a lock is held by one at a time, in the order of asking', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async given => {
      const lock = new Lock()
      /** Who asked and has not released it, the holder first. */
      const line: number[] = []
      const got: number[] = []
      const expected: number[] = []
      let newest = 0
      for (const step of given) {
        if (step === 'ask') {
          const one = newest++
          const waits = lock.acquire()
          expect(waits === null).toBe(line.length === 0)
          line.push(one)
          void waits?.then(() => got.push(one))
        } else if (line.length > 0) {
          line.shift()
          lock.release()
          if (line[0] !== undefined) expected.push(line[0])
          await null
          expect(got).toEqual(expected)
        }
        expect(lock.isHeld).toBe(line.length > 0)
      }
    }),
  )
})

test('tasks of one key run one after the other, those of others beside them, whatever fails', async () => {
  const tasks = fc.array(fc.record({ key: fc.nat(3), fails: fc.boolean() }), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(tasks, fc.scheduler(), async (given, scheduler) => {
      const serial = createSerial<number>()
      const running = new Set<number>()
      const done: { readonly key: number; readonly at: number }[] = []
      const outcomes = given.map(({ fails, key }, at) =>
        serial(key, async () => {
          expect(running.has(key)).toBe(false)
          running.add(key)
          await scheduler.schedule(Promise.resolve())
          running.delete(key)
          done.push({ key, at })
          if (fails) throw new Error('It fails.')
        }).then(
          () => false,
          () => true,
        ),
      )
      await scheduler.waitFor(Promise.all(outcomes))
      expect(await Promise.all(outcomes)).toEqual(given.map(({ fails }) => fails))
      for (const key of new Set(given.map(one => one.key))) {
        const order = done.filter(one => one.key === key).map(({ at }) => at)
        expect(order).toEqual(order.toSorted((one, other) => one - other))
      }
    }),
  )
})
