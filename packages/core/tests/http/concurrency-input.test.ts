import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createDispatcher, type Dispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { request } from '../support/request.ts'

const START = 'start_time=2026-03-01T10:00:00Z'
const END = 'end_time=2026-03-01T12:00:00Z'
const RANGE = `${START}&${END}`
const LONG = 'x'.repeat(1_001)

const refused = z.strictObject({ error_message: z.string() })
const counted = z.strictObject({
  account_id: z.literal('ws-one'),
  project_id: z.literal('PROJECT-A'),
  intervals: z.array(z.strictObject({ time: z.iso.datetime(), max_concurrent_conversations: z.int() })),
})

let dispatcher: Dispatcher
let key: string
beforeAll(async () => {
  const { platform, keys } = await createPopulatedPlatform()
  dispatcher = createDispatcher(platform, routes)
  key = keys.project
})

async function ask(query: string) {
  const line = `GET /v1/ws-one/PROJECT-A/conversations/concurrency?${query}`
  const { status, body } = await dispatcher.handle(request(line, { headers: { 'x-api-key': key } }))
  return { status, body: JSON.parse(body ?? '') }
}

/** What is refused, by the parameter that the message names; the range is given unless the parameter is part of it. */
const BAD: Readonly<Record<string, readonly string[]>> = {
  start_time: ['', 'now', '1767225600000', '2026-02-30', '2026-03-01T24:00:00Z', `2026-03-01&${START}`, LONG],
  end_time: ['', 'tomorrow', '2026-13-01', '20260301', `2026-03-01&${END}`, '2026-03-01T10:60Z', LONG],
  client_env: ['', 'LIVE', 'prod', '__proto__', 'live&client_env=live'],
  variant_id: ['', 'a&variant_id=b', LONG],
  variant_name: ['', 'a&variant_name=b', LONG],
  deployment_id: ['', 'a&deployment_id=b', LONG],
  language: ['', 'en-GB&language=en-GB', LONG],
  phone_number: ['', '1&phone_number=2', LONG],
  slice_by: ['', 'VARIANT', 'day', 'constructor', 'variant&slice_by=variant', LONG],
}
const cases = Object.entries(BAD).flatMap(([name, values]) => values.map(value => ({ name, value })))

it.each(cases)('CC11 $name=$value is 400 and named', async ({ name, value }) => {
  const others = [START, END].filter(parameter => !parameter.startsWith(`${name}=`)).join('&')
  const { status, body } = await ask(`${others}&${name}=${value}`)
  expect(status).toBe(400)
  expect(refused.parse(body).error_message).toContain(name)
})

it.each([START, END, ''])('CC11 a range that is not whole is 400: %s', async given => {
  const { status, body } = await ask(given)
  expect(status).toBe(400)
  expect(refused.parse(body).error_message).toMatch(/start_time|end_time/)
})

it.each([
  { query: `start_time=2026-03-02&${END}`, why: 'end_time' },
  { query: 'start_time=2026-03-01T00:00:00Z&end_time=2026-03-08T00:00:00.001Z', why: 'week' },
  { query: `${RANGE}&variant_id=a&variant_name=b`, why: 'variant' },
])('CC11 $query is 400', async ({ query, why }) => {
  const { status, body } = await ask(query)
  expect(status).toBe(400)
  expect(refused.parse(body).error_message).toContain(why)
})

it.each(['language', 'phone_number'])('CC11 slice_by=%s is 501', async slice => {
  const { status, body } = await ask(`${RANGE}&slice_by=${slice}`)
  expect(status).toBe(501)
  expect(refused.parse(body).error_message).toContain(slice)
})

it.each([
  ['times without a zone are UTC', 'start_time=2026-03-01T10:00&end_time=2026-03-01T12:00', 24],
  ['other offsets are taken', 'start_time=2026-03-01T11:00%2B01:00&end_time=2026-03-01T12:00Z', 24],
  ['equal times are one window at most', 'start_time=2026-03-01T10:01Z&end_time=2026-03-01T10:01Z', 1],
  ['a whole week is allowed', 'start_time=2026-03-01&end_time=2026-03-08', 2_016],
  ['what is unknown is ignored', `${RANGE}&__proto__=x&color=red`, 24],
])('CC8 %s', async (_, query, windows) => {
  const { status, body } = await ask(query)
  expect(status).toBe(200)
  expect(counted.parse(body).intervals).toHaveLength(windows)
})
