/** The row of what it costs to be seen into. */
export const TELEMETRY_ROW = 'telemetry, 100 sessions'

/** Kinds of telemetry, by name. */
export const SEEN = {
  none: 'nothing',
  prometheus: 'Prometheus, read every second',
  openTelemetry: 'OpenTelemetry, spans and figures in batches',
} as const
export type Seen = keyof typeof SEEN

export const TURN_CPU = 'CPU µs/turn'
