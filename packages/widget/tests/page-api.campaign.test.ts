import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { createConcierge } from './support/concierge.ts'
import { inFrame, startFramedSite } from './support/framed.ts'
import { openChat, openPage, pageOf, startSite, tag } from './support/site.ts'

const { profile } = requireBrowser()

const MAIN = '<main><h1>Harbour Hotel</h1><button id="help">Help</button></main>'
const PHONE = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true }

const launcher = (page: Page) => page.locator('.launcher')
const bubble = (page: Page) => page.locator('.prompt')
const panel = (page: Page) => page.locator('.panel')

/** What has the focus: in a chat its class, elsewhere the tag or the id. */
const focused = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const { activeElement } = document
    return (
      activeElement?.shadowRoot?.activeElement?.className ?? (activeElement?.id || activeElement?.tagName)
    )
  })

/** A site of one page with the tag. */
async function open(attributes: string, options = {}, script = '') {
  const { runtime } = createConcierge()
  const { url } = await startSite({
    runtime,
    pages: {
      '/': pageOf(`${MAIN}<script src="/page.js"></script>${tag(attributes)}`),
      '/page.js': script,
    },
  })
  return openPage(await profile(options), url)
}

test.each([
  ['', 'web'],
  ['data-platform="web"', 'web'],
  ['data-platform="ios"', 'ios-web'],
  ['data-platform="android"', 'android-web'],
])('a session reports what shows the page: a tag with “%s” says %s', async (attributes, platform) => {
  const page = await open(attributes)
  const asked = page.waitForRequest(request => request.url().endsWith('/api/v1/sessions'))
  await openChat(page)
  expect((await asked).postDataJSON()).toMatchObject({ streaming_enabled: true, platform })
  await page.getByText('How can I help').waitFor()
  expect(page.complaints).toEqual([])
})

test.each([
  ['', true],
  ['data-show-page="false"', false],
])(
  'DK640 a session says on which page it begins, without its query: a tag with “%s”',
  async (attributes, says) => {
    const page = await open(attributes)
    const { origin } = new URL(page.url())
    await page.goto(`${origin}/?token=secret#top`)
    const asked = page.waitForRequest(request => request.url().endsWith('/api/v1/sessions'))
    await openChat(page)
    const body = (await asked).postDataJSON()
    expect(body.page).toEqual(says ? { url: `${origin}/`, title: await page.title() } : undefined)
    await page.getByText('How can I help').waitFor()
    expect(page.complaints).toEqual([])
  },
)

test('WI14 in full screen the chat covers the page on every screen, keeps the focus, and its lines stay short', async () => {
  const page = await open('data-render-mode="fullscreen"', { viewport: { width: 1400, height: 800 } })
  await openChat(page)
  await page.getByText('How can I help').waitFor()
  await vi.waitUntil(() => panel(page).evaluate(one => one.getAnimations().length === 0))
  expect(await panel(page).boundingBox()).toEqual({ x: 0, y: 0, width: 1400, height: 800 })
  await expect.poll(() => panel(page).getAttribute('aria-modal')).toBe('true')
  for (const part of ['.scroller', '.composer'])
    expect(await page.locator(part).boundingBox(), part).toMatchObject({ x: 300, width: 800 })
  const seen = new Set<string | undefined>()
  for (let steps = 0; steps < 8; steps++) {
    await page.keyboard.press('Tab')
    seen.add(await focused(page))
  }
  expect([...seen].sort()).toEqual(['', 'round', 'round send', 'scroller'])
  expect(await findingsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => panel(page).isVisible()).toBe(false)
  expect(await focused(page)).toBe('launcher')
  expect(page.complaints).toEqual([])
})

test('WI32 a chat opens by itself where the page wants it, without the focus, until the visitor closes it', async () => {
  const page = await open('data-auto-open')
  await page.getByText('How can I help').waitFor()
  expect(await focused(page)).toBe('BODY')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await launcher(page).waitFor()
  await page.evaluate('new Promise(resolve => setTimeout(resolve, 0))')
  expect(
    await page.evaluate(
      '[colloquy.chat.isOpen, document.querySelector("colloquy-chat").shadowRoot.querySelector(".launcher").ariaBusy]',
    ),
  ).toEqual([false, null])
  await openChat(page)
  await page.reload()
  await page.getByText('How can I help').waitFor()
  const quiet = await open('data-auto-open="false"')
  await launcher(quiet).waitFor()
  expect(quiet.requests).toHaveLength(3)
})

