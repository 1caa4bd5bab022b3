import { afterEach, expect } from 'vitest'
import { checkedAnswers } from '../test-support/src/checked-dispatcher.ts'
import { fetchedAnswers } from '../test-support/src/checked-fetch.ts'
import { checkedFrames } from '../test-support/src/declared-frames.ts'

// Tests share one contract with clients: after each test, whatever a dispatcher answered in it, and whatever it fetched
// from a server, is as the route declares and as the OpenAPI document says (HT18, DO30), and every frame that a socket
// was sent is as its schema says (MS42).

declare module 'vitest' {
  interface TaskMeta {
    /** Number of answers of the test that were compared with the OpenAPI document. */
    answers?: number
    /** Number of socket frames that were compared with their schemas. */
    frames?: number
    /** Measurements of the test, one line each. They are printed below the run. */
    told?: readonly string[]
  }
}

afterEach(async ({ task }) => {
  const fetched = await fetchedAnswers()
  const answered = checkedAnswers()
  task.meta.answers = answered.checked + fetched.checked
  const sent = checkedFrames()
  task.meta.frames = sent.checked
  const faults = [...answered.faults, ...fetched.faults, ...sent.faults]
  expect(faults.join('\n\n'), 'answers or frames that are not as they are declared').toBe('')
})
