import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { silentLog } from '@colloquy/core'
import { requireBrowser } from '@colloquy/test-support/browser'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../src/server.ts'
import { readSettings } from '../src/settings.ts'

const { open, profile } = requireBrowser()

const OPERATOR_KEY = 'operator-key-of-the-tests'
const SHOTS = process.env.COLLOQUY_SHOTS

async function start() {
  const settings = readSettings({
    PORT: '0',
    COLLOQUY_DATABASE: ':memory:',
    COLLOQUY_OPERATOR_KEY: OPERATOR_KEY,
  })
  const server = await startServer(settings, { log: silentLog, show: () => {} })
  onTestFinished(() => server.close())
  return { url: server.url, link: server.signInUrl ?? '' }
}

/** Asks the console's API from within a page: the status, or what the browser says where it refuses. */
const fromWithin = ([address, method, body]: readonly [string, string, string | undefined]) =>
  fetch(address, {
    method,
    headers: { 'x-console': '1', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  }).then(
    ({ status }) => status,
    () => 'refused by the browser',
  )

/** Signs in with the link, under a name. */
async function withLink(link: string) {
  const page = await open(await profile(), link)
  await page.getByLabel('Your name').fill('Ada')
  await page.keyboard.press('Enter')
  await page.waitForURL(link.replace(/sign-in.*/, ''))
  return page
}

test('SS33 and SS34 a browser signs in with the link, out, and in again with the key', async () => {
  const { url, link } = await start()
  const page = await withLink(link)
  const me = ['./api/console/v1/me', 'GET', undefined] as const
  const account = [
    './api/operator/v1/accounts',
    'POST',
    JSON.stringify({ slug: 'new', name: 'New' }),
  ] as const
  expect(await page.evaluate(fromWithin, me)).toBe(200)
  expect(await page.evaluate(fromWithin, account)).toBe(201)
  expect(await page.evaluate('document.cookie')).toBe('')

  await page.goto(`${url}/sign-out`)
  expect(page.url()).toBe(`${url}/sign-in`)
  await expect.poll(() => page.getByLabel('Your name').inputValue()).toBe('Ada')
  expect(await page.evaluate('document.activeElement.id')).toBe('key')
  await page.getByLabel('Operator key').fill('not a key')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Operator key').fill(OPERATOR_KEY)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/`)
  expect(await page.evaluate(fromWithin, me)).toBe(200)
  // The browser writes down that the form was answered 401, and nothing else.
  expect(page.complaints.filter(text => !text.includes('401'))).toEqual([])
})

test('SS34 a page of another port of the same machine gets nothing done with the cookie', async () => {
  const { url, link } = await start()
  const other = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Another</title>')
  })
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const page = await withLink(link)
  await page.goto(`http://127.0.0.1:${port}/`)
  const bare = (address: string) =>
    fetch(address, { credentials: 'include' }).then(
      ({ status }) => status,
      () => 'refused by the browser',
    )
  for (const path of ['/api/console/v1/me', '/api/operator/v1/accounts']) {
    expect(await page.evaluate(fromWithin, [`${url}${path}`, 'GET', undefined] as const)).toBe(
      'refused by the browser',
    )
    expect(await page.evaluate(bare, `${url}${path}`)).toBe('refused by the browser')
  }
  // It arrives, and the answer is kept from the page.
  const signOut = (address: string) =>
    fetch(address, { mode: 'no-cors', credentials: 'include' }).catch(() => null)
  await page.evaluate(signOut, `${url}/sign-out`)
  await page.goto(`${url}/`)
  expect(await page.evaluate(fromWithin, ['./api/console/v1/me', 'GET', undefined] as const)).toBe(200)
})

test('SS134 the tag that a new connector shows puts the chat on a page of another site', async () => {
  const { link, url } = await start()
  const page = await withLink(link)
  await page.goto(`${url}/#/settings/connectors`)
  await page.getByRole('button', { name: 'New connector' }).click()
  await page.getByLabel('Name').fill('Own page')
  await page.getByLabel('Hosts').fill('127.0.0.1')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('It does not show up?').click()
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, 'connector-made.png') })
  const tag = (await page.locator('dialog .secret').filter({ hasText: '<script' }).textContent()) ?? ''
  expect(tag).toContain(`data-server="${url}"`)
  const other = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Own</title>${tag}`)
  })
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const visitor = await open(await profile(), `http://127.0.0.1:${port}/`)
  await visitor.getByRole('button', { name: /^Chat/ }).click()
  await visitor.getByText('Welcome to Harbour Hotel').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'Own page' }).click()
  await page.getByText('with the whole token').waitFor()
  if (SHOTS === undefined) return
  await page.screenshot({ path: join(SHOTS, 'connector-light.png'), fullPage: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.screenshot({ path: join(SHOTS, 'connector-dark.png'), fullPage: true })
})

test.each([
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 360, height: 740 } },
] as const)('SS34 the form fits its window, $name', async ({ name, ...look }) => {
  const { url } = await start()
  const page = await open(await profile(look), `${url}/sign-in?once=used`)
  await page.getByRole('alert').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await page.evaluate('document.activeElement.id')).toBe('name')
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `console-sign-in-${name}.png`) })
})
