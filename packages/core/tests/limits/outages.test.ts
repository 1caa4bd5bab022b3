import { keepingLog } from '@colloquy/test-support/bus-ends'
import { limitedPlatforms, roomy } from '@colloquy/test-support/limited-platforms'
import { describe, expect, test } from 'vitest'
import { guardSharedLimits } from '../../src/guarded/shared-limits.ts'
import type { SharedLimits } from '../../src/ports/shared-limits.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { createLimiters } from '../../src/usecases/access/limiters.ts'
import { createLocalLimits } from '../../src/usecases/access/local-limits.ts'
import { createSharedPlaces } from '../../src/usecases/messaging/shared-places.ts'

const TIMEOUT = 250
const STILL = 0.000_01
const RATES = {
  key: { perSecond: STILL, burst: 6 },
  accessToken: null,
  text: null,
  call: null,
  assistant: null,
  failedAuthentication: { perSecond: STILL, burst: 5 },
  session: null,
  sessionBytes: null,
}

/** How limits go wrong, by what their methods then do. */
const FAILURES: Readonly<
  Record<'throw' | 'reject' | 'hang' | 'answer nonsense', <Answer>() => Promise<Answer>>
> = {
  throw: () => {
    throw new Error('Thrown.')
  },
  reject: () => Promise.reject(new Error('Rejected.')),
  hang: () => new Promise(() => {}),
  'answer nonsense': async () => JSON.parse('{ "taken": "yes", "tokens": null }'),
}

type Failure = keyof typeof FAILURES

const EVERY_FAILURE: readonly Failure[] = ['throw', 'reject', 'hang', 'answer nonsense']

/** Limits that can be taken away, and note what they are asked. */
function fragileLimits(working: SharedLimits) {
  const asked: string[] = []
  const state: { failure: Failure | null } = { failure: null }
  const call = <Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> => {
    asked.push(name)
    return state.failure === null ? work() : FAILURES[state.failure]()
  }
  const limits: SharedLimits = {
    take: (bucket, limit) => call('take', () => working.take(bucket, limit)),
    peek: (bucket, limit) => call('peek', () => working.peek(bucket, limit)),
    hold: (place, terms) => call('hold', () => working.hold(place, terms)),
    renew: (places, lease) => call('renew', () => working.renew(places, lease)),
    release: place => call('release', () => working.release(place)),
  }
  return { limits, asked, state }
}

/** Guarded limits with what they are told, on a clock that stands still. */
function bench() {
  const clock = createFakeClock()
  const working = createLocalLimits(clock)
  const { told, log } = keepingLog()
  const errors: string[] = []
  const settings = {
    sharedLimitsTimeout: TIMEOUT,
    onError: (_error: unknown, where: string) => void errors.push(where),
  }
  const fragile = fragileLimits(working)
  const guarded = guardSharedLimits(fragile.limits, { clock, log, settings, owner: 'one' })
  const limiters = createLimiters(RATES, clock, guarded)
  /** One more process, with its own way to the same limits. */
  const other = createLimiters(
    RATES,
    clock,
    guardSharedLimits(working, { clock, log, settings, owner: 'other' }),
  )
  return { clock, working, told, errors, guarded, limiters, other, ...fragile }
}

/** So many attempts one after the other: how many were granted. The clock goes on while one waits. */
async function granted(clock: ReturnType<typeof createFakeClock>, times: number, take: () => unknown) {
  let count = 0
  for (let index = 0; index < times; index++) {
    const wait = take()
    if (wait instanceof Promise) await clock.advance(TIMEOUT)
    if ((await wait) === 0) count++
  }
  return count
}