test('a page hides, shows and animates the launcher; what is closed without one gives the focus back', async () => {
  const page = await open('data-show-icon="false"')
  await bubble(page).waitFor({ state: 'attached' })
  await expect.poll(() => launcher(page).isVisible()).toBe(false)
  await page.evaluate("document.querySelector('#help').addEventListener('click', () => colloquy.chat.open())")
  await page.locator('#help').press('Enter')
  await page.locator('textarea').waitFor()
  await vi.waitUntil(async () => (await focused(page)) === '')
  await page.keyboard.press('Escape')
  await expect.poll(() => panel(page).isVisible()).toBe(false)
  expect(await focused(page)).toBe('help')
  await page.evaluate('colloquy.chat.showLauncher()')
  await expect.poll(() => launcher(page).isVisible()).toBe(true)
  const moving = () => launcher(page).evaluate(one => one.getAnimations().map(({ id }) => id))
  for (const how of ['bounce', 'grow', 'pulse', 'pulse']) {
    await page.evaluate(`colloquy.chat.animateLauncher('${how}')`)
    await vi.waitUntil(async () => (await moving()).join() === how)
  }
  await launcher(page).evaluate(one => Promise.all(one.getAnimations().map(({ finished }) => finished)))
  expect(await moving()).toEqual([])
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate("colloquy.chat.animateLauncher('bounce')")
  expect(await moving()).toEqual([])
  await page.evaluate('colloquy.chat.hideLauncher()')
  await expect.poll(() => launcher(page).isVisible()).toBe(false)
  expect(page.complaints).toEqual([])
})

test('without a header a chat that covers the page keeps what closes it, unless there is no launcher either', async () => {
  const desk = await open('data-show-header="false"')
  await openChat(desk)
  await desk.getByText('How can I help').waitFor()
  await expect.poll(() => desk.locator('header').count()).toBe(0)
  await expect.poll(() => desk.getByRole('dialog', { name: 'Front desk' }).count()).toBe(1)
  await expect.poll(() => desk.getByRole('button', { name: 'Close' }).count()).toBe(0)
  await launcher(desk).click()
  await expect.poll(() => panel(desk).isVisible()).toBe(false)

  const phone = await open('data-show-header="false"', PHONE)
  await launcher(phone).tap()
  await phone.getByText('How can I help').waitFor()
  expect(await findingsOf(phone)).toEqual([])
  await phone.getByRole('button', { name: 'Close' }).tap()
  await expect.poll(() => panel(phone).isVisible()).toBe(false)

  const view = 'data-platform="ios" data-render-mode="fullscreen" data-auto-open data-show-icon="false"'
  const app = await open(`${view} data-show-header="false"`, PHONE)
  await app.getByText('How can I help').waitFor()
  await expect.poll(() => app.getByRole('button', { name: 'Close' }).count()).toBe(0)
  await app.evaluate('colloquy.chat.close()')
  await expect.poll(() => panel(app).isVisible()).toBe(false)
  expect([...desk.complaints, ...phone.complaints, ...app.complaints]).toEqual([])
})

const PROMPT = 'data-prompt="Looking for a room by the sea?"'

test('WI32 and WI1 a prompt beside the launcher opens the chat, and asks nothing of the server before', async () => {
  const page = await open(PROMPT)
  const invite = page.getByRole('status').getByRole('button', { name: 'Looking for a room' })
  await invite.waitFor()
  expect(page.requests.map(address => new URL(address).pathname)).toEqual([
    '/',
    '/page.js',
    '/widget/colloquy-widget.js',
    expect.stringMatching(/^\/widget\/colloquy-\w+\/extra\.js$/),
  ])
  const [beside, button] = await Promise.all([bubble(page).boundingBox(), launcher(page).boundingBox()])
  expect((beside?.x ?? 0) + (beside?.width ?? 0)).toBe((button?.x ?? 0) - 12)
  for (const size of await bubble(page)
    .locator('button')
    .evaluateAll(all => all.map(one => one.getBoundingClientRect())))
    expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(24)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await findingsOf(page)).toEqual([])
  }
  await invite.press('Enter')
  await page.getByText('How can I help').waitFor()
  expect(await focused(page)).toBe('')
  await expect.poll(() => bubble(page).isVisible()).toBe(false)
  await page.keyboard.press('Escape')
  await page.reload()
  await launcher(page).waitFor()
  await expect.poll(() => bubble(page).isVisible()).toBe(false)
  expect(page.complaints).toEqual([])
})

