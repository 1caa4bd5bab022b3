import { requireBrowser } from '@colloquy/test-support/browser'
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { createConcierge } from './support/concierge.ts'
import { openChat, openPage, pageOf, say, startSite, tag } from './support/site.ts'

const { profile } = requireBrowser()

/**
 * Goes to pages as libraries do that swap them: the body is another one, whose scripts are run, and a copy of the one
 * before is kept for whoever goes back.
 */
const SWAPPING = `
  globalThis.sockets = []
  globalThis.WebSocket = class extends WebSocket {
    constructor(url) { super(url); sockets.push(this) }
  }
  globalThis.live = () => sockets.filter(({ readyState }) => readyState < WebSocket.CLOSING).length
  const kept = new Map()
  const show = body => {
    document.body.replaceWith(body)
    for (const old of body.querySelectorAll('script')) {
      const script = document.createElement('script')
      for (const { name, value } of old.attributes) script.setAttribute(name, value)
      old.replaceWith(script)
    }
  }
  globalThis.visit = async path => {
    kept.set(location.pathname, document.body.cloneNode(true))
    const html = await (await fetch(path)).text()
    history.pushState({}, '', path)
    show(new DOMParser().parseFromString(html, 'text/html').body)
  }
  globalThis.back = path => {
    history.pushState({}, '', path)
    show(kept.get(path).cloneNode(true))
  }
  /** Makes the body what it is to be without another body: what is not of the page is taken out. */
  globalThis.morph = () => { for (const one of document.querySelectorAll('colloquy-chat')) one.remove() }
`

const LINK = '<main><h1>Harbour Hotel</h1></main>'
const SCRIPT = '<script src="/swapping.js"></script>'

const PAGES = {
  '/body': pageOf(LINK + tag(), SCRIPT),
  '/head': pageOf(LINK, SCRIPT + tag()),
  '/twice': pageOf(LINK + tag() + tag(), SCRIPT),
  '/swapping.js': SWAPPING,
}

const chats = (page: Page): Promise<number> => page.locator('colloquy-chat').count()
const live = (page: Page): Promise<unknown> => page.evaluate('live()')

async function start(path: keyof typeof PAGES) {
  const { runtime } = createConcierge()
  const site = await startSite({ runtime, pages: PAGES })
  return { ...site, page: await openPage(await profile(), site.url + path) }
}

test.each(['/body', '/head'] as const)(
  'a chat whose tag is in %s is one chat with one socket over a hundred pages, and goes on talking',
  async path => {
    const { page } = await start(path)
    await openChat(page)
    await say(page, 'one')
    await page.getByText('You said one.').waitFor()
    for (let count = 0; count < 100; count += 1) await page.evaluate(to => visit(to), `${path}`)
    await page.getByText('You said one.').waitFor()
    expect(await chats(page)).toBe(1)
    await vi.waitUntil(async () => (await live(page)) === 1)
    await say(page, 'two')
    await page.getByText('You said two.').waitFor()
    await page.evaluate(to => back(to), `${path}`)
    await page.getByText('You said two.').waitFor()
    expect(await chats(page)).toBe(1)
    // So fast are no people: Chromium says of each socket that it came to nothing.
    expect(page.complaints.filter(text => !text.includes('closed before the connection'))).toEqual([])
  },
)

test('a chat that is taken out of the same body is there again, and one that is destroyed is not', async () => {
  const { page } = await start('/body')
  await openChat(page)
  await page.getByText('How can I help').waitFor()
  await page.evaluate('morph()')
  await page.getByText('How can I help').waitFor()
  expect(await chats(page)).toBe(1)
  await page.evaluate('colloquy.chat.destroy()')
  await vi.waitUntil(async () => (await live(page)) === 0)
  expect(await chats(page)).toBe(0)
})

