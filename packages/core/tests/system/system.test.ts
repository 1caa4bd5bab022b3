import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { PATIENCE } from '../../../../scripts/patience.ts'
import { systemClock, systemIds } from '../../src/system/system.ts'

const WEEK = 7 * 24 * 3_600_000

describe('the system clock', () => {
  afterEach(() => vi.useRealTimers())

  test('SY1 tells milliseconds since the epoch', () => {
    const before = Date.now()
    const now = systemClock.now()
    expect(now).toBeGreaterThanOrEqual(before)
    expect(now).toBeLessThanOrEqual(Date.now())
  })

  test('SY1 counts milliseconds on the monotonic clock, whatever the wall clock says', async () => {
    const wall = vi.spyOn(Date, 'now').mockReturnValue(0)
    const begun = performance.now()
    const from = systemClock.monotonic()
    await new Promise<void>(resolve => systemClock.schedule(5, resolve))
    wall.mockReturnValue(-7_200_000)
    const passed = systemClock.monotonic() - from
    expect(systemClock.now()).toBe(-7_200_000)
    expect(passed).toBeGreaterThanOrEqual(5)
    expect(passed).toBeLessThanOrEqual(performance.now() - begun)
    wall.mockRestore()
  })

  test('SY1 calls a task once and never early', async () => {
    const delays = [0, 1, 2, 3, 5, 8, 13, 21]
    const waited = await Promise.all(
      delays.map(
        delay =>
          new Promise<number>(resolve => {
            const from = performance.now()
            systemClock.schedule(delay, () => resolve(performance.now() - from))
          }),
      ),
    )
    waited.forEach((time, index) => {
      expect(time).toBeGreaterThanOrEqual(delays[index] ?? Number.NaN)
    })
  })

  test('SY1 a task that is called off never runs, and calling it off twice is harmless', () => {
    vi.useFakeTimers()
    const task = vi.fn()
    const callOff = systemClock.schedule(10, task)
    vi.advanceTimersByTime(9)
    callOff()
    callOff()
    vi.advanceTimersByTime(1_000)
    expect(task).not.toHaveBeenCalled()
  })

  test('SY1 a delay longer than a timer can hold is waited out in full, and can be called off in between', () => {
    vi.useFakeTimers()
    const task = vi.fn()
    const other = vi.fn()
    systemClock.schedule(8 * WEEK, task)
    const callOff = systemClock.schedule(8 * WEEK, other)
    vi.advanceTimersByTime(8 * WEEK - 1)
    expect(task).not.toHaveBeenCalled()
    callOff()
    vi.advanceTimersByTime(1)
    expect(task).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(8 * WEEK)
    expect(task).toHaveBeenCalledTimes(1)
    expect(other).not.toHaveBeenCalled()
  })

  test('SY1 a delay that is no number of milliseconds to wait runs the task at once', () => {
    vi.useFakeTimers()
    const task = vi.fn()
    for (const delay of [-1, Number.NEGATIVE_INFINITY, Number.NaN]) systemClock.schedule(delay, task)
    vi.advanceTimersByTime(1)
    expect(task).toHaveBeenCalledTimes(3)
  })

  const outputOf = (lines: string): string => {
    const system = new URL('../../src/system/system.ts', import.meta.url).href
    const program = `import { systemClock } from ${JSON.stringify(system)}\n${lines}`
    const options = ['--input-type=module', '--eval', program]
    return execFileSync(process.execPath, options, { encoding: 'utf8', timeout: PATIENCE })
  }

  test('SY1 a pending task lets the process end', () => {
    const lines = `systemClock.schedule(${WEEK}, () => console.log('ran')); console.log('done')`
    expect(outputOf(lines)).toBe('done\n')
  })

  test('SY1 a task that a caller waits for keeps the process alive, unless it is called off', () => {
    const lines = `
      const callOff = systemClock.schedule(${WEEK}, () => {}, { keepAlive: true })
      await new Promise(resolve => systemClock.schedule(20, resolve, { keepAlive: true }))
      callOff()
      console.log('waited')`
    expect(outputOf(lines)).toBe('waited\n')
  })
})

describe('the system ids', () => {
  const many = (make: () => string): readonly string[] => Array.from({ length: 2_000 }, make)

  test('SY3 a uuid is of version 4', () => {
    for (const id of many(systemIds.uuid))
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('SY3 a short id has at least 70 bits and only letters and digits', () => {
    for (const id of many(systemIds.short)) expect(id).toMatch(/^[0-9A-Za-z]+$/)
    expect(systemIds.short().length * Math.log2(62)).toBeGreaterThanOrEqual(70)
  })

  test('SY3 a secret has at least 190 bits and only URL-safe characters', () => {
    for (const id of many(systemIds.secret)) expect(id).toMatch(/^[0-9A-Za-z_-]+$/)
    expect(systemIds.secret().length * Math.log2(64)).toBeGreaterThanOrEqual(190)
  })

  test('SY3 no id comes twice', () => {
    fc.assert(
      fc.property(fc.constantFrom('uuid', 'short', 'secret'), kind => {
        expect(new Set(many(systemIds[kind])).size).toBe(2_000)
      }),
      { numRuns: 6 },
    )
  })
})
