import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { createPlatform, type Platform, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { createProbes } from '@colloquy/core/transport'
import { createRouter } from '@colloquy/http-express'
import { createOpenTelemetry } from '@colloquy/integrations/opentelemetry'
import { createPrometheus } from '@colloquy/integrations/prometheus'
import { listenOn } from '@colloquy/test-support/messaging-host'
import { openVisitor } from '@colloquy/test-support/visitor'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'

/** The blocks of a guide in TypeScript. */
async function blocksOf(guide: string): Promise<readonly string[]> {
  const page = await readFile(new URL(`../../docs/guides/${guide}`, import.meta.url), 'utf8')
  return [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = '']) => block)
}

/** Runs a block that reads these names; what the name in it is then. */
async function run(block: string, names: object, result = 'undefined'): Promise<unknown> {
  const code = stripTypeScriptTypes(block.replace(/^import .*\n/gm, ''))
  const body = `return (async () => { ${code}; return ${result} })()`
  return new Function(...Object.keys(names), body)(...Object.values(names))
}

const clock = createFakeClock(Date.UTC(2026, 0, 1))
const runtime = createScriptedRuntime({ greeting: 'Welcome.', otherwise: 'Yes.' }, clock)

function start(options: object = {}): Platform {
  const platform = createPlatform({
    ...{ clock, runtime, store: createMemoryStore(), log: silentLog },
    ...options,
  })
  onTestFinished(() => platform.close())
  return platform
}

test('the code of the guide about seeing inside does what it says', async () => {
  const [events = '', log = '', traces = '', health = '', ...others] = await blocksOf('seeing-inside.md')
  expect(others).toEqual([])
  const noted: unknown[] = []
  const platform = start()
  await run(events, { platform, crm: { note: (...given: readonly unknown[]) => noted.push(given) } })
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.end()
  expect(noted).toMatchObject([[visitor.id, { turns: 1, endReason: 'REASON_USER_END' }]])

  const lines: unknown[] = []
  const note = (...line: readonly unknown[]) => void lines.push(line)
  const console = { info: note, warn: note, error: note }
  const created: unknown[] = []
  const keep = (options: object) => {
    created.push(options)
    return start({ ...options, clock })
  }
  const names = { runtime, console, createOpenTelemetry, createPlatform: keep }
  const logging = (await run(log, { ...names, store: createMemoryStore() }, 'platform')) as Platform
  await (await openVisitor(logging, clock)).join()
  expect(lines).toContainEqual(['A conversation has started', expect.anything()])
  await run(traces, { ...names, store: createMemoryStore() }, 'platform')
  expect(created.at(-1)).toMatchObject({ telemetry: { begin: expect.any(Function) } })

  const app = express()
  await run(health, { app, createRouter, createProbes, platform, prometheus: createPrometheus() })
  const server = createServer(app)
  const port = await listenOn(server)
  onTestFinished(() => void server.close())
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(401)
})

test('the code of the guide about alerts makes a rule, and finds those that fire', async () => {
  const platform = start()
  await platform.access.createAccount({ accountId: 'ws-acme', slug: 'acme', name: 'Acme' })
  const [rule = '', ...others] = await blocksOf('alerts.md')
  expect(others).toEqual([])
  await run(rule, { platform })
  expect(await platform.alerts.rules('ws-acme')).toMatchObject([
    { name: 'Functions fail', metric: 'function_errors', threshold: 5 },
  ])
})
