import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { beforeEach, expect, test } from 'vitest'
import { createDispatcher, type Dispatcher } from '../../../src/http/dispatcher.ts'
import { routes } from '../../../src/http/routes.ts'
import { request } from '../../support/request.ts'

const PATH = '/v1/agents/PROJECT-A/real-time-configs'
const TIME = '2026-01-01T00:00:00.000Z'

let dispatcher: Dispatcher
let keys: Awaited<ReturnType<typeof createPopulatedPlatform>>['keys']

beforeEach(async () => {
  const made = await createPopulatedPlatform()
  keys = made.keys
  dispatcher = createDispatcher(made.platform, routes)
})

/** A request with the workspace key: its status and parsed body. */
async function call(line: string, body?: unknown, key: string = keys.workspace) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const answer = await dispatcher.handle(request(line, { headers, ...(body === undefined ? {} : { body }) }))
  const json: unknown = answer.body === null ? null : JSON.parse(answer.body)
  return { status: answer.status, json, headers: answer.headers }
}

const error = (code: string, message = /./) =>
  expect.objectContaining({
    success: false,
    error: expect.stringMatching(message),
    error_id: expect.any(String),
    error_code: code,
    error_message: expect.stringMatching(message),
    data: null,
  })

const empty = (clientEnv: string) => ({ clientEnv, variables: {} })

test('AG62 configs are listed, and read one by one', async () => {
  const { status, json } = await call(`GET ${PATH}`)
  expect([status, json]).toEqual([
    200,
    { configPages: [empty('sandbox'), empty('pre-release'), empty('live')] },
  ])
  expect((await call(`GET ${PATH}/live`)).json).toEqual(empty('live'))
})

test('AG62 variables and schema are written, and the whole config is the answer', async () => {
  const variables = { hours: { open: 8 }, notice: null }
  const patched = await call(`PATCH ${PATH}/live/variables`, { variables, more: 1 })
  const config = { clientEnv: 'live', variables: { hours: { open: 8 } }, lastUpdated: TIME }
  expect([patched.status, patched.json]).toEqual([200, config])
  const schema = { type: 'object', properties: { hours: { type: 'object' } } }
  const put = await call(`PUT ${PATH}/live/schema`, { schema })
  expect([put.status, put.json]).toEqual([200, { ...config, schema }])
  expect((await call(`GET ${PATH}/live`)).json).toEqual({ ...config, schema })
  expect((await call(`GET ${PATH}`)).json).toEqual({
    configPages: [empty('sandbox'), empty('pre-release'), { ...config, schema }],
  })
  const removed = await call(`PUT ${PATH}/live/schema`, { schema: null })
  expect([removed.status, removed.json]).toEqual([200, config])
})

test.each([
  ['GET', '/moon', undefined],
  ['GET', '/Live', undefined],
  ['PUT', '/moon/schema', { schema: 5 }],
  ['PATCH', '/moon/variables', 'no JSON'],
])('AG62 %s %s is no environment, whatever the body', async (method, path, body) => {
  const answer = await call(`${method} ${PATH}${path}`, body)
  const named = /must be one of sandbox, pre-release, live/
  expect([answer.status, answer.json]).toEqual([
    400,
    error('REAL_TIME_CONFIG_UNKNOWN_CLIENT_ENVIRONMENT', named),
  ])
})

test.each([
  ['PUT', '/live/schema', undefined, /"schema" is required: expected an object/],
  ['PUT', '/live/schema', { schema: [] }, /"schema" is not valid: expected an object/],
  ['PUT', '/live/schema', { schema: true }, /"schema" is not valid: expected an object/],
  ['PATCH', '/live/variables', {}, /"variables" is required/],
  ['PATCH', '/live/variables', { variables: null }, /"variables" is not valid/],
  ['PATCH', '/live/variables', { variables: 'x' }, /"variables" is not valid/],
  ['PATCH', '/live/variables', '{', /not valid JSON/],
])('AG62 %s %s with %j is a body of another shape', async (method, path, body, message) => {
  const answer = await call(`${method} ${PATH}${path}`, body)
  expect([answer.status, answer.json]).toEqual([400, error('SCHEMA_VALIDATION_FAILED', message)])
  expect((await call(`GET ${PATH}/live`)).json).toEqual(empty('live'))
})

