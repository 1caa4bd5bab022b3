/** Thrown out of a check that takes more steps than it may. */
export class TooManySteps extends Error {}

/** Counts the steps of one check at a time: a check runs to its end without a pause. */
export interface Meter {
  /** Begins a check. */
  start(): void
  /** @throws TooManySteps */
  take(steps: number): void
}

/** Returns a meter that stops checks after that many steps. */
export function createMeter(limit: number): Meter {
  let left = limit
  return {
    start() {
      left = limit
    },
    take(steps) {
      left -= steps
      if (left < 0) throw new TooManySteps()
    },
  }
}
