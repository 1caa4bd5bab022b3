import { createMemoryStore } from '@colloquy/adapter-memory'
import { expect, it } from 'vitest'
import { createPlatform } from '../../src/platform.ts'
import type { Store } from '../../src/ports/store.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'
import { openVisitor } from '../support/visitor.ts'

/** The store as a process sees it that is cut off right after it has claimed something. */
const cutOffAfterClaims = (store: Store, claimed: () => void): Store => ({
  ...store,
  conversations: {
    ...store.conversations,
    async claimDue(now, limit, until) {
      const due = await store.conversations.claimDue(now, limit, until)
      if (due.length === 0) return due
      claimed()
      return new Promise(() => {})
    },
  },
})

it('EN43 a process that dies between its claim and the wake-up holds up nothing for longer than a second', async () => {
  const clock = createFakeClock()
  const store = createMemoryStore()
  const runtime = createScriptedRuntime({ greeting: 'Welcome.' }, clock)
  let claims = 0
  const platform = createPlatform({ store, clock, runtime })
  await clock.advance(100)
  createPlatform({ store: cutOffAfterClaims(store, () => claims++), clock, runtime })
  // Both look twice a second. What is due 20 ms after a look of the first is seen by the second.
  await clock.advance(420)
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  const moment = (await store.conversations.nextWakeAt()) ?? 0
  await clock.advance(moment - clock.now() + 1_000)
  expect(claims).toBe(1)
  expect((await store.conversations.events(visitor.id, 0)).at(-1)?.type).toBe('SESSION_END')
})
