import { createPlatform, METRICS, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { createProbes } from '@colloquy/core/transport'
import { openVisitor } from '@colloquy/test-support/visitor'
import { Counter, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createPrometheus, type PrometheusTelemetry } from '../../src/prometheus/index.ts'

function openPlatform(telemetry: PrometheusTelemetry) {
  const clock = createFakeClock()
  const platform = createPlatform({
    store: createMemoryStore(),
    runtime: createScriptedRuntime({ greeting: 'Welcome.', otherwise: 'Certainly.' }, clock),
    clock,
    log: silentLog,
    rateLimits: null,
    telemetry,
  })
  return { platform, clock }
}

test('PM1 every figure is a series with its type, before it has a value', async () => {
  const text = await createPrometheus({ processMetrics: false }).text()
  expect(text.match(/^# TYPE .*$/gm)).toEqual([
    '# TYPE colloquy_turn_duration_seconds histogram',
    '# TYPE colloquy_turn_first_chunk_seconds histogram',
    '# TYPE colloquy_voice_latency_seconds histogram',
    '# TYPE colloquy_request_duration_seconds histogram',
    '# TYPE colloquy_errors_total counter',
    '# TYPE colloquy_conversations_total counter',
    '# TYPE colloquy_handoffs_total counter',
    '# TYPE colloquy_redactions_total counter',
    '# TYPE colloquy_guard_total counter',
    '# TYPE colloquy_sockets gauge',
    '# TYPE colloquy_queue gauge',
    '# TYPE colloquy_webhook_lag_seconds histogram',
    '# TYPE colloquy_store_commit histogram',
    '# TYPE colloquy_telemetry_dropped_total counter',
  ])
  expect(text.match(/^# TYPE/gm)).toHaveLength(Object.keys(METRICS).length)
})

test('what visitors did is read at /metrics while they talk', async () => {
  const prometheus = createPrometheus()
  const { platform, clock } = openPlatform(prometheus)
  const probes = createProbes(platform, { metrics: prometheus, metricsFor: 'anyone' })
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('hello')
  await clock.settle()
  const { status, headers, body } = await probes.handle({
    ...{ method: 'GET', path: '/metrics', query: '', headers: {}, remoteAddress: '127.0.0.1', secure: false },
    body: async () => new Uint8Array(),
  })
  expect(status).toBe(200)
  expect(headers['Content-Type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const agent = `agent="${visitor.agentId}",environment="live"`
  expect(body).toContain(`colloquy_turn_duration_seconds_count{${agent},outcome="completed"} 2`)
  expect(body).toContain(`colloquy_conversations_total{${agent},event="started"} 1`)
  expect(body).toContain('colloquy_sockets 1')
  expect(body).toContain('process_cpu_seconds_total')
  await platform.close()
})

test('a registry of the host keeps what is in it, and two platforms have their own', async () => {
  const registry = new Registry()
  new Counter({ name: 'orders_total', help: 'Orders.', registers: [registry] }).inc(3)
  const first = createPrometheus({ registry })
  const second = createPrometheus()
  first.measure('colloquy.sockets', 5, {})
  const text = await first.text()
  expect(text).toContain('orders_total 3')
  expect(text).toContain('colloquy_sockets 5')
  expect(text).not.toContain('process_cpu_seconds_total')
  expect(await second.text()).not.toContain('colloquy_sockets 5')
})

test('PM1 a figure that is a count has bounds of counts', async () => {
  const prometheus = createPrometheus({ processMetrics: false, buckets: [0.5] })
  prometheus.measure('colloquy.store.commit', 7, {})
  const text = await prometheus.text()
  expect(text).toContain('colloquy_store_commit_bucket{le="5"} 0\ncolloquy_store_commit_bucket{le="10"} 1')
  expect(text).toContain('colloquy_store_commit_sum 7')
  expect(text).toContain('colloquy_turn_duration_seconds')
})

test('a module that is loaded again registers at the same registry, and goes on counting', async () => {
  const registry = new Registry()
  const [first, again] = [1, 2].map(() => createPrometheus({ registry, processMetrics: true }))
  const { platform } = openPlatform(again ?? first ?? createPrometheus())
  for (const telemetry of [first, again])
    telemetry?.measure('colloquy.errors', 1, { where: 'turn', code: 'INTERNAL' })
  expect((await registry.metrics()).match(/^colloquy_errors_total{.*} (\d+)$/m)?.[1]).toBe('2')
  await platform.close()
})
