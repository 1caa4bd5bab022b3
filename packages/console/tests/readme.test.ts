import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Person } from '@colloquy/core'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from './hosts/express.ts'
import { createHost, people } from './hosts/fastify.ts'
import { ADA, overHttp } from './support.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

const blocksOf = (path: string): readonly string[] =>
  [...read(path).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, body = '']) => body)

test('CO1 the host in the README is the one that runs here, letter by letter', async () => {
  expect(blocksOf('../README.md')).toEqual([read('hosts/express.ts')])
  const { platform } = await createPopulatedPlatform()
  const sessions = async (cookie: string | undefined): Promise<Person | null> =>
    cookie === 'session=ada' ? ADA : null
  const ask = await overHttp(createServer(createApp(platform, sessions)))
  const headers = { 'x-console': '1', cookie: 'session=ada' }
  const me = await ask('/internal/console/api/console/v1/me', { headers })
  expect([me.status, await me.json()]).toMatchObject([
    200,
    { person: { name: 'Ada' }, sign_out_url: '/logout' },
  ])
  const refused = await ask('/internal/console/api/console/v1/me', { headers: { 'x-console': '1' } })
  expect([refused.status, await refused.json()]).toMatchObject([401, { sign_in_url: '/login' }])
})

test('CO1 the host in the guide is the one that runs here, letter by letter', async () => {
  expect(blocksOf('../../../docs/guides/console.md')).toEqual([read('hosts/fastify.ts')])
  const { platform } = await createPopulatedPlatform()
  const app = createHost(platform, request => {
    if (request.headers.authorization === 'of Ada') people.set(request, ADA)
  })
  onTestFinished(() => app.close())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const me = (headers: Record<string, string>) =>
    fetch(`${origin}/internal/console/api/console/v1/me`, { headers: { 'x-console': '1', ...headers } })
  expect((await me({ authorization: 'of Ada' })).status).toBe(200)
  expect((await me({})).status).toBe(401)
})
