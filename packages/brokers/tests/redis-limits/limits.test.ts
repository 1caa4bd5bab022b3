import type { SharedLimits } from '@colloquy/core'
import { createFakeClock } from '@colloquy/core/testing'
import { keepingLog } from '@colloquy/test-support/bus-ends'
import { limitedPlatforms } from '@colloquy/test-support/limited-platforms'
import { beside, CLIENTS, ownKeys, ownRedis } from '@colloquy/test-support/redis'
import { requireProgram, useServer } from '@colloquy/test-support/servers'
import { swallowingProxy } from '@colloquy/test-support/swallowing-proxy'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { RedisLimits } from '../../src/redis/index.ts'
import { openLimits } from './support/open-limits.ts'

// Slow: a real Redis is stopped and killed, and its leases end in real time.

/** Lines about the limits: a platform also says what happens to agents and conversations. */
const ofLimits = <Line extends { readonly message: string }>(told: readonly Line[]): readonly Line[] =>
  told.filter(({ message }) => message.includes('shared limits'))

const url = await useServer('redis')
const program = requireProgram('redis-server', 'redis-server')
/** How long Redis is waited for, milliseconds. */
const WAIT = 3_000
const LIMIT = { perSecond: 0.000_1, burst: 3 }

/** Notes what is asked of limits. */
function notedQuestions() {
  const asked: Promise<unknown>[] = []
  const note = <Answer>(question: Promise<Answer>): Promise<Answer> => {
    asked.push(question)
    return question
  }
  const noting = (limits: RedisLimits): SharedLimits => ({
    ...limits,
    take: (bucket, limit) => note(limits.take(bucket, limit)),
    peek: (bucket, limit) => note(limits.peek(bucket, limit)),
  })
  return { asked, noting }
}

let addresses = 0
/** One from which nothing has failed yet: what is refused already is refused without asking. */
const nextAddress = (): string => `2001:db8:0:${(addresses++).toString(16)}::1`

/** A server of the test's own, with its address. */
async function ownServer() {
  const server = await ownRedis(program)
  await server.start()
  return { ...server, address: `redis://127.0.0.1:${server.port}` }
}

