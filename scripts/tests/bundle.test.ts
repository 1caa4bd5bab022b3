import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { build } from 'rolldown'
import { expect, test } from 'vitest'
import { textEntry } from '../text-entry.ts'
import { REPOSITORY, sourceConditions } from '../workspace-packages.ts'

/** A host of its own: it publishes, talks, and has variables checked by a schema. */
const HOST = `
import { createMemoryStore } from '@colloquy/core/memory'
import { createPlatform, silentLog } from '@colloquy/core'
import { createFetchHandler } from '@colloquy/core/transport'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'

globalThis.answer = (async () => {
  const platform = createPlatform({ store: createMemoryStore(), runtime: createRetrievalRuntime(), log: silentLog })
  const { agents, debugChat } = platform
  const account = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const agent = await agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome!' })
  await agents.publish(agent.id, { environment: 'sandbox' })
  const chat = await debugChat.start(agent, { environment: 'sandbox' })
  const asked = { environment: 'sandbox', message: 'Hello' }
  const { turn } = await debugChat.send(agent, chat.state.id, asked)
  const schema = {
    properties: { until: { $ref: '#/definitions/hour' }, day: { format: 'date', pattern: '^20' } },
    definitions: { hour: { type: 'integer', maximum: 24 } },
  }
  await agents.updateRealTimeConfigSchema(agent.id, 'sandbox', schema)
  const variables = { until: 22, day: '2026-02-28' }
  const stored = await agents.updateRealTimeConfigVariables(agent.id, 'sandbox', variables)
  const told = error => error.code + ': ' + error.message
  const refused = await agents.updateRealTimeConfigVariables(agent.id, 'sandbox', { until: 25 }).catch(told)
  const wrong = await agents.updateRealTimeConfigSchema(agent.id, 'sandbox', { type: 'strin' }).catch(told)
  const { secret } = await platform.access.createApiKey({ kind: 'workspace', accountId: account.id })
  const handle = createFetchHandler(platform, { basePath: '/talk', address: () => '192.0.2.1' })
  const headers = { 'x-api-key': secret, 'content-type': 'application/json' }
  const at = 'https://worker.example/talk/v1/agents/' + agent.id
  const read = await (await handle(new Request(at, { headers }))).json()
  const all = 'https://worker.example/talk/v1/accounts/hotel/agents'
  const body = JSON.stringify({ name: 'Bar', responseSettings: { greeting: 'Hello' } })
  const made = await handle(new Request(all, { method: 'POST', headers, body }))
  const served = [read.agentName, made.status, await handle(new Request('https://worker.example/'))]
  await platform.close()
  return JSON.stringify({ said: turn.record.agent_response, variables: stored.variables, refused, wrong, served })
})()
`

/** What browsers, workers and servers share. */
const SHARED = {
  ...{ AbortController, AbortSignal, DOMException, TextDecoder, TextEncoder, URL, URLSearchParams },
  ...{ atob, btoa, clearTimeout, console, crypto, performance, queueMicrotask, setTimeout },
  ...{ Headers, ReadableStream, Request, Response, structuredClone },
}

test.each(['neutral', 'browser'] as const)(
  'EM7 and FE1 bundled for the platform %s, core, its fetch handler and the memory adapter run without Node, and where code made of text is forbidden',
  async platform => {
    const { input, plugin } = textEntry(HOST, join(REPOSITORY, 'scripts'), 'host.js')
    const { output } = await build({
      input,
      plugins: [plugin],
      platform,
      resolve: {
        mainFields: ['module', 'main'],
        conditionNames: platform === 'browser' ? sourceConditions('browser') : sourceConditions(),
      },
      write: false,
      logLevel: 'silent',
      output: { format: 'iife', codeSplitting: false },
    })
    const context = createContext({ ...SHARED }, { codeGeneration: { strings: false, wasm: false } })
    expect(() => runInContext('eval("1")', context)).toThrow('Code generation from strings')
    runInContext(output[0].code, context)
    const answer: unknown = await runInContext('answer', context)
    expect(JSON.parse(String(answer))).toEqual({
      said: expect.stringMatching(/./),
      variables: { until: 22, day: '2026-02-28' },
      refused: expect.stringMatching(/^REAL_TIME_CONFIG_INVALID_FOR_SCHEMA: .*"\/until" must be <= 24/),
      served: ['Desk', 200, null],
      wrong: expect.stringMatching(/^REAL_TIME_CONFIG_INVALID_SCHEMA: .*"\/type" must be one of "array"/),
    })
  },
)
