import { readFileSync } from 'node:fs'
import { createPlatform, type JsonObject, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { createFetchHandler } from '@colloquy/core/transport'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { answer, type IncomingCall } from '../src/known-callers.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const PAGE = read('../../docs/guides/known-callers.md')
const START = Date.UTC(2026, 0, 1)

/** A command of the page as a request, with the values of its variables. */
function requestOf(command: string, variables: Readonly<Record<string, string>>): Request {
  const line = command
    .replaceAll('\\\n', ' ')
    .replaceAll(/\$([A-Z_]+)/g, (_, name: string) => variables[name] ?? '')
  const headers = Array.from(line.matchAll(/-H ["']([^:]+): ([^"']*)["']/g), ([, name = '', value = '']) => [
    name,
    value,
  ])
  return new Request(/https:\S+/.exec(line)?.[0] ?? '', {
    method: /-X (\w+)/.exec(line)?.[1] ?? 'GET',
    headers: Object.fromEntries(headers),
    body: /-d '([^']*)'/.exec(line)?.[1] ?? null,
  })
}

async function start() {
  const clock = createFakeClock(START)
  const runtime = createScriptedRuntime({ greeting: 'Welcome.', otherwise: 'Yes.' }, clock)
  const platform = createPlatform({ store: createMemoryStore(), clock, runtime, log: silentLog })
  onTestFinished(() => platform.close())
  const { access, agents } = platform
  const account = await access.createAccount({ accountId: 'ws-harbour', slug: 'harbour', name: 'Harbour' })
  const made = { accountId: account.id, name: 'Desk', greeting: 'Hello' }
  await agents.create({ ...made, agentId: 'PROJECT-harbour' })
  await agents.create({ ...made, agentId: 'PROJECT-usual' })
  const key = { kind: 'project', accountId: account.id, agentId: 'PROJECT-harbour' } as const
  const variables = {
    OPERATOR_KEY: (await access.createApiKey({ kind: 'operator' })).secret,
    PROJECT_KEY: (await access.createApiKey(key)).secret,
  }
  const handler = createFetchHandler(platform, { address: () => '203.0.113.9', allowInsecure: true })
  const run = async (command: string) => {
    const response = await handler(requestOf(command, variables))
    const json: unknown = await response?.json()
    return { status: response?.status, json }
  }
  /** Opens the record of the call once more: a duplicate, where it has those attributes. */
  const again = (call: IncomingCall, agentId: string, integrationAttributes: JsonObject) =>
    platform.conversations.start({
      ...{ accountId: account.id, agentId, environment: 'live', channel: 'VOICE-SIP' },
      ...{ conversationId: call.callId, startedAt: call.startedAt, integrationAttributes },
      ...{ fromNumber: call.from, toNumber: call.to },
    })
  return { account, again, clock, platform, run }
}

test('TP23 the page about known callers fills a pool, reserves a number, and knows who calls until then', async () => {
  expect(PAGE).toContain(`\`\`\`ts\n${read('../src/known-callers.ts')}\`\`\`\n`)
  const commands = Array.from(PAGE.matchAll(/^```sh\n(.*?)^```/gms), ([, block = '']) => block)
  const [fill = '', reserve = ''] = commands
  expect(commands).toHaveLength(2)
  const { account, again, clock, platform, run } = await start()
  expect(await run(fill)).toMatchObject({ status: 201 })
  const { status, json } = await run(reserve)
  const { dni } = z.object({ dni: z.string() }).parse(json)
  expect(status).toBe(200)
  expect(PAGE).toContain(JSON.stringify({ dni }).replace(':', ': '))

  const usual = { accountId: account.id, agentId: 'PROJECT-usual' }
  const call = { callId: 'call-1', from: '+442079460099', to: dni, startedAt: START }
  await clock.advance(599_999)
  expect(await answer(platform, call, usual)).toBe('call-1')
  const attributes = { booking: 'H-2207', language: 'en-GB' }
  expect((await again(call, 'PROJECT-harbour', attributes)).status).toBe('duplicate')
  await expect(again(call, 'PROJECT-harbour', {})).rejects.toThrow('integrationAttributes')

  await clock.advance(1)
  const late = { ...call, callId: 'call-2' }
  expect(await answer(platform, late, usual)).toBe('call-2')
  expect((await again(late, 'PROJECT-usual', {})).status).toBe('duplicate')

  for (const free of [200, 200, 404]) expect((await run(reserve)).status).toBe(free)
})
