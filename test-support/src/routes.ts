import { z } from 'zod'
import { ENVIRONMENTS } from '../../packages/core/src/domain/environment.ts'
import { PlatformError } from '../../packages/core/src/errors.ts'
import {
  describeRoute,
  type Family,
  type Route,
  type RouteCredential,
} from '../../packages/core/src/http/route.ts'

const none = z.object({})

/** One route that fails as told, for each family. */
const failing = (family: Family, path: string, error: () => Error): Route =>
  describeRoute({
    method: 'GET',
    path,
    family,
    credential: 'own',
    operation: 'test',
    summary: '',
    params: none,
    query: none,
    body: null,
    handle: () => Promise.reject(error()),
  })

const scoped = (family: Family, credential: RouteCredential, path: string): Route =>
  describeRoute({
    method: 'GET',
    path,
    family,
    credential,
    operation: 'test',
    summary: '',
    params: z.object({ account: z.string().exactOptional(), agent: z.string().exactOptional() }),
    query: z.object({
      limit: z.coerce.number().int().min(1).max(5).default(5),
      channel: z.union([z.string(), z.array(z.string())]).exactOptional(),
    }),
    body: null,
    scope: ({ params }) => params,
    handle: async ({ account, agent, query, principal }) => ({
      status: 200,
      json: {
        account: account?.id ?? null,
        agent: agent?.id ?? null,
        kind: principal.type === 'api_key' ? principal.key.kind : null,
        ...query,
      },
    }),
  })

/** Small routes that show what the dispatcher hands to a handler. */
export const TEST_ROUTES: readonly Route[] = [
  scoped('agents', 'workspace', '/v1/accounts/:account/agents'),
  scoped('agents', 'workspace', '/v1/agents/:agent'),
  scoped('conversations-v1', 'project', '/v1/:account/:agent/conversations'),
  scoped('concurrency', 'project', '/v1/:account/:agent/conversations/concurrency'),
  scoped('messaging', 'own', '/api/v1/open/:account'),
  describeRoute({
    method: 'POST',
    path: '/desk/v1/echo',
    family: 'desk',
    credential: 'desk',
    operation: 'test',
    summary: '',
    params: none,
    query: none,
    body: z.looseObject({
      name: z.string().min(1).exactOptional(),
      environment: z.enum(ENVIRONMENTS).exactOptional(),
      mixed: z.union([z.string(), z.number()]).exactOptional(),
      nested: z.object({ greeting: z.string().min(1) }).exactOptional(),
      free: z.unknown().exactOptional(),
    }),
    handle: async ({ body }) => ({ status: 200, json: body }),
  }),
  describeRoute({
    method: 'DELETE',
    path: '/desk/v1/echo',
    family: 'desk',
    credential: 'desk',
    operation: 'test',
    summary: '',
    params: none,
    query: none,
    body: null,
    handle: async () => ({ status: 204 }),
  }),
  describeRoute({
    method: 'POST',
    path: '/v1/external-events/webhook',
    family: 'external-events',
    credential: 'own',
    operation: 'test',
    summary: '',
    params: none,
    query: none,
    body: 'raw',
    async handle({ request }) {
      const bytes = await request.body(64)
      return { status: 200, text: JSON.stringify({ text: new TextDecoder().decode(bytes) }) }
    },
  }),
  failing('operator', '/operator/v1/crash', () => new TypeError('secret detail at /srv/app.js:1')),
  failing('operator', '/operator/v1/internal', () => new PlatformError('INTERNAL', 'secret detail')),
  failing('conversations-v3', '/v3/fail', () => new PlatformError('NOT_IMPLEMENTED', 'Not here yet')),
  failing('messaging', '/api/v1/fail', () => new PlatformError('SESSION_NOT_FOUND', 'session not found')),
  failing('concurrency', '/v1/fail', () => new PlatformError('NOT_IMPLEMENTED', 'Not here yet')),
  failing('agents', '/v1/conflict', () => {
    const sides = { baseValue: 'a', oursValue: 'b', theirsValue: 'c', type: 'modify' }
    const body = { hasConflicts: true, conflicts: [{ path: ['behavior'], ...sides }] }
    return new PlatformError('MERGE_CONFLICTS', 'The branch has conflicts', { body })
  }),
]