describe.each(CLIENTS)('over %s', (_name, clientOf) => {
  test('LR2 each question is one command, on one key, and no process tells its time', async () => {
    const { address } = await ownServer()
    const redis = await beside(address)
    const limits = openLimits({ client: clientOf(address) })
    await limits.peek('a', LIMIT)
    const monitor = await redis.monitor()
    const seen: string[][] = []
    monitor.on('monitor', (_time: string, command: string[], source: string) => {
      // What a script runs itself comes from "lua".
      if (source !== 'lua') seen.push(command)
    })
    const place = { of: 's', holder: 'h' }
    await limits.take('a', LIMIT)
    await limits.peek('a', LIMIT)
    await limits.hold(place, { most: 1, lease: 60_000 })
    await limits.renew([place], 60_000)
    await limits.release(place)
    await vi.waitFor(() => expect(seen).toHaveLength(5))
    monitor.disconnect()
    expect(seen.map(([name, , keys, key, ...args]) => [name?.toUpperCase(), keys, key, ...args])).toEqual([
      ['EVALSHA', '1', 'colloquy:rate:a', '0.0001', '3', '1'],
      ['EVALSHA', '1', 'colloquy:rate:a', '0.0001', '3', '0'],
      ['EVALSHA', '1', 'colloquy:places:s', 'h', '60000', '1'],
      ['EVALSHA', '1', 'colloquy:places:s', 'h', '60000'],
      ['EVALSHA', '1', 'colloquy:places:s', 'h'],
    ])
  })

  test('LR2 a Redis that has forgotten the scripts is given them again', async () => {
    const { address } = await ownServer()
    const limits = openLimits({ client: clientOf(address) })
    expect(await limits.take('a', LIMIT)).toMatchObject({ taken: true })
    const redis = await beside(address)
    await redis.script('FLUSH')
    expect(await limits.take('a', LIMIT)).toMatchObject({ taken: true })
    expect(await limits.hold({ of: 's', holder: 'h' }, { most: 1, lease: 1_000 })).toBe(true)
    expect((await limits.peek('a', LIMIT)).toFixed(1)).toBe('1.0')
  })

  test('LR4 a wrong password, and a missing permission, is told in words without the password', async () => {
    const { address } = await ownServer()
    const admin = await beside(address)
    await admin.acl('SETUSER', 'limits', 'on', '>right', '~*', '+@all')
    await admin.acl('SETUSER', 'weak', 'on', '>x', '~colloquy:*', '+@connection', '+info')
    const limits = openLimits({ client: clientOf(address.replace('//', '//limits:secret@')) })
    const weak = openLimits({ client: clientOf(address.replace('//', '//weak:x@')) })
    const reason = await limits.take('a', LIMIT).catch(String)
    expect(reason).toContain('There is no connection to Redis: WRONGPASS')
    expect(reason).not.toContain('secret')
    expect(await weak.take('a', LIMIT).catch(String)).toContain('NOPERM')
    await admin.acl('SETUSER', 'limits', '>secret')
    await vi.waitFor(async () => expect(await limits.take('a', LIMIT)).toMatchObject({ taken: true }))
    // What the README says that the user needs.
    const needed = ['+evalsha', '+eval', '+script|load', '+time', '+get', '+set', '+pttl', '+pexpire']
    const places = ['+zadd', '+zcard', '+zrem', '+zremrangebyscore', '+zscore']
    await admin.acl('SETUSER', 'weak', ...needed, ...places)
    const place = { of: 's', holder: 'h' }
    await vi.waitFor(async () => expect(await weak.take('b', LIMIT)).toMatchObject({ taken: true }))
    expect(await weak.hold(place, { most: 1, lease: 1_000 })).toBe(true)
    await weak.renew([place], 1_000)
    await weak.release(place)
  })

  test('LR4 without Redis what is asked rejects at once, and is answered once it is there', async () => {
    const server = await ownRedis(program)
    const limits = openLimits({ client: clientOf(`redis://127.0.0.1:${server.port}`) })
    await expect(limits.take('a', LIMIT)).rejects.toThrow(/^There is no connection to Redis: .*ECONNREFUSED/)
    await server.start()
    await vi.waitFor(async () => expect(await limits.take('a', LIMIT)).toMatchObject({ taken: true }))
    await limits.close()
    await limits.close()
    await expect(limits.take('a', LIMIT)).rejects.toThrow('the limits are closed')
  })

  test('LR4 platforms go on while Redis is stopped, and count together again once it is back', async () => {
    const server = await ownServer()
    const { told, log } = keepingLog()
    const { platforms, first, ask } = await limitedPlatforms(
      2,
      () => openLimits({ client: clientOf(server.address) }),
      { log, onError: () => undefined },
    )
    const [, second = first] = platforms
    const asks = async (platform: typeof first, times: number): Promise<readonly number[]> => {
      const statuses = []
      for (let time = 0; time < times; time++) statuses.push(await ask(platform))
      return statuses
    }
    expect([...(await asks(first, 2)), ...(await asks(second, 2))]).toEqual([200, 200, 200, 200])
    await server.kill()
    // Each goes on from what it knew: the first of four left, the second of two.
    expect(await asks(first, 6)).toEqual([200, 200, 200, 200, 429, 429])
    expect(await asks(second, 4)).toEqual([200, 200, 429, 429])
    expect(ofLimits(told)).toHaveLength(2)
    await server.start()
    await vi.waitFor(async () => {
      for (const platform of platforms) await ask(platform, 'cq_ws_wrong_0000000000', nextAddress())
      expect(ofLimits(told).map(({ message }) => message)).toEqual([
        ...['a', 'b'].map(
          () => 'The shared limits do not answer. Until they do, this process counts for itself.',
        ),
        ...['a', 'b'].map(() => 'The shared limits answer again.'),
      ])
    })
    const statuses = []
    for (let time = 0; time < 20; time++)
      statuses.push(await ask(time % 2 === 0 ? first : second, `cq_ws_wrong_${time}_0000000`, '192.0.2.77'))
    expect(statuses.filter(status => status === 401)).toHaveLength(5)
    expect(ofLimits(told)).toHaveLength(4)
  })

  test('LR4 platforms go on while Redis is cut off without an error', async () => {
    const server = await ownServer()
    const proxy = await swallowingProxy(server.port)
    const { told, log } = keepingLog()
    const clock = createFakeClock()
    const { asked, noting } = notedQuestions()
    const { first, ask } = await limitedPlatforms(
      1,
      () =>
        noting(
          openLimits({
            client: clientOf(`redis://127.0.0.1:${proxy.port}`),
            pingInterval: 200,
            pingTimeout: WAIT,
          }),
        ),
      { clock, log, onError: () => undefined, sharedLimitsTimeout: WAIT },
    )
    expect(await ask(first)).toBe(200)
    proxy.swallow()
    let waits = true
    const waiting = ask(first).finally(() => {
      waits = false
    })
    while (waits) await clock.advance(WAIT)
    const statuses = [await waiting]
    const before = asked.length
    for (let time = 0; time < 7; time++) statuses.push(await ask(first))
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    // The others waited for nothing: Redis is asked once a second, and no time passes on the platform's clock.
    expect(asked.length - before).toBeLessThanOrEqual(1)
    expect(ofLimits(told)).toHaveLength(1)
    proxy.heal()
    await vi.waitFor(async () => {
      await clock.advance(1_000)
      await ask(first, 'cq_ws_wrong_0000000000', nextAddress())
      // An answer counts that comes before the next question.
      await Promise.allSettled(asked)
      expect(ofLimits(told).at(-1)?.message).toBe('The shared limits answer again.')
    })
  })
})

