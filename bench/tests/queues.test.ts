import { expect, it } from 'vitest'
import { Agenda } from '../simulation/agenda.ts'
import { type Model, simulate } from '../simulation/queues.ts'
import { exponential, randomOf } from '../simulation/random.ts'

const JOBS = 200_000

/** One station, to which so many come a second, each of whom takes 100 µs. */
const one = (perSecond: number, servers = 1, spread: 'exponential' | 'constant' = 'exponential'): Model => ({
  stations: [{ name: 'one', servers }],
  perSecond,
  path: () => [{ station: 0, work: 100, spread, delay: 0 }],
})

it('an agenda hands out the earliest first, and what is as early in the order in which it came', () => {
  const random = randomOf(7)
  const agenda = new Agenda<number>()
  const put = Array.from({ length: 5_000 }, (_, item) => ({ at: Math.floor(random() * 100), item }))
  for (const { at, item } of put) agenda.put(at, item)
  const taken = put.map(() => agenda.take())
  expect(taken).toEqual(
    [...put].sort((a, b) => a.at - b.at || a.item - b.item).map(entry => expect.objectContaining(entry)),
  )
  expect(agenda.take()).toBeUndefined()
  expect(agenda.size).toBe(0)
})

it('an exponential time has its mean, and a standard deviation as large', () => {
  const random = randomOf(11)
  const times = Array.from({ length: JOBS }, () => exponential(random, 50))
  const mean = times.reduce((sum, time) => sum + time, 0) / JOBS
  const deviation = Math.sqrt(times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / JOBS)
  expect(mean / 50).toBeCloseTo(1, 1)
  expect(deviation / 50).toBeCloseTo(1, 1)
})

it.each([1_000, 5_000, 8_000])('the mean stay of M/M/1 at %i jobs a second is that of theory', perSecond => {
  const found = simulate(one(perSecond), { seed: 1, jobs: JOBS })
  const load = perSecond / 10_000
  // W = s / (1 - load); the p99 of an exponential stay is W · ln 100.
  const stay = 100 / (1 - load)
  expect(found.jobs).toBe(JOBS)
  expect(found.mean / stay).toBeGreaterThan(0.94)
  expect(found.mean / stay).toBeLessThan(1.06)
  expect(found.p99 / (stay * Math.log(100))).toBeGreaterThan(0.9)
  expect(found.p99 / (stay * Math.log(100))).toBeLessThan(1.1)
  expect(found.stations[0]?.busy).toBeCloseTo(load, 1)
})

it('constant work waits half as long as exponential work, as Pollaczek and Khinchine found', () => {
  const load = 0.8
  const found = simulate(one(8_000, 1, 'constant'), { seed: 2, jobs: JOBS })
  const stay = 100 + (100 * load) / (2 * (1 - load))
  expect(found.mean / stay).toBeGreaterThan(0.95)
  expect(found.mean / stay).toBeLessThan(1.05)
})

it('the mean stay of M/M/2 is that of theory: two hands help more than one that is free half as often', () => {
  const load = 0.8
  const found = simulate(one(16_000, 2), { seed: 3, jobs: JOBS })
  const stay = 100 / (1 - load ** 2)
  expect(found.mean / stay).toBeGreaterThan(0.94)
  expect(found.mean / stay).toBeLessThan(1.06)
})

it("Little's law holds at every station: those inside are the rate times the stay", () => {
  const model: Model = {
    stations: [
      { name: 'first', servers: 3 },
      { name: 'second', servers: 1 },
    ],
    perSecond: 6_000,
    path: random => [
      { station: 0, work: 300, spread: 'exponential', delay: 20 },
      { station: 1, work: 120, spread: 'constant', delay: 50 },
      ...(random() < 0.5 ? [{ station: 0, work: 100, spread: 'constant', delay: 0 } as const] : []),
    ],
  }
  const found = simulate(model, { seed: 4, jobs: JOBS })
  const measuredSeconds = JOBS / model.perSecond
  for (const { name, inside, arrivals, stay } of found.stations)
    expect((inside * measuredSeconds * 1e6) / (arrivals * stay), name).toBeCloseTo(1, 1)
})

it('a job takes the ways and the work of its path, where nobody else is', () => {
  const model: Model = {
    stations: [{ name: 'one', servers: 1 }],
    perSecond: 0.001,
    path: () => [
      { station: 0, work: 100, spread: 'constant', delay: 7 },
      { station: 0, work: 30, spread: 'constant', delay: 5 },
    ],
  }
  const { mean, p50, p99 } = simulate(model, { seed: 5, jobs: 100 })
  for (const time of [mean, p50, p99]) expect(time).toBeCloseTo(142, 1)
})

it('the same seed finds the same, another one something else', () => {
  const [first, again, other] = [6, 6, 7].map(seed => simulate(one(5_000), { seed, jobs: 1_000 }))
  expect(again).toEqual(first)
  expect(other?.mean).not.toBe(first?.mean)
})
