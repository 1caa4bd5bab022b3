import { readFileSync } from 'node:fs'
import { createMemoryStore } from '@colloquy/adapter-memory'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { describe, expect, test } from 'vitest'
import { createPlatform } from '../src/platform.ts'
import { silentLog } from '../src/ports/log.ts'
import { rangesByName, SETTING_RANGES, settingAt } from '../src/setting-ranges.ts'
import { resolveSettings, type SettingsInput } from '../src/settings.ts'

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
  ])('HT40 what is given as undefined has its default: %o', input => {
    expect(resolve(input)).toEqual({ ...defaults, onError: expect.any(Function) })
  })

  test('HT40 what is given besides stays as it is', () => {
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
    [{ sessionIdle: '600000' }, 'sessionIdle must be a whole number from 1 to 315360000000, not string.'],
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
    [{ webhooks: { retryDelays: 5 } }, 'webhooks.retryDelays must be an array of milliseconds.'],
    [
      { rateLimits: { key: { perSecond: 1, burst: Number.POSITIVE_INFINITY } } },
      'rateLimits.key.burst must be a number from 1 to',
    ],
    [{ rateLimits: { key: 5 } }, 'rateLimits.key must be { perSecond, burst }, or null for no limit.'],
    [{ limits: { messageBytes: -5 } }, 'limits.messageBytes must be'],
    [{ limits: { bodyBytes: { desk: '1mb' } } }, 'limits.bodyBytes.desk must be'],
    [{ limits: { bodyBytes: -1 } }, 'limits.bodyBytes.agents must be'],
    [{ webhooks: { timeout: '10' } }, 'webhooks.timeout must be'],
    [{ hosts: {} }, 'hosts.base must name a host for each region or cluster; {} is none.'],
    [{ hosts: { base: { us: 'a.example' }, messaging: {} } }, 'hosts.platform must name'],
    [{ hosts: { base: {}, platform: {}, messaging: { default: null } } }, 'hosts.messaging must name'],
    [{ requirePreRelease: 'yes' }, 'requirePreRelease must be true or false, not "yes".'],
    [{ deploymentPinning: 'turns' }, 'deploymentPinning must be "conversation" or "turn", not "turns".'],
  ])('HT40 %o is refused', (input, message) => {
    expect(() => resolve(input)).toThrow(expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED' }))
    expect(() => resolve(input)).toThrow(message)
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
  const ranges = [...rangesByName(SETTING_RANGES)]
  /** The settings with one number, `limits.jsonDepth`, of that value. */
  function withNumber(name: string, value: unknown): Readonly<Record<string, unknown>> {
    const [field = '', ...inner] = name.split('.')
    return { [field]: inner.length === 0 ? value : withNumber(inner.join('.'), value) }
  }

  test.each(ranges)(
    'EM5 %s takes both ends of its range, and nothing beyond',
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
        ...(nullable === true ? [] : [null]),
      ]
      for (const value of beyond)
        expect(() => resolve(withNumber(name, value)), `${name} ${value}`).toThrow(`${name} must be a `)
    },
  )

  test('EM5 the page about settings tells the default and the range of each', () => {
    const page = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8')
    const rows = ranges.map(([name, { from, to, nullable }]) => {
      const allowed = `${from} to ${to}${nullable === true ? ', or null' : ''}`
      return `| \`${name}\` | ${String(settingAt(defaults, name))} | ${allowed} |`
    })
    expect(page.split('\n').filter(line => line.startsWith('| `'))).toEqual(rows)
  })
})

describe('options that nothing reads', () => {
  test.each([
    [{ sesionIdle: 5 }, 'The settings has no option "sesionIdle". Did you mean sessionIdle?'],
    [{ limits: { jsonDeph: 5 } }, 'limits has no option "jsonDeph". Did you mean jsonDepth?'],
    [{ limits: { bodyBytes: { desks: 5 } } }, 'limits.bodyBytes has no option "desks". Did you mean desk?'],
    [
      { testRuns: { parallel: 5 } },
      'testRuns has no option "parallel". It knows concurrency, casesAtOnce, kept.',
    ],
    [{ rateLimits: { sessions: null } }, 'rateLimits has no option "sessions". Did you mean session?'],
    [
      { rateLimits: { key: { persecond: 5, burst: 5 } } },
      'rateLimits.key has no option "persecond". Did you mean perSecond?',
    ],
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
    [{ ...host, store: createMemoryStore }, 'store must be an object with close, not function.'],
    [{ ...host, store: { ...host.store, audit: undefined } }, 'store must have a part audit.'],
    [{ ...host, runtime: {} }, 'runtime must have a function respond.'],
    [{ ...host, runtme: {} }, 'createPlatform has no option "runtme". Did you mean runtime?'],
    [{ ...host, sessionIdel: 5 }, 'createPlatform has no option "sessionIdel". Did you mean sessionIdle?'],
    [{ ...host, clock: { now: Date.now } }, 'clock must have a function monotonic.'],
    [{ ...host, log: console.log }, 'log must be an object with debug, info, warn, error, not function.'],
    [
      { ...host, liveAgents: {} },
      'liveAgents must be a function that takes the callbacks and returns the live-agent system.',
    ],
    [{ ...host, workers: 'no' }, 'workers must be true or false.'],
    [{ ...host, onError: 'log' }, 'onError must be a function.'],
    [{ ...host, functions: 5 }, 'functions must be an object of functions by name.'],
  ])('EM4 %# is refused', (options, message) => {
    expect(() => make(options)).toThrow(
      expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED', message }),
    )
  })
})
