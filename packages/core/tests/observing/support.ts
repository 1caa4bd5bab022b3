import type { MetricName, Operation, Span, Telemetry, TelemetryFields } from '../../src/ports/telemetry.ts'

/** An operation as a telemetry has heard of it. */
export interface Seen {
  readonly operation: Operation
  /** The operation within which it began; null for none. */
  readonly parent: string | null
  fields: TelemetryFields
  ended: boolean
  failure: string | null
}

/** A telemetry that keeps all it is told; what is within what is known for as long as nothing is awaited. */
export function createNotedTelemetry() {
  const operations: Seen[] = []
  const figures: { readonly metric: MetricName; readonly value: number; readonly fields: TelemetryFields }[] =
    []
  const within: Seen[] = []
  const telemetry: Telemetry = {
    begin(operation): Span {
      const parent = within.at(-1)?.operation.name ?? null
      const seen: Seen = { operation, parent, fields: operation.fields, ended: false, failure: null }
      operations.push(seen)
      return {
        set(fields) {
          seen.fields = { ...seen.fields, ...fields }
        },
        within(work) {
          within.push(seen)
          try {
            return work()
          } finally {
            within.pop()
          }
        },
        end(failure) {
          seen.ended = true
          seen.failure = failure
        },
      }
    },
    measure: (metric, value, fields) => void figures.push({ metric, value, fields }),
  }
  const of = (kind: Operation['kind']): readonly Seen[] =>
    operations.filter(({ operation }) => operation.kind === kind)
  return { telemetry, operations, figures, of }
}
