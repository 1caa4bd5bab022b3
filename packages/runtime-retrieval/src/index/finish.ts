import type { Steps } from '@colloquy/core/runtime'

/** Runs all steps of a short task at once. */
export function finish<Result>(work: Steps<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