test('AG63 what does not fit is 400 with its own codes', async () => {
  const invalid = await call(`PUT ${PATH}/live/schema`, { schema: { type: 'strin' } })
  expect([invalid.status, invalid.json]).toEqual([
    400,
    error('REAL_TIME_CONFIG_INVALID_SCHEMA', /"\/type" must be one of/),
  ])
  expect(invalid.json).toMatchObject({ about: ['/type'] })
  await call(`PUT ${PATH}/live/schema`, { schema: { properties: { a: { type: 'string' } } } })
  const misfit = await call(`PATCH ${PATH}/live/variables`, { variables: { a: 1 } })
  expect([misfit.status, misfit.json]).toEqual([
    400,
    error('REAL_TIME_CONFIG_INVALID_FOR_SCHEMA', /"\/a" must be string/),
  ])
})

test('AG65 what is too large or too deep is 400', async () => {
  const large = await call(`PATCH ${PATH}/live/variables`, { variables: { a: 'x'.repeat(66_000) } })
  expect([large.status, large.json]).toEqual([400, error('SCHEMA_VALIDATION_FAILED', /at most 65536 bytes/)])
  const deep = await call(
    `PATCH ${PATH}/live/variables`,
    `{"variables":${'{"a":'.repeat(33)}1${'}'.repeat(33)}}`,
  )
  expect([deep.status, deep.json]).toEqual([
    400,
    error('SCHEMA_VALIDATION_FAILED', /not nest deeper than 32 levels/),
  ])
  const schema = await call(
    `PUT ${PATH}/live/schema`,
    `{"schema":${'{"not":'.repeat(65)}{}${'}'.repeat(65)}}`,
  )
  expect([schema.status, schema.json]).toEqual([
    400,
    error('REAL_TIME_CONFIG_INVALID_SCHEMA', /deeper than 64 levels/),
  ])
})

test('HT24 a key __proto__ in variables and schema reaches nothing', async () => {
  const variables = '{"variables":{"__proto__":{"admin":true},"a":{"__proto__":{"admin":true}}}}'
  expect((await call(`PATCH ${PATH}/live/variables`, variables)).json).toMatchObject({ variables: { a: {} } })
  const schema = '{"schema":{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}}'
  expect((await call(`PUT ${PATH}/live/schema`, schema)).status).toBe(200)
  expect(Reflect.get({}, 'admin')).toBeUndefined()
})

test('HT14 access is that of every route about an agent', async () => {
  const elsewhere = '/v1/agents/PROJECT-Z/real-time-configs'
  for (const line of [
    `GET ${elsewhere}`,
    `PUT ${elsewhere}/live/schema`,
    `PATCH ${elsewhere}/live/variables`,
  ]) {
    expect(await call(line, {})).toMatchObject({ status: 403, json: error('USER_ACCESS_FORBIDDEN') })
  }
  const project = await call(`GET ${PATH}`, undefined, keys.project)
  expect(project).toMatchObject({ status: 403, json: error('USER_ACCESS_FORBIDDEN') })
  expect((await call(`GET ${PATH}`, undefined, 'nonsense')).status).toBe(401)
  const none = await call('GET /v1/agents/none/real-time-configs/moon')
  expect(none).toMatchObject({ status: 404, json: error('PROJECT_NOT_FOUND') })
  expect(await call(`DELETE ${PATH}/live`)).toMatchObject({ status: 405, headers: { Allow: 'GET, HEAD' } })
  expect(await call(`POST ${PATH}/live/schema`)).toMatchObject({ status: 405, headers: { Allow: 'PUT' } })
})
