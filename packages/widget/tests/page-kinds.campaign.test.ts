import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { createConcierge } from './support/concierge.ts'
import { openChat, openPage, pageOf, say, startSite, tag } from './support/site.ts'

const { profile } = requireBrowser()

const MAIN = '<main><h1>Harbour Hotel</h1><input id="search"></main>'

async function start(
  page: string,
  {
    policy,
    script = '',
    options = {},
  }: { policy?: string; script?: string; options?: BrowserContextOptions } = {},
) {
  const { runtime } = createConcierge()
  const pages = { '/page': page, '/page.js': script }
  const site = await startSite({ runtime, pages, ...(policy === undefined ? {} : { policy }) })
  return openPage(await profile(options), `${site.url}/page`)
}

const area = (page: Page) => page.locator('textarea')

test('WI16 keys of the page are not for who writes, but for combinations; Escape and others of the chat work', async () => {
  const page = await start(pageOf(`${MAIN}<script src="/page.js"></script>${tag()}`), {
    script: `
      globalThis.hits = []
      for (const type of ['keydown', 'keypress', 'keyup'])
        document.addEventListener(type, ({ key, target }) => { if (target.tagName !== 'INPUT') hits.push(key) })`,
  })
  await openChat(page)
  await area(page).focus()
  await page.evaluate('hits.length = 0')
  await page.keyboard.type('s/?')
  expect(await page.evaluate('hits')).toEqual([])
  await expect.poll(() => area(page).inputValue()).toBe('s/?')
  await page.keyboard.press('Control+KeyK')
  expect(await page.evaluate('hits')).toContain('k')
  await page.keyboard.press('Escape')
  await area(page).waitFor({ state: 'hidden' })
})

test('WI16 while a word is composed Enter does not send it and Escape does not close, in the order of Safari too', async () => {
  const page = await start(pageOf(MAIN + tag()))
  await openChat(page)
  await area(page).fill('にほん')
  const press = (key: string, composing: object): Promise<void> =>
    area(page).evaluate(
      (field, [key, composing]) => {
        const init = { key, bubbles: true, composed: true, cancelable: true, ...(composing as object) }
        field.dispatchEvent(new KeyboardEvent('keydown', init))
      },
      [key, composing] as const,
    )
  for (const composing of [{ isComposing: true }, { keyCode: 229 }])
    for (const key of ['Enter', 'Escape']) await press(key, composing)
  expect([await area(page).inputValue(), await page.locator('.mine').count()]).toEqual(['にほん', 0])
  await press('Enter', { keyCode: 13 })
  await page.getByText('You said にほん.').waitFor()
})

test('WI13 times are written as the visitor’s country does, and other languages of the page run from the right', async () => {
  const british = await start(pageOf(MAIN + tag()), { options: { locale: 'en-GB' } })
  await openChat(british)
  await british.getByText('How can I help').waitFor()
  await expect.poll(() => british.locator('.meta').first().innerText()).toMatch(/^\d\d:\d\d$/)
  const hebrew = await start(
    pageOf(`${MAIN}<script src="{widget}"></script><script src="/page.js"></script>`),
    {
      script: `colloquy.mountChat(document.body, { server: '/', connectorToken: '{token}', language: 'he', words: { message: 'כתבו הודעה' } }).open()`,
    },
  )
  await hebrew.getByText('How can I help').waitFor()
  const panel = hebrew.locator('.panel')
  expect([await panel.getAttribute('dir'), await panel.getAttribute('lang')]).toEqual(['rtl', 'he'])
})

test('WI13 each paragraph runs from the side where its language begins', async () => {
  const page = await start(pageOf(`${MAIN}${tag('data-disclaimer="Hello"')}`))
  await openChat(page)
  await say(page, 'x\n\nשלום עולם')
  await page.getByText('שלום עולם').last().waitFor()
  const directions = () =>
    page
      .locator('.theirs')
      .last()
      .locator('p')
      .evaluateAll(all => all.map(one => getComputedStyle(one).direction))
  await vi.waitUntil(async () => (await directions()).join() === 'ltr,rtl')
})

const LOCKED =
  "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'"

test.each([
  ['where no text becomes a script', pageOf(MAIN + tag()), LOCKED],
  ['whose tag is a module', pageOf(MAIN + tag('type="module"')), undefined],
])('WI3 the chat works on a page %s', async (_, html, policy) => {
  const page = await start(html, policy === undefined ? {} : { policy })
  await openChat(page)
  await page.getByText('How can I help').waitFor()
  await say(page, 'one')
  await page.getByText('You said one.').waitFor()
  expect(page.complaints).toEqual([])
})

test('WI3 words that a translator has put in the place of the chat’s are there once', async () => {
  const page = await start(pageOf(MAIN + tag()))
  await openChat(page)
  await page.getByText('How can I help').waitFor()
  await page.evaluate(() => {
    const title = document.querySelector('colloquy-chat')?.shadowRoot?.querySelector('.who p')
    const font = document.createElement('font')
    font.textContent = 'Virtueller Agent'
    title?.firstChild?.replaceWith(font)
  })
  await say(page, 'person')
  await page.getByText('Your place in the queue').waitFor()
  await expect.poll(() => page.locator('.who p').innerText()).not.toContain('Virtueller')
})

test('WI3 a count that the page has in its title stays', async () => {
  const page = await start(pageOf(MAIN + tag('data-count-in-title')))
  await page.evaluate("document.title = '(2) Inbox'")
  await openChat(page)
  await page.getByText('How can I help').waitFor()
  expect(await page.title()).toBe('(2) Inbox')
})

test('WI3 why a chat is refused is said in the page’s console', async () => {
  const page = await start(pageOf(`${MAIN}<script src="{widget}" data-connector-token="unknown"></script>`))
  await page.getByRole('button', { name: 'Chat' }).click()
  await page.getByText('The chat is not available right now.').waitFor()
  expect(page.complaints.join()).toContain('[colloquy]')
})
