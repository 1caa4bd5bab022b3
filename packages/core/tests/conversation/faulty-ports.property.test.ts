import { eachMethod, type Method } from '@colloquy/test-support/each-method'
import { runs } from '@colloquy/test-support/runs'
import { openVisitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import { hostOf, watchUncaught } from './failing-host.ts'

const uncaught = watchUncaught()

/** Turns of the event loop after which a late promise rejects: the platform has let go of it, or not. */
const LATE = 3

async function late(name: string): Promise<never> {
  for (let turn = 0; turn < LATE; turn++) await new Promise(setImmediate)
  throw new Error(`${name} rejected late`)
}

/** The same random numbers for the same seed. */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A host all of whose ports fail now and then, once `begin` was called. */
function faultyHost(seed: number) {
  const host = hostOf()
  const next = random(seed)
  let faulty = false
  let faults = 0
  const wrap =
    (call: Method, name = ''): Method =>
    (...args) => {
      const drawn = faulty ? next() : 1
      if (drawn >= 0.2) return call(...args)
      faults++
      if (drawn < 0.07) throw new Error('at once')
      return drawn < 0.14 ? Promise.reject(new Error(`${name} rejected`)) : late(name)
    }
  const faultyPort = <Port extends object>(port: Port): Port => eachMethod(port, wrap)
  const { store, liveAgents, functions, onError, ...ports } = host
  const options: PlatformOptions = {
    runtime: faultyPort(ports.runtime),
    bus: faultyPort(ports.bus),
    clock: faultyPort(ports.clock),
    ids: faultyPort(ports.ids),
    log: faultyPort(ports.log),
    webhookSender: faultyPort(ports.webhookSender),
    embedder: { ...ports.embedder, ...faultyPort({ embed: ports.embedder.embed }) },
    store: {
      ...store,
      ...{ conversations: faultyPort(store.conversations), webhooks: faultyPort(store.webhooks) },
      access: faultyPort(store.access),
    },
    functions,
    onError: (...args) => wrap((error, where) => onError(error, String(where)))(...args),
    rateLimits: null,
    liveAgents: () => faultyPort(liveAgents),
  }
  return {
    ...{ host, options },
    set: (on: boolean) => {
      faulty = on
    },
    faults: () => faults,
  }
}

test('EM42 whatever ports throw, reject or reject late, at whatever call, no process ends, and the next visitor is answered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async seed => {
      const { host, options, set, faults } = faultyHost(seed)
      const platform = createPlatform(options)
      const visitor = await openVisitor(platform, host.clock)
      await platform.webhooks.createEndpoint(visitor.accountId, {
        name: 'hook',
        url: 'https://example.com/hook',
        eventTypes: ['conversation.completed'],
      })
      set(true)
      for (const act of [
        () => visitor.join(),
        () => visitor.say('hello'),
        () => visitor.say('broken'),
        () => visitor.say('call'),
        () => visitor.say('person'),
        () => visitor.typing('started'),
        () => visitor.say('are you there?'),
        () => host.clock.advance(2_000),
      ])
        await act().catch(() => undefined)
      await host.clock.advance(70_000)
      set(false)
      await host.clock.advance(70_000)
      await platform.idle()
      const other = await visitor.reconnect(platform)
      await other.say('hello')
      await platform.idle()
      await platform.close()
      for (let turn = 0; turn < 2 * LATE; turn++) await new Promise(setImmediate)
      expect([faults() > 0, uncaught]).toEqual([true, []])
      // An answer, words about what failed, or an end: never silence.
      expect(visitor.types().length + other.types().length).toBeGreaterThan(0)
    }),
    { numRuns: runs(12, 100) },
  )
})
