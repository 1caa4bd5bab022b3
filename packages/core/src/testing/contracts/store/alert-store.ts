import { describe } from 'vitest'
import { describeAlertRules } from './alert-rules.ts'
import { describeCounters } from './counters.ts'
import type { StoreFactory } from './tools.ts'

/** Declares the tests of the `AlertStore` port (rules SL1 to SL26) for one adapter. To be called in a vitest file. */
export function testAlertStore(name: string, factory: StoreFactory): void {
  describe(`${name}: alert store`, () => {
    describeAlertRules(factory)
    describeCounters(factory)
  })
}