test.each(['a press', 'Escape'])(
  'WI32 a prompt is dismissed with %s, for as long as the tab is there',
  async way => {
    const page = await open(PROMPT, { locale: 'fr' })
    const close = page.getByRole('button', { name: 'Fermer' })
    if (way === 'Escape') await close.press('Escape')
    else await close.click()
    await expect.poll(() => bubble(page).isVisible()).toBe(false)
    expect(await focused(page)).toBe('launcher')
    await page.reload()
    await launcher(page).waitFor()
    await expect.poll(() => bubble(page).isVisible()).toBe(false)
    // Another text is another invitation.
    await page.evaluate("colloquy.chat.prompt('A table for tonight?')")
    await page.getByRole('button', { name: 'A table for tonight?' }).waitFor()
    await page.evaluate("colloquy.chat.prompt('')")
    await expect.poll(() => bubble(page).isVisible()).toBe(false)
    const other = await openPage(page.context(), page.url())
    await other.getByRole('button', { name: 'Looking for a room' }).waitFor()
    await openChat(other)
    await other.evaluate("colloquy.chat.prompt('Not over an open chat')")
    await expect.poll(() => bubble(other).isVisible()).toBe(false)
    await other.evaluate('colloquy.chat.destroy()')
    await expect.poll(() => other.locator('colloquy-chat').count()).toBe(0)
  },
)

test('WI32 that the chat could not be had is no prompt that was dismissed', async () => {
  const page = await open(PROMPT)
  const invite = page.getByRole('button', { name: 'Looking for a room' })
  await invite.waitFor()
  await page.evaluate("colloquy.chat.prompt('Another one?')")
  await page.route(/chat\.js/, route => route.abort())
  await launcher(page).click()
  await page.getByRole('button', { name: 'Chat unavailable.' }).waitFor()
  const kept = () => page.evaluate('Object.values(sessionStorage)')
  expect(await kept()).toEqual([])
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => bubble(page).isVisible()).toBe(false)
  expect(await kept()).toEqual([])
  await page.reload()
  await invite.waitFor()
})

test('WI32 on a small phone, and from right to left, the prompt is on the screen', async () => {
  for (const side of ['end', 'start'])
    for (const dir of ['ltr', 'rtl']) {
      const page = await open(`${PROMPT} data-side="${side}"`, {
        ...PHONE,
        viewport: { width: 320, height: 560 },
      })
      await page.evaluate(direction => document.documentElement.setAttribute('dir', direction), dir)
      const box = await bubble(page).boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(320)
      const beside = await launcher(page).boundingBox()
      const isBefore = (box?.x ?? 0) < (beside?.x ?? 0)
      expect(isBefore).toBe((side === 'end') === (dir === 'ltr'))
    }
})

test('a page is told when its chat is there, and hears events until it listens no more', async () => {
  const script = `
    globalThis.told = []
    document.addEventListener('colloquy-ready', ({ detail: { chat } }) => {
      told.push('ready ' + (chat === colloquy.chat))
      globalThis.note = ({ type, detail }) => told.push(type + ' ' + JSON.stringify(detail))
      chat.on('colloquy-open', note)
      chat.on('colloquy-close', note)
    })`
  const page = await open('', {}, script)
  await openChat(page)
  await page.evaluate("colloquy.chat.close(); colloquy.chat.off('colloquy-open', note)")
  await page.evaluate('colloquy.chat.open()')
  await page.evaluate('colloquy.chat.close()')
  expect(await page.evaluate('told')).toEqual([
    'ready true',
    'colloquy-open {}',
    'colloquy-close {}',
    'colloquy-close {}',
  ])
})

test('WI28 in a frame all of this is as without one', async () => {
  const { runtime } = createConcierge()
  const { url } = await startFramedSite(
    { runtime },
    {
      '/': pageOf(
        `${MAIN}${tag(`${PROMPT} data-render-mode="fullscreen" data-show-header="false" data-platform="android"`)}`,
      ),
    },
  )
  const page = await (await profile({ viewport: { width: 1000, height: 700 } })).newPage()
  await page.goto(url)
  const asked = page.waitForRequest(request => request.url().endsWith('/api/v1/sessions'))
  await page.getByRole('button', { name: 'Looking for a room' }).click()
  expect((await asked).postDataJSON()).toMatchObject({ platform: 'android-web' })
  await inFrame(page).getByText('How can I help').waitFor()
  expect(await page.locator('colloquy-chat iframe').boundingBox()).toEqual({
    x: 0,
    y: 0,
    width: 1000,
    height: 700,
  })
  await expect.poll(() => inFrame(page).locator('.panel').getAttribute('aria-modal')).toBe('true')
  await expect.poll(() => inFrame(page).locator('header').count()).toBe(0)
  await page.evaluate('colloquy.chat.hideLauncher()')
  await inFrame(page).getByRole('button', { name: 'Close' }).click()
  await vi.waitUntil(() => page.evaluate('!colloquy.chat.isOpen'))
  await page.evaluate("document.querySelector('#help').focus(); colloquy.chat.open()")
  await inFrame(page).locator('textarea:focus').waitFor()
  await page.keyboard.press('Escape')
  await vi.waitUntil(() => page.evaluate('!colloquy.chat.isOpen'))
  expect(await focused(page)).toBe('help')
})
