import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()

/** A folder for pictures of all that is looked at here; without it none are taken. */
const SHOTS = process.env.COLLOQUY_SHOTS

/** A receiver that answers with whatever status it is told, and what came to it. */
async function receive() {
  const state = { status: 500, came: [] as string[] }
  const server = createServer((request, response) => {
    state.came.push(String(request.headers['webhook-id'] ?? request.url))
    request.resume()
    response.writeHead(state.status).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { state, url: `http://127.0.0.1:${port}/hook` }
}

/** What the browser writes down of an answer that refuses. */
const REFUSED = 'Failed to load resource: the server responded with a status of 400 (Bad Request)'

/** The secret that a dialog shows this once. */
async function takeSecret(page: Page): Promise<string> {
  const secret = (await page.locator('dialog .secret').first().textContent()) ?? ''
  await page.getByRole('button', { name: 'Close' }).click()
  await page.locator('dialog').waitFor({ state: 'detached' })
  return secret
}

test('CO19 a connector that is made here opens conversations until it is revoked here', async () => {
  const { open, origin, visit } = await startSite()
  const page = await open(pages, 'ada')
  await goTo(page, '#/settings/connectors')
  await page.getByRole('button', { name: 'New connector' }).click()
  await page.getByLabel('Name').fill('Front page')
  await page.getByLabel('Hosts').fill('not a host !\n')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.locator('dialog [role=alert]').waitFor()
  await page.getByLabel('Hosts').fill('localhost\nhotel.example')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'The token of the connector' }).waitFor()
  const token = await takeSecret(page)
  expect((await visit('When is check-in?', token)).current.messages.at(-1)?.text).toContain('3 pm')
  await page.getByRole('link', { name: 'Front page' }).click()
  await page.getByText('localhost, hotel.example').waitFor()
  await page.getByText(`data-connector-token="${token.slice(0, 6)}`).waitFor()
  await page.getByText('Replace your-server.example with the address').waitFor()
  await page.getByRole('button', { name: 'New key' }).click()
  expect(await takeSecret(page)).not.toBe('')
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByLabel('Hosts').fill('localhost')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.locator('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('revoked', { exact: true }).waitFor()
  const refused = await fetch(`${origin}/api/v1/access-token`, {
    method: 'POST',
    headers: { 'x-token': token, 'x-host': 'localhost' },
  })
  expect(refused.status).toBe(401)
  await goTo(page, '#/settings/audit')
  const log = page.locator('tbody')
  for (const action of ['created', 'new key of verified visitors', 'changed', 'revoked'])
    await log.getByText(`Connector: ${action}`).first().waitFor()
  await expect.poll(() => log.locator('tr').first().textContent()).toContain('Ada')
  expect(await page.content()).not.toContain(token)
  expect([page.complaints, page.elsewhere]).toEqual([[REFUSED], []])
})

test('CO19 a key that is made here opens what its kind opens, until it is revoked here', async () => {
  const { open, origin } = await startSite()
  const page = await open(pages, 'ada')
  await goTo(page, '#/settings/keys')
  await page.getByText('No keys yet').waitFor()
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Nightly export')
  await page.getByLabel('Kind').selectOption('workspace')
  await page.getByLabel('Expires').fill('2020-01-01T00:00')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.locator('dialog [role=alert]').waitFor()
  await page.getByLabel('Expires').fill('')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'The new key' }).waitFor()
  const key = await takeSecret(page)
  const ask = () => fetch(`${origin}/v1/agents/PROJECT-DEMO`, { headers: { 'x-api-key': key } })
  expect((await ask()).status).toBe(200)
  await page.getByRole('button', { name: 'Revoke: Nightly export' }).click()
  await page.locator('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('revoked', { exact: true }).waitFor()
  expect((await ask()).status).toBe(401)
  expect([page.complaints, page.elsewhere]).toEqual([[REFUSED], []])
})

