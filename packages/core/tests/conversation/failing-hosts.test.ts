import { createMemoryStore } from '@colloquy/adapter-memory'
import { ADA, handoffOf } from '@colloquy/test-support/desk-bench'
import { eachMethod } from '@colloquy/test-support/each-method'
import { openVisitor } from '@colloquy/test-support/visitor'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FAILURE_TEXT } from '../../src/domain/conversation/pending-inputs.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import { createLocalBus } from '../../src/system/local-bus.ts'
import { createFakeClock, createScriptedRuntime, createSequentialIds } from '../../src/testing/index.ts'
import { does } from './functions/support.ts'

/** How a method of a host may fail. */
const WAYS = {
  throws: () => {
    throw new Error('the host failed')
  },
  rejects: () => Promise.reject(new Error('the host failed')),
  'throws what has no text': () => {
    throw Object.create(null)
  },
} as const
const ways = ['throws', 'rejects', 'throws what has no text'] as const

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

/** The port with one of its methods failing. */
const failing = <Port extends object>(port: Port, method: string, fail: () => unknown): Port =>
  new Proxy(port, { get: (target, name) => (name === method ? fail : Reflect.get(target, name)) })

/** A whole host: every port is the test's own. */
function hostOf() {
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
type Host = ReturnType<typeof hostOf>

/** The same with the built-in desk. */
function withDesk() {
  const { liveAgents: _, ...host } = hostOf()
  return host
}

const PORTS = [
  ...['debug', 'info', 'warn', 'error'].map(method => ['log', method] as const),
  ...['now', 'monotonic', 'schedule'].map(method => ['clock', method] as const),
  ...['uuid', 'short', 'secret'].map(method => ['ids', method] as const),
  ...['publish', 'subscribe'].map(method => ['bus', method] as const),
  ...['request', 'forward', 'visitorTyping', 'cancel'].map(method => ['liveAgents', method] as const),
  ...['objection', 'send'].map(method => ['webhookSender', method] as const),
  ['embedder', 'embed'],
  ['runtime', 'prepare'],
  ['functions', 'work'],
  ['onError', ''],
] as const

/** The host with one method that fails once `begin` was called: setting up is not what is tested. */
function hostWith(port: (typeof PORTS)[number][0], method: string, fail: () => unknown) {
  const host = hostOf()
  let begun = false
  const later =
    (normal: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) =>
      begun ? fail() : normal(...args)
  const broken: Record<string, unknown> = {}
  if (port === 'onError') broken.onError = later(() => undefined)
  else if (port === 'functions') broken.functions = { work: does(() => fail()) }
  else {
    const whole: object = host[port]
    const normal: unknown = Reflect.get(whole, method)
    if (typeof normal !== 'function') throw new Error(`${port} has no ${method}`)
    broken[port] = failing(whole, method, later(normal.bind(whole)))
  }
  const { liveAgents, ...rest } = { ...host, ...broken }
  const options: PlatformOptions = { ...rest, rateLimits: null, liveAgents: () => liveAgents }
  return { host, options, begin: () => (begun = true) }
}

/** What a visitor does, from the first word to the last. */
async function visit(platform: Platform, clock: Host['clock']) {
  const visitor = await openVisitor(platform, clock)
  return {
    visitor,
    async go() {
      await visitor.join()
      for (const text of ['hello', 'broken', 'call', 'person']) await visitor.say(text)
      const handoffId = handoffOf(visitor)
      await platform.liveAgents.accepted(handoffId).catch(() => undefined)
      await platform.liveAgents.joined(handoffId, ADA).catch(() => undefined)
      await visitor.typing('started')
      await visitor.say('are you there?')
      await clock.advance(2_000)
      await visitor.end()
      await clock.advance(2_000)
    },
  }
}

describe.each(ways)('a host that %s', way => {
  test.each(PORTS)(
    'EM1 at %s %s ends no process; the failed turn is told, and recorded',
    async (port, method) => {
      const { host, options, begin } = hostWith(port, method, WAYS[way])
      const platform = createPlatform(options)
      const { visitor, go } = await visit(platform, host.clock)
      await platform.webhooks.createEndpoint(visitor.accountId, {
        name: 'hook',
        url: 'https://example.com/hook',
        eventTypes: ['conversation.completed'],
      })
      begin()
      await go()
      await platform.webhooks
        .createEndpoint(visitor.accountId, {
          name: 'more',
          url: 'https://example.com/more',
          eventTypes: ['conversation.completed'],
        })
        .catch(() => undefined)
      await platform.agents.publish(visitor.agentId, { environment: 'sandbox' }).catch(() => undefined)
      await host.clock.advance(70_000)
      await platform.idle()
      expect(visitor.texts('SYSTEM_MESSAGE')).toContain(FAILURE_TEXT.reply)
      expect(visitor.texts('AI_AGENT_MESSAGE')).toContain('Certainly.')
      const turns = await host.store.conversations.turns(visitor.id)
      expect(turns.flatMap(({ details }) => details.error ?? [])).toEqual(['the model is down'])
      await platform.close()
      expect(uncaught).toEqual([])
    },
  )
})

const KINDS = ['agents', 'conversations', 'access', 'webhooks', 'audit'] as const

/** The names of a part's methods, those of its groups too. */
const methodsOf = (part: object, before = ''): string[] =>
  Object.keys(part).flatMap(name => {
    const member: unknown = Reflect.get(part, name)
    return typeof member === 'object' && member !== null
      ? methodsOf(member, `${name}.`)
      : [`${before}${name}`]
  })

describe.each(KINDS)('a store whose %s throw', part => {
  test.each(methodsOf(createMemoryStore()[part]))('EM1 in %s ends no process', async method => {
    const host = hostOf()
    let begun = false
    const broken = eachMethod<object>(
      host.store[part],
      (call, name) =>
        (...args) =>
          begun && name === method ? WAYS.throws() : call(...args),
    )
    const store = { ...host.store, [part]: broken }
    const told: unknown[] = []
    const { liveAgents, ...rest } = host
    const platform = createPlatform({
      ...rest,
      ...{ store, rateLimits: null, liveAgents: () => liveAgents },
      onError: error => told.push(error),
    })
    const { visitor, go } = await visit(platform, host.clock)
    begun = true
    await go()
    await host.clock.advance(70_000)
    await platform.idle()
    begun = false
    await visitor.say('hello')
    await platform.close()
    expect(uncaught).toEqual([])
  })
})

describe('what fails in a host that is told of failures', () => {
  const broken = new Error('the store is gone')

  test('EM1 onError falls back to the log, and tells both failures', () => {
    const lines: unknown[] = []
    const log = {
      ...silentLog,
      error: (message: string, fields?: object) => lines.push({ message, ...fields }),
    }
    const platform = createPlatform({ ...withDesk(), log, onError: WAYS.throws })
    platform.settings.onError(broken, 'worker')
    expect(lines).toMatchObject([
      { message: 'onError failed', where: 'worker', error: expect.stringContaining('the store is gone') },
    ])
  })

  test('EM1 the log falls back to the console, and that to silence', () => {
    const log = { ...silentLog, error: WAYS.throws }
    const platform = createPlatform({ ...withDesk(), log, onError: WAYS.throws })
    platform.settings.onError(broken, 'worker')
    expect(console.error).toHaveBeenCalledTimes(1)
    vi.mocked(console.error).mockImplementation(WAYS.throws)
    platform.settings.onError(broken, 'worker')
    expect(console.error).toHaveBeenCalledTimes(2)
  })

  test('EM1 a transport that throws, and a watcher of the desk that rejects, are told of', async () => {
    const told: string[] = []
    const host = withDesk()
    const onError = (error: unknown, where: string) => told.push(`${where}: ${error}`)
    const platform = createPlatform({ ...host, rateLimits: null, onError })
    const visitor = await openVisitor(platform, host.clock)
    await platform.desk.watch(visitor.accountId, WAYS.rejects)
    await visitor.join()
    await visitor.say('person')
    await host.clock.settle()
    expect(told).toContain('desk feed: Error: the host failed')
    const { messaging } = platform
    const { accessToken } = await messaging.issueAccessToken({
      ...{ connectorToken: 'connector-token-for-tests', host: 'example.com', remoteAddress: '127.0.0.1' },
    })
    const { sessionId } = await messaging.createSession({
      ...{ authorization: `Bearer ${accessToken}`, streaming: false },
    })
    const handshake = await messaging.handshake({ sessionId, accessToken, cursor: null })
    if (!('open' in handshake)) throw new Error(handshake.message)
    const connection = handshake.open({ send: WAYS.throws, close: WAYS.throws, drained: WAYS.rejects })
    connection.receive(JSON.stringify({ type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} }))
    await connection.settled()
    await host.clock.settle()
    connection.closed()
    expect(told).toContain('messaging transport: Error: the host failed')
    await platform.close()
    expect(uncaught).toEqual([])
  })
})

describe('a host that sets no log', () => {
  test('EM2 finds warnings and errors on the console, and nothing else', async () => {
    const { log: _, onError: __, ...host } = withDesk()
    const info = vi.spyOn(console, 'info')
    const platform = createPlatform({ ...host, rateLimits: null })
    const visitor = await openVisitor(platform, host.clock)
    await visitor.join()
    await visitor.say('broken')
    expect(console.warn).toHaveBeenCalledWith(
      '[colloquy] A turn failed',
      expect.objectContaining({ error: 'the model is down' }),
    )
    expect(console.error).toHaveBeenCalledWith(
      '[colloquy] Something failed',
      expect.objectContaining({ where: 'turn', error: expect.stringContaining('the model is down') }),
    )
    expect(info).not.toHaveBeenCalled()
    await platform.close()
  })

  test('EM2 with silentLog the console stays empty', async () => {
    const { log: _, onError: __, ...host } = withDesk()
    const platform = createPlatform({ ...host, rateLimits: null, log: silentLog })
    const visitor = await openVisitor(platform, host.clock)
    await visitor.join()
    await visitor.say('broken')
    expect(console.warn).not.toHaveBeenCalled()
    expect(console.error).not.toHaveBeenCalled()
    await platform.close()
  })
})