test('LR2 when the clock of Redis has gone back a bucket is as full as it was, and fills from then on', async () => {
  const { address } = await ownServer()
  const redis = await beside(address)
  const limits = openLimits({ url: address })
  const limit = { perSecond: 20, burst: 3 }
  // As it was written an hour from now.
  await redis.set('colloquy:rate:a', `0.5 ${Date.now() + 3_600_000}`)
  const refused = await limits.take('a', limit)
  expect(refused).toEqual({ taken: false, tokens: 0.5 })
  await vi.waitFor(async () => expect((await limits.take('a', limit)).taken).toBe(true))
  expect(await redis.pttl('colloquy:rate:a')).toBeLessThanOrEqual(151)
})

test.each(CLIENTS)(
  'LR9 close waits for what was asked, and no longer than a second, over %s',
  async (_name, clientOf) => {
    const { port, address } = await ownServer()
    const proxy = await swallowingProxy(port)
    const other = openLimits({ client: clientOf(address) })
    const limits = openLimits({ client: clientOf(`redis://127.0.0.1:${proxy.port}`) })
    const place = { of: 's', holder: 'h' }
    const terms = { most: 1, lease: 60_000 }
    expect(await limits.hold(place, terms)).toBe(true)
    const released = limits.release(place)
    await limits.close()
    await released
    expect(await other.hold({ of: 's', holder: 'next' }, terms)).toBe(true)

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const silent = openLimits({ client: clientOf(`redis://127.0.0.1:${proxy.port}`) })
    await silent.peek('a', LIMIT)
    proxy.swallow()
    const unanswered = silent.release(place).catch(String)
    let closed = false
    const closing = silent.close().then(() => {
      closed = true
    })
    await vi.advanceTimersByTimeAsync(999)
    expect(closed).toBe(false)
    // Redis would be waited for without end.
    await vi.advanceTimersByTimeAsync(1)
    await closing
    expect(await unanswered).toContain('Error')
  },
)

test('BR2 the client that is handed in is left alone, and a url is enough', async () => {
  const [one, other] = [new Redis(url, { lazyConnect: true }), createClient({ url })]
  const prefix = ownKeys(url)
  const ends = [{ client: one }, { client: other }, { url }].map(end => openLimits({ ...end, prefix }))
  const taken = []
  for (const limits of [...ends, ...ends]) taken.push((await limits.take('a', LIMIT)).taken)
  expect(taken).toEqual([true, true, true, false, false, false])
  expect([one.status, other.isOpen]).toEqual(['wait', false])
  await Promise.all([one.connect(), other.connect()])
  await Promise.all(ends.map(limits => limits.close()))
  expect(await Promise.all([one.ping(), other.ping()])).toEqual(['PONG', 'PONG'])
  one.disconnect()
  other.destroy()
})

test('LR5 every key ends by itself, and prefixes keep limits apart', async () => {
  const { address } = await ownServer()
  const redis = await beside(address)
  const limits = openLimits({ url: address })
  const apart = openLimits({ url: address, prefix: 'other:' })
  const place = { of: 's', holder: 'h' }
  // No key ends while it is looked at.
  const terms = { most: 2, lease: 3_600_000 }
  for (const end of [limits, apart]) {
    expect((await end.take('a', LIMIT)).tokens).toBe(2)
    expect(await end.hold(place, terms)).toBe(true)
  }
  await limits.hold({ of: 'long', holder: 'h' }, terms)
  await limits.hold({ of: 'long', holder: 'other' }, { most: 2, lease: 10 })
  const keys = await redis.keys('*')
  expect(keys.sort()).toEqual([
    'colloquy:places:long',
    'colloquy:places:s',
    'colloquy:rate:a',
    'other:places:s',
    'other:rate:a',
  ])
  expect(await redis.pttl('colloquy:places:long')).toBeGreaterThan(1_800_000)
  // A bucket's ends once it is full again, one of places with the last lease.
  const full = await redis.pttl('colloquy:rate:a')
  expect(full).toBeGreaterThan(5_000_000)
  expect(full).toBeLessThanOrEqual(10_000_001)
  await limits.take('short', { perSecond: 20, burst: 3 })
  await limits.hold({ of: 'short', holder: 'h' }, { most: 1, lease: 10 })
  await vi.waitFor(async () => expect(await redis.keys('*:short')).toEqual([]))
  // Peeking, and attempts that get nothing, keep nothing.
  await limits.peek('b', LIMIT)
  expect(await redis.keys('*:b')).toEqual([])
})