test('two tags of one name are one chat; inside an element it lets go until the element is back', async () => {
  const { page, token, url } = await start('/twice')
  await openChat(page)
  await page.getByText('How can I help').waitFor()
  expect([await chats(page), await live(page)]).toEqual([1, 1])
  await page.evaluate(`{
    colloquy.chat.destroy()
    globalThis.place = document.body.appendChild(document.createElement('div'))
    globalThis.inside = colloquy.mountChat(place, { server: '${url}', connectorToken: '${token}', layout: 'inside' })
    globalThis.again = colloquy.mountChat(document.body, { server: '${url}', connectorToken: '${token}' })
  }`)
  expect(await page.evaluate('inside === again')).toBe(true)
  await page.getByText('How can I help').waitFor()
  await page.evaluate('place.remove()')
  await vi.waitUntil(async () => (await live(page)) === 0)
  expect(await chats(page)).toBe(0)
  await page.evaluate('document.body.append(place)')
  await page.getByText('How can I help').waitFor()
  expect([await chats(page), await live(page)]).toEqual([1, 1])
})

test('WI2 closed and on the next page the visitor is told of what a person says, and is not taken for gone', async () => {
  const { runtime, asked } = createConcierge()
  const counting = pageOf(LINK + tag('data-count-in-title'))
  const site = await startSite({ runtime, pages: { '/one': counting, '/two': counting } })
  const { desk } = site.platform
  const page = await openPage(await profile(), `${site.url}/one`)
  await openChat(page)
  await page.getByText('How can I help').waitFor()
  await say(page, 'person')
  await page.getByText('Your place in the queue').waitFor()
  await page.keyboard.press('Escape')
  const [waiting] = await desk.handoffs(site.accountId, 'waiting')
  const id = waiting?.handoffId ?? ''
  await desk.accept(site.accountId, id, { id: 'ada', name: 'Ada', avatarUrl: '' })
  await page.goto(`${site.url}/two`)
  await desk.send(site.accountId, id, { text: 'Are you there?' })
  await page.getByRole('button', { name: 'Chat, New messages: 1' }).waitFor()
  expect(await page.title()).toBe('(1) Harbour Hotel')
  expect(await page.evaluate('colloquy.chat.unread')).toBe(1)
  expect(page.requests.slice(-4).filter(address => address.includes('/chat.js'))).toEqual([])
  const other = await openPage(page.context(), `${site.url}/one`)
  await other.getByRole('button', { name: 'Chat, New messages: 1' }).waitFor()
  await other.getByRole('button', { name: 'Chat, New messages: 1' }).click()
  await other.getByText('Are you there?').waitFor()
  await vi.waitUntil(async () => (await other.title()) === 'Harbour Hotel')
  expect(asked).toEqual(['greeting', 'person'])
  expect([...page.complaints, ...other.complaints]).toEqual([])
})

test('WI2 VC21 where sockets do not get through the page listens over streams, and later pages begin with them', async () => {
  const { runtime } = createConcierge()
  const blocked = `globalThis.tried = 0
    globalThis.WebSocket = class { constructor() { tried++; throw new Error('No sockets here.') } }`
  const site = await startSite({
    runtime,
    pages: {
      '/one': pageOf(LINK + tag(), SCRIPT),
      '/two': pageOf(LINK + tag(), '<script src="/blocked.js"></script>'),
      '/blocked.js': blocked,
      '/swapping.js': SWAPPING,
    },
  })
  const { desk } = site.platform
  const page = await openPage(await profile(), `${site.url}/one`)
  await openChat(page)
  await page.getByText('How can I help').waitFor()
  await say(page, 'person')
  await page.getByText('Your place in the queue').waitFor()
  await page.keyboard.press('Escape')
  const [waiting] = await desk.handoffs(site.accountId, 'waiting')
  const id = waiting?.handoffId ?? ''
  await desk.accept(site.accountId, id, { id: 'ada', name: 'Ada', avatarUrl: '' })
  await page.goto(`${site.url}/two`)
  await desk.send(site.accountId, id, { text: 'Are you there?' })
  await page.getByRole('button', { name: 'Chat, New messages: 1' }).waitFor()
  expect(await page.evaluate('tried')).toBe(3)
  const asked = page.requests.length
  await page.reload()
  await desk.send(site.accountId, id, { text: 'Hello?' })
  await page.getByRole('button', { name: 'Chat, New messages: 2' }).waitFor()
  expect(await page.evaluate('tried')).toBe(0)
  expect(page.requests.slice(asked).filter(address => address.includes('/chat.js'))).toEqual([])
})

