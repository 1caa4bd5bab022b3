import { createMemoryStore } from '@colloquy/core/memory'
import type { HandoffId } from '../../packages/core/src/domain/ids.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../../packages/core/src/platform.ts'
import { silentLog } from '../../packages/core/src/ports/log.ts'
import type { Store } from '../../packages/core/src/ports/store/store.ts'
import { createLocalBus } from '../../packages/core/src/system/local-bus.ts'
import {
  createFakeClock,
  createScriptedRuntime,
  createSequentialIds,
} from '../../packages/core/src/testing/index.ts'
import type { SessionOptions } from '../../packages/core/src/usecases/messaging/create-session.ts'
import { eachMethod } from './each-method.ts'
import { openVisitor, type Visitor } from './visitor.ts'

export const ADA = { id: 'a1', name: 'Ada', avatarUrl: '' }

/** The first handoff of a visitor. */
export const handoffOf = (visitor: Visitor, ordinal = 1): HandoffId => `${visitor.id}.${ordinal}`

const TO_RECEPTION = { type: 'handoff', destination: 'reception', reason: 'asked' } as const

/** A store that counts the calls of its conversations' part, by method. */
function counted(store: Store) {
  const calls = new Map<string, number>()
  const conversations = eachMethod(store.conversations, (call, name) => (...args) => {
    calls.set(name, (calls.get(name) ?? 0) + 1)
    return call(...args)
  })
  return { store: { ...store, conversations }, calls }
}

/**
 * Processes over one store, a bus and a clock; visitors ask for a person with "person", or with "sales" for another
 * queue.
 */
export function createDeskBench() {
  const clock = createFakeClock()
  const bus = createLocalBus()
  const { store, calls } = counted(createMemoryStore())
  const ids = createSequentialIds()
  const errors: unknown[] = []
  const runtime = createScriptedRuntime(
    {
      greeting: 'Welcome.',
      messages: {
        person: ['One moment.', TO_RECEPTION],
        'slow handoff': [{ type: 'wait', milliseconds: 1_000 }, TO_RECEPTION],
      },
      otherwise: 'Certainly.',
    },
    clock,
  )
  const start = (options: Partial<PlatformOptions> = {}): Platform =>
    createPlatform({
      log: silentLog,
      ...{ store, bus, clock, ids, runtime, rateLimits: null },
      onError: error => errors.push(error),
      ...options,
    })
  return {
    clock,
    errors,
    store,
    calls,
    start,
    /** A visitor who waits in the queue. */
    async waiting(platform: Platform, session: Partial<SessionOptions> = {}): Promise<Visitor> {
      const visitor = await openVisitor(platform, clock, false, session)
      await visitor.join()
      await visitor.say('person')
      return visitor
    },
  }
}
