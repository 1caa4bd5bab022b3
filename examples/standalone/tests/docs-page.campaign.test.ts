import { once } from 'node:events'
import { createServer } from 'node:http'
import { silentLog } from '@colloquy/core'
import { requireBrowser } from '@colloquy/test-support/browser'
import { expect, onTestFinished, test } from 'vitest'
import { withDocsPage } from '../src/docs-page.ts'
import { startServer } from '../src/server.ts'
import { readSettings } from '../src/settings.ts'

const { profile, open } = requireBrowser()

async function start(): Promise<string> {
  const settings = readSettings({ PORT: '0', COLLOQUY_DATABASE: ':memory:' })
  const server = await startServer(settings, { log: silentLog, show: () => {} })
  onTestFinished(() => server.close())
  return server.url
}

/** Swagger UI has only what is in view in the page, of so many calls: scrolls to the end, and tells each family seen. */
const FAMILIES_SHOWN = `(async () => {
  const shown = new Set()
  const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  for (let top = 0; top <= document.documentElement.scrollHeight; top += innerHeight / 4) {
    scrollTo(0, top)
    await drawn()
    for (const { dataset } of document.querySelectorAll('.opblock-tag')) shown.add(dataset.tag)
  }
  return [...shown]
})()`

/** A server of nothing but the page, without Swagger UI. */
async function startPlain(): Promise<string> {
  const server = createServer(withDocsPage((_, response) => response.writeHead(418).end(), null))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

test('without Swagger UI a plain page links to both documents and says what to install', async () => {
  const url = await startPlain()
  const answer = await fetch(`${url}/docs`)
  const html = await answer.text()
  expect(answer.status).toBe(200)
  expect(html).toContain('npm install swagger-ui-dist')
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
    '/openapi.json',
    '/asyncapi.json',
  ])
  expect(html).not.toContain('<script')
  for (const path of ['/docs/swagger-ui.css', '/docsx', '/docs/a/b', '/'])
    expect((await fetch(`${url}${path}`)).status, path).toBe(418)
  expect((await fetch(`${url}/docs`, { method: 'POST' })).status).toBe(418)
})

test('with Swagger UI the page shows every family, loads nothing of another server, and breaks no policy', async () => {
  const url = await start()
  const answer = await fetch(`${url}/docs`)
  expect(answer.headers.get('content-security-policy')).not.toContain('unsafe')
  expect(await answer.text()).not.toMatch(/<script(?! src="\/docs\/)|https?:|style=/)
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js'])
    expect((await fetch(`${url}/docs/${name}`)).status, name).toBe(200)
  expect((await fetch(`${url}/docs/package.json`)).status).toBe(404)
  const page = await open(await profile(), `${url}/docs`)
  await page.waitForSelector('.opblock-tag')
  expect(await page.evaluate(FAMILIES_SHOWN)).toHaveLength(16)
  expect(page.complaints).toEqual([])
})
