import { describe, expect, test } from 'vitest'
import type { Family } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import { DETAIL, serveEveryRoute } from '../support/every-route.ts'

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
  test('HT21 every route answers 500 in the words of its family, and the host hears why', async () => {
    const { call, breakStore, errors } = await serveEveryRoute()
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

  test('HT21 behind the key, the account and the agent too', async () => {
    const { call, breakStore, errors } = await serveEveryRoute()
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
