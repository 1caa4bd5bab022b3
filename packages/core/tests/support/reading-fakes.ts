import type { Account, ApiKey } from '../../src/domain/access/access.ts'
import type { Agent } from '../../src/domain/agent/agent.ts'
import { PlatformError } from '../../src/errors.ts'
import type { HttpRequest } from '../../src/http/route.ts'

export const ACCOUNT: Account = { id: 'ws-1', slug: 'one', name: 'One', createdAt: 0 }

export const AGENT: Agent = {
  id: 'PROJECT-1',
  accountId: ACCOUNT.id,
  name: 'Desk',
  createdAt: 0,
  updatedAt: 0,
}

const KEY: ApiKey = {
  id: 'KEY-1',
  kind: 'project',
  hash: '',
  prefix: '',
  name: '',
  accountId: ACCOUNT.id,
  agentId: AGENT.id,
  region: null,
  permissions: null,
  createdAt: 0,
  revokedAt: null,
  expiresAt: null,
  lastUsedAt: null,
}

/** A GET of a query string, or a request with headers and a body. */
export const request = (query: string, headers: Record<string, string> = {}, body = ''): HttpRequest => ({
  method: 'GET',
  path: '/',
  query,
  headers,
  remoteAddress: '127.0.0.1',
  secure: true,
  async body(limit) {
    const bytes = new TextEncoder().encode(body)
    if (bytes.length > limit) throw new PlatformError('BODY_TOO_LARGE', `At most ${limit} bytes`)
    return bytes
  },
})

/** What a dispatcher hands to a handler beside what it has parsed. */
export const callBase = {
  account: ACCOUNT,
  agent: AGENT,
  record: null,
  agentId: AGENT.id,
  principal: { type: 'api_key', key: KEY } as const,
  correlationId: 'c',
}

/** A query string as a dispatcher hands it to a schema: a repeated parameter is an array. */
export function queryValues(query: string): Record<string, string | string[]> {
  const params = new URLSearchParams(query)
  return Object.fromEntries(
    [...new Set(params.keys())].map(key => {
      const values = params.getAll(key)
      return [key, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}

/** A part of an interface stands for the whole; what is missing throws a TypeError when a test reaches it. */
export const partOf = <T>(part: Partial<T>): T => part as T
