import { afterAll, beforeAll, expect } from 'vitest'
import { listeners, surroundings, traces } from './process-traces.ts'

// Test files share processes. This runs around each file, so that the one that changed its process fails, and not a
// later one (TS3).

const found = surroundings()
let heard = listeners()

beforeAll(() => {
  heard = listeners()
})

afterAll(() => {
  const left = [...traces(found, surroundings()), ...traces(heard, listeners())]
  expect(left.join(', '), 'what this file has changed in its process and not put back').toBe('')
})
