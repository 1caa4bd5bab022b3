import { onTestFinished } from 'vitest'
import { testLimits } from '../../src/testing/contracts/index.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { createLocalLimits } from '../../src/usecases/access/local-limits.ts'

{
  const clock = createFakeClock()
  let shared: ReturnType<typeof createLocalLimits> | null = null
  testLimits('limits of one process', {
    async connect() {
      if (shared === null) {
        shared = createLocalLimits(clock)
        onTestFinished(() => {
          shared = null
        })
      }
      return { limits: shared, close: async () => {} }
    },
    now: () => clock.monotonic(),
    pass: milliseconds => clock.advance(milliseconds),
  })
}
