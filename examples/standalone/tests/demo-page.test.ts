import { silentLog } from '@colloquy/core'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../src/server.ts'
import { readSettings } from '../src/settings.ts'

const CONNECTOR_TOKEN = 'connector-token-of-the-tests'

async function start(environment: NodeJS.ProcessEnv = {}) {
  const settings = readSettings({ PORT: '0', COLLOQUY_DATABASE: ':memory:', ...environment })
  const server = await startServer(settings, { log: silentLog, show: () => {} })
  onTestFinished(() => server.close())
  return server.url
}

test('a page with the widget, under a policy that allows nothing inline and no other server', async () => {
  const url = await start()
  const answer = await fetch(`${url}/demo`)
  const html = await answer.text()
  expect(answer.status).toBe(200)
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'sha256-\S+'; /)
  expect(html).toMatch(/<script src="\/widget\/colloquy-widget\.js" data-connector-token="\S{32,}"/)
  expect(html).not.toMatch(/\son\w+=|\sstyle=|https?:|url\(|@import/)
  const head = await fetch(`${url}/demo/`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await fetch(`${url}/demo`, { method: 'POST' })).status).toBe(404)
  expect((await fetch(`${url}/demonstration`)).status).toBe(404)
})

test('COLLOQUY_DEMO_PAGE=off leaves it out', async () => {
  const url = await start({ COLLOQUY_DEMO_PAGE: 'off' })
  expect((await fetch(`${url}/demo`)).status).toBe(404)
  expect((await fetch(`${url}/widget/colloquy-widget.js`)).status).toBe(200)
})

test('SS134 the files of the widget are for pages of every site, compressed and cached; the frame is for those of its connector', async () => {
  const url = await start({ COLLOQUY_CONNECTOR_TOKEN: CONNECTOR_TOKEN })
  const ask = (path: string, coding: string, method = 'GET') =>
    fetch(`${url}/widget/${path}`, {
      method,
      headers: { 'accept-encoding': coding, origin: 'https://a.example' },
    })
  const script = await ask('colloquy-widget.js', 'gzip')
  const text = await script.text()
  expect([script.status, Object.fromEntries(script.headers)]).toMatchObject([
    200,
    {
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
      vary: 'Accept-Encoding',
    },
  ])
  const plain = await ask('colloquy-widget.js', 'gzip;q=0, identity')
  expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, text])
  const [part = ''] = /colloquy-[0-9a-f]{12}[^"'`]*\.js/.exec(text) ?? []
  const chat = await ask(part, 'gzip', 'HEAD')
  expect([chat.status, await chat.text(), chat.headers.get('cache-control')]).toEqual([
    ...[200, '', 'public, max-age=31536000, immutable'],
  ])
  const frame = await ask('colloquy-frame.html', 'gzip')
  expect([frame.status, frame.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect([frame.headers.get('x-frame-options'), frame.headers.get('content-security-policy')]).toEqual([
    null,
    null,
  ])
  const policyFor = async (query: string) =>
    (await ask(`colloquy-frame.html?${query}`, 'gzip', 'HEAD')).headers.get('content-security-policy')
  expect(await policyFor('token=of-nobody')).toBe("frame-ancestors 'none'")
  expect(await policyFor(`token=${CONNECTOR_TOKEN}`)).toContain('localhost:*')
  for (const path of ['', 'no-such.js', '../package.json', '..%2fpackage.json'])
    expect((await ask(path, 'gzip')).status).toBe(404)
  expect((await ask('colloquy-widget.js', 'gzip', 'POST')).status).toBe(404)
})
