import { eachMethod, type Method } from '@colloquy/test-support/each-method'
import { runs } from '@colloquy/test-support/runs'
import { openVisitor } from '@colloquy/test-support/visitor'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import { NO_SPAN } from '../../src/ports/telemetry.ts'
import {
  createScriptedCallProvider,
  createScriptedCarrier,
  createScriptedSpeech,
} from '../../src/testing/index.ts'
import { hostOf, watchUncaught } from './failing-host.ts'

const uncaught = watchUncaught()

/** Turns of the event loop after which a late promise rejects: the platform has let go of it, or not. */
const LATE = 3
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
}

const NUMBERS = { from: '+12025550111', to: '+12025550100' }

/** Those that a host may give, with the listener and `onError` as `host`, and with a telemetry's spans. */
const PORTS = [
  ...[
    'bus',
    'calls',
    'carrier',
    'clock',
    'embedder',
    'functions',
    'host',
    'ids',
    'limits',
    'liveAgents',
    'log',
  ],
  ...['recordings', 'runtime', 'source', 'span', 'speech', 'store', 'telemetry', 'webhookSender'],
]
const SOUND = { direction: 'user', redacted: false } as const

/** Between 0 and 1, the same for the same seed and text. */
function drawn(seed: number, text: string): number {
  let hash = seed
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 2_654_435_761) >>> 0
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

const partOf = (port: string): string => port.slice(0, port.indexOf('.'))

/**
 * A host all of whose ports fail now and then, while it is told to: they throw, reject, reject late, or hang until the
 * host is well again. Which call fails depends on its port and its number alone.
 */
function faultyHost(seed: number) {
  const host = hostOf()
  const failingClock = seed % 2 === 0
  const counts = new Map<string, number>()
  let recover: (() => void) | null = null
  let recovered = Promise.resolve()

  /** Some ports of a host fail often, some hardly ever; in the host of seed 0 none does. */
  const rateOf = (port: string): number => {
    if (seed === 0 || (partOf(port) === 'clock' && !failingClock)) return 0
    return 0.6 * drawn(seed, partOf(port)) ** 2
  }

  /** The call, or one of its failures. */
  function attempt<Result>(port: string, hangs: boolean, call: () => Result): Result | Promise<Result> {
    const count = (counts.get(port) ?? 0) + 1
    counts.set(port, count)
    const draw = recover === null ? 1 : drawn(seed, `${port} ${count}`) / rateOf(port)
    if (draw >= 1) return call()
    if (draw < 0.3) throw new Error(`${port} throws`)
    if (draw < 0.5) return Promise.reject(new Error(`${port} rejects`))
    if (draw < 0.7 || !hangs) return turns(LATE).then(() => Promise.reject(new Error(`${port} rejects late`)))
    return recovered.then(call)
  }

  async function* faultyParts(port: string, parts: AsyncIterable<unknown>): AsyncGenerator {
    for await (const part of parts) yield await attempt(port, true, () => part)
  }
  const isParts = (result: unknown): result is AsyncIterable<unknown> =>
    typeof result === 'object' && result !== null && Symbol.asyncIterator in result

  const wrap =
    (port: string, hangs: boolean) =>
    (call: Method, name: string): Method =>
    (...args) => {
      const called = `${port}.${name}`
      if (name === 'close') return call(...args)
      return attempt(called, hangs, () => {
        const result = call(...args)
        return isParts(result) ? faultyParts(called, result) : result
      })
    }
  const faulty = <Port extends object>(name: string, port: Port, hangs = true): Port =>
    eachMethod(port, wrap(name, hangs))

  const { liveAgents, functions, onError, ...ports } = host
  const options: PlatformOptions = {
    store: faulty('store', ports.store),
    runtime: faulty('runtime', ports.runtime),
    functions: faulty('functions', functions),
    functionSources: faulty('source', { functions: () => ({}) }, false),
    liveAgents: () => faulty('liveAgents', liveAgents),
    webhookSender: faulty('webhookSender', ports.webhookSender),
    embedder: { ...ports.embedder, ...faulty('embedder', { embed: ports.embedder.embed }) },
    textCarrier: faulty('carrier', createScriptedCarrier()),
    callProvider: faulty('calls', createScriptedCallProvider()),
    speechProvider: faulty('speech', createScriptedSpeech()),
    recordings: faulty('recordings', { open: async () => (async function* () {})() }),
    sharedLimits: faulty('limits', {
      take: async () => ({ taken: true, tokens: 1 }),
      peek: async () => 1,
      hold: async () => true,
      renew: async () => undefined,
      release: async () => undefined,
    }),
    telemetry: faulty('telemetry', { begin: () => faulty('span', NO_SPAN, false), measure() {} }, false),
    bus: faulty('bus', ports.bus),
    clock: faulty('clock', ports.clock, false),
    ids: faulty('ids', ports.ids, false),
    log: faulty('log', ports.log, false),
    onError: (error, where) => wrap('host', false)(() => onError(error, where), 'onError')(),
  }
  return {
    ...{ host, options, failingClock },
    /** The ports that were called. */
    called: () => [...new Set([...counts.keys()].map(partOf))].sort(),
    /** Has a part of the host that is no port fail as well. */
    listener: () => wrap('host', true)(() => undefined, 'listener')(),
    fail() {
      recovered = new Promise(resolve => {
        recover = resolve
      })
    },
    recover() {
      recover?.()
      recover = null
    },
  }
}