describe.each(EVERY_FAILURE)('limits that %s', failure => {
  test('LI12 each process counts for itself from what it knew, and the outage is told once', async () => {
    const { clock, told, errors, limiters, other, state } = bench()
    expect(await granted(clock, 2, () => limiters.keys.take('a'))).toBe(2)
    expect(await granted(clock, 2, () => other.keys.take('a'))).toBe(2)
    // It hears of the four that are gone when it takes the next.
    expect(await granted(clock, 1, () => limiters.keys.take('a'))).toBe(1)
    state.failure = failure
    // Neither nobody, nor everybody.
    expect(await granted(clock, 10, () => limiters.keys.take('a'))).toBe(1)
    expect(await granted(clock, 10, () => limiters.keys.take('b'))).toBe(6)
    expect(await granted(clock, 20, () => limiters.failures.take('192.0.2.1'))).toBe(5)
    await clock.advance(60_000)
    await granted(clock, 10, () => limiters.keys.take('c'))
    expect(errors).toEqual(['shared limits'])
    expect(told.map(({ message }) => message)).toEqual([
      'The shared limits do not answer. Until they do, this process counts for itself.',
    ])
  })

  test('LI12 once they answer again they are asked again, and that is told once', async () => {
    const { clock, told, errors, limiters, other, state } = bench()
    state.failure = failure
    expect(await granted(clock, 3, () => limiters.keys.take('a'))).toBe(3)
    state.failure = null
    await clock.advance(1_000)
    // No one waits for the question whether they are back.
    expect(limiters.keys.take('b')).toBe(0)
    await clock.settle()
    expect(told).toHaveLength(2)
    expect(told[1]).toMatchObject({ message: 'The shared limits answer again.' })
    expect(await granted(clock, 4, () => other.keys.take('d'))).toBe(4)
    expect(await granted(clock, 9, () => limiters.keys.take('d'))).toBe(2)
    expect(told).toHaveLength(2)
    expect(errors).toHaveLength(1)
  })
})

test('LI12 in an outage no one waits, and limits are asked once a second whether they are back', async () => {
  const { clock, limiters, asked, state } = bench()
  state.failure = 'hang'
  const first = limiters.keys.take('a')
  expect(first).toBeInstanceOf(Promise)
  await clock.advance(TIMEOUT)
  expect(await first).toBe(0)
  asked.length = 0
  for (let second = 0; second < 5; second++) {
    for (let time = 0; time < 20; time++) expect(limiters.keys.take(`${second} ${time}`)).toBe(0)
    await clock.advance(1_000)
  }
  expect(asked.length).toBeGreaterThanOrEqual(4)
  expect(asked.length).toBeLessThanOrEqual(5)
})

test('LI12 an answer to a question from before the outage does not end it', async () => {
  const clock = createFakeClock()
  const { told, log } = keepingLog()
  const late: (() => void)[] = []
  const guarded = guardSharedLimits(
    {
      ...createLocalLimits(clock),
      take: bucket =>
        bucket === 'late'
          ? new Promise(resolve => late.push(() => resolve({ taken: true, tokens: 1 })))
          : Promise.reject(new Error('Away.')),
    },
    { clock, log, settings: { sharedLimitsTimeout: TIMEOUT, onError: () => undefined }, owner: 'one' },
  )
  const limit = { perSecond: 1, burst: 1 }
  const asked = guarded.take('late', limit)
  await clock.advance(1)
  await guarded.take('a', limit)
  late[0]?.()
  expect(await asked).toEqual({ taken: true, tokens: 1 })
  expect(guarded.take('a', limit)).toBeNull()
  expect(told).toHaveLength(1)
})

test('LI10 a key that is refused asks no one again until there can be a token', async () => {
  const clock = createFakeClock()
  const { limits, asked } = fragileLimits(createLocalLimits(clock))
  const { log } = keepingLog()
  const settings = { sharedLimitsTimeout: TIMEOUT, onError: () => undefined }
  const processes = ['one', 'other'].map(owner =>
    createLimiters(
      { ...RATES, key: { perSecond: 2, burst: 4 } },
      clock,
      guardSharedLimits(limits, { clock, log, settings, owner }),
    ),
  )
  const flood = async (): Promise<number> => {
    const waits = []
    for (let index = 0; index < 100; index++) waits.push(await processes[index % 2]?.keys.take('a'))
    return waits.filter(wait => wait === 0).length
  }
  expect(await flood()).toBe(4)
  // What is let through, and one refusal for each process.
  expect(asked.length).toBeLessThanOrEqual(6)
  asked.length = 0
  await clock.advance(1_000)
  expect(await flood()).toBe(2)
  expect(asked.length).toBeLessThanOrEqual(4)
})

