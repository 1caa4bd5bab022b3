import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { contextOf } from '../../src/platform-context.ts'
import { request } from '../support/request.ts'

async function serve(settings: Parameters<typeof createPopulatedPlatform>[0] = {}) {
  const made = await createPopulatedPlatform(settings)
  const dispatcher = createDispatcher(made.platform, routes)
  return {
    ...made,
    async call(line: string, body?: unknown, key = made.keys.operator) {
      const headers = { authorization: `Bearer ${key}` }
      const response = await dispatcher.handle(request(line, { headers, body }))
      return { status: response.status, text: response.body ?? '', json: JSON.parse(response.body ?? 'null') }
    },
  }
}

const ROTATE = 'POST /operator/v1/token-keys/rotate'

test('AC22 token keys are listed newest first and rotated, and no secret is shown', async () => {
  const { platform, clock, call, keys } = await serve()
  expect((await call('GET /operator/v1/token-keys')).json).toEqual({ tokenKeys: [] })
  await platform.access.rotateTokenKeys()
  const listed = await call('GET /operator/v1/token-keys')
  const [first, before] = listed.json.tokenKeys
  expect(listed.status).toBe(200)
  expect(first).toMatchObject({ createdAt: '2026-01-01T00:00:00.000Z', verifiesUntil: null })
  await clock.advance(1_000)
  const rotated = await call(ROTATE, {})
  expect([rotated.status, rotated.json.tokenKeys]).toEqual([
    200,
    [
      { id: expect.any(String), createdAt: '2026-01-01T00:00:01.000Z', verifiesUntil: null },
      { ...first, verifiesUntil: '2026-01-02T00:01:01.000Z' },
      before,
    ],
  ])
  const revoked = await call(ROTATE, { revokeEarlier: true })
  expect(revoked.json.tokenKeys.slice(1)).toMatchObject([
    { verifiesUntil: '2026-01-01T00:00:01.000Z' },
    { verifiesUntil: '2026-01-01T00:00:01.000Z' },
    { verifiesUntil: '2026-01-01T00:00:01.000Z' },
  ])
  for (const { secret } of await contextOf(platform).store.access.tokenKeys.list())
    for (const { text } of [listed, rotated, revoked]) expect(text).not.toContain(secret)
  expect(await call(ROTATE, { revokeEarlier: 'yes' })).toMatchObject({ status: 400 })
  expect(await call(ROTATE, {}, keys.workspace)).toMatchObject({ status: 403 })
})

test('AC22 CR16 where the host gives the secrets a rotation is 409, and nothing is listed', async () => {
  const { call } = await serve({ tokenSecret: 'a-secret-of-the-host' })
  expect(await call(ROTATE, {})).toMatchObject({ status: 409, json: { error_code: 'TOKEN_KEYS_GIVEN' } })
  expect((await call('GET /operator/v1/token-keys')).json).toEqual({ tokenKeys: [] })
})
