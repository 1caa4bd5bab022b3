import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../../src/testing/fake-clock.ts'
import { START } from '../../src/testing/fixtures.ts'

describe('fake clock', () => {
  it('ST10 stands still until it is advanced', async () => {
    const clock = createFakeClock()
    expect(clock.now()).toBe(START)
    await clock.settle()
    expect(clock.now()).toBe(START)
    await clock.advance(1_500)
    expect(clock.now()).toBe(START + 1_500)
    expect(createFakeClock(7).now()).toBe(7)
  })

  it('ST10 runs what becomes due at its own moment, earliest first, then in the order of scheduling', async () => {
    const clock = createFakeClock(0)
    const ran: string[] = []
    const note = (name: string) => () => void ran.push(`${name}@${clock.now()}`)
    clock.schedule(30, note('c'))
    clock.schedule(10, note('a'))
    clock.schedule(30, note('d'))
    clock.schedule(20, note('b'))
    clock.schedule(31, note('late'))
    await clock.advance(9)
    expect(ran).toEqual([])
    await clock.advance(21)
    expect(ran).toEqual(['a@10', 'b@20', 'c@30', 'd@30'])
    expect(clock.pending).toBe(1)
    await clock.advance(1)
    expect(ran.at(-1)).toBe('late@31')
    expect(clock.pending).toBe(0)
  })

  it('ST10 a cancelled task never runs; cancelling twice, or afterwards, does nothing', async () => {
    const clock = createFakeClock(0)
    const ran: string[] = []
    const callOff = clock.schedule(10, () => ran.push('called off'))
    const afterwards = clock.schedule(10, () => ran.push('ran'))
    callOff()
    callOff()
    expect(clock.pending).toBe(1)
    await clock.advance(50)
    afterwards()
    await clock.advance(50)
    expect(ran).toEqual(['ran'])
  })

  it('ST10 a task may cancel another that is due at the same moment', async () => {
    const clock = createFakeClock(0)
    const ran: string[] = []
    clock.schedule(10, () => callOff())
    const callOff = clock.schedule(10, () => ran.push('called off'))
    await clock.advance(10)
    expect(ran).toEqual([])
  })

  it('ST10 tasks scheduled on the way run on the way, at their own moments', async () => {
    const clock = createFakeClock(0)
    const ran: number[] = []
    const tick = () => {
      ran.push(clock.now())
      clock.schedule(10, tick)
    }
    clock.schedule(10, tick)
    clock.schedule(15, () => clock.schedule(0, () => ran.push(clock.now())))
    await clock.advance(35)
    expect(ran).toEqual([10, 15, 20, 30])
    expect(clock.now()).toBe(35)
  })

  it('ST10 a delay that is not positive is due at once, but never runs on the spot', async () => {
    const clock = createFakeClock(100)
    const ran: number[] = []
    clock.schedule(0, () => ran.push(clock.now()))
    clock.schedule(-50, () => ran.push(clock.now()))
    expect(ran).toEqual([])
    await clock.advance(0)
    expect(ran).toEqual([100, 100])
  })

  it('ST10 what a task sets off settles before time goes on', async () => {
    const clock = createFakeClock(0)
    const seen: string[] = []
    const slow = async () => {
      for (let turn = 0; turn < 10; turn++) await new Promise<void>(resolve => setImmediate(resolve))
      seen.push(`settled@${clock.now()}`)
    }
    clock.schedule(10, () => void slow())
    clock.schedule(20, () => seen.push(`next@${clock.now()}`))
    await clock.advance(20)
    expect(seen).toEqual(['settled@10', 'next@20'])
  })

  it('ST10 what is under way when time is advanced settles first, so that its timers count from before', async () => {
    const clock = createFakeClock(0)
    const ran: number[] = []
    const start = async () => {
      await new Promise<void>(resolve => setImmediate(resolve))
      clock.schedule(10, () => ran.push(clock.now()))
    }
    const started = start()
    await clock.advance(100)
    await started
    expect(ran).toEqual([10])
  })

  it('ST10 advancing rejects with what a task throws, at that moment; the other tasks stay', async () => {
    const clock = createFakeClock(0)
    clock.schedule(10, () => {
      throw new Error('no')
    })
    clock.schedule(20, () => {})
    await expect(clock.advance(50)).rejects.toThrow('no')
    expect(clock.now()).toBe(10)
    expect(clock.pending).toBe(1)
  })

  it('ST10 moves both hands alike, but for a step; what became due in a pause runs late', async () => {
    const clock = createFakeClock()
    const began = clock.monotonic()
    const ran: number[] = []
    clock.schedule(100, () => ran.push(clock.monotonic() - began))
    clock.step(3_600_000)
    clock.step(-7_200_000)
    await clock.advance(99)
    expect([clock.now() - START, clock.monotonic() - began]).toEqual([-3_600_000 + 99, 99])
    expect(ran).toEqual([])
    clock.pause(1_000)
    await clock.settle()
    expect(ran).toEqual([])
    await clock.advance(0)
    expect(ran).toEqual([1_099])
    expect(clock.now()).toBe(START - 3_600_000 + 1_099)
  })
})
