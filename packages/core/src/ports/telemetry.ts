/** Facts about an operation or a figure. They never hold secrets, nor what visitors and agents say. */
export type TelemetryFields = Readonly<Record<string, string | number | boolean>>

/** The kinds of traced operations. A `request` is answered over HTTP; a `command` changes a conversation. */
export const OPERATIONS = ['request', 'command', 'turn', 'tool', 'model'] as const
export type OperationKind = (typeof OPERATIONS)[number]

/** An operation that begins. */
export interface Operation {
  readonly kind: OperationKind
  /** For people: `GET /v1/agents`, `message`, the agent's name, the function's name, the model's name. */
  readonly name: string
  readonly fields: TelemetryFields
  /** Milliseconds since the epoch. @default now */
  readonly startedAt?: number
}

/** An operation in progress. Its methods return at once, and do nothing after `end`. */
export interface Span {
  /** Adds facts. */
  set(fields: TelemetryFields): void
  /**
   * Calls `work` at once, exactly once, and returns or throws what it does. What `work` begins, and the libraries that
   * it calls, are part of this operation, after awaits too.
   */
  within<Result>(work: () => Result): Result
  /**
   * The operation is over.
   *
   * @param failure a code, such as that of a `PlatformError`; null if it did what it should
   */
  end(failure: string | null): void
}

/** The figures that the platform measures, with their units (PM1). */
export const METRICS = {
  'colloquy.turn.duration': {
    kind: 'histogram',
    unit: 'ms',
    about: "From a visitor's input to the agent's reply, or to its failure.",
    fields: ['agent', 'environment', 'outcome'],
  },
  'colloquy.turn.first_chunk': {
    kind: 'histogram',
    unit: 'ms',
    about: 'From the start of a turn to the first text of the agent.',
    fields: ['agent', 'environment'],
  },
  'colloquy.voice.latency': {
    kind: 'histogram',
    unit: 'ms',
    about: 'Latencies of spoken turns: end of the utterance, its words, the first sentence, its first audio.',
    fields: ['agent', 'environment', 'part'],
  },
  'colloquy.request.duration': {
    kind: 'histogram',
    unit: 'ms',
    about: 'From a request over HTTP to the head of its answer.',
    fields: ['route', 'method', 'status'],
  },
  'colloquy.errors': {
    kind: 'counter',
    unit: '{error}',
    about: 'Refused requests, failed turns and failed functions, by code.',
    fields: ['code', 'where'],
  },
  'colloquy.conversations': {
    kind: 'counter',
    unit: '{conversation}',
    about: 'Conversations that began and that ended.',
    fields: ['agent', 'environment', 'event'],
  },
  'colloquy.handoffs': {
    kind: 'counter',
    unit: '{handoff}',
    about: 'Handoffs that were requested, accepted by a live agent, and that failed.',
    fields: ['agent', 'environment', 'event'],
  },
  'colloquy.redactions': {
    kind: 'counter',
    unit: '{part}',
    about: 'Private parts that were taken out of the words of visitors.',
    fields: ['agent', 'environment', 'kind'],
  },
  'colloquy.guard': {
    kind: 'counter',
    unit: '{verdict}',
    about: 'Verdicts of the guard on messages and replies, its failures included.',
    fields: ['agent', 'environment', 'direction', 'verdict'],
  },
  'colloquy.sockets': {
    kind: 'gauge',
    unit: '{socket}',
    about: "Visitors' connections that are open in this process.",
    fields: [],
  },
  'colloquy.queue': {
    kind: 'gauge',
    unit: '{visitor}',
    about: 'Visitors of an account who wait for a live agent, as this process has counted last.',
    fields: ['account'],
  },
  'colloquy.webhook.lag': {
    kind: 'histogram',
    unit: 'ms',
    about: 'From an event to the first attempt to deliver it.',
    fields: ['outcome'],
  },
  'colloquy.store.commit': {
    kind: 'histogram',
    unit: '{write}',
    about: 'Writes that one durable commit of the store carried, most of them appends to conversations.',
    fields: [],
  },
  'colloquy.telemetry.dropped': {
    kind: 'counter',
    unit: '{figure}',
    about: 'Figures and operations that a telemetry did not take.',
    fields: [],
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly kind: 'histogram' | 'counter' | 'gauge'
      readonly unit: string
      readonly about: string
      readonly fields: readonly string[]
    }
  >
>

export type MetricName = keyof typeof METRICS

/**
 * The port through which the platform reports its operations and figures, for example that of
 * `@colloquy/integrations/opentelemetry` or `@colloquy/integrations/prometheus`. Nothing of the platform waits for it.
 * Every method MUST return at once, and keep what it exports in bounds of its own.
 */
export interface Telemetry {
  /**
   * Begins an operation, as part of the one within which this is called.
   *
   * @default operations are not traced, and cost nothing: only metrics are recorded
   */
  begin?(operation: Operation): Span
  /** A histogram's value, what a counter grows by, or the value that a gauge has now. */
  measure(metric: MetricName, value: number, fields: TelemetryFields): void
}

/** Begins an operation. */
export type Begin = (operation: Operation) => Span

/** The host's telemetry as core uses it: it never throws. */
export interface GuardedTelemetry {
  /** Null if nothing is traced. */
  readonly begin: Begin | null
  measure(metric: MetricName, value: number, fields: TelemetryFields): void
}

/** An operation that no one traces. */
export const NO_SPAN: Span = { set() {}, within: work => work(), end() {} }
