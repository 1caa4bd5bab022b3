import { keepingLog } from '@colloquy/test-support/bus-ends'
import { createManualNotices } from '@colloquy/test-support/fake-engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { topics } from '../../src/ports/notices.ts'
import { Scheduler, type Work } from '../../src/schedule/scheduler.ts'
import { createFakeClock } from '../../src/testing/index.ts'

const LONGEST = 5_000
const LOOK = 10_000

/** A scheduler, and what the host hears of it. */
function bench() {
  const clock = createFakeClock()
  const { told, log } = keepingLog()
  const errors: [unknown, string][] = []
  const notices = createManualNotices()
  const settings = {
    longestWorkerRetry: LONGEST,
    wakeInterval: LOOK,
    onError: (error: unknown, where: string) => void errors.push([error, where]),
  }
  const scheduler = new Scheduler({ clock, log, notices, settings })
  const began = clock.monotonic()
  const passed = () => clock.monotonic() - began
  /** Work that keeps the moments of its rounds. */
  const begin = (work: Partial<Work> = {}) => {
    const rounds: number[] = []
    const { round = async () => null, ...others } = work
    const job = scheduler.begin({
      name: 'some work',
      ...others,
      round() {
        rounds.push(passed())
        return round()
      },
    })
    return { job, rounds }
  }
  return { clock, told, errors, notices, scheduler, passed, begin }
}

const pauses = (rounds: readonly number[]) =>
  rounds.slice(1).map((moment, index) => moment - (rounds[index] ?? 0))

describe('moments', () => {
  it('EM12 a round begins when something is due, to the millisecond, and not before', async () => {
    const { clock, begin } = bench()
    const { job, rounds } = begin()
    job.due(clock.now() + 7_321)
    job.due(clock.now() + 9_000)
    await clock.advance(60_000)
    expect(rounds).toEqual([0, 7_321])
  })

  it('EM12 what falls due during a round is not lost, and what falls due together is one round', async () => {
    const { clock, begin } = bench()
    let open = (): void => {}
    const { job, rounds } = begin({ round: () => new Promise(resolve => (open = () => resolve(null))) })
    job.due(clock.now())
    job.due(clock.now())
    open()
    await clock.advance(100)
    expect(rounds).toEqual([0, 20])
    for (let at = 0; at < 5; at++) job.due(clock.now() + at)
    open()
    await clock.advance(100)
    open()
    await clock.advance(100)
    expect(rounds.length).toBe(3)
  })

  it('EM12 whatever is told, and however long rounds take, each moment has a round that begins at it or soon after', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ wait: fc.nat(400), ahead: fc.nat(3_000), takes: fc.nat(60) }), {
          maxLength: 30,
        }),
        async steps => {
          const { clock, begin, passed } = bench()
          let takes = 0
          let waiting: readonly number[] = []
          const late: number[] = []
          const { job, rounds } = begin({
            async round() {
              const isDue = (moment: number) => moment <= passed()
              late.push(...waiting.filter(isDue).map(moment => passed() - moment))
              waiting = waiting.filter(moment => !isDue(moment))
              await new Promise<void>(resolve => clock.schedule(takes, resolve))
              return waiting.length === 0 ? null : Math.max(Math.min(...waiting) - passed(), 0)
            },
          })
          for (const step of steps) {
            takes = step.takes
            waiting = [...waiting, passed() + step.ahead]
            job.due(clock.now() + step.ahead)
            await clock.advance(step.wait)
          }
          await clock.advance(4_000)
          expect([waiting, late.length]).toEqual([[], steps.length])
          // A round may be under way for 60 ms, and two begin 20 ms apart.
          expect(Math.max(0, ...late)).toBeLessThanOrEqual(80)
          expect(pauses(rounds).every(pause => pause >= 20)).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('EM12 what nobody told of is looked for every `wakeInterval`, by all kinds at one moment', async () => {
    const { clock, begin } = bench()
    const one = begin({ kind: 'calls' })
    await clock.advance(3_000)
    const other = begin({ kind: 'tests' })
    const apart = begin({ pause: 17_000, round: async () => 17_000 })
    const before = clock.pending
    await clock.advance(2 * LOOK)
    expect(one.rounds).toEqual([0, LOOK, 2 * LOOK])
    expect(other.rounds).toEqual([3_000, LOOK, 2 * LOOK])
    expect(apart.rounds).toEqual([20_000])
    expect([before, clock.pending]).toEqual([1, 1])
  })

  it('EM12 a job that was stopped begins no round, and waits for the one under way', async () => {
    const { clock, begin } = bench()
    let open = (): void => {}
    const { job, rounds } = begin({
      kind: 'calls',
      round: () => new Promise(resolve => (open = () => resolve(1))),
    })
    let stopped = false
    const stopping = job.stop().then(() => (stopped = true))
    await clock.advance(30_000)
    expect(stopped).toBe(false)
    open()
    await stopping
    await clock.advance(30_000)
    expect([rounds, clock.pending]).toEqual([[0], 0])
  })
})

