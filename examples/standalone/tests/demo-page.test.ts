import { silentLog } from '@colloquy/core'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../src/server.ts'
import { readSettings } from '../src/settings.ts'

async function start(environment: NodeJS.ProcessEnv = {}) {
  const settings = readSettings({ PORT: '0', COLLOQUY_DATABASE: ':memory:', ...environment })
  const server = await startServer(settings, { log: silentLog, show: () => {} })
  onTestFinished(() => server.close())
  return server.url
}

test('SS32 a page with the widget, under a policy that allows nothing inline and no other server', async () => {
  const url = await start()
  const answer = await fetch(`${url}/demo`)
  const html = await answer.text()
  expect(answer.status).toBe(200)
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'sha256-\S+'; /)
  expect(html).toMatch(/<script src="\/demo\/widget\/colloquy-widget\.js" data-connector-token="\S{32,}"/)
  expect(html).not.toMatch(/\son\w+=|\sstyle=|https?:|url\(|@import/)
  const head = await fetch(`${url}/demo/`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await fetch(`${url}/demo`, { method: 'POST' })).status).toBe(404)
  expect((await fetch(`${url}/demonstration`)).status).toBe(404)
})

test('SS32 COLLOQUY_DEMO_PAGE=off leaves it out', async () => {
  const url = await start({ COLLOQUY_DEMO_PAGE: 'off' })
  expect((await fetch(`${url}/demo`)).status).toBe(404)
  expect((await fetch(`${url}/demo/widget/colloquy-widget.js`)).status).toBe(404)
})
