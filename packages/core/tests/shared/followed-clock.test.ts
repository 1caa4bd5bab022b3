import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { clockOffset } from '../../src/domain/clock-offset.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import { followClock } from '../../src/shared/followed-clock.ts'
import { systemClock } from '../../src/system/system.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

/** A server whose clock is ahead by that much of an own one. */
function setUp(ahead: number) {
  const clock = createFakeClock()
  const server = { ahead, away: false }
  const read = async (): Promise<number> => {
    if (server.away) throw new Error('away')
    return clock.now() + server.ahead
  }
  return { clock, server, read }
}

describe('the offset of another clock', () => {
  test('MA13 is never further off than it was or than the answer took, whatever the ways there and back', () => {
    const way = fc.integer({ min: 0, max: 5_000 })
    fc.assert(
      fc.property(
        fc.integer({ min: -1e6, max: 1e6 }),
        fc.array(fc.record({ way, back: way }), { minLength: 1 }),
        (ahead, answers) => {
          let known: number | null = null
          let error = Number.POSITIVE_INFINITY
          let asked = 0
          for (const { way: there, back } of answers) {
            const answered = asked + there + back
            known = clockOffset(known, { now: asked + there + ahead, asked, answered })
            error = Math.min(error, there + back)
            expect(Math.abs(known - ahead)).toBeLessThanOrEqual(error)
            asked = answered + 10_000
          }
        },
      ),
    )
  })
})

describe('a followed clock', () => {
  test('MA13 goes as the other does, and follows it when it steps', async () => {
    const { clock, server, read } = setUp(30_000)
    const followed = await followClock({ read, clock, interval: 1_000 })
    expect(followed.now()).toBe(clock.now() + 30_000)
    await clock.advance(123)
    expect(followed.now()).toBe(clock.now() + 30_000)
    server.ahead = -7_000
    await clock.advance(999)
    expect(followed.now()).toBe(clock.now() - 7_000)
  })

  test('MA13 a step of the own wall clock moves nothing', async () => {
    const { clock, read } = setUp(0)
    const followed = await followClock({ read, clock, interval: 1_000 })
    await clock.advance(10)
    const before = followed.now()
    clock.step(-60_000)
    expect(followed.now()).toBe(before)
  })

  test('MA13 goes on by itself while no answer comes, and takes the next one', async () => {
    const { clock, server, read } = setUp(5_000)
    const followed = await followClock({ read, clock, interval: 1_000 })
    server.away = true
    const before = followed.now()
    await clock.advance(10_000)
    expect(followed.now()).toBe(before + 10_000)
    server.away = false
    server.ahead = 9_000
    await clock.advance(1_000)
    expect(followed.now()).toBe(clock.now() + 9_000)
  })

  test('MA13 is not there when its first answer is not, and asks no more once it is stopped', async () => {
    const { clock, server, read } = setUp(5_000)
    server.away = true
    await expect(followClock({ read, clock })).rejects.toThrow('away')
    server.away = false
    const followed = await followClock({ read, clock, interval: 1_000 })
    followed.stop()
    server.ahead = 9_000
    await clock.advance(5_000)
    expect(followed.now()).toBe(clock.now() + 5_000)
  })
})

/** When an account was made, as such a platform says. */
async function madeAt(options: Partial<PlatformOptions>): Promise<number> {
  const platform = createPlatform({
    store: { ...createMemoryStore(), clock: { now: () => 86_400_000 } },
    runtime: createScriptedRuntime({ messages: {} }, options.clock ?? systemClock),
    ...options,
  })
  onTestFinished(() => platform.close())
  const { createdAt } = await platform.access.createAccount({ slug: 'one', name: 'One' })
  return createdAt
}

test('TM12 a platform goes by its clock, without one by that of its store', async () => {
  expect(await madeAt({})).toBe(86_400_000)
  const clock = createFakeClock()
  expect(await madeAt({ clock })).toBe(clock.now())
})
