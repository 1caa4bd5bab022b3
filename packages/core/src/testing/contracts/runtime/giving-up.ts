import { describe, expect, it } from 'vitest'
import type { RuntimePart } from '../../../ports/agent-runtime.ts'
import type { FakeClock } from '../../fake-clock.ts'
import { type RuntimeUnderTest, TASKS } from './agent.ts'
import { aTurnOf, makeRuntime, partsOf } from './turns.ts'

/** The most parts after which a test still aborts; answers of the contract's agent are shorter. */
const MOST_PARTS = 200

const reason = () => new Error('No one waits for the turn any more.')

/** Returns the outcome of a read. `stuck`: it had not settled when all automatic work was done. */
async function settled(clock: FakeClock, read: Promise<IteratorResult<RuntimePart>>) {
  const outcome = read.then(
    next => (next.done === true ? 'over' : next.value),
    () => 'over' as const,
  )
  return Promise.race([outcome, clock.settle().then(() => 'stuck' as const)])
}

/** Rules RN20: turns that no one waits for any more. */
export function describeGivingUp(factory: RuntimeUnderTest): void {
  const start = async (message: string, until?: Promise<unknown>) => {
    const { runtime, clock } = await makeRuntime(factory)
    const controller = new AbortController()
    const { turn, calls } = aTurnOf(message, until === undefined ? {} : { until })
    const reader = runtime.respond(turn, controller.signal)[Symbol.asyncIterator]()
    return { runtime, clock, controller, reader, calls }
  }

  describe('giving up', () => {
    it('RN20 a signal that has aborted before the turn: nothing is said and nothing is called', async () => {
      const { runtime, clock } = await makeRuntime(factory)
      for (const task of [TASKS.breakfast, TASKS.note, TASKS.person]) {
        const { turn, calls } = aTurnOf(task.message)
        const reader = runtime.respond(turn, AbortSignal.abort(reason()))[Symbol.asyncIterator]()
        expect(await settled(clock, reader.next())).toBe('over')
        expect(calls).toEqual([])
      }
    })

    it.each([TASKS.breakfast, TASKS.note, TASKS.person].map(task => [task.message, task] as const))(
      'RN20 “%s”: wherever the signal aborts, no further part comes, and the turn is over at once',
      async (_, task) => {
        const { runtime } = await makeRuntime(factory)
        const whole = await partsOf(runtime, aTurnOf(task.message).turn)
        expect(whole.length).toBeLessThan(MOST_PARTS)
        for (let read = 1; read < whole.length; read += 1) {
          const { clock, controller, reader } = await start(task.message)
          for (let part = 0; part < read; part += 1) await reader.next()
          controller.abort(reason())
          expect(await settled(clock, reader.next()), `after ${read} parts`).toBe('over')
          expect(clock.pending).toBe(0)
        }
      },
    )

    it('RN20 once a turn has broken off, nothing follows', async () => {
      const { clock, controller, reader } = await start(TASKS.breakfast.message)
      await reader.next()
      controller.abort(reason())
      for (const _ of [1, 2, 3]) expect(await settled(clock, reader.next())).toBe('over')
    })

    it('RN20 a signal that aborts while a function is under way: when the function is back, nothing is said and nothing more is called', async () => {
      let release = (): void => undefined
      const until = new Promise<void>(resolve => {
        release = resolve
      })
      const { clock, controller, reader, calls } = await start(TASKS.note.message, until)
      let next = reader.next()
      while (calls.length === 0) {
        if ((await settled(clock, next)) === 'over')
          throw new Error('The turn ended before it called its function.')
        if (calls.length === 0) next = reader.next()
      }
      controller.abort(reason())
      release()
      expect(await settled(clock, next)).toBe('over')
      expect(calls).toHaveLength(1)
    })

    it('RN20 a reader that leaves in mid-stream leaves nothing behind', async () => {
      const { clock, reader, calls } = await start(TASKS.note.message)
      await reader.next()
      const left = reader.return?.() ?? Promise.resolve({ done: true as const, value: undefined })
      expect(await settled(clock, left)).toBe('over')
      expect(calls.length).toBeLessThanOrEqual(1)
      expect(clock.pending).toBe(0)
      expect(await settled(clock, reader.next())).toBe('over')
    })
  })
}