describe('a process that stood still', () => {
  it('TM6 is noticed, whatever ends or falls due before the loop goes on', async () => {
    const { clock, begin, scheduler } = bench()
    let open = (): void => {}
    const ending = begin({ kind: 'calls', round: () => new Promise(resolve => (open = () => resolve(1))) })
    const late: number[] = []
    const told = begin({ kind: 'tests', lapsed: lapse => void late.push(lapse.late) })
    await clock.advance(1_000)
    clock.pause(30_000)
    open()
    scheduler.due('tests', clock.now())
    await clock.advance(0)
    expect(late).toEqual([21_000])
    for (const { rounds } of [ending, told]) expect(rounds.at(-1)).toBe(31_000)
  })
})

describe('other processes', () => {
  it('EM12 a process that does not do some work tells the others when it is due, once for what falls due together', async () => {
    const { clock, notices, scheduler } = bench()
    let heard = 0
    notices.subscribe(topics.due('webhooks'), { notice: () => heard++, gap: () => {} })
    scheduler.due('webhooks', clock.now() + 1_000)
    for (let at = 0; at < 10; at++) scheduler.due('webhooks', clock.now() + 1_000 + at)
    await clock.advance(999)
    expect(heard).toBe(0)
    await clock.advance(1_000)
    expect(heard).toBe(1)
    scheduler.stop()
    expect(clock.pending).toBe(0)
  })

  it('EM12 a moment before the next look is told to the others, one after it is left to that look', async () => {
    const { clock, notices, begin } = bench()
    const heard: number[] = []
    notices.subscribe(topics.due('tests'), { notice: ({ at }) => void heard.push(at), gap: () => {} })
    const { job, rounds } = begin({ kind: 'tests' })
    const now = clock.now()
    for (const ahead of [LOOK + 1, 7_000, 8_000, 3_000, 0]) job.due(now + ahead)
    expect(heard).toEqual([now + 7_000, now + 3_000])
    await clock.advance(1_000)
    expect(rounds).toEqual([0, 20])
    await job.stop()
  })

  it('EM12 who is told looks at that moment', async () => {
    const { clock, notices, begin } = bench()
    const { job, rounds } = begin({ kind: 'webhooks' })
    await clock.advance(1_500)
    notices.publish(topics.due('webhooks'), { at: clock.now() })
    notices.publish(topics.due('calls'), { at: clock.now() })
    await clock.advance(0)
    expect(rounds).toEqual([0, 1_500])
    await job.stop()
  })
})

describe('a worker that fails', () => {
  /** Work that is done every half second, and works or fails as it is told. */
  function failing(works: () => boolean, retryAfter = 500) {
    const made = bench()
    const round = async () => {
      if (!works()) throw new Error(`Away at ${made.passed()}.`)
      return 500
    }
    return { ...made, ...made.begin({ round, retryAfter, kind: 'calls' }) }
  }

  it('EM11 tries again after pauses that double up to the bound, and pauses as usual once it works', async () => {
    let away = true
    const { clock, told, errors, rounds, job } = failing(() => !away)
    await clock.advance(20_000)
    away = false
    await clock.advance(5_000)
    expect(pauses(rounds).slice(0, 9)).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 500, 500])
    expect(errors).toEqual([[new Error('Away at 0.'), 'some work']])
    expect(told).toEqual([
      { message: 'A background worker works again.', fields: { worker: 'some work', failedFor: 22_500 } },
    ])
    await job.stop()
  })

  it('EM11 a usual pause that is longer than the bound stays as it is', async () => {
    const { clock, rounds, job } = failing(() => false, 15_000)
    await clock.advance(60_000)
    expect(pauses(rounds)).toEqual([15_000, 15_000, 15_000, 15_000])
    await job.stop()
  })

  it('EM11 is not hurried by what falls due meanwhile, which is done once it works', async () => {
    let away = true
    const { clock, rounds, job } = failing(() => !away)
    await clock.advance(1_000)
    job.due(clock.now())
    await clock.advance(499)
    expect(rounds).toEqual([0, 500])
    away = false
    await clock.advance(1)
    expect(rounds).toEqual([0, 500, 1_500])
    await job.stop()
  })

  it('EM11 whatever fails and works, the host hears once of each beginning and each end, and no pause is longer than the bound', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async outcomes => {
        let round = 0
        const { clock, told, errors, rounds, job } = failing(() => outcomes[round++] ?? true)
        await clock.advance((outcomes.length + 1) * LONGEST)
        await job.stop()
        const begins = outcomes.filter((works, at) => !works && (outcomes[at - 1] ?? true))
        expect(errors.length).toBe(begins.length)
        expect(told.length).toBe(begins.length)
        for (const pause of pauses(rounds)) expect(pause).toBeLessThanOrEqual(LONGEST)
      }),
      { numRuns: 30 },
    )
  })

  it('EM11 what a round fails for that was under way when the worker was stopped is not told', async () => {
    const { job, errors } = failing(() => false)
    await job.stop()
    expect(errors).toEqual([])
  })
})