test('CO19 deliveries of a webhook are there with what became of them, and are sent again', async () => {
  const { open } = await startSite()
  const { state, url } = await receive()
  const page = await open(pages, 'ada')
  await goTo(page, '#/settings/webhooks')
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Name').fill('Our ledger')
  await page.getByLabel('Address').fill(url)
  await page.getByLabel('handoff.requested').check()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'The secret that signs for Our ledger' }).waitFor()
  const secret = await takeSecret(page)
  expect(secret).toMatch(/^whsec_/)
  await page.getByRole('link', { name: 'Our ledger' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  const first = page.locator('tbody tr').first()
  await first.waitFor()
  const look = async (text: string) => {
    for (;;) {
      if ((await first.textContent())?.includes(text)) return
      await page.getByRole('button', { name: 'Refresh' }).click()
    }
  }
  // It is sent in the background, and shows by itself.
  await first.getByText('500').waitFor()
  state.status = 204
  await page.getByRole('button', { name: 'Send a test' }).click()
  await look('delivered')
  await first.getByRole('button', { name: 'Send again' }).click()
  await vi.waitUntil(() => state.came.length >= 3)
  await look('delivered')
  await page.getByLabel('State').selectOption('pending')
  // The one that was refused; the one that was sent again may wait for a moment more.
  await vi.waitFor(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    expect(await page.locator('tbody tr').allTextContents()).toEqual([expect.stringContaining('waiting')])
  })
  await page.getByRole('button', { name: 'New secret' }).click()
  await page.locator('dialog').getByRole('button', { name: 'New secret' }).click()
  await page.getByRole('heading', { name: 'The secret that signs for Our ledger' }).waitFor()
  expect(await takeSecret(page)).not.toBe(secret)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No webhooks yet').waitFor()
  expect(state.came.length).toBeGreaterThanOrEqual(3)
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO19 who operates a platform without accounts is led to make one', async () => {
  const { open } = await startSite({ isEmpty: true })
  const page = await open(pages, 'ada')
  await page.getByText('No account yet').waitFor()
  await page.getByRole('link', { name: 'Go to accounts' }).click()
  await page.getByRole('button', { name: 'New account' }).click()
  await page.getByLabel('Name', { exact: true }).fill('First')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'Agents' }).click()
  await page.getByText('No agents yet').waitFor()
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO19 an account that is made here can be chosen at once', async () => {
  const { open } = await startSite()
  const page = await open(pages, 'ada')
  await goTo(page, '#/settings/accounts')
  await page.getByRole('button', { name: 'New account' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Café am See')
  await expect.poll(() => page.getByLabel('Short name').inputValue()).toBe('cafe-am-see')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.locator('tbody').getByText('cafe-am-see').waitFor()
  await page.locator('.who summary').click()
  await page.getByLabel('Account', { exact: true }).selectOption({ label: 'Café am See' })
  await goTo(page, '#/agents')
  await page.getByText('No agents yet').waitFor()
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO626 an operator erases a conversation that is over', async () => {
  const { open, visit } = await startSite()
  const chat = await visit('When is check-in?')
  const page = await open(pages, 'ada')
  await goTo(page, '#/conversations')
  await page.locator('tbody a').first().click()
  await page.locator('.bubble').first().waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Erase' }).count()).toBe(0)
  chat.end()
  const [again, erase] = ['Refresh', 'Erase'].map(name => page.getByRole('button', { name }))
  await expect
    .poll(async () => {
      if ((await again?.count()) === 1) await again?.click()
      return erase?.count()
    })
    .toBe(1)
  await page.getByRole('button', { name: 'Erase' }).click()
  await page.locator('dialog').getByRole('button', { name: 'Erase' }).click()
  await page.getByText('No conversations').waitFor()
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

const WAYS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
  ['german', { viewport: { width: 1280, height: 800 }, locale: 'de-AT' }],
]

test.each(WAYS)(
  'CO10 no place of the settings has a finding of axe, light or dark: %s',
  async (way, options) => {
    const { open, platform } = await startSite()
    const { url } = await receive()
    const accountId = 'ws-demo'
    const { connector } = await platform.access.createConnector({
      ...{ accountId, agentId: 'PROJECT-DEMO', environment: 'live', hosts: ['hotel.example'], name: 'Site' },
    })
    await platform.access.createApiKey({ kind: 'project', accountId, name: 'Nightly export' })
    const { endpoint } = await platform.webhooks.createEndpoint(accountId, {
      ...{ name: 'Our ledger', url, eventTypes: ['conversation.completed'] },
    })
    await platform.webhooks.test(accountId, endpoint.id)
    const page = await open(pages, 'ada', options)
    if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true })
    const findings: string[] = []
    const look = async (place: string): Promise<void> => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        if (SHOTS !== undefined)
          await page.screenshot({ path: `${SHOTS}/console-${way}-settings-${place}-${colorScheme}.png` })
        const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
        if (fits !== true) findings.push(`${place}: wider than its window`)
        const cut = `[...document.querySelectorAll('.sheet')].some(one => one.scrollWidth > one.clientWidth)`
        if (await page.evaluate(cut)) findings.push(`${place}: a table is cut off`)
        findings.push(...(await findingsOf(page)).map(one => `${place}, ${colorScheme}: ${one}`))
      }
    }
    for (const place of ['connectors', 'keys', 'webhooks', 'accounts', 'audit']) {
      await goTo(page, `#/settings/${place}`)
      await page.locator('tbody tr').first().waitFor()
      await look(place)
      if (place === 'accounts' || place === 'audit') continue
      await page.locator('.apart .button.main').click()
      await page.locator('dialog').waitFor()
      await look(`${place}-new`)
      await page.keyboard.press('Escape')
    }
    await goTo(page, `#/settings/connectors/${connector.id}`)
    await page.locator('.facts').waitFor()
    await page.locator('section .button').first().click()
    await page.locator('.secret').waitFor()
    await look('secret')
    await page.keyboard.press('Escape')
    await look('connector')
    await goTo(page, `#/settings/webhooks/${endpoint.id}`)
    await page.locator('tbody tr').first().waitFor()
    await look('webhook')
    expect(findings).toEqual([])
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)

