import type { Store } from '../ports/store/store.ts'
import {
  type Begin,
  type GuardedTelemetry,
  NO_SPAN,
  type Operation,
  type Span,
  type Telemetry,
} from '../ports/telemetry.ts'
import type { Settings } from '../settings/settings.ts'
import { callHost, fitting, ignoreOutcome } from '../shared/call-host.ts'

/** The number of failures per report to `onError`. A failing telemetry fails in every turn. */
const REPORTED_ONCE_IN = 1_000

type Failed = (error: unknown) => void

/** Returns a span, or none, as one that was sampled away. */
const isSpan = (value: unknown): value is Span | null | undefined =>
  (value ?? null) === null ||
  (typeof value === 'object' && typeof Reflect.get(value ?? {}, 'within') === 'function')

/** Work that is called once: later calls have the outcome of the first. */
class Once<Result> {
  readonly #work: () => Result
  #settled: (() => Result) | null = null
  /** The result of the work, or its error. */
  outcome: unknown

  constructor(work: () => Result) {
    this.#work = work
  }

  readonly call = (): Result => {
    this.#settled ??= this.#attempt()
    return this.#settled()
  }

  #attempt(): () => Result {
    try {
      const result = this.#work()
      this.outcome = result
      return () => result
    } catch (error) {
      this.outcome = error
      return () => {
        throw error
      }
    }
  }
}

/** Returns a host's span, whose failures change nothing of the work within it. */
const guardSpan = (span: Span, failed: Failed): Span => ({
  set: fields => callHost(() => span.set(fields), failed),
  within<Result>(work: () => Result): Result {
    const once = new Once(work)
    try {
      const returned: unknown = span.within(once.call)
      if (returned !== once.outcome) ignoreOutcome(returned, failed)
    } catch (error) {
      if (error !== once.outcome) failed(error)
    }
    return once.call()
  },
  end: failure => callHost(() => span.end(failure), failed),
})

/** One telemetry of the host, which never throws, and counts what it did not take. */
function guardOne(telemetry: Telemetry, onError: Settings['onError']): GuardedTelemetry {
  let dropped = 0
  let untold = 0
  const failed: Failed = error => {
    if (dropped % REPORTED_ONCE_IN === 0) onError(error, 'telemetry')
    dropped++
    untold++
  }
  /** @throws what the telemetry throws; then the number is reported again, also if the call rejects */
  function tellDropped(): void {
    const before = untold
    const told: unknown = telemetry.measure('colloquy.telemetry.dropped', before, {})
    untold -= before
    ignoreOutcome(told, () => {
      untold += before
    })
  }
  function begin(operation: Operation): Span {
    try {
      const span = fitting(telemetry.begin?.(operation), isSpan, 'telemetry.begin must return a span')
      return guardSpan(span ?? NO_SPAN, failed)
    } catch (error) {
      failed(error)
      return NO_SPAN
    }
  }
  return {
    begin: telemetry.begin === undefined ? null : begin,
    measure(metric, value, fields) {
      callHost(() => {
        if (untold > 0) tellDropped()
        return telemetry.measure(metric, value, fields)
      }, failed)
    },
  }
}

/** Several that trace as one. An operation is within all that came before it. */
function joinedBegin(all: readonly Begin[]): Begin | null {
  const [first, second] = all
  if (first === undefined || second === undefined) return first ?? null
  return operation => {
    const spans = all.map(begin => begin(operation))
    return {
      set(fields) {
        for (const span of spans) span.set(fields)
      },
      within: work => spans.reduceRight((inner, span) => () => span.within(inner), work)(),
      end(failure) {
        for (const span of spans) span.end(failure)
      },
    }
  }
}

/** Several telemetries as one. */
const joined = (all: readonly GuardedTelemetry[]): GuardedTelemetry => ({
  begin: joinedBegin(all.flatMap(({ begin }) => begin ?? [])),
  measure(metric, value, fields) {
    for (const telemetry of all) telemetry.measure(metric, value, fields)
  },
})

/** Returns the host's `telemetry`, one or several, as one that never throws (OB10). Null without any. */
export function guardTelemetry(
  given: Telemetry | readonly Telemetry[] | undefined,
  onError: Settings['onError'],
): GuardedTelemetry | null {
  const all = given === undefined ? [] : 'measure' in given ? [given] : given
  const guarded = all.map(telemetry => guardOne(telemetry, onError))
  return guarded[1] === undefined ? (guarded[0] ?? null) : joined(guarded)
}

/** Measures the writes of each commit of the host's store, if the store reports them (PM1). */
export function measureCommits(
  store: Pick<Store, 'onCommit'>,
  telemetry: Pick<Telemetry, 'measure'>,
  onError: Settings['onError'],
): void {
  const listener = (writes: number): void => telemetry.measure('colloquy.store.commit', writes, {})
  callHost(
    () => store.onCommit?.(listener),
    error => onError(error, 'telemetry'),
  )
}