test('LI10 a process that counts alone answers at once', () => {
  const limiters = createLimiters(RATES, createFakeClock())
  expect([limiters.keys.take('a'), limiters.keys.wait('a'), limiters.failures.wait('b')]).toEqual([0, 0, 0])
})

test('LI12 places are renewed while they are held, and lapse with their process', async () => {
  const { clock, working, guarded } = bench()
  const places = createSharedPlaces(guarded, 60_000, clock)
  const seat = async () => {
    const taken = await places.take('s', 2)
    await clock.settle()
    return taken
  }
  const leave = await seat()
  const other = await seat()
  expect([typeof leave, typeof other, await seat()]).toEqual(['function', 'function', null])
  const free = () => working.hold({ of: 'session:s', holder: 'probe' }, { most: 2, lease: 1 })
  await clock.advance(600_000)
  expect(await free()).toBe(false)
  leave?.()
  leave?.()
  await clock.settle()
  expect(await free()).toBe(true)
  await clock.advance(600_000)
  expect(await seat()).toBeInstanceOf(Function)
  expect(await free()).toBe(false)
  // The process is killed: nothing runs any more.
  clock.pause(60_000)
  expect(await free()).toBe(true)
})

test('LI12 places that were taken in an outage are held once the limits are back', async () => {
  const { clock, working, guarded, state } = bench()
  const places = createSharedPlaces(guarded, 60_000, clock)
  state.failure = 'reject'
  for (let time = 0; time < 3; time++) expect(await places.take('s', 2)).toBeInstanceOf(Function)
  await clock.advance(60_000)
  state.failure = null
  await clock.advance(60_000)
  expect(await working.hold({ of: 'session:s', holder: 'next' }, { most: 3, lease: 1 })).toBe(false)
  expect(await working.hold({ of: 'session:s', holder: 'next' }, { most: 4, lease: 1 })).toBe(true)
})

test('LI12 platforms whose limits are away serve, and refuse, as one that counts for itself', async () => {
  const { limits, state } = fragileLimits(createLocalLimits(createFakeClock()))
  state.failure = 'reject'
  const { platforms, first, ask, issue, startSession } = await limitedPlatforms(2, () => limits)
  for (const platform of platforms) {
    const statuses = []
    for (let time = 0; time < 8; time++) statuses.push(await ask(platform))
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
  }
  const { accessToken } = await issue(first)
  expect(await startSession(first, accessToken)).toBeTypeOf('string')
})

test('LI12 a session has its places in each process while the limits are away', async () => {
  const { limits, state } = fragileLimits(createLocalLimits(createFakeClock()))
  state.failure = 'reject'
  const { platforms, first, issue, startSession } = await limitedPlatforms(2, () => limits, roomy)
  const { accessToken } = await issue(first)
  const sessionId = await startSession(first, accessToken)
  for (const { messaging } of platforms) {
    const handshakes = []
    for (let time = 0; time < 12; time++)
      handshakes.push(await messaging.handshake({ sessionId, accessToken, cursor: null }))
    const open = handshakes.flatMap(handshake => ('open' in handshake ? [handshake] : []))
    expect(open).toHaveLength(10)
    for (const handshake of open) handshake.abandon()
  }
})

test('CR20 names of buckets hold no secret', async () => {
  const names: string[] = []
  const working = createLocalLimits(createFakeClock())
  const watching: SharedLimits = {
    ...working,
    take: (bucket, limit) => {
      names.push(bucket)
      return working.take(bucket, limit)
    },
    peek: (bucket, limit) => {
      names.push(bucket)
      return working.peek(bucket, limit)
    },
  }
  const { first, ask, issue, startSession, secret, connectorToken } = await limitedPlatforms(
    1,
    () => watching,
  )
  await ask(first)
  const { accessToken } = await issue(first)
  await startSession(first, accessToken)
  await ask(first, 'cq_ws_wrong_0000000000000')
  expect([...new Set(names.map(name => name.split(':')[0]))].sort()).toEqual([
    'address',
    'connector',
    'key',
    'visitor',
  ])
  for (const hidden of [secret, connectorToken, accessToken, 'cq_ws_wrong'])
    expect(names.join()).not.toContain(hidden)
})