test('WI41 after a sign-out nothing of the visitor is on the device, and the next one begins anew', async () => {
  const { runtime } = createConcierge()
  const site = await startSite({
    runtime,
    pages: {
      '/ada': pageOf(`${LINK}<script src="{widget}"></script><script src="/ada.js"></script>`),
      '/bob': pageOf(`${LINK}<script src="{widget}"></script><script src="/bob.js"></script>`),
      ...Object.fromEntries(
        ['ada', 'bob'].map(who => [
          `/${who}.js`,
          `globalThis.chat = colloquy.mountChat(document.body, { server: '/', connectorToken: '{token}', identity: '${who}' }); chat.open()`,
        ]),
      ),
    },
  })
  const page = await openPage(await profile(), `${site.url}/ada`)
  await page.getByText('How can I help').waitFor()
  await say(page, 'private')
  await page.getByText('You said private.').waitFor()
  await page.locator('textarea').fill('half')
  await page.reload()
  await page.getByText('You said private.').waitFor()
  await expect.poll(() => page.locator('textarea').inputValue()).toBe('half')
  const kept = () => page.evaluate(() => JSON.stringify(localStorage))
  await vi.waitUntil(async () => (await kept()).includes('private'))
  await page.goto(`${site.url}/bob`)
  await page.getByText('How can I help').waitFor()
  expect([await page.getByText('private').count(), await page.locator('textarea').inputValue()]).toEqual([
    0,
    '',
  ])
  expect(await kept()).not.toContain('private')
  await say(page, 'mine')
  await page.getByText('You said mine.').waitFor()
  await page.evaluate('chat.forget()')
  await vi.waitUntil(async () => (await page.getByText('You said mine.').count()) === 0)
  await page.evaluate('chat.open()')
  await page.getByText('How can I help').waitFor()
  expect(await kept()).not.toMatch(/mine|bob/)
  await page.evaluate("chat.identify('eve')")
  await page.getByText('How can I help').waitFor()
  expect(await kept()).toContain('eve')
  expect(page.complaints).toEqual([])
})

test('WI41 nothing begins after a sign-out until the chat is opened, as who is signed in then', async () => {
  const { runtime } = createConcierge()
  const script = `
    globalThis.signedIn = 'ada'
    globalThis.made = []
    globalThis.chat = colloquy.mountChat(document.body, {
      server: '/',
      connectorToken: '{token}',
      async createSession(token) {
        made.push(signedIn)
        const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
        const answer = await fetch('/api/v1/sessions', { method: 'POST', headers, body: '{"streaming_enabled": true}' })
        return (await answer.json()).session_id
      },
    })
    chat.open()`
  const site = await startSite({
    runtime,
    pages: {
      '/': pageOf(`${LINK}<script src="{widget}"></script><script src="/page.js"></script>`),
      '/page.js': script,
    },
  })
  const page = await openPage(await profile(), site.url)
  await page.getByText('How can I help').waitFor()
  await page.evaluate('chat.forget()')
  expect(await page.evaluate('chat.isOpen')).toBe(false)
  expect(await page.evaluate('Object.keys(localStorage).filter(key => key.endsWith(":session"))')).toEqual([])
  await page.evaluate("signedIn = 'bob'; chat.open()")
  await page.getByText('How can I help').waitFor()
  expect(await page.evaluate('made')).toEqual(['ada', 'bob'])
  expect(page.complaints).toEqual([])
})

test('the server may be relative to the page', async () => {
  const { runtime } = createConcierge()
  const site = await startSite({ runtime, pages: { '/deep/page': pageOf(LINK + tag('data-server=".."')) } })
  const page = await openPage(await profile(), `${site.url}/deep/page`)
  await openChat(page)
  await page.getByText('How can I help').waitFor()
  expect(page.complaints).toEqual([])
})

declare function visit(path: string): Promise<void>
declare function back(path: string): void
