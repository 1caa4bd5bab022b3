import { expectLinear } from '@colloquy/test-support/work'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeRoute, type Family, type HttpMethod, type Route } from '../../src/http/route.ts'
import { createRouteTable } from '../../src/http/route-table.ts'

const none = z.object({})
const route = (method: HttpMethod, path: string, family: Family): Route =>
  describeRoute({
    method,
    path,
    family,
    credential: 'own',
    operation: 'test',
    summary: '',
    params: none,
    query: none,
    body: null,
    handle: async () => ({ status: 204 }),
  })

const table = createRouteTable([
  route('GET', '/v1/agents/:agentId', 'agents'),
  route('DELETE', '/v1/agents/:agentId', 'agents'),
  route('GET', '/v1/agents/:agentId/branches', 'agents'),
  route('POST', '/v1/agents/:agentId/debug-chat/:conversationId', 'debug-chat'),
  route('GET', '/v1/:account_id/:project_id/conversations', 'conversations-v1'),
  route('GET', '/v1/:account_id/:project_id/conversations/concurrency', 'concurrency'),
  route('GET', '/v3/:account_id/:project_id/conversations/:conversation_id', 'conversations-v3'),
  route('POST', '/v1/external-events/webhook', 'external-events'),
  route('POST', '/api/v1/access-token', 'messaging'),
  route('GET', '/operator/v1/accounts', 'operator'),
])

const found = (method: string, path: string) => {
  const match = table.match(method, path)
  return match?.type === 'route' ? [match.route.path, match.params] : (match?.type ?? null)
}

describe('route table', () => {
  test('HT1 literal segments win over parameters, and parameters are tried when they lead nowhere', () => {
    expect(found('GET', '/v1/agents/A/branches')).toEqual(['/v1/agents/:agentId/branches', { agentId: 'A' }])
    expect(found('GET', '/v1/agents/A/conversations')).toEqual([
      '/v1/:account_id/:project_id/conversations',
      { account_id: 'agents', project_id: 'A' },
    ])
    expect(found('GET', '/v1/a/b/conversations/concurrency')).toEqual([
      '/v1/:account_id/:project_id/conversations/concurrency',
      { account_id: 'a', project_id: 'b' },
    ])
    expect(found('GET', '/v3/a/b/conversations/c%2Fd')).toEqual([
      '/v3/:account_id/:project_id/conversations/:conversation_id',
      { account_id: 'a', project_id: 'b', conversation_id: 'c%2Fd' },
    ])
  })

  test.each([
    '/v1/agents',
    '/v1/agents/A/nothing/here/at/all',
    '/v1/a/b/conversations/x',
    '/operator/v1/nothing',
    '/v1/external-events/other',
    '/api/v1/access-token/x',
  ])('HT2 %s is ours and unknown', path => {
    expect(table.match('GET', path)).toMatchObject({ type: 'unknown' })
    expect(table.claims(path)).toBe(true)
  })

  test.each([
    '/',
    '',
    '*',
    'v1/agents/A',
    '/v1',
    '/v1/invoices',
    '/v1/a/b/orders',
    '/api/v1/users',
    '/operator',
    '/operator/v2/x',
    '/v2/agents',
    '/V1/agents/A',
    '/v1/agentsA',
    '/%761/agents/A',
    '//v1/agents/A',
    '/x/../v1/agents/A',
  ])('HT2 and HT1 %s belongs to the host', path => {
    expect(table.match('GET', path)).toBeNull()
    expect(table.claims(path)).toBe(false)
  })

  test.each([
    '/v1/agents/A/',
    '/v1/agents/',
    '/v1/agents//branches',
    '/v1/agents/A//branches',
    '/v1/agents/A/branches/../..',
  ])('HT1 %s leads nowhere', path => expect(found('GET', path)).toBe('unknown'))

  test('HT2 another method is told which ones there are', () => {
    expect(table.match('PATCH', '/v1/agents/A')).toEqual({
      type: 'wrong_method',
      family: 'agents',
      allow: ['DELETE', 'GET', 'HEAD'],
    })
    expect(table.match('GET', '/v1/external-events/webhook')).toMatchObject({ allow: ['POST'] })
    expect(table.match('constructor', '/v1/agents/A')).toMatchObject({ type: 'wrong_method' })
  })

  test('two routes with the same method and path do not build', () => {
    const twice = [route('GET', '/v1/agents/:a', 'agents'), route('GET', '/v1/agents/:b', 'agents')]
    expect(() => createRouteTable(twice)).toThrow('GET /v1/agents/:b')
  })

  test('HT1 any path and method give an answer, and match and claims agree', () => {
    const segment = fc.oneof(
      fc.constantFrom('v1', 'v3', 'agents', 'conversations', 'operator', '', '..', '__proto__', '%', 'A'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 8 }), fc.constantFrom('GET', 'POST'), (segments, method) => {
        const path = `/${segments.join('/')}`
        expect(table.match(method, path) !== null).toBe(table.claims(path))
      }),
    )
  })

  test('HT1 the work for a path of more than a million segments grows with them', () => {
    return expectLinear(100_000, segments =>
      expect(found('GET', `/v1/agents/A${'/x'.repeat(segments)}`)).toBe('unknown'),
    )
  })
})
