import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { createConcierge } from './support/concierge.ts'
import { inFrame, startFramedSite } from './support/framed.ts'
import { pageOf, tag } from './support/site.ts'

const { profile } = requireBrowser()

const MAIN = '<main><h1>Harbour Hotel</h1><p>Rooms by the sea.</p></main>'

/** Notes the events of the chat. */
const NOTING = `
  globalThis.told = []
  for (const name of ['open', 'close', 'send', 'message', 'unread', 'context'])
    document.addEventListener('colloquy-' + name, ({ detail }) => told.push(name + ' ' + JSON.stringify(detail)))
`

/** What a page does to all that it can reach. */
const HOSTILE = `
  * { all: unset !important; display: block !important; }
  iframe, colloquy-chat { display: none !important; width: 3px !important; opacity: 0 !important; transform: rotate(3deg) !important; }
`

const PAGES = {
  '/': pageOf(
    `${MAIN}<script src="/note.js"></script>${tag('data-title="Harbour Hotel" data-count-in-title')}`,
    '<link rel="stylesheet" href="/own.css">',
  ),
  '/hostile': pageOf(MAIN + tag(), '<link rel="stylesheet" href="/hostile.css">'),
  '/script': pageOf(`${MAIN}<script src="{widget}"></script><script src="/script.js"></script>`),
  '/consent': pageOf(MAIN + tag('data-consent="We keep what you write."')),
  '/note.js': NOTING,
  '/own.css': 'colloquy-chat { --colloquy-accent: #006b3c; --colloquy-on-accent: #ffffff }',
  '/hostile.css': HOSTILE,
  '/script.js': `
    globalThis.asked = []
    globalThis.chat = colloquy.mountChat(document.body, {
      server: '{server}',
      async getToken() {
        asked.push('token')
        return { accessToken: await tokenOfServer(), expiresIn: 3600 }
      },
      async verifiedContext(id) { asked.push('context ' + typeof id); return null },
    })
    ${NOTING}`,
}

