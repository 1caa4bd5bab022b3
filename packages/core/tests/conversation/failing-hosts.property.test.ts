import { ADA, handoffOf } from '@colloquy/test-support/desk-bench'
import { eachMethod } from '@colloquy/test-support/each-method'
import { runs } from '@colloquy/test-support/runs'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, test } from 'vitest'
import { FAILURE_TEXT } from '../../src/domain/conversation/pending-inputs.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../../src/platform.ts'
import { type Host, hostOf, WAYS, watchUncaught } from './failing-host.ts'
import { does } from './functions/support.ts'

// Slow: for each method of each port a whole conversation is held, and a minute of a fake clock passes.

const ways = ['throws', 'rejects', 'throws what has no text'] as const

const uncaught = watchUncaught()

/** The port with one of its methods failing. */
const failing = <Port extends object>(port: Port, method: string, fail: () => unknown): Port =>
  new Proxy(port, { get: (target, name) => (name === method ? fail : Reflect.get(target, name)) })

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

describe.each(ways.slice(0, runs(1, 3)))('a host that %s', way => {
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

/** Each of them with the campaigns, and some of them otherwise. */
const sampled = (names: readonly string[]): readonly string[] =>
  names.filter((_, index) => index % runs(5, 1) === 0)

describe.each(KINDS)('a store whose %s throw', part => {
  test.each(sampled(methodsOf(createMemoryStore()[part])))('EM1 in %s ends no process', async method => {
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
