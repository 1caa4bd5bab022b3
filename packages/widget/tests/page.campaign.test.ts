import { fileURLToPath } from 'node:url'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import { build } from 'rolldown'
import { expect, test } from 'vitest'
import { textEntry } from '../../../scripts/text-entry.ts'
import { sourceConditions } from '../../../scripts/workspace-packages.ts'
import { createConcierge } from './support/concierge.ts'
import { linesOf, openChat, openPage, pageOf, say, startSite, tag } from './support/site.ts'

const { profile } = requireBrowser()

/** A folder for pictures; without it none are taken. */
const SHOTS = process.env.COLLOQUY_SHOTS

const MAIN = '<main><h1>Harbour Hotel</h1><p>Rooms by the sea.</p></main>'

test('WI13 the chat speaks the language of the browser, then the one that the agent changes to', async () => {
  const agent = createConcierge()
  const { url } = await startSite({ runtime: agent.runtime })
  const page = await openPage(await profile({ locale: 'es-MX' }), url)
  await openChat(page)
  await expect.poll(() => page.locator('textarea').getAttribute('placeholder')).toBe('Escriba un mensaje')
  await expect.poll(() => page.locator('.panel').getAttribute('lang')).toBe('es-MX')
  await page.getByText('How can I help').waitFor()
  await say(page, 'français')
  await page.getByPlaceholder('Écrire un message').waitFor()
  await expect.poll(() => page.locator('.panel').getAttribute('lang')).toBe('fr')
  const arabic = await openPage(await profile({ locale: 'ar' }), url)
  await openChat(arabic)
  await expect.poll(() => arabic.locator('.panel').getAttribute('dir')).toBe('rtl')
  const [panel, send, area] = await Promise.all(
    ['.panel', 'button.send', 'textarea'].map(one => arabic.locator(one).boundingBox()),
  )
  expect(send?.x).toBeLessThan(area?.x ?? 0)
  expect(panel?.x).toBeGreaterThan(0)
  expect([...page.complaints, ...arabic.complaints]).toEqual([])
})

test('WI13 a page chooses the language, and has words of its own', async () => {
  const agent = createConcierge()
  const { url } = await startSite({
    runtime: agent.runtime,
    pages: {
      '/': pageOf(`${MAIN}<script src="{widget}"></script><script src="/page.js"></script>`),
      '/page.js': `colloquy.mountChat(document.body, { server: '{server}', connectorToken: '{token}', language: 'de', words: { message: 'Was können wir tun?' } })`,
    },
  })
  const page = await openPage(await profile(), url)
  await openChat(page)
  await page.getByPlaceholder('Was können wir tun?').waitFor()
  await page.getByRole('button', { name: 'Mehr' }).waitFor()
  await page.getByText('How can I help').waitFor()
  await say(page, 'français')
  await page.getByText('continuons').waitFor()
  await page.getByRole('button', { name: 'Mehr' }).waitFor()
})

/** What a page does to all that it can reach. */
const HOSTILE = `
  * { all: unset !important; display: block !important; font-size: 40px !important; color: red !important; position: static !important; transform: rotate(3deg) !important; }
  colloquy-chat { display: none !important; opacity: 0 !important; left: 0 !important; width: 3px !important; }
  button, textarea, header, ol, li { display: none !important; }
  html { font-size: 62.5% }
`

