import { testLimitedPlatforms } from '@colloquy/test-support/limited-platforms'
import { systemClock } from '../../src/system/system.ts'
import { createLocalLimits } from '../../src/usecases/access/local-limits.ts'

{
  let shared = createLocalLimits(systemClock)
  testLimitedPlatforms('limits of one process', first => {
    if (first) shared = createLocalLimits(systemClock)
    return shared
  })
}
