import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import type { Telemetry } from '@colloquy/core'
import { createOpenTelemetry } from '@colloquy/integrations/opentelemetry'
import { createPrometheus } from '@colloquy/integrations/prometheus'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { openVisitors, type Visitor } from './in-process.ts'
import type { BenchOptions } from './table/options.ts'
import { type Result, resultOf } from './table/result.ts'
import { SEEN, type Seen, TELEMETRY_ROW, TURN_CPU } from './table/telemetry-rows.ts'
import { withFolder } from './with-folder.ts'

const SESSIONS = 100
const SECOND = 1_000
/** Pause in which the work of a round ends before the next one begins. */
const REST = 50

/** Takes spans as fast as can be: what is measured is ours and the SDK's. */
const taken: SpanExporter = {
  export: (_spans, done) => done({ code: 0 }),
  shutdown: () => Promise.resolve(),
}

/** Telemetry of a variant's platform, and the function that reads its figures. */
interface Look {
  readonly telemetry: Telemetry | null
  read(): Promise<unknown>
}

const LOOKS: Readonly<Record<Seen, () => Look>> = {
  none: () => ({ telemetry: null, read: () => Promise.resolve() }),
  prometheus() {
    const telemetry = createPrometheus()
    return { telemetry, read: () => telemetry.text() }
  },
  openTelemetry() {
    const tracerProvider = new TracerProvider({
      spanProcessors: [
        new BatchSpanProcessor({ exporter: taken, maxQueueSize: 100_000, scheduledDelayMillis: 100 }),
      ],
    })
    const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA)
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })
    const meterProvider = new MeterProvider({ readers: [reader] })
    return {
      telemetry: createOpenTelemetry({ tracerProvider, meterProvider }),
      async read() {
        await meterProvider.forceFlush()
        exporter.reset()
      },
    }
  },
}

interface Variant {
  readonly name: Seen
  readonly visitors: readonly Visitor[]
  read(): Promise<unknown>
  close(): Promise<void>
}

async function open(name: Seen, folder: string): Promise<Variant> {
  const { telemetry, read } = LOOKS[name]()
  const store = createSqliteStore({ filename: join(folder, `${name}.db`) })
  const { visitors, close } = await openVisitors(store, SESSIONS, telemetry)
  return { name, visitors, read, close }
}

/** CPU microseconds of a turn, while all visitors talk for so long; the figures are read every second. */
async function turnCpu({ visitors, read }: Variant, milliseconds: number): Promise<number> {
  await pause(REST)
  const before = process.cpuUsage()
  const until = performance.now() + milliseconds
  let turns = 0
  const talk = async (visitor: Visitor): Promise<void> => {
    while (performance.now() < until) {
      await visitor.ask('How much is a room?')
      turns++
    }
  }
  const watch = async (): Promise<void> => {
    for (let at = SECOND / 2; at < milliseconds; at += SECOND) {
      await pause(SECOND)
      await read()
    }
  }
  await Promise.all([...visitors.map(talk), watch()])
  const { user, system } = process.cpuUsage(before)
  return (user + system) / turns
}

/**
 * Measures the cost of telemetry: the same turns with and without it in one process, some seconds each and in turn. So
 * other load of the machine affects both equally.
 */
export async function measureTelemetry({
  rounds = 15,
  seconds = 2,
}: BenchOptions): Promise<readonly Result[]> {
  const names = Object.keys(SEEN) as Seen[]
  const found = new Map<Seen, number[]>(names.map(name => [name, []]))
  await withFolder(async folder => {
    const variants = await Promise.all(names.map(name => open(name, folder)))
    for (const variant of variants) await turnCpu(variant, 2 * seconds * SECOND)
    for (let round = 0; round < rounds; round++) {
      const first = round % variants.length
      for (const variant of [...variants.slice(first), ...variants.slice(0, first)])
        found.get(variant.name)?.push(await turnCpu(variant, seconds * SECOND))
    }
    for (const { close } of variants) await close()
  })
  return names.map(name =>
    resultOf({ row: TELEMETRY_ROW, variant: SEEN[name], unit: TURN_CPU }, found.get(name) ?? []),
  )
}