test('WI14 no style of the page reaches the chat, but the variables that are meant to', async () => {
  const agent = createConcierge()
  const styled = (style: string): string => pageOf(MAIN + tag(), `<link rel="stylesheet" href="${style}">`)
  const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:"
  const { url } = await startSite({
    runtime: agent.runtime,
    policy,
    pages: {
      '/hostile': styled('/hostile.css'),
      '/hostile.css': HOSTILE,
      '/own': styled('/own.css'),
      '/own.css':
        'colloquy-chat { --colloquy-accent: #006b3c; --colloquy-on-accent: #ffffff; --colloquy-font: monospace; --colloquy-radius: 0px; --colloquy-background: #fffbe6; --colloquy-text: #222200 }',
    },
  })
  const context = await profile()
  const lookOf = async (path: string) => {
    const page = await openPage(context, url + path)
    await page.evaluate('sessionStorage.clear(); localStorage.clear()')
    await openChat(page)
    await page.getByText('How can I help').waitFor()
    const look = await page.locator('.panel, .panel *, .launcher, .launcher *').evaluateAll(all =>
      all.map(one => {
        const { backgroundColor, color, display, fontFamily, fontSize, height, position, transform, width } =
          getComputedStyle(one)
        return [
          one.tagName,
          backgroundColor,
          color,
          display,
          fontFamily,
          fontSize,
          height,
          position,
          transform,
          width,
        ].join(' ')
      }),
    )
    expect(page.complaints).toEqual([])
    return { look, page }
  }
  const plain = await lookOf('/')
  const hostile = await lookOf('/hostile')
  expect(plain.look.length).toBeGreaterThan(20)
  expect(hostile.look).toEqual(plain.look)
  const { page } = await lookOf('/own')
  expect(await findingsOf(page)).toEqual([])
  const styleOf = (selector: string) =>
    page.locator(selector).evaluate(one => {
      const { backgroundColor, borderRadius, fontFamily } = getComputedStyle(one)
      return { backgroundColor, borderRadius, fontFamily }
    })
  expect(await styleOf('button.send')).toMatchObject({
    backgroundColor: 'rgb(0, 107, 60)',
    fontFamily: 'monospace',
  })
  expect(await styleOf('.panel')).toMatchObject({
    backgroundColor: 'rgb(255, 251, 230)',
    borderRadius: '0px',
  })
})

test('WI14 a page may choose the theme; forced colours and reduced motion are honoured', async () => {
  const agent = createConcierge()
  const { url } = await startSite({
    runtime: agent.runtime,
    pages: { '/': pageOf(MAIN + tag('data-theme="dark"')) },
  })
  const context = await profile({ colorScheme: 'light', reducedMotion: 'reduce' })
  const page = await openPage(context, url)
  await openChat(page)
  await page.getByText('How can I help').waitFor()
  expect(await page.locator('.panel').evaluate(one => getComputedStyle(one).backgroundColor)).toBe(
    'rgb(18, 18, 18)',
  )
  await say(page, 'think')
  await page.locator('.dots').waitFor()
  const moving = await page
    .locator('.panel, .panel *')
    .evaluateAll(all => all.filter(one => getComputedStyle(one).animationName !== 'none').length)
  expect(moving).toBe(0)
  await page.emulateMedia({ forcedColors: 'active' })
  const borders = await page
    .locator('.bubble, button.send')
    .evaluateAll(all => all.map(one => getComputedStyle(one).borderTopStyle))
  expect(new Set(borders)).toEqual(new Set(['solid']))
})

test('WI14 on a phone the chat covers the page, leaves room for the keyboard, and keeps the focus', async () => {
  const agent = createConcierge()
  const { url } = await startSite({ runtime: agent.runtime })
  const page = await openPage(
    await profile({
      viewport: { width: 390, height: 700 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    }),
    url,
  )
  await page.getByRole('button', { name: 'Chat' }).tap()
  await page.getByText('How can I help').waitFor()
  const panel = page.locator('.panel')
  expect(await panel.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 700 })
  await expect.poll(() => panel.getAttribute('aria-modal')).toBe('true')
  // The keyboard does not open by itself.
  const focused = () =>
    page.evaluate(
      () => document.activeElement?.shadowRoot?.activeElement?.className ?? document.activeElement?.tagName,
    )
  expect(await focused()).toContain('panel')
  // The keyboard takes the lower half.
  await page.evaluate(() => {
    Object.defineProperty(visualViewport, 'height', { value: 380, configurable: true })
    visualViewport?.dispatchEvent(new Event('resize'))
  })
  expect((await panel.boundingBox())?.height).toBe(380)
  const composer = await page.locator('.composer').boundingBox()
  expect((composer?.y ?? 999) + (composer?.height ?? 999)).toBe(380)
  // All around with Tab, both ways.
  for (const key of ['Tab', 'Shift+Tab']) {
    const seen = new Set<string>()
    for (let steps = 0; steps < 8; steps++) {
      await page.keyboard.press(key)
      seen.add(String(await focused()))
    }
    expect([...seen].sort()).toEqual(['', 'round', 'round send', 'scroller'])
  }
  expect(page.complaints).toEqual([])
})

