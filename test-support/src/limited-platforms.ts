import { createMemoryStore } from '@colloquy/core/memory'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createDispatcher } from '../../packages/core/src/http/dispatcher.ts'
import type { HttpRequest } from '../../packages/core/src/http/route.ts'
import { routes } from '../../packages/core/src/http/routes.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../../packages/core/src/platform.ts'
import { silentLog } from '../../packages/core/src/ports/log.ts'
import type { SharedLimits } from '../../packages/core/src/ports/shared-limits.ts'
import { systemClock } from '../../packages/core/src/system/system.ts'
import {
  createFakeClock,
  createScriptedRuntime,
  openSocketPair,
} from '../../packages/core/src/testing/index.ts'

/** So slow that nothing flows in while a test runs. */
const STILL = 0.000_01

/** Rates of a few at once. */
const RATES = {
  key: { perSecond: STILL, burst: 6 },
  accessToken: { perSecond: STILL, burst: 4 },
  failedAuthentication: { perSecond: STILL, burst: 5 },
  session: { perSecond: STILL, burst: 2 },
}

/** Several platforms over one store, as several processes are, each with an end of the same limits. */
export async function limitedPlatforms(
  count: number,
  limits: () => SharedLimits | null,
  options: Partial<PlatformOptions> = {},
) {
  const store = createMemoryStore()
  const platforms = Array.from({ length: count }, () => {
    const sharedLimits = limits()
    return createPlatform({
      store,
      log: silentLog,
      runtime: createScriptedRuntime({ greeting: 'Welcome.', otherwise: 'Yes.' }, createFakeClock()),
      clock: systemClock,
      rateLimits: RATES,
      // A busy machine is no outage.
      sharedLimitsTimeout: 30_000,
      ...(sharedLimits === null ? {} : { sharedLimits }),
      ...options,
    })
  })
  onTestFinished(async () => {
    for (const platform of platforms) await platform.close()
  })
  const [first] = platforms
  if (first === undefined) throw new Error('There must be a platform.')
  const { access, agents } = first
  const { id: accountId } = await access.createAccount({ slug: 'one', name: 'One' })
  const agent = await agents.create({ accountId, name: 'Desk', greeting: 'Welcome.' })
  await agents.publish(agent.id, { environment: 'live' })
  const { token } = await access.createConnector({
    ...{ accountId, agentId: agent.id, environment: 'live', hosts: ['shop.example'] },
  })
  const { secret } = await access.createApiKey({ kind: 'workspace', accountId })
  const dispatchers = new Map(platforms.map(platform => [platform, createDispatcher(platform, routes)]))

  /** The status of a call with an API key. */
  async function ask(platform: Platform, key = secret, remoteAddress = '192.0.2.1'): Promise<number> {
    const request: HttpRequest = {
      ...{ method: 'GET', path: `/v1/agents/${agent.id}`, query: '', secure: true, remoteAddress },
      ...{ headers: { 'x-api-key': key }, body: async () => new Uint8Array() },
    }
    return (await dispatchers.get(platform)?.handle(request))?.status ?? 0
  }
  const issue = (platform: Platform) =>
    platform.messaging.issueAccessToken({
      ...{ connectorToken: token, host: 'shop.example', remoteAddress: '192.0.2.1' },
    })
  const startSession = async (platform: Platform, accessToken: string) =>
    (await platform.messaging.createSession({ authorization: `Bearer ${accessToken}`, streaming: false }))
      .sessionId
  return { platforms, first, ask, issue, startSession, secret, connectorToken: token }
}

/** A session with the token that opens it, with places for so many handshakes of one token. */
export const roomy = { rateLimits: { ...RATES, key: { perSecond: 1_000, burst: 1_000 } } } as const

/** Counts the outcomes that were not refused because of their rate. */
const granted = (outcomes: readonly PromiseSettledResult<unknown>[]): number => {
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'RATE_LIMITED' })
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

