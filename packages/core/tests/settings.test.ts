import { describe, expect, test } from 'vitest'
import { silentLog } from '../src/ports/log.ts'
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
      webhooks: { timeout: 0, retryDelays: [1] },
      semanticSearch: { minLikeness: -0.5 },
    }
    const settings = resolve(input)
    expect(settings).toMatchObject({ sessionIdle: 5, tokenKeyRotation: null, hosts: input.hosts })
    expect(settings.limits).toMatchObject({ jsonDepth: 3, frameBytes: 1_048_576 })
    expect(settings.limits.bodyBytes).toMatchObject({ desk: 7, agents: 1_048_576 })
    expect(settings.rateLimits).toEqual({ ...defaults.rateLimits, key: null })
    expect(settings.webhooks).toEqual({ ...defaults.webhooks, timeout: 0, retryDelays: [1] })
    expect(settings.semanticSearch.minLikeness).toBe(-0.5)
  })

  test.each([
    [{ sessionIdle: -1 }, 'sessionIdle must be a number, zero or more, not -1.'],
    [{ sessionIdle: Number.NaN }, 'sessionIdle must be a number, zero or more, not NaN.'],
    [{ sessionIdle: '600000' }, 'sessionIdle must be a number, zero or more, not string.'],
    [{ sessionIdle: null }, 'sessionIdle must be'],
    [{ functionTimeout: 'x' }, 'functionTimeout must be'],
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
