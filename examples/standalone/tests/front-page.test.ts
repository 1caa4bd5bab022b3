import { createHash } from 'node:crypto'
import { silentLog } from '@colloquy/core'
import { routes } from '@colloquy/core/transport'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startServer } from '../src/server.ts'
import { CREDENTIAL_VARIABLES, readSettings } from '../src/settings.ts'

const SOCKETS = ['/ws', '/desk/v1/ws']

async function start(environment: NodeJS.ProcessEnv = {}) {
  const secrets: string[] = []
  const settings = readSettings({ PORT: '0', COLLOQUY_DATABASE: ':memory:', ...environment })
  const show = (generated: ReadonlyMap<string, string>): void => {
    secrets.push(...generated.values())
  }
  const { url, close } = await startServer(settings, { log: silentLog, show })
  return { url, secrets, close }
}

let plain: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  plain = await start()
})
afterAll(() => plain.close())

const page = async (url: string): Promise<string> => (await fetch(`${url}/welcome`)).text()

/** The addresses that the page names. */
const addressesOf = (html: string): readonly string[] =>
  [...html.matchAll(/<code>(\/[^<]+)<\/code>/g)].map(([, path = '']) => path)

/** Whatever a parameter is called. */
const shapeOf = (path: string): string => path.replace(/\{\w+\}|:\w+/g, '*')

test('the page is HTML that runs and loads nothing, and is the same for HEAD', async () => {
  const { url } = plain
  const answer = await fetch(`${url}/welcome?from=a-bookmark`, { headers: { accept: 'text/html,*/*;q=0.8' } })
  const html = await answer.text()
  expect(answer.status).toBe(200)
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'content-length': String(Buffer.byteLength(html)),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    vary: 'Accept',
  })
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">/)
  expect(html).toMatch(/color-scheme: light dark/)
  expect(html).not.toMatch(/<(script|link|img|iframe|form)\b|\son\w+=|\sstyle=|https?:|url\(|@import/i)
  const head = await fetch(`${url}/welcome`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    String(Buffer.byteLength(html)),
    '',
  ])
})

test('the page names the addresses of every API and socket, and none that there is not', async () => {
  const { url } = plain
  const addresses = addressesOf(await page(url)).map(shapeOf)
  const paths = routes.map(({ path }) => shapeOf(path))
  const unnamed = paths.filter(path => !addresses.some(one => path === one || path.startsWith(`${one}/`)))
  expect(unnamed).toEqual([])
  const strange = addresses.filter(
    one => ![...paths, ...SOCKETS].some(path => `${path}/`.startsWith(`${one}/`)),
  )
  expect(strange).toEqual([])
  for (const path of SOCKETS) expect(addresses).toContain(path)
})

test('no key stands on the page', async () => {
  const { url, secrets } = plain
  expect(secrets).toHaveLength(CREDENTIAL_VARIABLES.length)
  const html = await page(url)
  expect(html).toContain('No key is shown here.')
  for (const secret of secrets) expect(html).not.toContain(secret)
  expect(html).not.toMatch(/cq_[a-z]{2}_/)
})

test.each([
  ['/welcome', { accept: 'application/json' }, 'GET'],
  ['/welcome', { accept: 'text/html;q=0, application/json' }, 'GET'],
  ['/welcome', { accept: 'application/json, text/plain, */*' }, 'GET'],
  ['/welcome', {}, 'POST'],
  ['/welcome/', { accept: 'text/html' }, 'GET'],
  ['/index.html', { accept: 'text/html' }, 'GET'],
  ['/elsewhere', {}, 'GET'],
])('%s for %j, %s, is the JSON 404', async (path, headers, method) => {
  const { url } = plain
  const answer = await fetch(url + path, { method, headers })
  expect(answer.status).toBe(404)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await answer.json()).toMatchObject({ success: false })
})

test('without the console the page is at / too', async () => {
  const { url, close } = await start({ COLLOQUY_CONSOLE: 'off' })
  onTestFinished(close)
  const html = await page(url)
  expect(await (await fetch(`${url}/?from=a-bookmark`)).text()).toBe(html)
  expect((await fetch(`${url}/`, { headers: { accept: 'application/json' } })).status).toBe(404)
})
