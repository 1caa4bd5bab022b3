import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { build, type Platform } from 'esbuild'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../workspace-packages.ts'

/** A host of its own: it publishes, talks, and has variables checked by a schema. */
const HOST = `
import { createMemoryStore } from '@colloquy/adapter-memory'
import { createPlatform, silentLog } from '@colloquy/core'
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
  await platform.close()
  return JSON.stringify({ said: turn.record.agent_response, variables: stored.variables, refused, wrong })
})()
`

/** What browsers, workers and servers share. */
const SHARED = {
  ...{ AbortController, AbortSignal, DOMException, TextDecoder, TextEncoder, URL, URLSearchParams },
  ...{ atob, btoa, clearTimeout, console, crypto, performance, queueMicrotask, setTimeout },
  structuredClone,
}

test.each<Platform>(['neutral', 'browser'])(
  'EM7 bundled for the platform %s, core and the memory adapter run without Node, and where code made of text is forbidden',
  async platform => {
    const { outputFiles } = await build({
      stdin: { contents: HOST, resolveDir: join(REPOSITORY, 'scripts') },
      bundle: true,
      write: false,
      format: 'iife',
      logLevel: 'silent',
      platform,
      mainFields: ['module', 'main'],
      conditions: ['@colloquy/source'],
    })
    const context = createContext({ ...SHARED }, { codeGeneration: { strings: false, wasm: false } })
    expect(() => runInContext('eval("1")', context)).toThrow('Code generation from strings')
    runInContext(outputFiles[0]?.text ?? '', context)
    const answer: unknown = await runInContext('answer', context)
    expect(JSON.parse(String(answer))).toEqual({
      said: expect.stringMatching(/./),
      variables: { until: 22, day: '2026-02-28' },
      refused: expect.stringMatching(/^REAL_TIME_CONFIG_INVALID_FOR_SCHEMA: .*"\/until" must be <= 24/),
      wrong: expect.stringMatching(/^REAL_TIME_CONFIG_INVALID_SCHEMA: .*"\/type" must be one of "array"/),
    })
  },
)