test('EM1 whatever ports throw, reject, reject late or hang, at whatever call, no process ends, no call stays open, and visitors are answered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async seed => {
      const faulty = faultyHost(seed)
      const { clock } = faulty.host
      const platform = createPlatform(faulty.options)
      const visitor = await openVisitor(platform, clock)
      const { accountId, agentId } = visitor
      const { conversations } = contextOf(platform).store
      const line = { accountId, agentId, environment: 'live' as const }
      const connector = await platform.access.createTelephonyConnector({ ...line, name: 'Line' })
      const of = { ...line, connectorId: connector.id, createdAt: clock.now() }
      await contextOf(platform).store.access.phoneNumbers.add([{ ...of, number: NUMBERS.to }], 10)
      const hook = { name: 'hook', url: 'https://example.com/hook' }
      await platform.webhooks.createEndpoint(accountId, { ...hook, eventTypes: ['conversation.completed'] })
      platform.on('conversation.completed', faulty.listener)

      faulty.fail()
      const open: Promise<unknown>[] = []
      const acts: readonly (() => Promise<unknown>)[] = [
        () => visitor.join(),
        () => visitor.say('hello'),
        () => visitor.say('broken'),
        () => platform.texts.received({ id: 'IN-1', ...NUMBERS, text: 'hello' }),
        () => platform.calls.place({ agentId, environment: 'live', to: NUMBERS.from }),
        () => platform.voices.list(accountId),
        () => platform.agents.publish(agentId, { environment: 'pre-release' }),
        () => platform.reading.records(line, { offset: 0 }, 10),
        () => platform.reading.audio({ accountId, agentId, conversationId: visitor.id, ...SOUND }),
        () => visitor.say('call'),
        () => platform.texts.open(connector, { to: NUMBERS.from, text: 'Your table is ready.' }),
        () => visitor.say('person'),
        () => visitor.typing('started'),
        () => visitor.say('are you there?'),
      ]
      for (const act of acts) {
        open.push(
          Promise.resolve()
            .then(act)
            .catch(() => undefined),
        )
        await clock.settle()
      }
      await clock.advance(72_000)
      faulty.recover()
      await clock.advance(72_000)
      await Promise.all(open)
      await platform.idle()

      // The visitor goes on where they were, unless the conversation has ended, and so has the next one.
      const state = (await conversations.load(visitor.id))?.state
      const again = state?.endedAt === null ? await visitor.reconnect(platform) : null
      const next = await openVisitor(platform, clock)
      for (const one of [again, next]) {
        await one?.join()
        await one?.say('hello')
      }
      await clock.advance(1_000)
      await platform.idle()
      expect(next.texts('AI_AGENT_MESSAGE')).toContain('Certainly.')
      const left = (await conversations.load(visitor.id))?.state
      // Where the host's clock fails, the process's own takes its place, and what is due may be due in its time.
      if (!faulty.failingClock) expect([left?.turn, left?.pending]).toEqual([null, []])
      await platform.close()
      await turns(2 * LATE)
      expect(uncaught).toEqual([])
      if (seed === 0) expect(faulty.called()).toEqual(PORTS)
    }),
    { numRuns: runs(12, 100), examples: [[0]] },
  )
})
