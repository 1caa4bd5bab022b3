import { createMemoryStore } from '@colloquy/adapter-memory'
import { eachMethod } from '@colloquy/test-support/each-method'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import type { Family, Route } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import { createPlatform } from '../../src/platform.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { anAgent, createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const DETAIL = 'SQLITE_CORRUPT in /srv/data.db'

/** A store that breaks when told to, but for the methods that are named. */
function createBreakable(store: Store) {
  let working: ReadonlySet<string> | null = null
  const breakable = <Part extends object>(part: Part): Part =>
    eachMethod(
      part,
      (call, name) =>
        (...input) =>
          working === null || working.has(name) ? call(...input) : Promise.reject(new TypeError(DETAIL)),
    )
  return {
    store: {
      agents: breakable(store.agents),
      access: breakable(store.access),
      conversations: breakable(store.conversations),
      webhooks: breakable(store.webhooks),
      alerts: breakable(store.alerts),
      audit: breakable(store.audit),
      close: () => store.close(),
    },
    break(but: readonly string[]) {
      working = new Set(but)
    },
  }
}

async function serve() {
  const clock = createFakeClock()
  const errors: unknown[] = []
  const { store, break: breakStore } = createBreakable(createMemoryStore())
  const platform = createPlatform({
    store,
    clock,
    runtime: createScriptedRuntime({}, clock),
    rateLimits: null,
    onError: error => errors.push(error),
  })
  const { access } = platform
  const { id: accountId } = await access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
  await store.agents.create(anAgent('PROJECT-A', { accountId, changes: [] }))
  const key = async (
    kind: Exclude<Route['credential'], 'own' | 'host_key' | 'key_and_token' | 'key_and_line' | 'line_key'>,
  ) => (await access.createApiKey(kind === 'operator' ? { kind } : { kind, accountId })).secret
  const keys = {
    workspace: await key('workspace'),
    project: await key('project'),
    external_events: await key('external_events'),
    desk: await key('desk'),
    operator: await key('operator'),
  }
  const { token } = await access.createConnector({
    accountId,
    agentId: 'PROJECT-A',
    environment: 'live',
    hosts: ['a.example'],
  })
  const of = { accountId, agentId: 'PROJECT-A', environment: 'live' as const }
  const line = await access.createTelephonyConnector({ ...of, name: 'Line' })
  const { accessToken } = await platform.messaging.issueAccessToken({
    connectorToken: token,
    host: 'a.example',
    remoteAddress: '192.0.2.1',
  })
  const dispatcher = createDispatcher(platform, routes)
  /** Calls a route with whatever opens it; what else it needs may be missing. */
  const call = async ({ method, path, credential, family }: Route) => {
    const target = path
      .replace(/:account(?:_id|Id)?\b/, 'ws-one')
      .replace(/:(?:agentId|project_id|agent|project)\b/, 'PROJECT-A')
      .replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')
    const given =
      credential === 'own'
        ? { 'x-token': token, 'x-host': 'a.example', authorization: `Bearer ${accessToken}` }
        : credential === 'operator'
          ? { authorization: `Bearer ${keys.operator}` }
          : credential === 'key_and_line' || credential === 'line_key'
            ? { 'x-ai-auth-token': keys.project, 'x-token-id': line.id }
            : credential === 'key_and_token'
              ? { 'x-api-key': keys.project, 'x-token': token }
              : { 'x-api-key': keys[credential === 'host_key' ? 'project' : credential] }
    const query =
      family === 'external-events'
        ? '?event_id_location=headers&event_id_path=x-id&account_id=ws-one&project_id=PROJECT-A'
        : '?start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z&environment=live'
    const headers = { ...given, 'content-type': 'application/json', 'x-id': 'E1' }
    const { status, body } = await dispatcher.handle(
      request(`${method} ${target}${query}`, { headers, body: method === 'GET' ? '' : '{}' }),
    )
    return { status, body: body ?? '' }
  }
  return { call, breakStore, errors }
}

const FIELDS: Readonly<Partial<Record<Family, readonly string[]>>> = {
  'conversations-v1': ['error_message'],
  concurrency: ['error_message'],
  'external-events': ['error_message'],
  texts: ['detail'],
  calls: ['code', 'error'],
  'handoff-state': ['error_message'],
  'number-reservation': ['error', 'message', 'success'],
  messaging: ['error', 'message'],
}
const ENVELOPE = ['data', 'error', 'error_code', 'error_id', 'error_message', 'success']

describe('a store that breaks', () => {
  test('HY40 every route answers 500 in the words of its family, and the host hears why', async () => {
    const { call, breakStore, errors } = await serve()
    breakStore([])
    for (const route of routes) {
      const { status, body } = await call(route)
      const fields = Object.keys(JSON.parse(body)).sort()
      expect([route.path, status, fields]).toEqual([route.path, 500, FIELDS[route.family] ?? ENVELOPE])
      expect(body).toContain('Something went wrong on the server.')
      expect(body).not.toMatch(/SQLITE|srv|TypeError|\.ts/)
    }
    expect(errors).toHaveLength(routes.length)
    for (const error of errors) expect(error).toMatchObject({ message: DETAIL })
  })

  test('HY40 behind the key, the account and the agent too', async () => {
    const { call, breakStore, errors } = await serve()
    breakStore(['apiKeys.findByHash', 'apiKeys.touch', 'accounts.find', 'find'])
    const statuses: number[] = []
    for (const route of routes) {
      const { status, body } = await call(route)
      statuses.push(status)
      expect([route.path, body]).toEqual([route.path, expect.not.stringMatching(/SQLITE|srv|TypeError|\.ts/)])
    }
    const broken = statuses.filter(status => status === 500).length
    expect(broken).toBeGreaterThan(routes.length / 2)
    expect(errors).toHaveLength(broken)
  })
})
