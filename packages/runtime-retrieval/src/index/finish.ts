import type { Steps } from '@colloquy/core/runtime'

/** Does all steps of a small work at once. */
export function finish<Result>(work: Steps<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