test('WI16 a reply that streams is told to a screen reader once and whole', async () => {
  const agent = createConcierge()
  const { url } = await startSite({ runtime: agent.runtime })
  const page = await openPage(await profile(), url)
  await openChat(page)
  await page.getByText('How can I help').waitFor()
  await say(page, 'one')
  await page.getByText('You said one.').waitFor()
  // What a screen reader hears of: nodes that are added or changed below a live region that is not switched off.
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(globalThis, { heard })
    const root = document.querySelector('colloquy-chat')?.shadowRoot
    const isTold = (node: Node | null): boolean => {
      const element = node instanceof Element ? node : node?.parentElement
      const region = element?.closest('[aria-live], [role=log], [role=status], [role=alert]')
      const live = region?.getAttribute('aria-live') ?? (region ? 'polite' : 'off')
      return live !== 'off'
    }
    new MutationObserver(records => {
      for (const { addedNodes, target, type } of records) {
        if (type === 'characterData' && isTold(target)) heard.push(target.textContent ?? '')
        for (const node of addedNodes) if (isTold(node)) heard.push(node.textContent ?? '')
      }
    }).observe(root ?? document, { subtree: true, childList: true, characterData: true })
  })
  await say(page, 'hold on')
  await page.getByText('One moment,').waitFor()
  const streaming = page.locator('[aria-busy=true]')
  await expect.poll(() => streaming.count()).toBe(1)
  await expect.poll(() => page.getByRole('log').getAttribute('aria-live')).toBe('polite')
  agent.release()
  await page.getByText('now I know.').waitFor()
  await expect.poll(() => streaming.count()).toBe(0)
  const heard: readonly string[] = await page.evaluate('heard')
  expect(heard.filter(text => text.includes('One moment,'))).toEqual([
    expect.stringMatching(/^Front desk: One moment, now I know\./),
  ])
  expect(heard.filter(text => text.includes('hold on'))).toHaveLength(1)
})

test('a chat that gets no connection says so and tries again when asked; one that is refused says why', async () => {
  const agent = createConcierge()
  const script = (problem: string): string => `
    globalThis.works = false
    colloquy.mountChat(document.body, {
      server: '{server}', maxAttempts: 0,
      async getToken() {
        if (!works) throw ${problem}
        const headers = { 'x-token': '{token}', 'x-host': 'localhost' }
        const answer = await (await fetch('/api/v1/access-token', { method: 'POST', headers })).json()
        return { accessToken: answer.access_token, expiresIn: answer.expires_in }
      },
    })`
  const { url } = await startSite({
    runtime: agent.runtime,
    pages: {
      '/': pageOf(`${MAIN}<script src="{widget}"></script><script src="/lost.js"></script>`),
      '/lost.js': script("new Error('away')"),
      '/refused': pageOf(`${MAIN}<script src="{widget}"></script><script src="/refused.js"></script>`),
      '/refused.js': script("Object.assign(new Error('Please sign in.'), { status: 403 })"),
    },
  })
  for (const [path, words, logged] of [
    ['/', 'No connection.', []],
    ['/refused', 'The chat is not available right now. Please sign in.', ['[colloquy] Please sign in.']],
  ] as const) {
    const page = await openPage(await profile(), url + path)
    await openChat(page)
    await page.getByText(words).waitFor()
    await expect
      .poll(() => page.getByRole('status').allInnerTexts())
      .toContainEqual(expect.stringContaining(words))
    // Once it works, the client may try by itself before the button is reached: then the button is gone.
    await page.evaluate(`works = true
      document.querySelector('colloquy-chat').shadowRoot.querySelector('.strip button')?.click()`)
    await page.getByText('How can I help').waitFor()
    await expect.poll(() => page.locator('.strip').count()).toBe(0)
    expect(page.complaints).toEqual(logged)
  }
})

