import { describe, expect, test } from 'vitest'
import { beginning, step } from '../../src/ag-ui/conversation.ts'
import { isDeep, readRun } from '../../src/ag-ui/run-input.ts'

const input = (more: object) => JSON.stringify({ threadId: 't', runId: 'r', messages: [], ...more })
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

describe('inputs of runs', () => {
  test('UI7 what nests deeper than 32 levels is refused before it is parsed', () => {
    const body = (levels: number) => `{"threadId":"t","runId":"r","messages":[],"state":${nested(levels)}}`
    expect([31, 32, 400_000].map(levels => isDeep(body(levels)))).toEqual([false, true, true])
    // Brackets in a text are none, also behind an escaped quote.
    expect(isDeep(input({ state: '\\"['.repeat(100) }))).toBe(false)
  })

  test('UI7 too large a state is refused', () => {
    expect(readRun(input({ state: 'x'.repeat(8) }), 10)).not.toBeNull()
    expect(readRun(input({ state: 'x'.repeat(9) }), 10)).toBeNull()
  })

  test('UI7 a message that is told costs the same, however many are known', () => {
    const known = new Set(Array.from({ length: 10_000 }, (_, at) => `known ${at}`))
    let copies = 0
    const counted: ReadonlySet<string> = new Proxy(known, {
      get(target, name) {
        if (name === Symbol.iterator) copies += 1
        const found: unknown = Reflect.get(target, name, target)
        return typeof found === 'function' ? found.bind(target) : found
      },
    })
    let progress = beginning(counted, 0)
    const first = progress.known
    for (let sequence = 1; sequence <= 100; sequence++) {
      const payload = { message_id: `m${sequence}`, text: 'x' }
      const event = { type: 'AI_AGENT_MESSAGE' as const, sequence, payload }
      progress = step(progress, event, null)[0]
    }
    expect(copies).toBe(1)
    expect(progress.known).toBe(first)
    expect(progress.known.size).toBe(10_100)
  })
})
