import { mkdirSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DEMO_ACCOUNT_ID } from '../../../examples/standalone/src/seed.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()

/** A folder for pictures of all that is looked at here; without it none are taken. */
const SHOTS = process.env.COLLOQUY_SHOTS
if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true })

/** A receiver whose requests wait until they are answered here. */
async function receive() {
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    request.resume()
    waiting.push(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const answer = async (status: number, head: Record<string, string>, body: string | Uint8Array) => {
    await vi.waitUntil(() => waiting.length > 0)
    waiting.shift()?.writeHead(status, head).end(body)
  }
  return { answer, url: `http://127.0.0.1:${port}/hook` }
}

/** A console with a webhook to which a test is on its way. */
async function begin(options: BrowserContextOptions, keepPrivateAnswers = true) {
  const { open, platform } = await startSite({ keepPrivateAnswers })
  const { answer, url } = await receive()
  const { endpoint } = await platform.webhooks.createEndpoint(DEMO_ACCOUNT_ID, {
    ...{ name: 'Our ledger', url, eventTypes: ['conversation.completed'], timeout: 30_000 },
  })
  await platform.webhooks.test(DEMO_ACCOUNT_ID, endpoint.id)
  const page = await open(pages, 'ada', options)
  await goTo(page, `#/settings/webhooks/${endpoint.id}`)
  await page.locator('tbody tr a').first().click()
  return { answer, page, url }
}

const findings = async (page: Page, name: string): Promise<readonly string[]> => {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (SHOTS !== undefined)
      await page.screenshot({ path: `${SHOTS}/console-delivery-${name}-${colorScheme}.png`, fullPage: true })
    if ((await page.evaluate('document.documentElement.scrollWidth <= innerWidth')) !== true)
      found.push('wider than its window')
    found.push(...(await findingsOf(page)))
  }
  return found
}

const WAYS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
  ['german', { viewport: { width: 1280, height: 800 }, locale: 'de-AT' }],
]

const ENGLISH = {
  ...{ sent: 'Sent', answered: 'Answered', notYet: 'No answer yet.', resend: 'Send again' },
  ...{ cut: 'Only the beginning is kept.', data: '9 bytes. Only texts are shown.' },
  empty: 'The answer has no body.',
}
const GERMAN = {
  ...{
    sent: 'Gesendet',
    answered: 'Geantwortet',
    notYet: 'Noch keine Antwort.',
    resend: 'Erneut senden',
  },
  ...{ cut: 'Nur der Anfang wird gespeichert.', data: '9 Bytes. Nur Texte werden gezeigt.' },
  empty: 'Die Antwort hat keinen Inhalt.',
}

/** What an endpoint must not be able to do to whoever reads its answer. */
const MARKUP = '<img src="x" onerror="document.title=1"><script>document.title=2</script>'

test.each(WAYS)(
  'CO19 what was sent and answered is shown, as text, and followed: %s',
  async (way, options) => {
    const words = way === 'german' ? GERMAN : ENGLISH
    const { answer, page, url } = await begin(options)
    const region = (name: string) => page.getByRole('region', { name, exact: true })
    const [sent, answered] = [region(words.sent), region(words.answered)]
    await answered.getByText(words.notYet).waitFor()
    await sent.getByText('"type": "webhook.test"').waitFor()
    await answer(400, { 'content-type': 'text/html' }, `${MARKUP}${'é'.repeat(2_000)}`)
    await answered.getByText(MARKUP).waitFor()
    await answered.getByText(words.cut).waitFor()
    await answered.getByText('400', { exact: true }).waitFor()
    await answered.getByText('text/html', { exact: true }).waitFor()
    const shown = await answered.locator('pre').textContent()
    expect(shown).toBe(`${MARKUP}${'é'.repeat(1_000 - MARKUP.length)}`)
    expect(await answered.locator('img, script').count()).toBe(0)
    await sent.getByText(url, { exact: true }).waitFor()
    const headers = await sent.locator('pre').first().textContent()
    expect(headers).toMatch(/^content-type: .*\nwebhook-id: EVENT-/)
    expect(headers).toContain('webhook-timestamp: ')
    expect(headers).not.toMatch(/signature/i)
    expect(await findings(page, way)).toEqual([])

    await page.getByRole('button', { name: words.resend }).click()
    await answer(200, { 'content-type': 'image/png' }, new Uint8Array(9))
    await answered.getByText(words.data).waitFor()
    await answered.getByText('image/png', { exact: true }).waitFor()
    await page.getByRole('button', { name: words.resend }).click()
    await answer(204, {}, '')
    await answered.getByText(words.empty).waitFor()
    expect(await page.title()).toContain('webhook.test')
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)

test('CO19 where the server keeps the status of an answer alone, the page says so', async () => {
  const { answer, page } = await begin({}, false)
  await answer(200, { 'content-type': 'text/plain' }, 'from inside')
  await page.getByText('Of this answer only the status is kept.').waitFor()
  expect(await page.locator('main').textContent()).not.toContain('from inside')
  await page.getByRole('link', { name: 'Our ledger' }).click()
  await page.locator('tbody').getByText('delivered', { exact: true }).waitFor()
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})
