import { afterEach, expect } from 'vitest'
import { checkedAnswers } from '../test-support/src/checked-dispatcher.ts'

// Tests share one contract with clients: after each test, whatever a dispatcher answered in it is as its route declares
// (HT60).

afterEach(() => {
  expect(checkedAnswers().faults.join('\n\n'), 'answers that are not as their routes declare').toBe('')
})
