import { expect, onTestFinished, vi } from 'vitest'
import { createPlatform } from '../../packages/core/src/platform.ts'
import type { Bus } from '../../packages/core/src/ports/bus.ts'
import { silentLog } from '../../packages/core/src/ports/log.ts'
import type { Store } from '../../packages/core/src/ports/store/store.ts'
import { createFakeClock, createScriptedRuntime } from '../../packages/core/src/testing/index.ts'
import { openVisitor } from './visitor.ts'

/**
 * Two platforms over one store, each with an end of a bus: what a visitor and the agent say in one reaches the visitor's
 * other connection in the other, both ways. Their clock stands still, so that nobody finds it by looking again.
 */
export async function talkAcrossPlatforms(open: { readonly store: () => Store; readonly bus: () => Bus }) {
  const clock = createFakeClock(Date.UTC(2026, 0, 1))
  const errors: unknown[] = []
  const start = () => {
    const platform = createPlatform({
      log: silentLog,
      store: open.store(),
      bus: open.bus(),
      runtime: createScriptedRuntime(
        {
          greeting: 'Welcome.',
          otherwise: ({ input }) => (input.type === 'message' ? `I heard: ${input.text}` : ''),
        },
        clock,
      ),
      clock,
      rateLimits: null,
      onError: error => errors.push(error),
    })
    onTestFinished(() => platform.close())
    return platform
  }
  const [first, second] = [start(), start()]
  const one = await openVisitor(first, clock)
  const other = await one.reconnect(second)
  await one.join()
  for (const [number, from, to] of [
    [1, one, other],
    [2, other, one],
    [3, one, other],
  ] as const) {
    await from.say(`Line ${number}`)
    await vi.waitFor(() => expect(to.texts('AI_AGENT_MESSAGE')).toContain(`I heard: Line ${number}`))
  }
  expect(other.sequences()).toEqual(one.sequences())
  expect(errors).toEqual([])
}
