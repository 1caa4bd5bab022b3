import { afterEach, beforeEach, vi } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import { createFakeClock, createScriptedRuntime, createSequentialIds } from '../../src/testing/index.ts'
import { does } from './functions/support.ts'

/** How a method of a host may fail. */
export const WAYS = {
  throws: () => {
    throw new Error('the host failed')
  },
  rejects: () => Promise.reject(new Error('the host failed')),
  'throws what has no text': () => {
    throw Object.create(null)
  },
} as const
/** What no one caught in a test. Nothing of what fails is printed. */
export function watchUncaught(): readonly unknown[] {
  const uncaught: unknown[] = []
  const note = (error: unknown) => {
    uncaught.push(error)
  }
  beforeEach(() => {
    uncaught.length = 0
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    process.on('unhandledRejection', note).on('uncaughtException', note)
  })

  afterEach(() => {
    vi.restoreAllMocks()
    process.off('unhandledRejection', note).off('uncaughtException', note)
  })
  return uncaught
}

/** A whole host: every port is the test's own. */
export function hostOf() {
  const clock = createFakeClock()
  const options = {
    store: createMemoryStore(),
    runtime: {
      ...createScriptedRuntime(
        {
          greeting: 'Welcome.',
          messages: {
            broken: [{ type: 'fail', message: 'the model is down' }],
            call: async turn => `It ${(await turn.callFunction('work', {})).error ?? 'worked'}.`,
            person: ['One moment.', { type: 'handoff', destination: 'reception', reason: 'asked' }],
          },
          otherwise: 'Certainly.',
        },
        clock,
      ),
      prepare: async () => {},
    },
    functions: { work: does(() => 'done') },
    bus: createLocalBus(),
    clock,
    ids: createSequentialIds(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    onError: (_error: unknown, _where: string): void => {},
    embedder: {
      id: 'toy',
      embed: async (texts: readonly string[]) => texts.map(text => new Float32Array([1, text.length])),
    },
    webhookSender: {
      objection: () => null,
      send: async () => ({ type: 'answered', status: 204 }) as const,
    },
    liveAgents: {
      request: async () => {},
      forward: async () => {},
      visitorTyping: async () => {},
      cancel: async () => {},
    },
  } as const
  return options
}
export type Host = ReturnType<typeof hostOf>
