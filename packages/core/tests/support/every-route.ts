import { eachMethod } from '@colloquy/test-support/each-method'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import type { Route } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import type { Store } from '../../src/ports/store/store.ts'
import {
  anAgent,
  createFakeClock,
  createMemoryFiles,
  createScriptedRuntime,
} from '../../src/testing/index.ts'
import { type RequestLike, request } from './request.ts'

/** What the broken store says. */
export const DETAIL = 'SQLITE_CORRUPT in /srv/data.db'

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

/** A platform over a store that can break, and calls of all its routes by a holder of what opens them. */
export async function serveEveryRoute(
  options: Partial<PlatformOptions> = {},
  table: readonly Route[] = routes,
) {
  const clock = createFakeClock()
  const errors: unknown[] = []
  const { store, break: breakStore } = createBreakable(createMemoryStore())
  const platform = createPlatform({
    store,
    clock,
    runtime: createScriptedRuntime({}, clock),
    rateLimits: null,
    files: createMemoryFiles(),
    onError: error => errors.push(error),
    ...options,
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
  const dispatcher = createDispatcher(platform, table)
  /** A request of a route with whatever opens it; what else it needs may be missing. */
  const requestOf = ({ method, path, credential, family }: Route, like: RequestLike = {}) => {
    const target = path
      .replace(/:account(?:_id|Id)?\b/, 'ws-one')
      .replace(/:(?:agentId|project_id|agent|project)\b/, 'PROJECT-A')
      .replace(/:entryId\b/, '17')
      .replace(/:rule_id\b/, 'ar_0')
      .replace(/:clientEnv\b/, 'live')
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
    const headers = { ...given, 'content-type': 'application/json', 'x-id': 'E1', ...like.headers }
    const body = like.body ?? (method === 'GET' ? '' : '{}')
    return request(`${method} ${target}${query}`, { ...like, headers, body })
  }
  const call = async (route: Route, like?: RequestLike) => {
    const { status, body } = await dispatcher.handle(requestOf(route, like))
    return { status, body: body ?? '' }
  }
  return { breakStore, call, dispatcher, errors, keys, platform, requestOf }
}
