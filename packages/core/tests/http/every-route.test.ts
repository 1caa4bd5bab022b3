import { expect, test } from 'vitest'
import { PlatformError } from '../../src/errors.ts'
import type { Route } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import { serveEveryRoute } from '../support/every-route.ts'

/** What every route answers alike: which route it is changes nothing but the words. */

const behindKeys = routes.filter(({ credential }) => credential !== 'own')
const writing = routes.filter(({ method }) => method !== 'GET')

/** The statuses that routes answer, by operation, as far as they are not the expected one. */
async function others(
  of: readonly Route[],
  expected: number,
  ask: (route: Route) => Promise<{ readonly status: number }>,
): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const route of of) {
    const { status } = await ask(route)
    if (status !== expected) wrong.push(`${route.operation} ${status}`)
  }
  return wrong
}

test('HY24 at every route an ambiguous request is 400', async () => {
  const { dispatcher, requestOf } = await serveEveryRoute()
  const ambiguity = 'The header Content-Length is given twice.'
  const ask = (route: Route) => dispatcher.handle({ ...requestOf(route), ambiguity })
  expect(await others(routes, 400, ask)).toEqual([])
})

test('SM3 at every route behind a key one of another kind is 403', async () => {
  const { call, keys } = await serveEveryRoute()
  const ask = (route: Route) => {
    const secret = route.credential === 'desk' ? keys.workspace : keys.desk
    const headers = { 'x-api-key': secret, authorization: `Bearer ${secret}`, 'x-ai-auth-token': secret }
    return call(route, { headers })
  }
  expect(await others(behindKeys, 403, ask)).toEqual([])
})

test('SM3 at every route of a group of hosts another host is 404', async () => {
  const hosts = { base: { us: 'a.example' }, platform: { us: 'b.example' }, messaging: { us: 'c.example' } }
  const { call } = await serveEveryRoute({ hosts })
  const ask = (route: Route) => call(route, { headers: { host: 'elsewhere.example' } })
  const grouped = routes.filter(({ family }) => family !== 'operator' && family !== 'desk')
  expect(await others(grouped, 404, ask)).toEqual([])
})

test('HY26 at every route what the server refuses is 408, 417 or 431', async () => {
  const { dispatcher, requestOf } = await serveEveryRoute()
  for (const [code, status] of [
    ['REQUEST_TIMEOUT', 408],
    ['EXPECTATION_FAILED', 417],
    ['HEADERS_TOO_LARGE', 431],
  ] as const) {
    const error = new PlatformError(code, 'Refused.')
    const ask = async (route: Route) => dispatcher.refusal(requestOf(route), error)
    expect(await others(routes, status, ask)).toEqual([])
  }
})

test('HT18 at every route that writes a conflict of writers is 409', async () => {
  const conflict = new PlatformError('WRITE_CONFLICT', 'Another one was first. Try again.')
  const table = routes.map(route => ({ ...route, body: null, handle: () => Promise.reject(conflict) }))
  const { dispatcher, requestOf } = await serveEveryRoute({}, table)
  const ofMain = writing.filter(({ precondition }) => precondition === undefined)
  expect(await others(ofMain, 409, route => dispatcher.handle(requestOf(route)))).toEqual([])
})

test('HT16 at every route with a body one that is too large is 413', async () => {
  const { call, platform } = await serveEveryRoute()
  const body = ' '.repeat(Math.max(...Object.values(platform.settings.limits.bodyBytes)) + 1)
  const ask = (route: Route) => call(route, { body })
  const taking = routes.filter(({ body: schema }) => schema !== null && schema !== 'raw')
  expect(await others(taking, 413, ask)).toEqual([])
})

test('HT17 at every route with a body one of another type is 415', async () => {
  const { call } = await serveEveryRoute()
  const ask = (route: Route) => call(route, { body: 'hello', headers: { 'content-type': 'text/plain' } })
  const taking = routes.filter(({ body }) => body !== null && body !== 'raw')
  expect(await others(taking, 415, ask)).toEqual([])
})

test('SM20 at every route behind a key the next request of a key over its rate is 429', async () => {
  for (const kind of new Set(behindKeys.map(({ credential }) => credential))) {
    const group = behindKeys.filter(({ credential }) => credential === kind)
    const { call } = await serveEveryRoute({ rateLimits: { key: { perSecond: 0.001, burst: 1 } } })
    const [first] = group
    if (first === undefined) continue
    await call(first)
    expect(await others(group, 429, call)).toEqual([])
  }
})

test('HT42 at every route a platform that is closed is 503', async () => {
  const { call, platform } = await serveEveryRoute()
  await platform.close()
  expect(await others(routes, 503, call)).toEqual([])
})