test.each([
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
  ['german', { viewport: { width: 1280, height: 800 }, locale: 'de-AT' }],
] as const)(
  'CO626 an operator sees what is kept how long, and removes old conversations: %s',
  async (way, options) => {
    const { open, platform, visit } = await startSite()
    const visitor = await visit('When is check-in?')
    const isGerman = way === 'german'
    const page = await open(pages, 'ada', options)
    await goTo(page, '#/settings/retention')
    await page.getByText('webhooks.retention').waitFor()
    await page
      .getByText(isGerman ? '30 Tage' : '30 days')
      .first()
      .waitFor()
    const findings: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      if (SHOTS !== undefined) {
        mkdirSync(SHOTS, { recursive: true })
        await page.screenshot({ path: `${SHOTS}/console-retention-${way}-${colorScheme}.png` })
      }
      if ((await page.evaluate('document.documentElement.scrollWidth <= innerWidth')) !== true)
        findings.push('wider than its window')
      findings.push(...(await findingsOf(page)))
    }
    const days = page.getByLabel(
      isGerman ? 'Vor mehr als so vielen Tagen beendet' : 'Ended more than this many days ago',
    )
    const remove = page.getByRole('button', { name: isGerman ? 'Entfernen' : 'Remove them' })
    await days.fill('0')
    await expect.poll(() => remove.isDisabled()).toBe(true)
    await days.fill('30')
    await remove.click()
    await page
      .locator('dialog')
      .getByRole('button', { name: isGerman ? 'Entfernen' : 'Remove them' })
      .click()
    await page
      .getByText(isGerman ? 'Entfernte Gespräche: 0.' : 'Conversations that were removed: 0.')
      .waitFor()
    const { entries } = await platform.audit.list({ action: 'conversations.purge_ended' })
    expect(entries).toMatchObject([{ actor: { id: 'u-ada' }, details: { removed: 0, complete: true } }])
    expect(visitor.current.messages.length).toBeGreaterThan(2)
    expect(findings).toEqual([])
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)

test('CO251 what is written in dialogs of settings and alerts is there after a reload, until it was sent', async () => {
  const { open } = await startSite()
  const page = await open(pages, 'ada')
  const dialogs = [
    ['#/settings/connectors', 'New connector', 'Name'],
    ['#/settings/webhooks', 'New webhook', 'Address'],
    ['#/settings/keys', 'New key', 'Name'],
    ['#/settings/accounts', 'New account', 'Name'],
    ['#/alerts', 'New rule', 'Name'],
  ] as const
  const opened = async (place: string, button: string): Promise<void> => {
    await goTo(page, place)
    await page.getByRole('button', { name: button }).click()
    await page.locator('dialog').waitFor()
  }
  const field = (label: string) => page.locator('dialog').getByRole('textbox', { name: label, exact: true })
  for (const [place, button, label] of dialogs) {
    await opened(place, button)
    await field(label).fill(`https://of.example/${button}`)
    await page.reload()
    await opened(place, button)
    await expect
      .poll(() => field(label).inputValue(), { message: place })
      .toBe(`https://of.example/${button}`)
    await page.keyboard.press('Escape')
  }
  await opened('#/settings/accounts', 'New account')
  await page.locator('dialog').getByRole('button', { name: 'Create' }).click()
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page.reload()
  await opened('#/settings/accounts', 'New account')
  expect(await field('Name').inputValue()).toBe('')
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})
