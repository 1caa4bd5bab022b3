import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../src/memory/index.ts'
import { createPlatform } from '../src/platform.ts'
import { silentLog } from '../src/ports/log.ts'
import { listSettings, settingAt } from '../src/settings/list-settings.ts'
import { resolveSettings } from '../src/settings/resolve-settings.ts'
import type { SettingsInput } from '../src/settings/settings-input.ts'

/** A host's settings as JavaScript may write them. */
const resolve = (input: object) => resolveSettings({ ...input } satisfies SettingsInput, silentLog)
const { onError: _, ...defaults } = resolve({})

describe('settings', () => {
  test.each([
    Object.fromEntries(Object.keys(defaults).map(name => [name, undefined])),
    ...(['limits', 'rateLimits', 'webhooks', 'testRuns', 'semanticSearch'] as const).map(group => ({
      [group]: Object.fromEntries(Object.keys(defaults[group]).map(name => [name, undefined])),
    })),
    { limits: { bodyBytes: { agents: undefined, desk: undefined } } },
  ])('EM4 what is given as undefined has its default: %o', input => {
    expect(resolve(input)).toEqual({ ...defaults, onError: expect.any(Function) })
  })

  test('EM4 what is given besides stays as it is', () => {
    const input = {
      sessionIdle: 5,
      tokenKeyRotation: null,
      hosts: { base: { us: 'a.example' }, platform: {}, messaging: {} },
      limits: { jsonDepth: 3, frameBytes: undefined, bodyBytes: { desk: 7, agents: undefined } },
      rateLimits: { key: null, session: undefined },
      webhooks: { timeout: 7, retryDelays: [1] },
      semanticSearch: { minLikeness: -0.5 },
    }
    const settings = resolve(input)
    expect(settings).toMatchObject({ sessionIdle: 5, tokenKeyRotation: null, hosts: input.hosts })
    expect(settings.limits).toMatchObject({ jsonDepth: 3, frameBytes: 1_048_576 })
    expect(settings.limits.bodyBytes).toMatchObject({ desk: 7, agents: 1_048_576 })
    expect(settings.rateLimits).toEqual({ ...defaults.rateLimits, key: null })
    expect(settings.webhooks).toEqual({ ...defaults.webhooks, timeout: 7, retryDelays: [1] })
    expect(settings.semanticSearch.minLikeness).toBe(-0.5)
  })

  test.each([
    [{ sessionIdle: -1 }, 'sessionIdle must be a whole number from 1 to 315360000000, not -1.'],
    [{ sessionIdle: Number.NaN }, 'sessionIdle must be a whole number from 1 to 315360000000, not NaN.'],
    [{ sessionIdle: '600000' }, 'sessionIdle must be a whole number from 1 to 315360000000, not "600000".'],
    [{ sessionIdle: null }, 'sessionIdle must be'],
    [{ functionTimeout: 'x' }, 'functionTimeout must be'],
    [
      { sessionIdle: Number.POSITIVE_INFINITY },
      'sessionIdle must be a whole number from 1 to 315360000000, not Infinity.',
    ],
    [{ turnDeadline: 0 }, 'turnDeadline must be a whole number from 2 to'],
    [{ limits: { cachedConversations: 0 } }, 'limits.cachedConversations must be a whole number from 1 to'],
    [{ limits: { jsonDepth: 2.5 } }, 'limits.jsonDepth must be a whole number from 1 to 1000, not 2.5.'],
    [
      { tokenKeyRotation: 0 },
      'tokenKeyRotation must be a whole number from 1 to 315360000000, or null, not 0.',
    ],
    [{ webhooks: { retryDelays: [1, -1] } }, 'webhooks.retryDelays[1] must be'],
    [
      { webhooks: { retryDelays: 5 } },
      'webhooks.retryDelays must be an array of whole numbers from 0 to 315360000000, not 5.',
    ],
    [
      { rateLimits: { key: { perSecond: 1, burst: Number.POSITIVE_INFINITY } } },
      'rateLimits.key.burst must be a number from 1 to',
    ],
    [{ rateLimits: { key: 5 } }, 'rateLimits.key must be { perSecond, burst }, or null for no limit, not 5.'],
    [{ limits: { messageBytes: -5 } }, 'limits.messageBytes must be'],
    [{ limits: { bodyBytes: { desk: '1mb' } } }, 'limits.bodyBytes.desk must be'],
    [{ limits: { bodyBytes: -1 } }, 'limits.bodyBytes must be a whole number from 1 to 536870888, not -1.'],
    [{ webhooks: { timeout: '10' } }, 'webhooks.timeout must be'],
    [
      { hosts: {} },
      'hosts.base must be an object of host names by region or cluster, {} for none, not undefined.',
    ],
    [{ hosts: { base: { us: 'a.example' }, messaging: {} } }, 'hosts.platform must be'],
    [
      { hosts: { base: {}, platform: {}, messaging: { default: null } } },
      'hosts.messaging.default must be the name of a host, not null.',
    ],
    [
      { hosts: 'a.example' },
      'hosts must be { base, platform, messaging }, or null for any host, not "a.example".',
    ],
    [{ queueMessage: 'Soon' }, 'queueMessage must be a function, or null for none, not "Soon".'],
    [{ onError: null }, 'onError must be a function, not null.'],
    [{ requirePreRelease: 'yes' }, 'requirePreRelease must be true or false, not "yes".'],
    [{ deploymentPinning: 'turns' }, 'deploymentPinning must be "conversation" or "turn", not "turns".'],
  ])('EM4 %o is refused', (input, message) => {
    expect(() => resolve(input)).toThrow(expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED' }))
    expect(() => resolve(input)).toThrow(message)
  })

  const SECRETS = 'tokenSecret must be a secret of at least 16 characters, a list of such secrets, or null.'
  test.each([
    { tokenSecret: '', message: SECRETS },
    { tokenSecret: 'fifteen letters', message: SECRETS },
    { tokenSecret: 5, message: SECRETS },
    { tokenSecret: [], message: SECRETS },
    {
      tokenSecret: ['a secret of enough letters', 'short'],
      message: 'tokenSecret[1] must be a secret of at least 16 characters.',
    },
  ])('CR16 the secrets $tokenSecret are refused, and not repeated', ({ tokenSecret, message }) => {
    expect(() => resolve({ tokenSecret })).toThrow(
      expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED', message }),
    )
  })

  test('EM4 of several faults a name that nothing reads is told first, then the first in the order of the page', () => {
    const faults = { sessionIdle: -1, limits: { jsonDepth: 0 }, webhooks: { timeout: 0, retries: 1 } }
    expect(() => resolve(faults)).toThrow('webhooks has no option "retries".')
    expect(() => resolve({ ...faults, webhooks: { timeout: 0 } })).toThrow('limits.jsonDepth must be')
    expect(() => resolve({ ...faults, limits: {}, webhooks: {} })).toThrow('sessionIdle must be')
  })

  test('EM4 a long value is told in part', () => {
    expect(() => resolve({ sessionIdle: 'x'.repeat(1_000) })).toThrow(/not "x{60}…"\.$/)
  })

  test.each(['Acme Bot', '', 'Ü', 'a\r\nb', 'x'.repeat(51), 5, null])(
    'HT39 the brand %j is refused',
    brand => {
      const rule = 'must be 1 to 50 letters, digits, "_" and "-", not'
      expect(() => resolve({ brand })).toThrow(`brand ${rule}`)
      expect(() => resolve({ brand: { events: brand } })).toThrow(`brand.events ${rule}`)
      expect(() => resolve({ brand: { headers: brand } })).toThrow(`brand.headers ${rule}`)
    },
  )

  test.each(['AI', 'Acme', '3M', 'acme_bot-2'])('HT39 the brand %s is taken for both', brand => {
    expect(resolve({ brand }).brand).toEqual({ events: brand, headers: brand })
  })

  test.each([
    [undefined, { events: 'AI', headers: 'AI' }],
    [{}, { events: 'AI', headers: 'AI' }],
    [
      { events: 'ACME', headers: undefined },
      { events: 'ACME', headers: 'AI' },
    ],
    [
      { events: 'ACME', headers: 'AcmeBot' },
      { events: 'ACME', headers: 'AcmeBot' },
    ],
    [
      { events: 'ACME', headers: 'live' },
      { events: 'ACME', headers: 'live' },
    ],
  ])('HT39 the brand %j is %j', (brand, words) => {
    expect(resolve({ brand }).brand).toEqual(words)
  })

  test('HT39 the word of the live agent’s events is no brand for events', () => {
    const said = 'must not be "Live" for events, where it names the live agent\'s.'
    expect(() => resolve({ brand: 'Live' })).toThrow(`brand ${said}`)
    expect(() => resolve({ brand: { events: 'Live' } })).toThrow(`brand.events ${said}`)
  })
})

describe('the range of every number', () => {
  const ranges = listSettings().flatMap(({ name, info: { range, allowed } }) =>
    range === undefined ? [] : [[name, { ...range, nullable: allowed.endsWith(' or null') }] as const],
  )
  /** The settings with one number, `limits.jsonDepth`, of that value. */
  function withNumber(name: string, value: unknown): Readonly<Record<string, unknown>> {
    const [field = '', ...inner] = name.split('.')
    return { [field]: inner.length === 0 ? value : withNumber(inner.join('.'), value) }
  }

  test.each(ranges)(
    'EM4 %s takes both ends of its range, and nothing beyond',
    (name, { from, to, nullable }) => {
      // Both ends of one may not go with the default of the other.
      const rest = name === 'functionTimeout' ? { turnDeadline: 315_360_000_000 } : {}
      for (const value of [from, to])
        expect(settingAt(resolve({ ...rest, ...withNumber(name, value) }), name)).toBe(value)
      const beyond = [
        from - 1,
        to + 1,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        `${from}`,
        ...(nullable ? [] : [null]),
      ]
      for (const value of beyond)
        expect(() => resolve(withNumber(name, value)), `${name} ${value}`).toThrow(`${name} must be a `)
    },
  )
})

describe('options that nothing reads', () => {
  test.each([
    [{ sesionIdle: 5 }, 'createPlatform has no option "sesionIdle". Did you mean sessionIdle?'],
    [{ limits: { jsonDeph: 5 } }, 'limits has no option "jsonDeph". Did you mean jsonDepth?'],
    [{ limits: { bodyBytes: { desks: 5 } } }, 'limits.bodyBytes has no option "desks". Did you mean desk?'],
    [
      { testRuns: { parallel: 5 } },
      'testRuns has no option "parallel". It knows concurrency, casesAtOnce, kept, answerDeadline.',
    ],
    [{ rateLimits: { sessions: null } }, 'rateLimits has no option "sessions". Did you mean session?'],
    [
      { rateLimits: { key: { persecond: 5, burst: 5 } } },
      'rateLimits.key has no option "persecond". Did you mean perSecond?',
    ],
    [
      { hosts: { base: {}, platform: {}, messaging: {}, desk: {} } },
      'hosts has no option "desk". It knows base, platform, messaging.',
    ],
    [{ brand: { event: 'A' } }, 'brand has no option "event". Did you mean events?'],
    [{ webhooks: 5 }, 'webhooks takes an object of options, not number.'],
  ])('EM4 %o is refused', (input, message) => {
    expect(() => resolve(input)).toThrow(
      expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED', message }),
    )
  })
})

describe('a platform of what no platform can be made of', () => {
  const host = { store: createMemoryStore(), runtime: createRetrievalRuntime() }
  const make = (...options: unknown[]) => Reflect.apply(createPlatform, undefined, options)

  test.each([
    [undefined, 'createPlatform takes an object of options, not undefined.'],
    [{}, 'store is required, for example createMemoryStore() or createSqliteStore({ filename }).'],
    [{ store: host.store }, 'runtime is required, for example createRetrievalRuntime().'],
    [
      { ...host, store: Promise.resolve(host.store) },
      'store must not be a promise. Await it before it is handed over.',
    ],
    [
      { ...host, store: createMemoryStore },
      'store must be an object with agents, conversations, access, webhooks, alerts, audit, close, not a function.',
    ],
    [{ ...host, store: { ...host.store, audit: undefined } }, 'store must have a part audit.'],
    [{ ...host, runtime: {} }, 'runtime must have a function respond.'],
    [{ ...host, callProvider: { place() {}, status: 'busy' } }, 'callProvider must have a function status.'],
    [{ ...host, callProvider: { status() {} } }, 'callProvider must have a function place.'],
    [{ ...host, runtme: {} }, 'createPlatform has no option "runtme". Did you mean runtime?'],
    [{ ...host, sessionIdel: 5 }, 'createPlatform has no option "sessionIdel". Did you mean sessionIdle?'],
    [{ ...host, clock: { now: Date.now } }, 'clock must have a function monotonic.'],
    [{ ...host, log: console.log }, 'log must be an object with debug, info, warn, error, not a function.'],
    [
      { ...host, liveAgents: {} },
      'liveAgents must be a function that takes the callbacks and returns the live-agent system, not an object.',
    ],
    [{ ...host, workers: 'no' }, 'workers must be true or false, not "no".'],
    [{ ...host, onError: 'log' }, 'onError must be a function, not "log".'],
    [{ ...host, functions: 5 }, 'functions must be an object of functions by name, not 5.'],
    [{ ...host, functionSources: [{}] }, 'functionSources must have a function functions.'],
  ])('EM4 %# is refused', (options, message) => {
    expect(() => make(options)).toThrow(
      expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED', message }),
    )
  })
})

test('EM4 of many options the nearest one is named, not all', () => {
  const host = { store: createMemoryStore(), runtime: createRetrievalRuntime() }
  const misspelt = (name: string) => () => createPlatform(Object.assign({ ...host }, { [name]: 5 }))
  expect(misspelt('sessionIdleSeconds')).toThrow(
    /^createPlatform has no option "sessionIdleSeconds"\. The nearest of the \d+ that it knows is sessionIdle\.$/,
  )
  for (const name of ['database', 'turnTimeout', 'x', 'y'.repeat(200)])
    expect(misspelt(name)).toThrow(
      /^createPlatform has no option "\w+"\. The nearest of the \d+ .* is \w+\.$/,
    )
})
