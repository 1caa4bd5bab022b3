import { createTestPlatform } from '@colloquy/test-support/platform'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const RANGE = 'start_time=2025-12-31T23:00:00Z&end_time=2026-01-01T01:00:00Z'

/** A debug chat that has begun, with a channel of its own, and the lists of its agent. */
async function chat(options: Partial<PlatformOptions>) {
  const runtime = createScriptedRuntime({ greeting: 'Welcome.' }, createFakeClock())
  const { platform } = createTestPlatform({ runtime, ...options })
  onTestFinished(() => platform.close())
  const account = await platform.access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Hello' })
  const { deployment } = await platform.agents.merge(
    agent.id,
    (await platform.agents.createBranch(agent.id, { branchName: 'b' })).id,
  )
  expect(deployment.environment).toBe('sandbox')
  const keys = {
    workspace: (await platform.access.createApiKey({ kind: 'workspace', accountId: account.id })).secret,
    project: (await platform.access.createApiKey({ kind: 'project', accountId: account.id })).secret,
  }
  const dispatcher = createDispatcher(platform, routes)
  const call = async (key: keyof typeof keys, line: string, body?: unknown) => {
    const headers = { 'x-api-key': keys[key], 'content-type': 'application/json' }
    const answer = await dispatcher.handle(
      request(line, { headers, ...(body === undefined ? {} : { body }) }),
    )
    return { status: answer.status, json: JSON.parse(answer.body ?? 'null') }
  }
  const path = `/v1/agents/${agent.id}`
  const started = await call('workspace', `POST ${path}/debug-chat`, {
    clientEnv: 'sandbox',
    channel: 'KIOSK',
  })
  expect(started.status).toBe(201)
  const id: string = started.json.conversationId
  const lists = async () => {
    const platformPath = `/one/${agent.id}/conversations`
    const v1 = await call('project', `GET /v1${platformPath}?client_env=sandbox`)
    const v3 = await call('project', `GET /v3${platformPath}?client_env=sandbox&channel=DEBUG`)
    const drawn = await call('project', `GET /v3${platformPath}?client_env=sandbox&sample=random&${RANGE}`)
    const own = await call('workspace', `GET ${path}/conversations?clientEnv=sandbox`)
    return [v1, v3, drawn, own].map(({ json }) =>
      json.conversations.map((each: Readonly<Record<string, unknown>>) => [
        each.id ?? each.conversationId,
        each.channel,
      ]),
    )
  }
  const peaks = async () => {
    const { json } = await call(
      'project',
      `GET /v1/one/${agent.id}/conversations/concurrency?client_env=sandbox&${RANGE}`,
    )
    return JSON.stringify(json).match(/"max_concurrent_conversations":[1-9]/)
  }
  const one = (key: 'workspace' | 'project') =>
    key === 'workspace'
      ? call(key, `GET ${path}/conversations/${id}`)
      : call(key, `GET /v3/one/${agent.id}/conversations/${id}`)
  return { id, lists, peaks, one, runtime }
}

describe('debug chats in lists', () => {
  test('RC58 they are there where the host wants them, with a channel of their own, from their start on', async () => {
    const { id, lists, peaks, one, runtime } = await chat({ listDebugChats: true })
    const entry = [[id, 'DEBUG']]
    expect(await lists()).toEqual([entry, entry, entry, entry])
    for (const key of ['workspace', 'project'] as const)
      expect(await one(key)).toMatchObject({ status: 200, json: { channel: 'DEBUG' } })
    expect(await peaks()).toBeNull()
    // What runs in it reads the channel that it was given.
    expect(runtime.turns.map(({ channel }) => channel)).toEqual(['KIOSK'])
  })

  test('RC58 they are in no list otherwise', async () => {
    const { lists, one } = await chat({})
    expect(await lists()).toEqual([[], [], [], []])
    for (const key of ['workspace', 'project'] as const) expect((await one(key)).status).toBe(404)
  })
})
