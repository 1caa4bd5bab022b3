import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLocks } from '../../src/usecases/shared/serial.ts'

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: fc.constant('ask' as const), key: fc.nat(5) }) },
    { weight: 6, arbitrary: fc.record({ type: fc.constant('release' as const), key: fc.nat(5) }) },
    // More than are kept: some of them stay held for good.
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('crowd' as const),
        size: fc.integer({ min: 1, max: 6_000 }),
        held: fc.integer({ min: 2, max: 7_000 }),
      }),
    },
  ),
  { maxLength: 60 },
)

test('SY8 a lock is held by one at a time, in the order of asking, however many keys come and go', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async given => {
      const locks = createLocks<number>()
      /** Who asked for a key and has not released it, the holder first. */
      const asked = new Map<number, number[]>()
      const got: number[] = []
      const expected: number[] = []
      let [newest, fresh] = [0, 100]
      for (const step of given) {
        if (step.type === 'crowd') {
          for (let count = 1; count <= step.size; count++) {
            const key = fresh++
            expect(locks.acquire(key)).toBeNull()
            if (count % step.held !== 0) locks.release(key)
          }
          continue
        }
        const line = asked.get(step.key) ?? []
        asked.set(step.key, line)
        if (step.type === 'ask') {
          const one = newest++
          const waits = locks.acquire(step.key)
          expect(waits === null).toBe(line.length === 0)
          line.push(one)
          if (waits === null) continue
          void waits.then(() => got.push(one))
        } else if (line.length > 0) {
          line.shift()
          locks.release(step.key)
          if (line[0] !== undefined) expected.push(line[0])
          await null
          expect(got).toEqual(expected)
        }
      }
    }),
    { numRuns: 60 },
  )
})
