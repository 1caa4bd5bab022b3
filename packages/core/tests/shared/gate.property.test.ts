import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGate } from '../../src/shared/gate.ts'

/** Turns of an event loop that come when they are told to. */
function handLoop() {
  let waiting: (() => void)[] = []
  return {
    othersTurn: () => new Promise<void>(resolve => void waiting.push(resolve)),
    get awaited() {
      return waiting.length
    },
    async turn() {
      const now = waiting
      waiting = []
      for (const go of now) go()
      // Everything that follows from it happens within the turn.
      await new Promise(setImmediate)
    },
  }
}

const steps = fc.array(
  fc.oneof(fc.record({ come: fc.integer({ min: 1, max: 12 }) }), fc.constant('turn' as const)),
  { maxLength: 40 },
)

test('all pass in the order in which they came, so many in a turn, and none waits without need', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 8 }), steps, async (most, given) => {
      const loop = handLoop()
      const gate = createGate(most, loop.othersTurn)
      const passed: number[] = []
      let came = 0
      let inTurn = 0
      const pass = (one: number): void => {
        passed.push(one)
        inTurn++
      }
      const takeTurn = async (): Promise<void> => {
        inTurn = 0
        await loop.turn()
        expect(inTurn).toBeLessThanOrEqual(most)
        expect(inTurn === most || passed.length === came).toBe(true)
      }
      for (const step of given) {
        if (step === 'turn') await takeTurn()
        else
          for (let count = step.come; count > 0; count--) {
            const one = ++came
            const may = inTurn < most
            gate.enter({ pass: () => pass(one) })
            expect(passed.at(-1) === one).toBe(may)
          }
      }
      while (loop.awaited > 0) await takeTurn()
      expect(passed).toEqual(Array.from({ length: came }, (_, index) => index + 1))
    }),
  )
})

test('a gate through which nobody passes awaits nothing', async () => {
  const loop = handLoop()
  const gate = createGate(2, loop.othersTurn)
  expect(loop.awaited).toBe(0)
  gate.enter({ pass: () => undefined })
  expect(loop.awaited).toBe(1)
  await loop.turn()
  await loop.turn()
  expect(loop.awaited).toBe(0)
})
