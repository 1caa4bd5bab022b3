import { createServer } from 'node:http'
import { createPlatform, defineFunction, silentLog, type Telemetry } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { openVisitor } from '@colloquy/test-support/visitor'
import { context, DiagLogLevel, diag, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { createOpenTelemetry } from '../../src/opentelemetry/index.ts'
import { listenOnFreePort } from './listen.ts'
import { openReceiver, type ReceivedSpan } from './receiver.ts'

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})
afterAll(() => context.disable())

/** An SDK whose exporters send to that address. */
function openSdk(url: string, timeout = 5_000, queue = 2_048) {
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: timeout })
  const tracerProvider = new TracerProvider({
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: queue, maxExportBatchSize: queue })],
  })
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${url}/v1/metrics`, timeoutMillis: timeout }),
    exportIntervalMillis: 60_000,
    exportTimeoutMillis: timeout,
  })
  const meterProvider = new MeterProvider({ readers: [reader] })
  return { tracerProvider, meterProvider }
}

/** A platform whose agent calls a function, in which a library traces something of its own. */
function openPlatform(telemetry: Telemetry, tracerProvider: TracerProvider) {
  const clock = createFakeClock()
  const library = tracerProvider.getTracer('a library')
  const work = defineFunction({
    description: 'Works.',
    parameters: z.object({}),
    async execute() {
      await Promise.resolve()
      library.startSpan('query').end()
      return 'done'
    },
  })
  const platform = createPlatform({
    store: createMemoryStore(),
    runtime: createScriptedRuntime(
      {
        greeting: 'Welcome.',
        messages: {
          call: async turn => `It ${(await turn.callFunction('work', {})).error ?? 'worked'}.`,
          broken: [{ type: 'fail', message: 'the model is down' }],
        },
      },
      clock,
    ),
    functions: { work },
    clock,
    log: silentLog,
    onError: () => {},
    rateLimits: null,
    telemetry,
  })
  return { platform, clock }
}

const attributesOf = ({ attributes }: ReceivedSpan): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

test('OT1 a collector receives the turns of a conversation, what is within them, and the figures', async () => {
  const receiver = await openReceiver()
  const sdk = openSdk(receiver.url)
  const { platform, clock } = openPlatform(createOpenTelemetry(sdk), sdk.tracerProvider)
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('call')
  await visitor.say('broken')
  await clock.settle()
  await platform.close()
  await sdk.tracerProvider.forceFlush()
  await sdk.meterProvider.forceFlush()

  const { spans } = receiver
  const named = (name: string): ReceivedSpan => {
    const found = spans.find(span => span.name === name)
    if (found === undefined) throw new Error(`No span ${name}: ${spans.map(span => span.name)}.`)
    return found
  }
  const tool = named('execute_tool work')
  const turn = spans.find(({ spanId }) => spanId === tool.parentSpanId)
  const command = spans.find(({ spanId }) => spanId === turn?.parentSpanId)
  expect(turn?.name).toBe('invoke_agent Front desk')
  expect(command?.name).toBe('command message')
  expect(named('query').parentSpanId).toBe(tool.spanId)
  expect(new Set([tool, turn, command, named('query')].map(span => span?.traceId)).size).toBe(1)
  if (turn === undefined) throw new Error('The function was called outside of a turn.')
  expect(attributesOf(turn)).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.id': visitor.agentId,
    'gen_ai.conversation.id': visitor.id,
  })
  const failed = spans.filter(({ status }) => status.code === SpanStatusCode.ERROR)
  expect(failed.map(({ name }) => name)).toEqual(['invoke_agent Front desk'])
  expect(failed.map(attributesOf)).toMatchObject([{ 'error.type': expect.stringMatching(/^[A-Z_]+$/) }])
  expect([...receiver.schemas]).toContain('https://opentelemetry.io/schemas/1.37.0')
  expect(JSON.stringify(spans)).not.toContain('the model is down')
  expect(receiver.metrics.get('colloquy.turn.duration')).toBe('ms')
  expect([...receiver.metrics.keys()]).toEqual(
    expect.arrayContaining(['colloquy.conversations', 'colloquy.errors', 'colloquy.sockets']),
  )

  await sdk.tracerProvider.shutdown()
  await sdk.meterProvider.shutdown()
  receiver.close()
})

test('conversations go on, and the platform closes, while a collector takes everything and never answers', async () => {
  const server = createServer(() => {})
  const sdk = openSdk(await listenOnFreePort(server), 200)
  const { platform, clock } = openPlatform(createOpenTelemetry(sdk), sdk.tracerProvider)
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  for (let turn = 0; turn < 50; turn++) await visitor.say('call')
  await clock.settle()
  expect(visitor.texts('AI_AGENT_MESSAGE')).toHaveLength(51)
  await platform.close()
  await Promise.allSettled([sdk.tracerProvider.shutdown(), sdk.meterProvider.shutdown()])
  server.closeAllConnections()
  server.close()
})

test('while a collector hangs and the queue of spans is full, conversations go on, drops are told, and figures lose nothing', async () => {
  const receiver = await openReceiver()
  const warnings: string[] = []
  const note = (text: string): void => void warnings.push(text)
  const quiet = { error() {}, info() {}, debug() {}, verbose() {} }
  diag.setLogger({ ...quiet, warn: note }, DiagLogLevel.WARN)
  onTestFinished(() => {
    diag.disable()
    receiver.close()
  })
  const sdk = openSdk(receiver.url, 5_000, 8)
  const { platform, clock } = openPlatform(createOpenTelemetry(sdk), sdk.tracerProvider)
  const visitor = await openVisitor(platform, clock)
  receiver.hang()
  await visitor.join()
  for (let turn = 0; turn < 30; turn++) await visitor.say('call')
  await clock.settle()
  expect(visitor.texts('AI_AGENT_MESSAGE')).toHaveLength(31)
  expect(receiver.spans).toEqual([])
  receiver.recover()
  await Promise.allSettled([sdk.tracerProvider.forceFlush()])
  await visitor.say('call')
  await clock.settle()
  await platform.close()
  await sdk.tracerProvider.forceFlush()
  await sdk.meterProvider.forceFlush()
  expect(warnings).toContainEqual(expect.stringMatching(/^Dropped \d+ spans because maxQueueSize reached$/))
  expect(receiver.spans.length).toBeGreaterThan(0)
  expect(receiver.counts.get('colloquy.turn.duration')).toBe(32)
  await Promise.all([sdk.tracerProvider.shutdown(), sdk.meterProvider.shutdown()])
})

test('OT1 without an SDK in the process it does nothing', async () => {
  const { platform, clock } = openPlatform(createOpenTelemetry(), new TracerProvider())
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  expect(visitor.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.'])
  expect(trace.getActiveSpan()).toBeUndefined()
  await platform.close()
})
