import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createPlatform, defineFunction, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createRouter } from '@colloquy/http-express'
import { createAiSdkRuntime } from '@colloquy/runtime-ai-sdk'
import { startFakeOpenAi } from '@colloquy/test-support/fake-openai'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
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

/** What differs from one conversation to the next: ids and times. */
const OF_THE_MOMENT = /\.id$|_ms$/

const listSchema = z.object({ values: z.array(z.object({ stringValue: z.string() })) })

const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [given] = Object.values(value)
      const list = listSchema.safeParse(given).data?.values.map(({ stringValue }) => stringValue)
      return [key, OF_THE_MOMENT.test(key) ? '…' : (list ?? given)]
    }),
  )

/** Kinds as the protocol numbers them. */
const KINDS = ['', 'INTERNAL', 'SERVER', 'CLIENT']

interface Node {
  readonly name: string
  readonly kind: string | undefined
  readonly attributes: object
  readonly spans: readonly Node[]
}

/** A trace as the guide shows it: each span with those within it, in the order in which they ended. */
const treeOf = (spans: readonly ReceivedSpan[], parent: string | undefined): readonly Node[] =>
  spans
    .filter(({ parentSpanId }) => (parentSpanId || undefined) === parent)
    .map(span => ({
      ...{ name: span.name, kind: KINDS[span.kind], attributes: attributesOf(span) },
      spans: treeOf(spans, span.spanId),
    }))

test('OT1 a message over HTTP is one trace at a collector: request, command, turn, model and function, as the guide shows it', async () => {
  const receiver = await openReceiver()
  onTestFinished(() => void receiver.close())
  const tracerProvider = new TracerProvider({
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${receiver.url}/v1/traces` }) }),
    ],
  })
  const model = await startFakeOpenAi([
    { type: 'reply', calls: [{ name: 'room_price', arguments: '{"nights":2}' }] },
    { type: 'reply', chunks: ['Two nights are ', '180 pounds.'] },
  ])
  const provider = createOpenAICompatible({ name: 'mine', baseURL: model.baseURL, includeUsage: true })
  const platform = createPlatform({
    store: createMemoryStore(),
    runtime: createAiSdkRuntime({ model: provider('qwen3') }),
    functions: {
      room_price: defineFunction({
        description: 'Tells what a room costs.',
        parameters: z.object({ nights: z.int() }),
        execute: (_conversation, { nights }) => ({ pounds: nights * 90 }),
      }),
    },
    telemetry: createOpenTelemetry({ tracerProvider }),
    log: silentLog,
  })
  onTestFinished(() => platform.close())
  const account = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome!' })
  const branch = await platform.agents.createBranch(agent.id, { branchName: 'content' })
  await platform.agents.createTopic(agent.id, branch.id, {
    ...{ name: 'Rooms', content: 'All rooms look out to the harbour.' },
    actions: 'Asked for a price, use {{fn:room_price}}.',
  })
  await platform.agents.merge(agent.id, branch.id)
  const scope = { accountId: account.id, agentId: agent.id, environment: 'sandbox' as const }
  const { token } = await platform.access.createConnector({ ...scope, hosts: [] })
  const { secret } = await platform.access.createApiKey({ kind: 'project', accountId: account.id })

  const answer = createRouter(platform)
  const server = createServer((request, response) => answer(request, response, () => response.end()))
  onTestFinished(() => void server.close())
  const url = `${await listenOnFreePort(server)}/v1/${account.id}/${agent.id}/chat`
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json', 'x-api-key': secret, 'x-token': token }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return z.record(z.string(), z.unknown()).parse(await answer.json())
  }
  const { conversation_id } = await post('/create', {})
  const said = await post('/respond', { conversation_id, message: 'What do two nights cost?' })
  expect(said.response).toBe('Two nights are 180 pounds.')
  await tracerProvider.forceFlush()
  await tracerProvider.shutdown()

  const asked = receiver.spans.find(({ name }) => name.endsWith('/chat/respond'))
  const trace = receiver.spans.filter(({ traceId }) => traceId === asked?.traceId)
  const guide = readFileSync(new URL('../../../../docs/guides/seeing-inside.md', import.meta.url), 'utf8')
  const shown: unknown = JSON.parse(/^```json\n(.*?)^```$/ms.exec(guide)?.[1] ?? 'null')
  expect(treeOf(trace, undefined)).toEqual(shown)
  expect(JSON.stringify(receiver.spans)).not.toMatch(/two nights|180 pounds|Value":"?180\b|nights"/i)
})
