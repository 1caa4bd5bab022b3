import { METRICS, type MetricName, refuseUnknown, type Telemetry, type TelemetryFields } from '@colloquy/core'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Options of the metrics. */
export interface PrometheusOptions {
  /** The registry of the metrics. Pass the host's to share it. @default one of its own */
  readonly registry?: Registry
  /** Also tell of the process: CPU, memory, the event loop. @default true for a registry of its own, else false */
  readonly processMetrics?: boolean
  /** Upper bounds of what is counted together, in seconds. @default from 5 ms to 60 s */
  readonly buckets?: readonly number[]
}

/** Figures that Prometheus reads. It traces nothing. */
export interface PrometheusTelemetry extends Telemetry {
  readonly registry: Registry
  /** The media type of {@link text}. */
  readonly contentType: string
  /** Returns all figures, as the body of `/metrics`. */
  text(): Promise<string>
}

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Upper bounds of counts. */
const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500]

const MILLISECONDS_IN_SECOND = 1_000

/** `colloquy.turn.duration` in ms is `colloquy_turn_duration_seconds`; a counter ends in `_total` (PM1). */
export function seriesName(metric: MetricName): string {
  const { kind, unit } = METRICS[metric]
  const name = metric.replaceAll('.', '_')
  return `${name}${unit === 'ms' ? '_seconds' : ''}${kind === 'counter' ? '_total' : ''}`
}

type Take = (value: number, fields: TelemetryFields) => void

type Labels = Readonly<Record<string, string | number>>

const areLabels = (fields: TelemetryFields): fields is Labels => {
  for (const name in fields) if (typeof fields[name] === 'boolean') return false
  return true
}

/** Figures are reported with every turn: existing labels are used as they are. */
const labelsOf = (fields: TelemetryFields): Labels =>
  areLabels(fields)
    ? fields
    : Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          typeof value === 'boolean' ? String(value) : value,
        ]),
      )

function instrument(metric: MetricName, registry: Registry, buckets: readonly number[]): Take {
  const { kind, about, fields, unit } = METRICS[metric]
  const options = { name: seriesName(metric), help: about, labelNames: [...fields], registers: [registry] }
  const scale = unit === 'ms' ? MILLISECONDS_IN_SECOND : 1
  const known = registry.getSingleMetric(options.name)
  if (kind === 'counter') {
    const counter = known instanceof Counter ? known : new Counter(options)
    return (value, given) => counter.inc(labelsOf(given), value)
  }
  if (kind === 'gauge') {
    const gauge = known instanceof Gauge ? known : new Gauge(options)
    return (value, given) => gauge.set(labelsOf(given), value / scale)
  }
  const histogram =
    known instanceof Histogram
      ? known
      : new Histogram({ ...options, buckets: unit === 'ms' ? [...buckets] : COUNTS })
  return (value, given) => histogram.observe(labelsOf(given), value / scale)
}

/** One of the figures of the process, which are registered together. */
const PROCESS_METRIC = 'process_cpu_seconds_total'

const isMetric = (name: string): name is MetricName => Object.hasOwn(METRICS, name)

/**
 * Returns the figures of a platform for Prometheus: pass it as `telemetry` to `createPlatform`, and as `metrics` to
 * `createProbes` (PM1). A registry that has the series already, as where a module is loaded again, goes on with
 * them.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4)
 */
export function createPrometheus(options: PrometheusOptions = {}): PrometheusTelemetry {
  refuseUnknown('createPrometheus', options, ['registry', 'processMetrics', 'buckets'])
  const { registry = new Registry(), buckets = BUCKETS } = options
  const { processMetrics = options.registry === undefined } = options
  if (processMetrics && registry.getSingleMetric(PROCESS_METRIC) === undefined)
    collectDefaultMetrics({ register: registry })
  const takes = new Map<MetricName, Take>()
  // All at once: a series without a value yet is reported with its type all the same.
  for (const name of Object.keys(METRICS))
    if (isMetric(name)) takes.set(name, instrument(name, registry, buckets))
  return {
    measure: (metric, value, fields) => takes.get(metric)?.(value, fields),
    registry,
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