test('WI41 two chats on a page are two conversations, and a chat that is destroyed leaves nothing', async () => {
  const agent = createConcierge()
  const { agentId, accountId, platform, url, token } = await startSite({
    runtime: agent.runtime,
    pages: {
      '/two': pageOf(
        `${MAIN}<div id="here"></div><script src="/watch.js"></script><script src="{widget}"></script>`,
      ),
      '/watch.js': `
        globalThis.listeners = 0
        globalThis.sockets = []
        globalThis.WebSocket = class extends WebSocket {
          constructor(url) {
            super(url)
            sockets.push(this)
          }
        }
        const { addEventListener, removeEventListener } = EventTarget.prototype
        // Those of what runs this test are others.
        const ours = ['change', 'visibilitychange', 'resize', 'scroll', 'online', 'offline', 'keydown']
        const isPages = (target, type) =>
          (target === window || target === document || target === visualViewport || target instanceof MediaQueryList) && ours.includes(type)
        EventTarget.prototype.addEventListener = function (type, listener, options) {
          if (isPages(this, type)) {
            listeners += 1
            options?.signal?.addEventListener('abort', () => { listeners -= 1 })
          }
          return addEventListener.call(this, type, listener, options)
        }
        EventTarget.prototype.removeEventListener = function (type, listener, options) {
          if (isPages(this, type)) listeners -= 1
          return removeEventListener.call(this, type, listener, options)
        }`,
    },
  })
  const second = await platform.access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: ['localhost'] },
    handoff: { mode: 'server', queueName: 'q', timeoutSeconds: 300 },
  })
  const page = await openPage(await profile(), `${url}/two`)
  const before = await page.evaluate('[document.body.outerHTML, document.head.outerHTML, listeners]')
  await page.evaluate(`
    globalThis.one = colloquy.mountChat(document.body, { server: '${url}', connectorToken: '${token}', countInTitle: true })
    globalThis.two = colloquy.mountChat(document.body, { server: '${url}', connectorToken: '${second.token}', side: 'start' })
  `)
  const chats = page.locator('colloquy-chat')
  await page.evaluate('Promise.all([one.open(), two.open()])')
  await page.getByText('How can I help').nth(1).waitFor()
  await chats.nth(0).locator('textarea').fill('one')
  await page.keyboard.press('Enter')
  await page.getByText('You said one.').waitFor()
  await expect.poll(() => chats.nth(1).locator('.mine').count()).toBe(0)
  const boxes = await Promise.all([0, 1].map(at => chats.nth(at).locator('.panel').boundingBox()))
  expect(boxes[1]?.x).toBeLessThan(boxes[0]?.x ?? 0)
  expect(await findingsOf(page)).toEqual([])
  await page.reload()
  await page.evaluate(`
    globalThis.one = colloquy.mountChat(document.body, { server: '${url}', connectorToken: '${token}', countInTitle: true })
    globalThis.two = colloquy.mountChat(document.querySelector('#here'), { server: '${url}', connectorToken: '${second.token}' })
  `)
  await page.getByText('You said one.').waitFor()
  expect((await linesOf(page)).filter(line => line === 'mine: one')).toHaveLength(1)

  expect(Number(await page.evaluate('listeners'))).toBeGreaterThan(8)
  const open = 'sockets.filter(({ readyState }) => readyState < WebSocket.CLOSING).length'
  expect(await page.evaluate(open)).toBe(2)
  await page.evaluate('one.destroy(); two.destroy()')
  expect(await page.evaluate('[document.body.outerHTML, document.head.outerHTML, listeners]')).toEqual(before)
  expect(await page.title()).toBe('Harbour Hotel')
  // A chat that goes while it is loaded, and one that is opened after that.
  await page.evaluate(`(async () => {
    const three = colloquy.mountChat(document.body, { server: '${url}', connectorToken: '${token}', name: 'three' })
    const opened = three.open().catch(() => 'gone')
    three.destroy()
    await opened
    await one.open()
  })()`)
  expect(await page.evaluate('[document.body.outerHTML, document.head.outerHTML, listeners]')).toEqual(before)
  expect(await page.evaluate(open)).toBe(0)
  expect(page.complaints).toEqual([])
})

test('WI21 a file of the chat that is not this version’s is not run; where it cannot be had the visitor is told, and may try again', async () => {
  const agent = createConcierge()
  const { url } = await startSite({ runtime: agent.runtime })
  const page = await openPage(await profile(), url)
  let answers: 'changed' | 'missing' | 'right' = 'changed'
  await page.route(/chat\.js/, async route => {
    if (answers === 'right') return route.continue()
    if (answers === 'missing') return route.fulfill({ status: 404, body: '' })
    const response = await route.fetch()
    return route.fulfill({ response, body: `globalThis.changed = true;${await response.text()}` })
  })
  const launcher = page.getByRole('button', { name: 'Chat', exact: true })
  await launcher.click()
  await page.getByText('Chat unavailable.').waitFor()
  expect(await page.evaluate('globalThis.changed')).toBeUndefined()
  answers = 'missing'
  await launcher.click()
  await page.getByText('Chat unavailable.').waitFor()
  expect(await findingsOf(page)).toEqual([])
  answers = 'right'
  await launcher.click()
  await page.getByText('How can I help').waitFor()
  await expect.poll(() => page.getByText('Chat unavailable.').count()).toBe(0)
})

