import {
  METRICS,
  type MetricName,
  type Operation,
  type OperationKind,
  refuseUnknown,
  type Span,
  type Telemetry,
  type TelemetryFields,
} from '@colloquy/core'
import {
  type Attributes,
  context,
  type MeterProvider,
  metrics,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'

/** The providers for spans and metrics. */
export interface OpenTelemetryOptions {
  /** @default the one that is registered in the process */
  readonly tracerProvider?: TracerProvider
  /** @default the one that is registered in the process */
  readonly meterProvider?: MeterProvider
}

/** The name of the tracer and of the meter. */
export const SCOPE = '@colloquy/integrations/opentelemetry'

/** The version of the semantic conventions whose names the spans have. */
export const CONVENTIONS = '1.37.0'

const SCHEMA = { schemaUrl: `https://opentelemetry.io/schemas/${CONVENTIONS}` }

/** The kind of each operation, and the word before its name (OT1). */
const SPANS: Readonly<Record<OperationKind, readonly [kind: SpanKind, word: string]>> = {
  request: [SpanKind.SERVER, ''],
  command: [SpanKind.INTERNAL, 'command'],
  turn: [SpanKind.INTERNAL, 'invoke_agent'],
  tool: [SpanKind.INTERNAL, 'execute_tool'],
  model: [SpanKind.CLIENT, 'chat'],
}

/** A list, where the convention has one. */
const FINISH_REASONS = 'gen_ai.response.finish_reasons'

function attributesOf(fields: TelemetryFields): Attributes {
  const reason = fields[FINISH_REASONS]
  return reason === undefined ? fields : { ...fields, [FINISH_REASONS]: [String(reason)] }
}

type Take = (value: number, fields: TelemetryFields) => void

/** Creates one instrument for each metric. */
function instruments(provider: MeterProvider): (metric: MetricName) => Take {
  const meter = provider.getMeter(SCOPE, undefined, SCHEMA)
  const make = (name: MetricName): Take => {
    const { kind, unit, about } = METRICS[name]
    const options = { unit, description: about }
    if (kind === 'counter') {
      const counter = meter.createCounter(name, options)
      return (value, fields) => counter.add(value, fields)
    }
    const instrument =
      kind === 'gauge' ? meter.createGauge(name, options) : meter.createHistogram(name, options)
    return (value, fields) => instrument.record(value, fields)
  }
  const made = new Map<MetricName, Take>()
  return name => {
    const known = made.get(name) ?? make(name)
    made.set(name, known)
    return known
  }
}

/**
 * Records spans and metrics of a platform with OpenTelemetry: pass it as `telemetry` to `createPlatform` (OT1).
 * Without an SDK in the process it does nothing.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4)
 */
export function createOpenTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  refuseUnknown('createOpenTelemetry', options, ['tracerProvider', 'meterProvider'])
  const { tracerProvider = trace.getTracerProvider(), meterProvider = metrics.getMeterProvider() } = options
  const tracer = tracerProvider.getTracer(SCOPE, undefined, SCHEMA)
  const record = instruments(meterProvider)

  return {
    begin({ kind, name, fields, startedAt }: Operation): Span {
      const [spanKind, word] = SPANS[kind]
      const span = tracer.startSpan(`${word} ${name}`.trim(), {
        kind: spanKind,
        attributes: attributesOf(fields),
        ...(startedAt === undefined ? {} : { startTime: startedAt }),
      })
      return {
        set: more => void span.setAttributes(attributesOf(more)),
        within: work => context.with(trace.setSpan(context.active(), span), work),
        end(failure) {
          if (failure !== null) {
            span.setAttribute('error.type', failure)
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        },
      }
    },
    measure: (metric, value, fields) => record(metric)(value, fields),
  }
}