/** Spreads so many calls over the platforms, all at once. */
const atOnce = <Result>(
  platforms: readonly Platform[],
  times: number,
  call: (platform: Platform) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> =>
  Promise.allSettled(
    Array.from({ length: times }, (_, index) => {
      const platform = platforms[index % platforms.length]
      return platform === undefined ? Promise.reject(new Error('There is no platform.')) : call(platform)
    }),
  )

const counts = (statuses: readonly number[]): Readonly<Record<number, number>> =>
  Object.fromEntries([...new Set(statuses)].map(each => [each, statuses.filter(one => one === each).length]))

/**
 * Declares what holds for platforms that share limits (LI10, LI12).
 *
 * @param limits one more process's end of the limits of a test; called first for each test with `true`
 */
export function testLimitedPlatforms(name: string, limits: (first: boolean) => SharedLimits): void {
  async function three(options: Partial<PlatformOptions> = {}) {
    let first = true
    return limitedPlatforms(
      3,
      () => {
        const end = limits(first)
        first = false
        return end
      },
      options,
    )
  }

  describe(`${name}: platforms`, () => {
    test('LI10 an API key has one rate over all processes', async () => {
      const { platforms, first, ask, secret } = await three()
      const statuses = await Promise.all(
        Array.from({ length: 30 }, (_, index) => ask(platforms[index % 3] ?? first, secret)),
      )
      expect(counts(statuses)).toEqual({ 200: 6, 429: 24 })
      for (const platform of platforms) expect(await ask(platform)).toBe(429)
    })

    test('LI10 failed authentications from an address count over all processes, and keep out no known key', async () => {
      const { platforms, ask, first } = await three()
      expect(await ask(first)).toBe(200)
      const statuses: number[] = []
      for (let index = 0; index < 21; index++)
        statuses.push(await ask(platforms[index % 3] ?? first, `cq_ws_wrong_${index}_0000000000`))
      expect(counts(statuses)).toEqual({ 401: 5, 429: 16 })
      expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
      expect(await ask(first)).toBe(200)
      expect(await ask(platforms[1] ?? first, 'cq_ws_wrong_0000000000', '192.0.2.2')).toBe(401)
    })

    test('LI10 access tokens of a connector and address have one rate over all processes', async () => {
      const { platforms, issue } = await three()
      expect(granted(await atOnce(platforms, 12, issue))).toBe(4)
    })

    test('LI10 sessions and handshakes of an access token have one rate over all processes', async () => {
      const { platforms, first, issue, startSession } = await three()
      const { accessToken } = await issue(first)
      const sessions = await atOnce(platforms, 9, platform => startSession(platform, accessToken))
      expect(granted(sessions)).toBe(6)
      const handshakes = await Promise.all(
        platforms.map(({ messaging }) => messaging.handshake({ sessionId: 'a', accessToken, cursor: null })),
      )
      for (const refused of handshakes) expect(refused).toMatchObject({ status: 429 })
    })

    test('LI10 a session has its places once, in whichever processes, and one that is left is free', async () => {
      const { platforms, first, issue, startSession } = await three(roomy)
      const { accessToken } = await issue(first)
      const sessionId = await startSession(first, accessToken)
      const shake = (platform: Platform) =>
        platform.messaging.handshake({ sessionId, accessToken, cursor: null })
      const handshakes = await Promise.all(
        Array.from({ length: 24 }, (_, index) => shake(platforms[index % 3] ?? first)),
      )
      const open = handshakes.filter(handshake => 'open' in handshake)
      expect(open).toHaveLength(10)
      for (const handshake of handshakes)
        if (!('open' in handshake))
          expect(handshake).toMatchObject({
            status: 429,
            message: 'connection limit exceeded for session',
          })
      const pair = open[0] === undefined ? null : openSocketPair(open[0])
      open[1]?.abandon()
      const next = await shake(platforms[2] ?? first)
      expect('open' in next).toBe(true)
      expect(await shake(first)).toMatchObject({ status: 429 })
      await pair?.flush()
      pair?.close()
      await pair?.flush()
      const last = await vi.waitFor(async () => {
        const handshake = await shake(first)
        expect('open' in handshake).toBe(true)
        return handshake
      })
      for (const handshake of [...open.slice(2), next, last]) if ('open' in handshake) handshake.abandon()
    })

    test('LI10 frames of sockets count in each process', async () => {
      const { platforms, first, issue, startSession } = await three(roomy)
      const { accessToken } = await issue(first)
      const sessionId = await startSession(first, accessToken)
      const answers = await Promise.all(
        platforms.map(async ({ messaging }) => {
          const handshake = await messaging.handshake({ sessionId, accessToken, cursor: null })
          if (!('open' in handshake)) throw new Error('The handshake was refused.')
          const pair = openSocketPair(handshake)
          await pair.flush()
          for (let index = 0; index < 3; index++)
            pair.send({ type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} })
          await pair.flush()
          const warnings = pair
            .events()
            .filter(({ payload }) => payload.level === 'SYSTEM_MESSAGE_LEVEL_WARNING')
          pair.close()
          return warnings.length
        }),
      )
      expect(answers).toEqual([1, 1, 1])
    })
  })
}