/** A page, what is wrong with it, and what it asked of other origins by itself. */
async function openPage(context: BrowserContext, url: string) {
  const page = await context.newPage()
  const complaints: string[] = []
  const elsewhere: string[] = []
  page.on('pageerror', error => void complaints.push(String(error)))
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('request', request => {
    const isOwn = request.frame() === page.mainFrame() && !request.url().startsWith('data:')
    if (isOwn && new URL(request.url()).origin !== new URL(url).origin)
      elsewhere.push(new URL(request.url()).pathname.replace(/.*\//, ''))
  })
  await page.goto(url)
  return Object.assign(page, { complaints, elsewhere })
}

const launcher = (page: Page) => page.getByRole('button', { name: /^Chat/ })

/** Opens the chat, and waits until it can be written in. */
async function openChat(page: Page): Promise<void> {
  await launcher(page).click()
  await inFrame(page).locator('textarea').waitFor()
}

const linesOf = (page: Page) => inFrame(page).locator('.log .message .bubble').allInnerTexts()

test('WI28 a chat in a frame talks where the page may connect to nothing, and is there again after a reload', async () => {
  const agent = createConcierge()
  const { url } = await startFramedSite({ runtime: agent.runtime }, PAGES)
  const page = await openPage(await profile(), `${url}/`)
  expect(page.elsewhere).toEqual(['colloquy-widget-framed.js'])
  const asked = page.waitForRequest(request => request.url().endsWith('/api/v1/sessions'))
  await openChat(page)
  const frame = inFrame(page)
  await frame.getByText('How can I help').waitFor()
  // DK640: the page around the frame, and not the frame's own.
  expect((await asked).postDataJSON().page.url).toBe(`${url}/`)
  // The focus is where to write: keys that are pressed in the page come there.
  await vi.waitUntil(() => frame.locator('textarea').evaluate(area => area.matches(':focus')))
  await page.keyboard.type('one')
  await page.keyboard.press('Enter')
  await frame.getByText('You said one.').waitFor()
  expect(await frame.locator('button.send').evaluate(one => getComputedStyle(one).backgroundColor)).toBe(
    'rgb(0, 107, 60)',
  )
  await page.keyboard.press('Escape')
  await vi.waitUntil(async () => (await launcher(page).getAttribute('aria-expanded')) === 'false')
  await expect.poll(() => page.locator('colloquy-chat iframe').isVisible()).toBe(false)
  expect(await launcher(page).evaluate(one => one.matches(':focus'))).toBe(true)
  await page.evaluate("colloquy.chat.send('two')")
  await frame.getByText('You said two.').waitFor()
  // Whether the greeting is told depends on when the chat was shown.
  expect(await page.evaluate("told.filter(line => !line.includes('Welcome'))")).toEqual([
    'open {}',
    'send {"text":"one"}',
    'message {"from":"agent","text":"You said one."}',
    'close {}',
    'open {}',
    'send {"text":"two"}',
    'message {"from":"agent","text":"You said two."}',
  ])
  await page.reload()
  await inFrame(page).getByText('You said two.').waitFor()
  expect((await linesOf(page)).slice(1)).toEqual(['one', 'You said one.', 'two', 'You said two.'])
  expect(agent.asked).toEqual(['greeting', 'one', 'two'])
  await page.evaluate('colloquy.chat.destroy()')
  await expect.poll(() => page.locator('colloquy-chat, iframe').count()).toBe(0)
  expect(page.complaints).toEqual([])
  expect(new Set(page.elsewhere)).toEqual(new Set(['colloquy-widget-framed.js', 'framed.js']))
})

test('WI28 what the visitor has agreed to, and earlier conversations, are kept by the page, for all its tabs', async () => {
  const agent = createConcierge()
  const { url } = await startFramedSite({ runtime: agent.runtime }, PAGES)
  const context = await profile()
  const page = await openPage(context, `${url}/consent`)
  await launcher(page).click()
  const agree = (of: Page) => inFrame(of).getByRole('button', { name: 'Agree and start' })
  await agree(page).click()
  await inFrame(page).getByText('How can I help').waitFor()
  const other = await openPage(context, `${url}/consent`)
  await openChat(other)
  await inFrame(other).getByText('How can I help').waitFor()
  await expect.poll(() => agree(other).count()).toBe(0)
  await inFrame(page).locator('textarea').fill('bye')
  await page.keyboard.press('Enter')
  await inFrame(page).getByText('Good-bye.').waitFor()
  await inFrame(other).getByText('Good-bye.').waitFor()
  await inFrame(other).getByRole('button', { name: 'New conversation' }).click()
  await inFrame(other).getByText('Good-bye.').waitFor({ state: 'detached' })
  await inFrame(other).getByText('How can I help').waitFor()
  // A frame of another origin takes no click in a tab behind, where it is not drawn.
  await page.bringToFront()
  await page.reload()
  await inFrame(page).getByText('How can I help').waitFor()
  await inFrame(page).getByRole('button', { name: 'More' }).click()
  await inFrame(page).getByRole('button', { name: 'Earlier conversations' }).click()
  await inFrame(page).getByRole('button', { name: 'bye' }).click()
  await inFrame(page).getByText('Good-bye.').waitFor()
  expect([page.complaints, other.complaints]).toEqual([[], []])
})

test('WI28 what was not seen is counted on the launcher and in the page’s title', async () => {
  const agent = createConcierge()
  const { url } = await startFramedSite({ runtime: agent.runtime }, PAGES)
  const page = await openPage(await profile(), `${url}/`)
  await openChat(page)
  await inFrame(page).getByText('How can I help').waitFor()
  await inFrame(page).locator('textarea').fill('think')
  await page.keyboard.press('Enter')
  await vi.waitUntil(() => agent.asked.includes('think'))
  await page.evaluate('colloquy.chat.close()')
  await vi.waitUntil(() => page.evaluate('!colloquy.chat.isOpen'))
  agent.release()
  await vi.waitUntil(async () => (await page.title()) === '(1) Harbour Hotel')
  expect(await page.evaluate('colloquy.chat.unread')).toBe(1)
  await launcher(page).click()
  await vi.waitUntil(async () => (await page.title()) === 'Harbour Hotel')
  expect(page.complaints).toEqual([])
})

test('WI2 WI28 closed and on the next page a chat in a frame is told of what a person says, with no chat loaded', async () => {
  const { runtime, asked } = createConcierge()
  const site = await startFramedSite({ runtime }, PAGES)
  const { desk } = site.platform
  const page = await openPage(await profile(), `${site.url}/`)
  await openChat(page)
  await inFrame(page).getByText('How can I help').waitFor()
  await inFrame(page).locator('textarea').fill('person')
  await page.keyboard.press('Enter')
  await inFrame(page).getByText('Your place in the queue').waitFor()
  await page.keyboard.press('Escape')
  const [waiting] = await desk.handoffs(site.accountId, 'waiting')
  const id = waiting?.handoffId ?? ''
  await desk.accept(site.accountId, id, { id: 'ada', name: 'Ada', avatarUrl: '' })
  const files: string[] = []
  page.on('request', request => files.push(request.url()))
  await page.goto(`${site.url}/`)
  await desk.send(site.accountId, id, { text: 'Are you there?' })
  const button = page.getByRole('button', { name: 'Chat, New messages: 1' })
  await button.waitFor()
  expect(await page.title()).toBe('(1) Harbour Hotel')
  const loaded = files.filter(address => address.includes('/widget/'))
  expect(loaded.map(address => new URL(address).pathname.replace(/^.*\//, ''))).toEqual([
    ...['colloquy-widget-framed.js', 'extra-framed.js', 'colloquy-frame.html', 'frame.js'],
  ])
  const box = await page.locator('iframe').boundingBox()
  expect([box?.width, box?.height]).toEqual([0, 0])
  await button.click()
  await inFrame(page).getByText('Are you there?').waitFor()
  await vi.waitUntil(async () => (await page.title()) === 'Harbour Hotel')
  await expect.poll(() => page.locator('iframe').count()).toBe(1)
  expect(asked).toEqual(['greeting', 'person'])
  expect(page.complaints).toEqual([])
})

test('WI28 no style of the page reaches the frame, and no finding of axe is in it, on a desk and on a phone', async () => {
  const agent = createConcierge()
  const { url } = await startFramedSite({ runtime: agent.runtime }, PAGES)
  for (const options of [
    { viewport: { width: 1280, height: 800 } },
    { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true },
  ]) {
    const page = await openPage(await profile({ ...options, reducedMotion: 'reduce' }), `${url}/hostile`)
    await launcher(page).click()
    const frame = inFrame(page)
    await frame.getByText('How can I help').waitFor()
    const isPhone = 'isMobile' in options
    const { width, height } = options.viewport
    const box = await page.locator('colloquy-chat iframe').boundingBox()
    if (isPhone) expect(box).toEqual({ x: 0, y: 0, width, height })
    else expect(box).toMatchObject({ width: 392, height: 640 })
    const panel = frame.locator('.panel')
    await expect.poll(() => panel.getAttribute('aria-modal')).toBe(isPhone ? 'true' : null)
    expect(
      await panel.evaluate(one => [
        one.clientWidth + one.clientLeft * 2,
        one.clientHeight + one.clientTop * 2,
      ]),
    ).toEqual([box?.width, box?.height])
    const inside = page.frames().find(one => one.url().includes('/colloquy-frame.html'))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(inside && (await findingsOf(inside))).toEqual([])
    }
    await panel.getByRole('button', { name: 'Close' }).click()
    await vi.waitUntil(async () => !(await page.locator('colloquy-chat iframe').isVisible()))
    expect(page.complaints).toEqual([])
  }
})

test('WI28 the frame asks the page for what its functions give, and hears no other window', async () => {
  const agent = createConcierge()
  const site = await startFramedSite({ runtime: agent.runtime }, PAGES)
  const { accessToken } = await site.platform.messaging.issueAccessToken({
    ...{ connectorToken: site.token, host: 'localhost', remoteAddress: 'test' },
  })
  const page = await (await profile()).newPage()
  await page.exposeFunction('tokenOfServer', () => accessToken)
  await page.goto(`${site.url}/script`)
  await launcher(page).click()
  await inFrame(page).locator('textarea').waitFor()
  // Another page, and another frame of this one, cannot start a chat or speak for the page.
  await page.evaluate(() => {
    const frame = document.querySelector('colloquy-chat')?.shadowRoot?.querySelector('iframe')
    const { port2 } = new MessageChannel()
    frame?.contentWindow?.postMessage({ colloquy: 2, options: { server: 'http://127.0.0.1:1' } }, '*', [
      port2,
    ])
    frame?.contentWindow?.postMessage('nonsense', '*')
    window.postMessage({ colloquy: 9, ready: true }, '*')
  })
  await inFrame(page).getByText('How can I help').waitFor()
  await inFrame(page).locator('textarea').fill('one')
  await page.keyboard.press('Enter')
  await inFrame(page).getByText('You said one.').waitFor()
  expect(await page.evaluate('asked')).toContain('token')
})

test('WI28 what cannot leave the page is refused in words, and a frame that does not speak the same version is no chat', async () => {
  const agent = createConcierge()
  const site = await startFramedSite({ runtime: agent.runtime }, PAGES)
  const page = await (await profile()).newPage()
  await page.goto(`${site.url}/script`)
  const refusal = await page.evaluate(
    `(other => other.open().then(String, String).finally(() => other.destroy()))(
      colloquy.mountChat(document.body, { server: location.origin, connectorToken: 't', openSocket() {}, fetch() {} }))`,
  )
  expect(refusal).toBe(
    'TypeError: A chat in a frame cannot have openSocket, fetch, which cannot leave the page.',
  )
  await page.context().route('**/colloquy-frame.html*', route =>
    route.fulfill({
      contentType: 'text/html',
      body: "<script>parent.postMessage({ colloquy: 9, ready: true }, '*')</script>",
    }),
  )
  await launcher(page).click()
  await page.getByRole('status').getByText('Chat unavailable.').waitFor()
  expect(await page.evaluate('chat.open().then(String, String)')).toBe(
    'Error: The frame of the chat speaks version 9, the page 3.',
  )
  await page.context().unroute('**/colloquy-frame.html*')
  await page.context().route('**/inside.js', route => route.abort())
  expect(await page.evaluate('chat.open().then(String, String)')).toContain('inside.js')
  await page.getByRole('status').getByText('Chat unavailable.').waitFor()
  const alone = await page.context().newPage()
  await alone.goto(`${site.origin}/widget/colloquy-frame.html`)
  await alone.getByText('It belongs into a page').waitFor()
})

test('WI28 a site that the connector does not have shows nobody the chat, whatever token it brings', async () => {
  const { asked, runtime } = createConcierge()
  const site = await startFramedSite({ runtime }, PAGES)
  await site.platform.access.updateConnector(site.connectorId, { hosts: ['127.0.0.1'] })
  const page = await (await profile()).newPage()
  await page.exposeFunction('tokenOfServer', async () => {
    const { accessToken } = await site.platform.messaging.issueAccessToken({
      ...{ connectorToken: site.token, host: '127.0.0.1', remoteAddress: '127.0.0.1' },
    })
    return accessToken
  })
  const refused = page.waitForResponse(answer => /\/stream\?host=localhost$/.test(answer.url()))
  await page.goto(`${site.url}/script`)
  await page.evaluate("void chat.send('Anybody?')")
  expect((await refused).status()).toBe(403)
  expect(asked).toEqual([])
})
