import { describe } from 'vitest'
import type { RuntimeUnderTest } from './agent.ts'
import { describeAnswers } from './answers.ts'
import { describeGivingUp } from './giving-up.ts'
import { describeHostileText } from './hostile-text.ts'
import { describeOverPlatform } from './over-platform.ts'

/**
 * Declares the tests of the runtime port for one runtime (rules RN3 and following). To be called at the top level of a
 * vitest file:
 *
 *     testRuntime('my runtime', { make: () => createMyRuntime(), openStore: async () => createMemoryStore() })
 *
 * A runtime that passes may be handed to the platform.
 */
export function testRuntime(name: string, factory: RuntimeUnderTest): void {
  describe(`${name}: runtime`, () => {
    describeAnswers(factory)
    describeGivingUp(factory)
    describeHostileText(factory)
    describeOverPlatform(factory)
  })
}
