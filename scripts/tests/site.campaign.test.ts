import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { requireBrowser } from '@colloquy/test-support/browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../run.ts'
import { REPOSITORY } from '../workspace-packages.ts'

const DIST = join(REPOSITORY, 'site/dist')
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
}

const { open, profile } = requireBrowser()

/** Serves the files as any static host would: an address without an ending is a page. */
const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname
  const file = join(DIST, /\.\w+$/.test(path) ? path : `${path}.html`)
  const body = await readFile(file).catch(() => null)
  const type = TYPES[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  response.writeHead(body === null ? 404 : 200, { 'content-type': type }).end(body)
})
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  await run('npm', ['run', 'site'], REPOSITORY)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())

test('a search on the site leads to a page, and nothing is loaded from elsewhere', async () => {
  const reader = await profile()
  const asked: string[] = []
  reader.on('request', request => void asked.push(request.url()))
  const page = await open(reader, `${origin()}/`)
  await page.getByRole('heading', { level: 1, name: 'Colloquy' }).waitFor()
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('promote')
  await page.getByRole('option').first().click()
  await page.waitForURL(url => url.pathname !== '/')
  expect(asked.filter(url => !url.startsWith(origin()) && !url.startsWith('data:'))).toEqual([])
  expect(page.complaints).toEqual([])
})

test('every page that the list for language models names is there, as a page and as Markdown', async () => {
  const list = await readFile(join(DIST, 'llms.txt'), 'utf8')
  const places = [...list.matchAll(/^- \[[^\]]+\]\(\/([^)]+)\.md\)/gm)].map(([, place]) => place)
  expect(places.length).toBeGreaterThan(70)
  for (const place of places)
    for (const ending of ['html', 'md'])
      expect((await stat(join(DIST, `${place}.${ending}`))).size, `${place}.${ending}`).toBeGreaterThan(200)
})

test('the skill folder for coding agents has every page that it names', async () => {
  const skill = await readFile(join(DIST, 'skill/SKILL.md'), 'utf8')
  expect(skill).toMatch(/^---\nname: colloquy\ndescription: .+\n---\n/)
  expect(skill).toContain(await readFile(join(REPOSITORY, 'e2e/src/idea.ts'), 'utf8'))
  const pages = [...skill.matchAll(/\]\((pages\/[^)]+)\)/g)].map(([, page = '']) => page)
  expect(pages.length).toBeGreaterThan(50)
  for (const page of pages) expect((await stat(join(DIST, 'skill', page))).size, page).toBeGreaterThan(200)
})
