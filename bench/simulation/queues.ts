import { Agenda } from './agenda.ts'
import { exponential, randomOf } from './random.ts'

/** Something that does one piece of work after the other, with so many hands. */
export interface Station {
  readonly name: string
  readonly servers: number
}

/** A piece of work at a station. */
export interface Visit {
  /** Place in the list of stations. */
  readonly station: number
  /** Microseconds that it takes a hand on average. */
  readonly work: number
  /** `exponential` varies about its mean; `constant` does not. */
  readonly spread: 'exponential' | 'constant'
  /** Microseconds on the way to it, during which nothing works. */
  readonly delay: number
}

/** The simulated system. Times are microseconds. */
export interface Model {
  readonly stations: readonly Station[]
  /** Jobs a second, which come independently of each other. */
  readonly perSecond: number
  /** The way of a job through the stations. */
  path(random: () => number): readonly Visit[]
}

/** Figures of a station during the measurement. */
export interface StationFound {
  readonly name: string
  /** Share of the time in which a hand worked, 0 to 1. */
  readonly busy: number
  /** Mean of those that waited or were worked on. */
  readonly inside: number
  readonly arrivals: number
  /** Mean time from arrival to end, microseconds. */
  readonly stay: number
}

/** Results of a simulation. */
export interface Found {
  readonly jobs: number
  readonly stations: readonly StationFound[]
  /** Times of jobs from beginning to end, microseconds. */
  readonly mean: number
  readonly p50: number
  readonly p99: number
}

/** Length and seed of a simulation. */
export interface Run {
  readonly seed: number
  /** That are measured, after a tenth of them that are not. */
  readonly jobs: number
}

interface Job {
  readonly began: number
  readonly path: readonly Visit[]
  readonly counts: boolean
  step: number
  arrivedAt: number
}

type Happening =
  | { readonly type: 'begin' }
  | { readonly type: 'arrive'; readonly job: Job }
  | { readonly type: 'leave'; readonly job: Job; readonly station: Place }

/** A station while it runs. */
class Place {
  readonly name: string
  readonly #servers: number
  readonly waiting: Job[] = []
  #next = 0
  #working = 0
  #since = 0
  #busy = 0
  #inside = 0
  arrivals = 0
  stays = 0

  constructor({ name, servers }: Station) {
    this.name = name
    this.#servers = servers
  }

  get #queued(): number {
    return this.waiting.length - this.#next
  }

  get isFree(): boolean {
    return this.#working < this.#servers
  }

  /** Counts the time that has gone by; to be called before anything changes. */
  pass(now: number): void {
    const gone = now - this.#since
    this.#busy += gone * this.#working
    this.#inside += gone * (this.#working + this.#queued)
    this.#since = now
  }

  /** Begins the measuring. */
  reset(now: number): void {
    this.pass(now)
    this.#busy = 0
    this.#inside = 0
    this.arrivals = 0
    this.stays = 0
  }

  work(): void {
    this.#working += 1
  }

  rest(): void {
    this.#working -= 1
  }

  /** The one that waits longest, taken out of the queue. */
  shift(): Job | undefined {
    const job = this.waiting[this.#next]
    if (job === undefined) return undefined
    this.#next += 1
    if (this.#next > 10_000) {
      this.waiting.splice(0, this.#next)
      this.#next = 0
    }
    return job
  }

  found(from: number, to: number): StationFound {
    const time = to - from
    return {
      name: this.name,
      busy: this.#busy / time / this.#servers,
      inside: this.#inside / time,
      arrivals: this.arrivals,
      stay: this.stays / Math.max(1, this.arrivals),
    }
  }
}

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/**
 * Runs jobs through queues, event by event: first come, first served, with queues as long as they get. The same seed
 * finds the same. Begun jobs beyond the measured ones keep the load up until the last measured one has ended.
 */
export function simulate(model: Model, { seed, jobs }: Run): Found {
  const random = randomOf(seed)
  const agenda = new Agenda<Happening>()
  const places = model.stations.map(station => new Place(station))
  const [warm, between] = [Math.ceil(jobs / 10), 1e6 / model.perSecond]
  const times: number[] = []
  let [now, begun, from, left] = [0, 0, 0, jobs]

  const start = (place: Place, job: Job): void => {
    const visit = job.path[job.step]
    if (visit === undefined) return
    place.work()
    const { work, spread } = visit
    agenda.put(now + (spread === 'constant' ? work : exponential(random, work)), {
      type: 'leave',
      job,
      station: place,
    })
  }
  const goOn = (job: Job): void => {
    const visit = job.path[job.step]
    if (visit !== undefined) agenda.put(now + visit.delay, { type: 'arrive', job })
    else if (job.counts) {
      times.push(now - job.began)
      left -= 1
    }
  }
  const begin = (): void => {
    if (begun === warm) {
      for (const place of places) place.reset(now)
      from = now
    }
    const counts = begun >= warm && begun < warm + jobs
    begun += 1
    goOn({ began: now, path: model.path(random), counts, step: 0, arrivedAt: now })
    agenda.put(now + exponential(random, between), { type: 'begin' })
  }
  const arrive = (job: Job): void => {
    const place = places[job.path[job.step]?.station ?? -1]
    if (place === undefined) throw new Error('A visit names a station that the model does not have.')
    place.pass(now)
    place.arrivals += 1
    job.arrivedAt = now
    if (place.isFree) start(place, job)
    else place.waiting.push(job)
  }
  const leave = (job: Job, place: Place): void => {
    place.pass(now)
    place.rest()
    place.stays += now - job.arrivedAt
    const next = place.shift()
    if (next !== undefined) start(place, next)
    job.step += 1
    goOn(job)
  }

  agenda.put(0, { type: 'begin' })
  while (left > 0) {
    const next = agenda.take()
    if (next === undefined) break
    now = next.at
    const { item } = next
    if (item.type === 'begin') begin()
    else if (item.type === 'arrive') arrive(item.job)
    else leave(item.job, item.station)
  }
  for (const place of places) place.pass(now)
  const sorted = Float64Array.from(times).sort()
  return {
    jobs: times.length,
    stations: places.map(place => place.found(from, now)),
    mean: times.reduce((sum, time) => sum + time, 0) / times.length,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
  }
}
