import type { Background, Steps } from '../ports/background.ts'

/** The event loop, as work in slices needs it. */
export interface EventLoop {
  /** Milliseconds, with fractions, of a clock that never goes back. */
  now(): number
  /** Resolves after everything else that is ready has had its turn. */
  turn(): Promise<void>
}

/** The length of a slice, milliseconds. It ends once the step in progress is done. */
const SLICE = 2

/** A work that has begun, and what to do when it is over. */
interface Begun {
  /** Runs steps until the slice is over; returns true when there is no more to do. */
  slice(): boolean
}

/** Does work in slices, one slice for each turn of the event loop, however much work there is (IX6). */
export function createBackground(loop: EventLoop): Background {
  const waiting: Begun[] = []
  let pumping = false

  async function pump(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await loop.turn()
      if (!next.slice()) waiting.push(next)
    }
    pumping = false
  }

  return {
    run<Result>(work: Steps<Result>): Promise<Result> {
      return new Promise((resolve, reject) => {
        waiting.push({
          slice() {
            const until = loop.now() + SLICE
            try {
              do {
                const step = work.next()
                if (step.done === true) {
                  resolve(step.value)
                  return true
                }
              } while (loop.now() < until)
            } catch (error) {
              reject(error)
              return true
            }
            return false
          },
        })
        if (pumping) return
        pumping = true
        void pump()
      })
    },
  }
}
