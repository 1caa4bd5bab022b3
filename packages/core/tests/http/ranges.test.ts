import { EVERYDAY, MOUNTS, type MountName } from '@colloquy/test-support/mounts'
import { moments, recording } from '@colloquy/test-support/recorded-calls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { createPeopleDispatcher } from '../../src/http/people-dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { request } from '../support/request.ts'

/** A recorded conversation, with the path of its sound: 44 bytes, and three parts of 20. */
async function recorded() {
  const bench = await recording()
  const kept = await bench.begin()
  for (const part of [1, 2, 3])
    await kept.keep(moments(...[0, 1, 2, 3, 4].map((at): [number, number] => [part * 64 + at, -at - 1])))
  const { platform, where } = bench
  const [accountId, agentId, id] = where
  const { secret } = await platform.access.createApiKey({ kind: 'workspace', accountId })
  return { ...bench, secret, path: `/v1/agents/${agentId}/conversations/${id}/audio` }
}

const NAMES = Object.keys(MOUNTS).filter((name): name is MountName => name in MOUNTS)

describe.each(NAMES)('behind %s', name => {
  test('HT70 a range of the sound is answered as such, and all of it where there is none', async () => {
    const { path, platform, secret } = await recorded()
    const mounted = await MOUNTS[name](createDispatcher(platform, routes), EVERYDAY)
    onTestFinished(() => mounted.close())
    const ask = async (headers: Readonly<Record<string, string>>, method = 'GET') => {
      const init = { method, headers: { 'x-api-key': secret, ...headers } }
      const answer = await mounted.send(`${mounted.base}${path}`, init)
      const bytes = new Uint8Array(await answer.arrayBuffer())
      const [range, length] = ['content-range', 'content-length'].map(header => answer.headers.get(header))
      return { answer, bytes, told: [answer.status, range, length] }
    }
    const { answer, bytes: whole, told } = await ask({})
    expect([...told, answer.headers.get('accept-ranges')]).toEqual([200, null, '104', 'bytes'])
    expect(whole).toHaveLength(104)
    const etag = answer.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    for (const [range, from, to] of [
      ['bytes=0-', 0, 104],
      ['bytes=50-70', 50, 71],
      ['bytes=-5', 99, 104],
      ['bytes=100-999', 100, 104],
    ] as const) {
      const part = await ask({ range, 'if-range': etag })
      expect(part.told).toEqual([206, `bytes ${from}-${to - 1}/104`, String(to - from)])
      expect(part.bytes).toEqual(whole.subarray(from, to))
      expect(part.answer.headers.get('content-type')).toBe('audio/wav')
    }
    for (const headers of [
      { range: 'bytes=0-1,5-6' },
      { range: 'rows=1-2' },
      { range: 'bytes=0-1', 'if-range': '"another"' },
      { range: 'bytes=0-1', 'if-range': `W/${etag}` },
    ]) {
      const all = await ask(headers)
      expect([...all.told, all.bytes.length]).toEqual([200, null, '104', 104])
    }
    const outside = await ask({ range: 'bytes=104-' })
    expect(outside.told.slice(0, 2)).toEqual([416, 'bytes */104'])
    expect(JSON.parse(new TextDecoder().decode(outside.bytes))).toMatchObject({ error_code: 'RANGE_OUTSIDE' })
    const head = await ask({ range: 'bytes=0-1' }, 'HEAD')
    expect([...head.told, head.bytes.length]).toEqual([200, null, '104', 0])
  })
})

test('HT70 a sound that goes on has another tag, so that no two are mixed', async () => {
  const { begin, path, platform, secret } = await recorded()
  const dispatcher = createDispatcher(platform, routes)
  const ask = (headers = {}) =>
    dispatcher.handle(request(`GET ${path}`, { headers: { 'x-api-key': secret, ...headers } }))
  const { ETag = '' } = (await ask()).headers
  expect((await ask({ range: 'bytes=1-2', 'if-range': ETag })).status).toBe(206)
  await (await begin()).keep(moments([1, 2]))
  const { headers, status } = await ask({ range: 'bytes=1-2', 'if-range': ETag })
  expect([status, headers['Content-Length'], headers.ETag === ETag]).toEqual([200, '108', false])
})

test('AU14 a request for the head leaves no entry, and one for sound that of its key', async () => {
  const { path, platform, secret } = await recorded()
  const dispatcher = createDispatcher(platform, routes)
  const entries = async () => (await platform.audit.list({ action: 'conversation.listened' })).entries
  const headers = { 'x-api-key': secret, range: 'bytes=90-99' }
  await dispatcher.handle(request(`HEAD ${path}`, { headers }))
  expect(await entries()).toEqual([])
  for (let count = 0; count < 2; count++) {
    const { chunks } = await dispatcher.handle(request(`GET ${path}`, { headers }))
    for await (const _ of chunks ?? []);
  }
  expect((await entries()).map(({ actor }) => actor.type)).toEqual(['api_key'])
})

test('PE4 a player of the console’s own page needs no header of the page, and no other page’s gets in', async () => {
  const { path, platform, where } = await recorded()
  const people = createPeopleDispatcher(platform, {
    authorize: () => ({ id: 'ada', name: 'Ada', roles: ['reader'] }),
    version: '1',
  })
  const ask = async (line: string, headers: Readonly<Record<string, string>>) =>
    (await people.handle(request(line, { headers: { host: 'app.example', ...headers } }))).status
  const own = { 'sec-fetch-site': 'same-origin', range: 'bytes=0-' }
  expect(await ask(`GET ${path}`, own)).toBe(206)
  for (const headers of [
    {},
    { ...own, 'sec-fetch-site': 'cross-site' },
    { ...own, 'sec-fetch-site': 'same-site' },
    { ...own, 'sec-fetch-site': 'none' },
    { ...own, origin: 'https://evil.example' },
  ])
    expect(await ask(`GET ${path}`, headers)).toBe(403)
  // Nothing else is played.
  expect(await ask(`GET /v1/agents/${where[1]}`, own)).toBe(403)
})