test('inside an element the chat fills it, is open, and has no button that closes it', async () => {
  const agent = createConcierge()
  const { url } = await startSite({
    runtime: agent.runtime,
    policy: "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:",
    pages: {
      '/': pageOf(
        `<main><h1>Help</h1><div id="here"></div></main>${tag('data-layout="inside" data-place="#here"')}`,
        '<link rel="stylesheet" href="/page.css">',
      ),
      '/page.css': '#here { width: 500px; height: 480px }',
    },
  })
  const page = await openPage(await profile(), url)
  await page.getByText('How can I help').waitFor()
  expect(await page.locator('.panel').boundingBox()).toMatchObject({ width: 500, height: 480 })
  await expect.poll(() => page.getByRole('button', { name: /Close|Chat/ }).count()).toBe(0)
  await page.locator('textarea').click()
  await page.keyboard.press('Escape')
  await say(page, 'one')
  await page.getByText('You said one.').waitFor()
  expect(await findingsOf(page)).toEqual([])
  expect(page.complaints).toEqual([])
})

test('WI1 from a bundler the chat is files of its own, which are loaded when it is opened', async () => {
  const agent = createConcierge()
  const { input, plugin } = textEntry(
    `import { mountChat } from '../src/index.ts'
      mountChat(document.body, { server: location.origin, connectorToken: document.body.dataset.token })`,
    fileURLToPath(new URL('.', import.meta.url)),
  )
  const { output } = await build({
    input: { page: input },
    plugins: [plugin],
    platform: 'browser',
    resolve: { conditionNames: sourceConditions('browser') },
    write: false,
    output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
  })
  const files = output.flatMap(file =>
    file.type === 'chunk' ? [[`/${file.fileName}`, file.code] as const] : [],
  )
  const page = `${MAIN}<script type="module" src="/page.js"></script>`
  const { url } = await startSite({
    runtime: agent.runtime,
    pages: {
      ...Object.fromEntries(files),
      '/': pageOf(page).replace('<body>', '<body data-token="{token}">'),
    },
  })
  const opened = await openPage(await profile({ locale: 'de' }), url)
  await opened.getByRole('button', { name: 'Chat' }).waitFor()
  const before = opened.requests.length
  await openChat(opened)
  await opened.getByText('How can I help').waitFor()
  await opened.getByRole('button', { name: 'Mehr' }).click()
  await opened.getByText('Verlauf herunterladen').waitFor()
  const loaded = opened.requests.slice(before).filter(address => address.endsWith('.js'))
  expect(loaded.length).toBeGreaterThanOrEqual(3)
  expect(opened.complaints).toEqual([])
})

test('WI705 a visitor who asks for a person outside the hours reads when somebody is there, in their language', async () => {
  const { accountId, platform, url } = await startSite({ runtime: createConcierge().runtime })
  // Three days from now.
  const weekly = [{ day: ((new Date().getUTCDay() + 2) % 7) + 1, from: '09:00', to: '17:00' }]
  await platform.desk.queues.setHours(accountId, 'reception', { timeZone: 'Europe/Berlin', weekly })
  for (const [locale, words] of [
    ['en-GB', /We are back on \w+,? \d+ \w+, 09:00\. You can go on/],
    ['de-DE', /Ab \w+, \d+\. [\wä]+, 09:00 sind wir wieder/],
    ['ar', /سنعود يوم/],
  ] as const) {
    const phone = { viewport: { width: 390, height: 760 }, timezoneId: 'Europe/Berlin', locale }
    const page = await openPage(await profile(phone), url)
    await openChat(page)
    await say(page, 'person')
    await page.locator('.strip.handoff', { hasText: words }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/hours-${locale}-${colorScheme}.png` })
      expect(await findingsOf(page)).toEqual([])
    }
    expect(page.complaints).toEqual([])
  }
})
