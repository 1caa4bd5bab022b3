import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { encodeCursor } from '../../src/domain/conversation/cursor.ts'
import { createDispatcher, type Dispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { request } from '../support/request.ts'

const v1Error = z.strictObject({ error_message: z.string() })
const v3Error = z.looseObject({ success: z.literal(false), error_message: z.string() })
const page = z.looseObject({ conversations: z.array(z.unknown()) })
const RANGE = 'start_time=2026-03-01&end_time=2026-03-02'
const LONG = 'x'.repeat(1_001)

let dispatcher: Dispatcher
let key: string
beforeAll(async () => {
  const { platform, keys } = await createPopulatedPlatform()
  dispatcher = createDispatcher(platform, routes)
  key = keys.project
})

async function ask(version: 'v1' | 'v3', query: string) {
  const line = `GET /${version}/ws-one/PROJECT-A/conversations?${query}`
  const { status, body } = await dispatcher.handle(request(line, { headers: { 'x-api-key': key } }))
  return { status, body: JSON.parse(body ?? '') }
}

/** What both lists refuse, by the parameter that the message names. */
const BAD: Readonly<Record<string, readonly string[]>> = {
  client_env: ['', 'LIVE', 'prod', '__proto__', 'live&client_env=live', `live${LONG}`],
  start_time: [
    ...[
      '',
      'now',
      '1767225600000',
      '2026-02-30',
      '2026-03-01T24:00:00Z',
      '2026-03-01T10:00:00+25:00',
      '2026-3-1',
    ],
    ...['2026-03-01&start_time=2026-03-01', '2026-03-01T10%00', '-2026-03-01', LONG],
  ],
  end_time: ['', 'tomorrow', '2026-13-01', '20260301', '2026-03-01&end_time=2026-03-02', '2026-03-01T10:60Z'],
  limit: [
    '',
    '0',
    '-1',
    '1.5',
    '1e2',
    '0x10',
    '5001',
    '99999999999999999999',
    'ten',
    '5&limit=5',
    '%205',
    '+5',
    'Infinity',
  ],
  in_progress: ['', '1', 'yes', 'true&in_progress=true', 'null', 'true%00'],
  topic: ['', 'a&topic=b', LONG],
  variant_id: ['', 'a&variant_id=b', LONG],
  variant_name: ['', 'a&variant_name=b', LONG],
  deployment_id: ['', 'a&deployment_id=b', LONG],
}
const BAD_V1 = { ...BAD, offset: ['', '-1', '1.5', '9007199254740992', 'x', '1&offset=2', '0%20'] }
const channels = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`).join('&channel=')
const BAD_V3 = {
  ...BAD,
  channel: ['', `a&channel=`, LONG, channels(101)],
  cursor: [
    ...['', 'x', '0', 'null', '%00', 'e30', 'bnVsbA', 'WzEsIiJd', 'a&cursor=b', LONG],
    ...[`${encodeCursor({ startedAt: 1, id: 'a' })}=`, `${encodeCursor({ startedAt: 1, id: 'a' })}A`],
    ...[encodeCursor({ startedAt: 1.5, id: 'a' }), Buffer.from('[1,"a",2]').toString('base64url')],
  ],
  query_type: ['', 'fulltext', `transcript&query_type=transcript&query=a&${RANGE}`, 'TRANSCRIPT'],
  query: [
    `&query_type=transcript&${RANGE}`,
    `${LONG}&query_type=transcript&${RANGE}`,
    `!&query_type=transcript&${RANGE}`,
  ],
  turn_type: [`both&query_type=transcript&query=a&${RANGE}`, 'user'],
  sample: ['', 'first', `random&sample=random&${RANGE}`, 'random'],
}

const cases = (bad: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(bad).flatMap(([name, values]) => values.map(value => [name, value] as const))

describe('what the lists refuse', () => {
  it.each(cases(BAD_V1))('RC13 v1 %s=%.40s', async (name, value) => {
    const { status, body } = await ask('v1', `${name}=${value}`)
    expect(status).toBe(400)
    const { error_message: message } = v1Error.parse(body)
    expect(message).toContain(name)
    expect(message.length).toBeLessThan(300)
  })

  it.each(cases(BAD_V3))('RC13 v3 %s=%.40s', async (name, value) => {
    const { status, body } = await ask('v3', `${name}=${value}`)
    expect(status).toBe(400)
    const { error_message: message } = v3Error.parse(body)
    expect(message).toContain(name)
    expect(message.length).toBeLessThan(300)
  })

  it.each(['v1', 'v3'] as const)('RC13 %s reversed ranges and both variants', async version => {
    const query = 'start_time=2026-03-02&end_time=2026-03-01'
    expect((await ask(version, query)).body.error_message).toContain('start_time must not be after end_time.')
    expect((await ask(version, 'variant_id=a&variant_name=b')).status).toBe(400)
    expect((await ask(version, 'start_time=2026-03-02&end_time=2026-03-02')).body.conversations).toEqual([])
    // The same instant in two zones.
    const zones = 'start_time=2026-03-02T01:00:00%2B01:00&end_time=2026-03-02T00:00'
    expect((await ask(version, zones)).status).toBe(200)
  })
})

it.each([
  ['v1', 'start_time=2026-03-01T10:00&end_time=2026-03-01T11:00:00.5'],
  ['v1', 'limit=5000&offset=9007199254740991&in_progress=TRUE'],
  ['v1', '__proto__=x&constructor=y&__proto__[a]=b&cursor=x&sample=x&hasOwnProperty=1'],
  ['v1', `variant_id=${'x'.repeat(1_000)}`],
  ['v3', `channel=${channels(100)}&limit=1000`],
  ['v3', `query_type=transcript&query=${'x'.repeat(1_000)}&${RANGE}&turn_type=user`],
  ['v3', '__proto__=x&toString=1'],
  ['v3', `sample=random&${RANGE}`],
] as const)('RC13 %s takes %.60s', async (version, query) => {
  const { status, body } = await ask(version, query)
  expect(body).toEqual(page.parse(body))
  expect(status).toBe(200)
})

it('RC13 no query is answered otherwise than with a page or with what is wrong', async () => {
  const names = [...new Set([...Object.keys(BAD_V1), ...Object.keys(BAD_V3), '__proto__', 'constructor'])]
  const good = [
    'live',
    '2026-03-01',
    '2026-03-02',
    '5',
    'true',
    'transcript',
    'semantic',
    'user',
    'random',
    'word',
  ]
  const value = fc.oneof(fc.constantFrom(...good), fc.string({ unit: 'binary', maxLength: 20 }))
  const query = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 8, size: 'max' })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('v1', 'v3'), query, async (version, pairs) => {
      const text = pairs.map(([name, one]) => `${name}=${encodeURIComponent(one)}`).join('&')
      const { status, body } = await ask(version, text)
      if (status === 200) page.parse(body)
      else if (status === 501) expect(body.error_message).toContain('semantic')
      else {
        expect(status).toBe(400)
        if (version === 'v1') v1Error.parse(body)
        else v3Error.parse(body)
      }
    }),
    { numRuns: 400 },
  )
})
